from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_arena.tournament.errors import (
    DuplicateEntrants,
    InvalidFormat,
    NothingPlayed,
    ResultsMismatch,
    UnevenField,
)
from rummy_arena.tournament.formats.knockout import (
    KnockoutConfig,
    PlayedRound,
    Round,
    advancing,
    first_round,
    next_round,
    plan,
    standings,
)
from rummy_arena.tournament.results import TableResult
from rummy_arena.tournament.tables import fits

from .made import chance, play, played, table

SEED = b"a seed"
FOURS = KnockoutConfig(seats=4, advance=2, min_seats=3, max_seats=6)


def by_number(_round: int, number: int, entrants: tuple[int, ...]) -> TableResult:
    """The smaller entrant number always does better."""
    return table(number, entrants, entrants)


def seats_of(round_: Round | PlayedRound) -> list[int]:
    return [entrant for seats in round_.tables for entrant in seats]


@pytest.mark.parametrize("advance", [1, 2, 3])
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("max_seats", [4, 6])
def test_every_field_plays_to_its_end(seats: int, advance: int, max_seats: int) -> None:
    if advance >= seats or seats > max_seats:
        with pytest.raises(InvalidFormat):
            KnockoutConfig(seats, advance, 3, max_seats)
        return
    config = KnockoutConfig(seats, advance, 3, max_seats)
    for entrants in range(3, 131):
        if not fits(config.limits, entrants):
            with pytest.raises(UnevenField):
                first_round(config, range(1, entrants + 1), SEED)
            continue
        rounds = play(config, range(1, entrants + 1), SEED, chance(entrants, spread=30))
        check_whole(config, rounds, entrants)


def check_whole(config: KnockoutConfig, rounds: list[PlayedRound], entrants: int) -> None:
    everybody = set(range(1, entrants + 1))
    assert [tuple(map(len, round_.tables)) for round_ in rounds] == list(plan(config, entrants))
    assert [round_.number for round_ in rounds] == list(range(1, len(rounds) + 1))
    assert set(seats_of(rounds[0])) == everybody
    assert len(rounds[-1].tables) == 1
    for position, round_ in enumerate(rounds):
        seated = seats_of(round_)
        assert len(seated) == len(set(seated))  # nobody at two tables
        assert all(config.min_seats <= len(t) <= config.max_seats for t in round_.tables)
        if position + 1 < len(rounds):
            going_on = advancing(config, rounds[: position + 1], SEED).entrants
            assert set(seats_of(rounds[position + 1])) == set(going_on) < set(seated)
    rows = standings(config, rounds, SEED)
    assert sorted(row.entrant for row in rows) == sorted(everybody)
    ranks = [row.rank for row in rows]
    shared = ranks.count(1)
    assert ranks == [1] * shared + list(range(shared + 1, entrants + 1))
    assert [row.reached_round for row in rows] == sorted(
        (row.reached_round for row in rows), reverse=True
    )
    assert [row.eliminated for row in rows] == [False] * shared + [True] * (entrants - shared)
    assert sum(row.tables for row in rows) == sum(len(seats_of(round_)) for round_ in rounds)


def test_256_at_fours_take_seven_rounds() -> None:
    assert [len(sizes) for sizes in plan(FOURS, 256)] == [64, 32, 16, 8, 4, 2, 1]
    rows = standings(FOURS, play(FOURS, range(1, 257), SEED, by_number), SEED)
    assert [row.entrant for row in rows[:2]] == [1, 2]
    assert (rows[0].rank, rows[0].tables, rows[0].reached_round) == (1, 7, 7)


def test_winners_share_the_title_and_the_next_keeps_the_place_after_them() -> None:
    rounds = [played(first_round(FOURS, [1, 2, 3, 4], SEED), by_number)]
    seats = rounds[0].tables[0]
    totals = [{1: 9, 2: 5, 3: 5, 4: 30}[entrant] for entrant in seats]
    rounds = [replace(rounds[0], results=(table(1, seats, totals),))]
    rows = standings(FOURS, rounds, SEED)
    assert [(row.rank, row.entrant) for row in rows] == [(1, 2), (1, 3), (3, 1), (4, 4)]
    assert advancing(FOURS, rounds, SEED).entrants == (2, 3)
    assert next_round(FOURS, rounds, SEED) is None


def test_a_tie_for_the_last_place_that_goes_on_is_broken_by_lot_and_said() -> None:
    def tied(_round: int, number: int, entrants: tuple[int, ...]) -> TableResult:
        return table(number, entrants, [1, 7, 7, 9][: len(entrants)])

    rounds = [played(first_round(FOURS, range(1, 9), SEED), tied)]
    decided = advancing(FOURS, rounds, SEED)
    assert len(decided.entrants) == 4
    for number, seats in enumerate(rounds[0].tables, start=1):
        between = ", ".join(map(str, sorted(seats[1:3])))
        assert any(f"entrants {between} were equal" in said for said in decided.lots), number


@pytest.mark.parametrize(
    ("config", "entrants", "field", "added", "cut"),
    [
        (KnockoutConfig(4, 1, 3, 6), 8, 4, 2, 0),  # two winners are too few for a table
        (KnockoutConfig(4, 1, 3, 4), 20, 6, 1, 0),  # five fit no tables of three or four
        (KnockoutConfig(4, 1, 3, 6), 20, 5, 0, 0),  # where five may sit together they do
        (KnockoutConfig(4, 3, 4, 4), 8, 4, 0, 2),  # six fit no tables of four, and eight all stay
    ],
)
def test_a_field_that_cannot_be_seated_is_filled_up_or_cut(
    config: KnockoutConfig, entrants: int, field: int, added: int, cut: int
) -> None:
    rounds = [played(first_round(config, range(1, entrants + 1), SEED), by_number)]
    decided = advancing(config, rounds, SEED)
    assert (len(decided.entrants), len(decided.added), len(decided.cut)) == (field, added, cut)
    assert decided.entrants[len(decided.entrants) - added :] == decided.added


def test_the_best_of_the_rest_fill_the_field_up() -> None:
    config = KnockoutConfig(4, 1, 3, 6)
    rounds = [played(first_round(config, range(1, 9), SEED), by_number)]
    first, second = (sorted(seats) for seats in rounds[0].tables)
    decided = advancing(config, rounds, SEED)
    assert set(decided.entrants[:2]) == {first[0], second[0]}
    assert decided.added == tuple(sorted((first[1], second[1])))


@pytest.mark.parametrize("advance", [1, 2, 3])
@pytest.mark.parametrize("entrants", [16, 30, 64, 100, 128])
def test_those_who_just_met_are_kept_apart(entrants: int, advance: int) -> None:
    config = KnockoutConfig(4, advance, 3, 6)
    rounds = play(config, range(1, entrants + 1), SEED, chance(1))
    for before, after in pairwise(rounds):
        met = {entrant: n for n, seats in enumerate(before.tables) for entrant in seats}
        for seats in after.tables:
            repeated = len(seats) - len({met[entrant] for entrant in seats})
            assert repeated == 0 or len(after.tables) < advance + 1, (before, seats)


def test_every_entrant_gets_every_seat_about_equally_often() -> None:
    counts = dict.fromkeys(range(4), 0)
    for n in range(400):
        for seats in first_round(FOURS, range(1, 9), n.to_bytes(2, "big")).tables:
            if 1 in seats:
                counts[seats.index(1)] += 1
    assert all(65 <= times <= 135 for times in counts.values())  # 100 expected, four deviations


@settings(max_examples=60, deadline=None)
@given(
    entrants=st.integers(3, 60),
    seats=st.integers(3, 6),
    advance=st.integers(1, 3),
    seed=st.binary(max_size=32),
    dice=st.randoms(use_true_random=False),
)
def test_order_of_registration_in_the_list_and_of_results_changes_nothing(
    entrants: int, seats: int, advance: int, seed: bytes, dice: random.Random
) -> None:
    config = KnockoutConfig(seats, min(advance, seats - 1), 3, 6)
    report = chance(entrants, spread=5)
    numbers = list(range(1, entrants + 1))
    rounds = play(config, numbers, seed, report)
    dice.shuffle(numbers)
    assert first_round(config, numbers, seed).tables == rounds[0].tables
    mixed = [
        replace(
            round_,
            results=tuple(
                replace(result, seats=tuple(dice.sample(result.seats, len(result.seats))))
                for result in dice.sample(round_.results, len(round_.results))
            ),
        )
        for round_ in rounds
    ]
    assert standings(config, mixed, seed) == standings(config, rounds, seed)
    for upto in range(1, len(rounds) + 1):
        assert advancing(config, mixed[:upto], seed) == advancing(config, rounds[:upto], seed)
        assert next_round(config, mixed[:upto], seed) == next_round(config, rounds[:upto], seed)


def test_another_seed_pairs_otherwise() -> None:
    assert first_round(FOURS, range(1, 65), b"a") != first_round(FOURS, range(1, 65), b"b")


def test_those_who_still_play_share_the_first_rank() -> None:
    start = first_round(FOURS, range(1, 17), SEED)
    rows = standings(FOURS, [], SEED, pending=start)
    assert {(row.rank, row.reached_round, row.eliminated, row.tables) for row in rows} == {
        (1, 1, False, 0)
    }
    rounds = [played(start, chance(4))]
    following = next_round(FOURS, rounds, SEED)
    rows = standings(FOURS, rounds, SEED, pending=following)
    still = [row for row in rows if not row.eliminated]
    assert [row.entrant for row in still] == list(advancing(FOURS, rounds, SEED).entrants)
    assert {(row.rank, row.reached_round, row.tables) for row in still} == {(1, 2, 1)}
    assert [row.rank for row in rows[8:]] == list(range(9, 17))


def test_decided_standings_never_change() -> None:
    rounds = play(FOURS, range(1, 101), SEED, chance(9))
    final = {row.entrant: row for row in standings(FOURS, rounds, SEED)}
    for upto in range(1, len(rounds)):
        coming = next_round(FOURS, rounds[:upto], SEED)
        for row in standings(FOURS, rounds[:upto], SEED, pending=coming):
            if row.eliminated:
                assert final[row.entrant] == row


def test_refusals_name_what_is_wrong() -> None:
    with pytest.raises(DuplicateEntrants) as double:
        first_round(FOURS, [1, 2, 3, 2], SEED)
    assert double.value.entrants == (2,)
    with pytest.raises(NothingPlayed):
        next_round(FOURS, [], SEED)
    with pytest.raises(NothingPlayed):
        advancing(FOURS, [], SEED)
    complete = played(first_round(FOURS, range(1, 9), SEED), by_number)
    with pytest.raises(ResultsMismatch):
        next_round(FOURS, [replace(complete, results=complete.results[:1])], SEED)
    with pytest.raises(InvalidFormat):
        KnockoutConfig(seats=4, advance=0, min_seats=3, max_seats=6)
    assert standings(FOURS, [], SEED) == ()
