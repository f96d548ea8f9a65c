"""What a viewer saw is enough to verify the cards that it was shown."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from rummy_arena.game.actions import NONE
from rummy_arena.game.chance import DealtChance
from rummy_arena.game.events import CallGranted, DealStarted, Drew, Event, Reshuffled, Source
from rummy_arena.game.fairness import DealState
from rummy_arena.game.fairness_seen import verify_seen
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.view import redact
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set

from .fair_games import TIMID_RULES, TIMID_SEATS, from_the_system, played, timid

OPEN_HANDS = get_rule_set("kalooki-bonus", {"open_hands": "on"})


def seen_by(rules: RuleSet, seats: int, log: Sequence[Event], viewer: int) -> list[Event]:
    """Return the log as a viewer saw it."""
    return [redact(event, viewer, rules, seats) for event in log]


@pytest.mark.parametrize("rules", [*RULE_SETS.values(), OPEN_HANDS], ids=[*RULE_SETS, "open"])
def test_every_viewer_of_a_whole_game_finds_it_as_committed(rules: RuleSet) -> None:
    seats = rules.min_seats
    _, log = played(rules, seats, DealtChance(rules, {}, from_the_system))
    for viewer in range(NONE, seats):
        found = verify_seen(rules, seats, seen_by(rules, seats, log, viewer), viewer)
        assert (found.good, found.deal_faults) == (True, ())
        assert {deal.state for deal in found.deals} == {DealState.PROVEN}


def test_draws_after_reshuffles_void_deals_and_penalty_cards_are_as_committed() -> None:
    _, log = timid()
    for viewer in range(NONE, TIMID_SEATS):
        seen = seen_by(TIMID_RULES, TIMID_SEATS, log, viewer)
        assert verify_seen(TIMID_RULES, TIMID_SEATS, seen, viewer).good


CHANGES: dict[str, Callable[[Any], Event | None]] = {
    "own hand": lambda e: (
        dataclasses.replace(e, hand=e.hand[:-1] + bytes([e.hand[-1] ^ 1]))
        if isinstance(e, DealStarted)
        else None
    ),
    "own draw": lambda e: (
        dataclasses.replace(e, card=e.card ^ 1)
        if isinstance(e, Drew) and e.source is Source.STOCK and e.card != NONE
        else None
    ),
    "own penalty card": lambda e: (
        dataclasses.replace(e, penalty=e.penalty ^ 1)
        if isinstance(e, CallGranted) and e.penalty != NONE
        else None
    ),
    "cards of a reshuffle": lambda e: (
        dataclasses.replace(e, count=e.count + 1) if isinstance(e, Reshuffled) else None
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_card_that_was_shown_and_is_not_of_the_seed_is_found(change: str) -> None:
    _, log = timid()
    seen = seen_by(TIMID_RULES, TIMID_SEATS, log, 1)
    changed = [(at, CHANGES[change](event)) for at, event in enumerate(seen)]
    places = [(at, event) for at, event in changed if event is not None]
    assert places
    for at, event in (places[0], places[len(places) // 2], places[-1]):
        found = verify_seen(TIMID_RULES, TIMID_SEATS, [*seen[:at], event, *seen[at + 1 :]], 1)
        wrong = [deal for deal in found.deals if deal.faults]
        started = next(e for e in seen[at::-1] if isinstance(e, DealStarted))
        assert [(deal.number, deal.attempt) for deal in wrong] == [
            (started.number, started.attempt)
        ]


def test_what_can_be_no_deal_is_a_fault_and_raises_nothing() -> None:
    _, log = timid()
    seen = seen_by(TIMID_RULES, TIMID_SEATS, log, 1)
    first = seen[1]
    assert isinstance(first, DealStarted)
    for started in (
        dataclasses.replace(first, contract=99),
        dataclasses.replace(first, players=()),
        dataclasses.replace(first, number=300),
    ):
        assert not verify_seen(TIMID_RULES, TIMID_SEATS, [seen[0], started, *seen[2:]], 1).good
    assert not verify_seen(TIMID_RULES, TIMID_SEATS, [*seen[:5], *seen], 1).good
    assert not verify_seen(TIMID_RULES, TIMID_SEATS, seen, 7).good
    assert not verify_seen(TIMID_RULES, TIMID_SEATS, [], 1).good
