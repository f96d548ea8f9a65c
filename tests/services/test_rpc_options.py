"""Options of rule sets, from the host's request to the cards of a table."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from rummy_arena.client import ArenaError, rules_of, view_of
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set
from tests.workers.carrying import drain

from .conftest import Api

_Code = grpc.StatusCode


async def refused(call: Any) -> ArenaError:
    with pytest.raises(ArenaError) as caught:
        await call
    return caught.value


async def create(api: Api, rule_set: str, options: dict[str, str], seats: int = 4) -> Any:
    return await api.admin.tournaments.create(
        "Cup", rule_set=rule_set, seats_per_table=seats, advance_per_table=2, options=options
    )


async def test_every_rule_set_is_listed_with_its_options(api: Api) -> None:
    listed = await api.admin.rules.list()
    assert [rules.id for rules in listed] == sorted(RULE_SETS)
    for rules in listed:
        assert rules == await api.admin.rules.get(rules.id)
        assert not rules.rule_set_options
    european = next(rules for rules in listed if rules.id == "kaluki-european")
    assert [option.name for option in european.options] == [
        "rebuys",
        "build_per_end",
        "deals",
        "kaluki_penalty",
    ]


async def test_a_rule_set_is_described_as_it_is_played_under_options(api: Api) -> None:
    options = {"packs": "3", "stakes": "5", "calls": "on"}
    rules = await api.admin.rules.get("kalooki-bonus", options=options)
    assert (rules.min_seats, rules.max_seats, rules.jokers, rules.deal_stake) == (5, 8, 6, 5)
    assert dict(rules.rule_set_options) == {"packs": "3", "stakes": "5"}


WRONG = [
    (
        {"wild_deuces": "on"},
        "UNKNOWN_OPTION",
        {"option": "wild_deuces", "known": "rebuys, build_per_end, deals, kaluki_penalty"},
    ),
    (
        {"rebuys": "7"},
        "INVALID_OPTION",
        {"option": "rebuys", "clause": "E-17", "allowed": "0 or 1 or 2 or unlimited"},
    ),
]


@pytest.mark.parametrize(("options", "reason", "facts"), WRONG, ids=["unknown", "invalid"])
async def test_wrong_options_are_named_with_what_is_possible(
    api: Api, options: dict[str, str], reason: str, facts: dict[str, str]
) -> None:
    for call in (
        api.admin.rules.get("kaluki-european", options=options),
        create(api, "kaluki-european", options),
    ):
        error = await refused(call)
        assert (error.code, error.reason) == (_Code.INVALID_ARGUMENT, reason)
        assert facts.items() <= error.facts.items()
        assert all(fact in error.message for fact in (facts["option"], "kaluki-european"))


async def test_options_that_exclude_each_other_are_refused(api: Api) -> None:
    options = {"calls": "off", "call_priority": "first_received"}
    error = await refused(create(api, "kalooki-bonus", options))
    assert error.reason == "INVALID_OPTION"
    assert error.facts["option"] == "call_priority"
    assert "calls=off" in error.message


async def test_seats_are_those_of_the_options(api: Api) -> None:
    error = await refused(create(api, "kalooki-bonus", {"packs": "3"}, seats=4))
    assert (error.code, error.reason) == (_Code.INVALID_ARGUMENT, "SEATS_NOT_ALLOWED")
    assert error.facts == {
        "rule_set": "kalooki-bonus",
        "seats": "4",
        "min_seats": "5",
        "max_seats": "8",
        "clause": "B-2",
    }
    assert [violation.field for violation in error.violations] == [
        "options.knockout.seats_per_table"
    ]
    created = await create(api, "kalooki-bonus", {"packs": "3"}, seats=6)
    assert dict(created.options.rule_set_options) == {"packs": "3"}


@pytest.mark.parametrize("value", ["", "é", "x" * 65, "\n"])
async def test_what_cannot_be_an_option_is_refused_as_a_field(api: Api, value: str) -> None:
    for options in ({value: "on"}, {"calls": value}):
        error = await refused(api.admin.rules.get("kalooki-bonus", options=options))
        assert error.reason == "INVALID_REQUEST"
        assert [violation.field for violation in error.violations] == ["rule_set_options"]


@pytest.mark.parametrize(
    ("rule_set", "asked", "recorded"),
    [
        ("kaluki-european", {}, {"rebuys": "0"}),
        ("kaluki-european", {"rebuys": "1"}, {}),
        ("kaluki-american", {"rebuys": "2", "ace": "high"}, {"rebuys": "2"}),
        ("kalooki-jamaican", {}, {}),
        ("kalooki-bonus", {"best_of": "3"}, {"best_of": "3"}),
    ],
)
async def test_nobody_buys_back_in_a_tournament_unless_the_host_says_so(
    api: Api, rule_set: str, asked: dict[str, str], recorded: dict[str, str]
) -> None:
    created = await create(api, rule_set, asked)
    assert dict(created.options.rule_set_options) == recorded
    assert await api.admin.tournaments.get(created.id) == created


async def test_tables_are_played_by_the_options_of_their_tournament(api: Api) -> None:
    tournament = await create(api, "kalooki-bonus", {"open_hands": "on", "short_form": "on"})
    for number in range(4):
        player = await api.admin.players.create(f"P{number}")
        await api.admin.tournaments.register(tournament.id, player.id)
    await api.admin.tournaments.start(tournament.id)
    await drain(api.ctx)
    [round_] = await api.admin.tournaments.bracket(tournament.id)
    table = await api.admin.tables.get(round_.pairings[0].table_id)
    assert table.rule_set_options == tournament.options.rule_set_options
    rules = rules_of(table)
    assert rules is get_rule_set("kalooki-bonus", {"open_hands": "on", "short_form": "on"})
    assert len(rules.contracts) == 7
    hands = view_of(table, rules).hands
    assert [len(hand) for hand in hands] == [9] * 4
    events = api.admin.tables.events(table.id)
    assert (await anext(events)).HasField("deal_committed")
    started = (await anext(events)).deal_started
    assert [len(hand.cards) for hand in started.hands] == [9] * 4
