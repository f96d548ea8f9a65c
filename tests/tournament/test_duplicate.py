from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_arena.tournament.duplicate import Line, Score, compare, differences
from rummy_arena.tournament.duplicate_seatings import Movement, seated, seatings
from rummy_arena.tournament.errors import InvalidFormat

scores = st.lists(
    st.builds(
        Score,
        board=st.integers(1, 4),
        seat=st.integers(0, 3),
        entrant=st.integers(1, 6),
        penalty=st.integers(0, 300),
    ),
    max_size=50,
)


def by_hand(played: list[Score], entrant: int) -> list[Fraction]:
    """Return an entrant's difference on each board, straight from the definition."""
    found = []
    for board in sorted({score.board for score in played}):
        seats = []
        for seat in range(4):
            cell = [score for score in played if (score.board, score.seat) == (board, seat)]
            own = [score.penalty for score in cell if score.entrant == entrant]
            others = [score.penalty for score in cell if score.entrant != entrant]
            if own and others:
                seats.append(Fraction(sum(own), len(own)) - Fraction(sum(others), len(others)))
        if seats:
            found.append(sum(seats, Fraction(0)) / len(seats))
    return found


@given(scores)
@settings(max_examples=200, deadline=None)
def test_lines_are_what_the_definition_says(played: list[Score]) -> None:
    lines = compare(played)
    assert {line.entrant for line in lines} == {score.entrant for score in played}
    for line in lines:
        mine = by_hand(played, line.entrant)
        boards = {score.board for score in played if score.entrant == line.entrant}
        assert (line.boards, line.boards + line.alone) == (len(mine), len(boards))
        assert line.difference == (sum(mine, Fraction(0)) / len(mine) if mine else 0)
        better = [
            other
            for other in lines
            if (not other.boards, other.difference) < (not line.boards, line.difference)
        ]
        assert line.rank == 1 + len(better)


@given(scores, st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_the_order_of_scores_does_not_matter(played: list[Score], dice: random.Random) -> None:
    other = played[:]
    dice.shuffle(other)
    assert compare(other) == compare(played)


@given(scores, st.dictionaries(st.tuples(st.integers(1, 4), st.integers(0, 3)), st.integers(0, 99)))
@settings(max_examples=100, deadline=None)
def test_cards_and_seats_do_not_count(
    played: list[Score], luck: dict[tuple[int, int], int]
) -> None:
    other = [
        Score(s.board, s.seat, s.entrant, s.penalty + luck.get((s.board, s.seat), 0))
        for s in played
    ]
    assert differences(other) == differences(played)


def test_differences_of_one_seat_add_up_to_nought() -> None:
    dice = random.Random(1)
    played = [Score(1, 2, entrant, dice.randint(0, 200)) for entrant in range(1, 9)]
    assert sum(line.difference for line in compare(played)) == 0


def line_of(lines: tuple[Line, ...], entrant: int) -> Line:
    return next(line for line in lines if line.entrant == entrant)


def test_the_interval_is_students() -> None:
    penalties = [(10, 40), (0, 25), (60, 50), (5, 5), (30, 90)]
    played = [
        Score(board, 0, entrant, penalty)
        for board, row in enumerate(penalties)
        for entrant, penalty in enumerate(row)
    ]
    apart = [mine - theirs for mine, theirs in penalties]
    line = line_of(compare(played), 0)
    assert float(line.difference) == pytest.approx(fmean(apart))
    assert line.margin == pytest.approx(2.776445105 * stdev(apart) / math.sqrt(5), rel=1e-8)
    alone = line_of(compare([*played, Score(9, 0, 0, 1), Score(9, 1, 7, 1)]), 0)
    assert (alone.boards, alone.alone, alone.difference) == (5, 1, line.difference)
    assert compare([Score(1, 0, 1, 5)])[0].margin == math.inf


def test_luck_is_divided_out_and_unequal_numbers_of_boards_do_no_harm() -> None:
    """Entrant 1 is better by 12; cards and seats are worth far more, and some miss boards."""
    dice = random.Random(3)
    played = []
    for board in range(120):
        cards = [dice.randint(0, 250) for _ in range(4)]
        tables = [(1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12)]
        for table in seated(tables, board):
            for seat, entrant in enumerate(table):
                if entrant == 12 and board > 30:
                    continue
                paid = cards[seat] + dice.randint(0, 40) - 12 * (entrant == 1)
                played.append(Score(board, seat, entrant, paid))
    lines = compare(played)
    assert lines[0].entrant == 1
    assert abs(float(lines[0].difference) + 12) < lines[0].margin < 4
    assert line_of(lines, 12).boards == 31
    assert line_of(lines, 12).margin > 1.5 * line_of(lines, 11).margin
    covered = [abs(float(line.difference)) < line.margin + 1.5 for line in lines[1:]]
    assert sum(covered) >= 10


@pytest.mark.parametrize(
    ("seats", "movement", "number"),
    [
        *[
            (n, None, number)
            for n, number in zip(range(2, 9), (2, 6, 24, 10, 6, 14, 8), strict=True)
        ],
        *[(n, Movement.ROTATIONS, n) for n in range(2, 9)],
        *[(n, Movement.BALANCED, n + n * (n % 2)) for n in range(2, 9)],
    ],
)
def test_everybody_has_each_seat_equally_often(
    seats: int, movement: Movement | None, number: int
) -> None:
    found = seatings(seats, movement)
    assert len(found) == len(set(found)) == number
    had = Counter(held for seating in found for held in enumerate(seating))
    assert len(had) == seats * seats
    assert set(had.values()) == {number // seats}
    for seating in found:
        assert sorted(seating) == list(range(seats))


@pytest.mark.parametrize("movement", [None, Movement.BALANCED])
@pytest.mark.parametrize("seats", range(2, 9))
def test_everybody_follows_everybody_equally_often(seats: int, movement: Movement | None) -> None:
    found = seatings(seats, movement)
    in_row = Counter(pair for row in found for pair in pairwise(row))
    assert len(in_row) == seats * (seats - 1)
    assert len(set(in_row.values())) == 1
    round_table = in_row + Counter((row[-1], row[0]) for row in found)
    times = [round_table[pair] for pair in in_row]
    assert max(times) - min(times) <= 1


@pytest.mark.parametrize("movement", [None, *Movement])
@pytest.mark.parametrize("seats", range(2, 9))
def test_a_block_of_boards_gives_everybody_each_seat_once(
    seats: int, movement: Movement | None
) -> None:
    if movement is Movement.ALL and seats > 4:
        return
    tables = [tuple(range(10 * table, 10 * table + seats)) for table in range(1, 4)]
    for block in range(9):
        had: Counter[tuple[int, int]] = Counter()
        for board in range(block * seats, (block + 1) * seats):
            rows = seated(tables, board, movement)
            assert [sorted(row) for row in rows] == [list(table) for table in tables]
            had.update((entrant, seat) for row in rows for seat, entrant in enumerate(row))
        assert len(had) == 3 * seats * seats


@pytest.mark.parametrize("seats", range(2, 9))
def test_everybody_is_compared_with_everybody_of_other_tables(seats: int) -> None:
    tables = [tuple(range(10 * table, 10 * table + seats)) for table in range(1, 6)]
    together: Counter[frozenset[int]] = Counter()
    boards = 100 * seats
    for board in range(boards):
        for cell in zip(*seated(tables, board), strict=True):
            together.update(map(frozenset, combinations(cell, 2)))
    assert len(together) == 10 * seats * seats
    assert max(together.values()) < 3 * boards / seats


def test_what_cannot_be_seated_is_refused() -> None:
    for seats in (1, 9):
        with pytest.raises(InvalidFormat):
            seatings(seats)
    with pytest.raises(InvalidFormat):
        seatings(5, Movement.ALL)
