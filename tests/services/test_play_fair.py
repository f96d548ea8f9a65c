"""A table that is read from what was stored, before each action, deals as it was committed to."""

from __future__ import annotations

import os
from random import Random

import pytest

from rummy_arena.game import series
from rummy_arena.game.events import DealStarted, Event
from rummy_arena.game.fairness import verify
from services.play.commit import commit_of
from services.play.table import Table, load_table, new_table
from services.state.records import SeatRecord, SeedPolicy, Terms
from tests.game.fair_games import TIMID_RULES, TIMID_SEATS
from tests.spec.seeker import Timid

SEATS = [SeatRecord(f"p{seat}", f"player {seat}", "") for seat in range(TIMID_SEATS)]


def started(policy: SeedPolicy, seed: bytes = bytes(32)) -> tuple[Table, list[Event]]:
    """Return a table whose first deal is dealt."""
    return new_table(
        "t",
        TIMID_RULES.id,
        SEATS,
        seed,
        now_ms=1,
        dice=os.urandom,
        options=dict(TIMID_RULES.options),
        terms=Terms(seeds=policy),
    )


def played(policy: SeedPolicy) -> list[Event]:
    """Return the log of a game whose table goes through its stored form at each action."""
    table, log = started(policy)
    events = list(log)
    dice = Random(0)
    player = Timid(dice)
    while not table.game.over:
        data = commit_of(table, events, table.decision(), now_ms=1, wake=False).data
        table = load_table("t", data, os.urandom)
        seat = dice.choice(table.waiting)
        action = player.choose(table.game.deal, seat)
        events = series.apply(table.game, seat, action, table.chance)
        log += events
    commit_of(table, events, (), now_ms=1, wake=False)
    assert table.record.deal_seeds == []
    return log


@pytest.mark.parametrize("policy", SeedPolicy)
def test_a_stored_table_deals_as_committed(policy: SeedPolicy) -> None:
    log = played(policy)
    found = verify(TIMID_RULES, TIMID_SEATS, log)
    assert (found.good, found.over, found.deal_faults) == (True, True, ())
    assert any(deal.attempt for deal in found.deals)


def test_the_seed_of_a_table_gives_its_decks_only_where_they_are_to_be_derived() -> None:
    def deck(policy: SeedPolicy, seed: bytes = bytes(32)) -> bytes:
        return next(e.deck for e in started(policy, seed)[1] if isinstance(e, DealStarted))

    assert deck(SeedPolicy.DERIVED) == deck(SeedPolicy.DERIVED)
    assert deck(SeedPolicy.DERIVED) != deck(SeedPolicy.DERIVED, bytes(range(32)))
    assert deck(SeedPolicy.SYSTEM) != deck(SeedPolicy.SYSTEM)
