from __future__ import annotations

import hashlib
import random
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_arena.tournament.errors import (
    InvalidFormat,
    NothingPlayed,
    ResultsMismatch,
    UnevenField,
)
from rummy_arena.tournament.event import Event
from rummy_arena.tournament.formats.knockout import FORMAT, advancing, pair, plan, standings
from rummy_arena.tournament.results import TableResult
from rummy_arena.tournament.rounds import PlayedRound, Round
from rummy_arena.tournament.stages import Stage
from rummy_arena.tournament.tables import fits

from .elimination_play import by_number, knockout, opened, seeded, sizes, with_round
from .events import Chance, played
from .made import chance, table

SEED = b"a seed"


FOURS = knockout()


def seats_of(round_: Round | PlayedRound) -> list[int]:
    return [entrant for seats in round_.tables for entrant in seats]


def test_an_event_without_seeding_is_seated_as_it_always_was() -> None:
    told: list[object] = []
    for count in (9, 23, 64):
        event, paired = played(FOURS, count, Chance(count), seed=SEED)
        told += [(round_.number, round_.tables) for round_ in paired]
        told.append([row.entrant for row in standings(event)])
    assert hashlib.sha256(repr(told).encode()).hexdigest()[:16] == "6540a63932949201"


@pytest.mark.parametrize(
    ("seats", "advance", "largest"),
    [(3, 1, 4), (4, 1, 4), (4, 2, 6), (4, 3, 4), (5, 2, 6), (6, 3, 6)],
)
def test_every_field_plays_to_its_end(seats: int, advance: int, largest: int) -> None:
    config = knockout(seats, advance, 3, largest, third_place="yes")
    for count in [*range(3, 30), 47, 70]:
        event, paired = played(config, count, Chance(count, spread=30))
        assert tuple(map(sizes, paired)) == plan(config.terms, count)
        check_whole(config, event, paired, count)


def check_whole(config: Stage, event: Event, paired: list[Round], count: int) -> None:
    limits = config.terms.limits
    assert set(seats_of(paired[0])) | set(paired[0].byes) == set(range(1, count + 1))
    assert bool(paired[0].byes) == (not fits(limits, count))
    for position, round_ in enumerate(paired, start=1):
        seated = seats_of(round_)
        assert len(seated) == len(set(seated))  # nobody at two tables
        assert all(limits.min_seats <= len(t) <= limits.max_seats for t in round_.tables)
        if position < len(paired):
            so_far = replace(event, rounds=event.rounds[:position])
            going_on = advancing(so_far).entrants
            following = paired[position]
            main = set(seats_of(following)) - set(following.tables[1] if following.labels else ())
            assert set(going_on) == {*seats_of(following), *following.byes}
            assert set(going_on[: len(main)]) == main < {*seated, *round_.byes}
    rows = standings(event)
    assert sorted(row.entrant for row in rows) == list(range(1, count + 1))
    ranks = [row.rank for row in rows]
    shared = ranks.count(1)
    assert ranks == [1] * shared + list(range(shared + 1, count + 1))
    assert [row.eliminated for row in rows] == [False] * shared + [True] * (count - shared)
    assert sum(row.tables for row in rows) == sum(len(seats_of(round_)) for round_ in paired)


def test_256_at_fours_take_seven_rounds() -> None:
    assert [len(tables) for tables in plan(FOURS.terms, 256)] == [64, 32, 16, 8, 4, 2, 1]


def test_the_best_wins_and_the_second_comes_second() -> None:
    event = opened(FOURS, 64)
    while pair(event) is not None:
        event = with_round(FORMAT, event, by_number)
    rows = standings(event)
    assert [row.entrant for row in rows[:2]] == [1, 2]
    assert (rows[0].rank, rows[0].tables, rows[0].reached_round) == (1, 5, 5)


def test_winners_share_the_title_and_the_next_keeps_the_place_after_them() -> None:
    totals = {1: 9, 2: 5, 3: 5, 4: 30}
    event = with_round(
        FORMAT,
        opened(FOURS, 4),
        lambda _, number, seats: table(number, seats, [totals[e] for e in seats]),
    )
    rows = standings(event)
    assert [(row.rank, row.entrant) for row in rows] == [(1, 2), (1, 3), (3, 1), (4, 4)]
    assert advancing(event).entrants == (2, 3)
    assert pair(event) is None


def test_a_tie_for_the_last_place_that_goes_on_is_broken_by_lot_and_said() -> None:
    def tied(_round: int, number: int, seats: tuple[int, ...]) -> TableResult:
        return table(number, seats, [1, 7, 7, 9][: len(seats)])

    event = with_round(FORMAT, opened(FOURS, 8), tied)
    decided = advancing(event)
    assert len(decided.entrants) == 4
    for seats in event.rounds[0].tables:
        between = ", ".join(map(str, sorted(seats[1:3])))
        assert any(f"entrants {between} were equal" in said for said in decided.lots)


@pytest.mark.parametrize(
    ("config", "count", "field", "added", "cut"),
    [
        (knockout(4, 1, 3, 6), 8, 4, 2, 0),  # two winners are too few for a table
        (knockout(4, 1, 3, 4), 20, 6, 1, 0),  # five fit no tables of three or four
        (knockout(4, 1, 3, 6), 20, 5, 0, 0),  # where five may sit together they do
        (knockout(4, 3, 4, 4), 8, 4, 0, 2),  # six fit no tables of four, and eight all stay
    ],
)
def test_a_field_that_cannot_be_seated_is_filled_up_or_cut(
    config: Stage, count: int, field: int, added: int, cut: int
) -> None:
    decided = advancing(with_round(FORMAT, opened(config, count), by_number))
    assert (len(decided.entrants), len(decided.added), len(decided.cut)) == (field, added, cut)
    assert decided.entrants[len(decided.entrants) - added :] == decided.added


def test_the_best_of_the_rest_fill_the_field_up() -> None:
    event = with_round(FORMAT, opened(knockout(4, 1), 8), by_number)
    first, second = (sorted(seats) for seats in event.rounds[0].tables)
    decided = advancing(event)
    assert set(decided.entrants[:2]) == {first[0], second[0]}
    assert decided.added == tuple(sorted((first[1], second[1])))


@pytest.mark.parametrize("seeding", ["lot", "seeded"])
@pytest.mark.parametrize("advance", [1, 2, 3])
@pytest.mark.parametrize("count", [16, 30, 100])
def test_those_who_just_met_are_kept_apart(count: int, advance: int, seeding: str) -> None:
    config = knockout(4, advance, seeding=seeding)
    _, paired = played(config, seeded(count), Chance(1, spread=900))
    for before, after in pairwise(paired):
        met = {entrant: n for n, seats in enumerate(before.tables) for entrant in seats}
        for seats in after.tables:
            repeated = len(seats) - len({met[entrant] for entrant in seats})
            assert repeated == 0 or len(after.tables) < advance + 1, (before, seats)


def test_every_entrant_gets_every_seat_about_equally_often() -> None:
    counts = dict.fromkeys(range(4), 0)
    for n in range(400):
        round_ = pair(opened(FOURS, 8, n.to_bytes(2, "big")))
        assert round_ is not None
        for seats in round_.tables:
            if 1 in seats:
                counts[seats.index(1)] += 1
    assert all(65 <= times <= 135 for times in counts.values())  # 100 expected, four deviations


@settings(max_examples=15, deadline=None)
@given(
    count=st.integers(3, 40),
    seats=st.integers(3, 6),
    advance=st.integers(1, 3),
    seed=st.binary(max_size=32),
    dice=st.randoms(use_true_random=False),
)
def test_the_order_in_which_results_come_in_changes_nothing(
    count: int, seats: int, advance: int, seed: bytes, dice: random.Random
) -> None:
    config = knockout(seats, min(advance, seats - 1))
    event, _ = played(config, count, Chance(count, spread=5), seed=seed)
    mixed = tuple(
        replace(
            round_,
            results=tuple(
                replace(result, seats=tuple(dice.sample(result.seats, len(result.seats))))
                for result in dice.sample(round_.results, len(round_.results))
            ),
        )
        for round_ in event.rounds
    )
    for upto in range(1, len(mixed) + 1):
        one, other = (replace(event, rounds=rounds[:upto]) for rounds in (event.rounds, mixed))
        assert (advancing(one), pair(one), standings(one)) == (
            advancing(other),
            pair(other),
            standings(other),
        )


def test_another_seed_pairs_otherwise() -> None:
    assert pair(opened(FOURS, 64, b"a")) != pair(opened(FOURS, 64, b"b"))


def test_those_who_still_play_share_the_first_rank() -> None:
    event = opened(FOURS, 16)
    rows = standings(replace(event, pending=pair(event)))
    assert {(row.rank, row.reached_round, row.eliminated, row.tables) for row in rows} == {
        (1, 1, False, 0)
    }
    event = with_round(FORMAT, event, chance(4))
    rows = standings(replace(event, pending=pair(event)))
    still = [row for row in rows if not row.eliminated]
    assert [row.entrant for row in still] == list(advancing(event).entrants)
    assert {(row.rank, row.reached_round, row.tables) for row in still} == {(1, 2, 1)}
    assert [row.rank for row in rows[8:]] == list(range(9, 17))


def test_refusals_name_what_is_wrong() -> None:
    event = opened(FOURS, 8)
    with pytest.raises(NothingPlayed):
        advancing(event)
    complete = with_round(FORMAT, event, by_number).rounds[0]
    with pytest.raises(ResultsMismatch):
        pair(replace(event, rounds=(replace(complete, results=complete.results[:1]),)))
    with pytest.raises(InvalidFormat):
        plan(knockout(4, 4).terms, 16)
    with pytest.raises(UnevenField):
        plan(FOURS.terms, 2)
    assert pair(opened(FOURS, 2)) is None
