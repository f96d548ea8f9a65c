"""Every format takes every tie-break that it lists, and ranks everybody by it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rummy_arena.tournament.event import Event
from rummy_arena.tournament.registry import FORMATS
from rummy_arena.tournament.results import TableResult
from rummy_arena.tournament.tiebreaks import rows_of

from .events import Chance, played, stage

OPTIONS: dict[str, dict[str, object]] = {"shrinking": {"out_above": 3}, "swiss": {"rounds": 2}}


@pytest.mark.parametrize("format_id", FORMATS)
def test_each_tie_break_of_a_format_ranks_everybody_whatever_comes_first(format_id: str) -> None:
    made = stage(format_id, (4, 3, 5), options=OPTIONS.get(format_id))
    event, rounds = played(made, 9, Chance(6, spread=1, forfeits=5))
    assert rounds
    for row in rows_of(made.format.ranks):
        chain = tuple(dict.fromkeys(("placement", row.id, "lot")))
        chosen = replace(event, terms=replace(event.terms, chain=chain))
        lines = made.format.standings(chosen)
        assert sorted(line.entrant for line in lines) == list(range(1, 10))
        ranks = [line.rank for line in lines if not line.group]
        assert ranks == sorted(ranks)
        assert made.format.standings(shuffled(chosen)) == lines


def shuffled(event: Event) -> Event:
    """Return the event with the results of each round, and their seats, in another order."""
    dice = random.Random(1)
    rounds = []
    for round_ in event.rounds:
        results = [
            TableResult(result.number, tuple(dice.sample(result.seats, len(result.seats))))
            for result in dice.sample(round_.results, len(round_.results))
        ]
        rounds.append(replace(round_, results=tuple(results)))
    return replace(event, rounds=tuple(rounds))
