"""A table that is read from what was stored, before each action, deals as it was committed to."""

from __future__ import annotations

import os
from random import Random

import pytest

from rummy_arena.game import series
from rummy_arena.game.events import DealRevealed, DealStarted, Event
from rummy_arena.game.fairness import DealState, verify
from rummy_arena.game.notation import parse_game, replay_text, write_game
from services.play.commit import commit_of
from services.play.table import Table, load_table, new_table
from services.state.records import Origin, SeatRecord, SeedPolicy, Terms
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
        origin=Origin("cup", 1, 1) if policy is SeedPolicy.SHARED else None,
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
    if policy is SeedPolicy.SHARED:
        assert not any(isinstance(event, DealRevealed) for event in log)
        return [*log, *[DealRevealed(*deal) for deal in sorted(table.record.deal_seeds)]]
    assert table.record.deal_seeds == []
    return log


@pytest.mark.parametrize("policy", SeedPolicy)
def test_a_stored_table_deals_as_committed(policy: SeedPolicy) -> None:
    log = played(policy)
    found = verify(TIMID_RULES, TIMID_SEATS, log)
    assert (found.good, found.over, found.deal_faults) == (True, True, ())
    assert any(deal.attempt for deal in found.deals)
    text = write_game(TIMID_RULES, TIMID_SEATS, log)
    assert replay_text(TIMID_RULES, parse_game(text)).over


def test_seeds_that_were_held_back_are_each_told_once_and_of_deals_that_there_were() -> None:
    log = played(SeedPolicy.SHARED)
    other = DealRevealed(200, 0, bytes(32))
    for wrong in ([*log, log[-1]], [*log, other], [other, *log]):
        assert not verify(TIMID_RULES, TIMID_SEATS, wrong).good
    found = verify(TIMID_RULES, TIMID_SEATS, log[:-1])
    assert (found.good, found.corrupt) == (False, None)
    assert found.deals[-1].state is DealState.UNTOLD


def test_the_seed_of_a_table_gives_its_decks_only_where_they_are_to_be_derived() -> None:
    def deck(policy: SeedPolicy, seed: bytes = bytes(32)) -> bytes:
        return next(e.deck for e in started(policy, seed)[1] if isinstance(e, DealStarted))

    assert deck(SeedPolicy.DERIVED) == deck(SeedPolicy.DERIVED)
    assert deck(SeedPolicy.DERIVED) != deck(SeedPolicy.DERIVED, bytes(range(32)))
    assert deck(SeedPolicy.SYSTEM) != deck(SeedPolicy.SYSTEM)
