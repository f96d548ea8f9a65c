"""Duplicate as a format: boards, seats, and differences."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from rummy_arena.tournament.errors import UnevenField
from rummy_arena.tournament.event import Event
from rummy_arena.tournament.field import Entrant, entrants
from rummy_arena.tournament.rounds import Round
from rummy_arena.tournament.stages import Stage

from .events import SEED, played, stage
from .made import table

FOUR = (4, 3, 6)


def duplicate(limits: tuple[int, int, int] = FOUR, **options: object) -> Stage:
    return stage("duplicate", limits, options=options)


def seats_of(rounds: list[Round]) -> dict[int, Counter[int]]:
    found: dict[int, Counter[int]] = {}
    for round_ in rounds:
        for seats in round_.tables:
            for seat, entrant in enumerate(seats):
                found.setdefault(entrant, Counter())[seat] += 1
    return found


@pytest.mark.parametrize("tables", ["change", "stay"])
@pytest.mark.parametrize(
    ("limits", "entrants_"), [((4, 3, 6), 16), ((3, 3, 6), 12), ((8, 5, 8), 16), ((2, 2, 2), 10)]
)
def test_everybody_has_each_seat_once_in_as_many_rounds_as_a_table_has(
    tables: str, limits: tuple[int, int, int], entrants_: int
) -> None:
    _, rounds = played(duplicate(limits, tables=tables), entrants_)
    assert len(rounds) == limits[0]
    every = dict.fromkeys(range(limits[0]), 1)
    assert all(seats == every for seats in seats_of(rounds).values())


def test_twice_as_many_rounds_turn_twice() -> None:
    _, rounds = played(duplicate(rounds=8, tables="stay"), 16)
    assert all(set(seats.values()) == {2} for seats in seats_of(rounds).values())
    together = [{frozenset(seats) for seats in round_.tables} for round_ in rounds]
    assert together[0] == together[3] != together[4] == together[7]


def test_tables_of_a_size_share_a_board_which_no_other_round_has() -> None:
    _, rounds = played(duplicate(), 14)
    seen: set[int] = set()
    for round_ in rounds:
        by_size = dict(zip(map(len, round_.tables), round_.boards, strict=True))
        assert round_.boards == tuple(by_size[len(seats)] for seats in round_.tables)
        assert len(set(by_size.values())) == len(by_size) == 2
        assert not seen & set(by_size.values())
        seen |= set(by_size.values())


def test_a_table_that_nobody_is_compared_with_is_told() -> None:
    _, rounds = played(duplicate(), 11)
    assert all("is the only one of 3 seats" in round_.notes[-1] for round_ in rounds)


def test_a_field_in_which_nobody_could_be_compared_is_refused() -> None:
    for few, works in ((4, (6,)), (7, (6, 8)), (3, (6,))):
        with pytest.raises(UnevenField) as refused:
            duplicate().format.plan(duplicate().terms, few)
        assert refused.value.works == works


def board_of(event: Event, round_: Round, totals: list[list[int]]) -> Event:
    results = [
        table(number, seats, paid)
        for number, (seats, paid) in enumerate(zip(round_.tables, totals, strict=True), start=1)
    ]
    return replace(event, rounds=(*event.rounds, round_.played(results)))


def test_the_score_is_the_mean_difference_within_the_same_seat() -> None:
    two = duplicate((2, 2, 2))
    event = Event(two.terms, entrants(6), (), SEED)
    round_ = two.format.pair(event)
    assert round_ is not None
    event = board_of(event, round_, [[100, 5], [40, 9], [10, 1]])
    lines = {line.entrant: line for line in two.format.standings(event)}
    (a, b), (c, d), (e, f) = round_.tables
    assert [lines[one].score for one in (a, c, e)] == [-75, 15, 60]
    assert [lines[one].score for one in (b, d, f)] == [0, -6, 6]
    order = [line.entrant for line in two.format.standings(event)]
    assert order[:2] == [e, c]
    assert order[-2:] == [d, a]
    assert lines[e].tables == 1


def test_a_forfeit_counts_as_the_most_that_was_paid_in_the_seat() -> None:
    two = duplicate((2, 2, 2))
    event = Event(two.terms, entrants(6), (), SEED)
    round_ = two.format.pair(event)
    assert round_ is not None
    event = board_of(event, round_, [[0, 5], [40, 9], [10, 1]])
    first = event.rounds[0]
    lost = replace(first.results[0].seats[0], forfeit=True)
    results = (
        replace(first.results[0], seats=(lost, first.results[0].seats[1])),
        *first.results[1:],
    )
    event = replace(event, rounds=(replace(first, results=results),))
    lines = {line.entrant: line.score for line in two.format.standings(event)}
    assert lines[round_.tables[0][0]] == -(40 - Fraction(50, 2))


def test_who_played_less_than_half_comes_after_the_others() -> None:
    field = (*entrants(15), Entrant(16, stays=((1, 2),)))
    event, rounds = played(duplicate(rounds=6), field)
    order = [line.entrant for line in duplicate().format.standings(event)]
    assert order[-1] == 16
    assert len(rounds) == 6
    assert 16 not in duplicate().format.advancing(event).entrants


def test_by_rank_the_best_meet() -> None:
    ranked = duplicate(pairing="danish", rounds=3)
    event, rounds = played(ranked, 16)
    before = replace(event, rounds=event.rounds[:2])
    best = {line.entrant for line in ranked.format.standings(before)[:4]}
    assert set(rounds[2].tables[0]) == best


def test_a_block_ends_when_somebody_leaves() -> None:
    field = (*entrants(15), Entrant(16, stays=((1, 3),)))
    _, rounds = played(duplicate(tables="stay", rounds=5), field)
    together = [{frozenset(seats) for seats in round_.tables} for round_ in rounds]
    assert together[0] == together[1] != together[2] == together[3]


def test_it_says_that_tables_share_cards() -> None:
    assert "share the same cards" in duplicate().format.text
