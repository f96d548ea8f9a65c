"""A tournament of every game through the real system, all of them at once in one arena."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rummy_arena.client import Arena, rules_of
from rummy_arena.rulesets.registry import RULE_SETS
from services.runtime.demo_play import Outcome, Plan, play, usual_seats

from .arenas import demo, running

ENTRANTS = 6
OPTIONS = {
    "kalooki-jamaican": {},
    "kalooki-bonus": {"short_form": "on", "stakes": "3"},
    "carioca-argentine": {},
    "kaluki-european": {"rebuys": "1"},
    "kaluki-american": {},
}


async def played(arena: Arena, rule_set: str) -> Outcome:
    options = OPTIONS[rule_set]
    seats = usual_seats(rule_set, options)
    plan = Plan(entrants=ENTRANTS, rule_set=rule_set, options=options, seats=seats)
    return await play(arena, plan, "seven", lambda _: None, stall_s=60)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    async def all_played(api: str, token: str) -> list[Outcome]:
        async with Arena.connect(api, token=token) as client:
            return await asyncio.gather(*(played(client, rule_set) for rule_set in RULE_SETS))

    folder: Path = tmp_path_factory.mktemp("every-game")
    with running(folder / "arena", "--workers", "2") as arena:
        found = asyncio.run(all_played(arena.api, arena.token))
    return dict(zip(RULE_SETS, found, strict=True))


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_every_game_makes_a_tournament(outcomes: dict[str, Outcome], rule_set: str) -> None:
    outcome = outcomes[rule_set]
    assert sorted(row.entrant.number for row in outcome.standings) == [*range(1, ENTRANTS + 1)]
    final, table = outcome.rounds[-1].pairings[0].result, outcome.final_table
    assert table.rule_set_id == rule_set
    assert table.rule_set_options == outcome.tournament.options.rule_set_options
    sheet, rules = table.score_sheet, rules_of(table)
    assert [seat.place for seat in final.seats] == list(sheet.places)
    assert [seat.total for seat in final.seats] == list(sheet.totals)
    winners = {seat.entrant for seat in final.seats if seat.place == 1}
    assert winners == {row.entrant.number for row in outcome.standings if row.place == 1}
    assert len(sheet.ledger) == (len(table.seats) if rules.buy_in or rules.deal_stake else 0)
    assert sum(sheet.ledger) == 0
    if not rules.by_elimination:
        assert len(sheet.deals) == len(rules.contracts)


def test_places_of_kaluki_follow_the_order_of_elimination(outcomes: dict[str, Outcome]) -> None:
    for rule_set in ("kaluki-european", "kaluki-american"):
        sheet = outcomes[rule_set].final_table.score_sheet
        gone = [sheet.places[seat] for seat in sheet.eliminated_seats]
        assert gone == [*range(len(sheet.places), len(sheet.places) - len(gone), -1)]
    assert outcomes["kaluki-american"].final_table.rule_set_options == {"rebuys": "0"}
    assert not outcomes["kaluki-american"].final_table.score_sheet.rebuys


def test_the_demo_plays_under_options_and_says_so_and_archives_nothing(tmp_path: Path) -> None:
    game = ("--rule-set", "kalooki-bonus", "--option", "short_form=on", "--option", "calls=off")
    archive = {"RUMMY_ARENA_ARCHIVE_URL": str(tmp_path)}
    document = demo(*game, "--entrants", "4", "--workers", "1", "--seed", "1", env=archive)
    assert document["options"] == {"calls": "off", "short_form": "on"}
    assert [deal["contract"] for deal in document["score_sheet"]["deals"]][-1] == "4 runs"
    assert len(document["score_sheet"]["deals"]) == 7
    assert not list(tmp_path.iterdir())
