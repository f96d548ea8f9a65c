"""Every row of the tie-break chain, by its id."""

from __future__ import annotations

import hashlib
import hmac
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_arena.tournament import tiebreaks
from rummy_arena.tournament.draw import Draw
from rummy_arena.tournament.results import Finish
from rummy_arena.tournament.tiebreaks import CHAIN, ROWS, rank

from .made import finish

DRAW = Draw(b"seed", 3)

# By row: a better and a worse finish which that row tells apart, though every later row says the
# opposite.
CASES: dict[str, tuple[Finish, Finish]] = {
    "placement": (
        finish(1, points=4, total=9, deal_points=(9,)),
        finish(2, points=2, total=1, deals_won=2, deal_points=(1,)),
    ),
    "total": (
        finish(1, total=8, deal_points=(0, 8), calls=3),
        finish(2, total=9, deal_points=(9, 0), deals_won=5, down_and_outs=2),
    ),
    "deals-won": (
        finish(1, deals_won=3, deal_points=(0, 8), calls=3),
        finish(2, deals_won=2, deal_points=(8, 0), down_and_outs=2),
    ),
    "down-and-outs": (
        finish(1, down_and_outs=1, deal_points=(0, 8), calls=3),
        finish(2, deal_points=(8, 0)),
    ),
    "last-deals": (
        finish(1, deal_points=(9, 3, 5), calls=3),
        finish(2, deal_points=(8, 4, 5)),
    ),
    "calls": (finish(2, calls=1), finish(1, calls=2)),
    "lot": (finish(1), finish(2)),
}


def decided_by(better: Finish, worse: Finish) -> str:
    return next(row.id for row in CHAIN if row.key(better, DRAW) != row.key(worse, DRAW))


def test_every_row_has_its_case() -> None:
    assert list(CASES) == [row.id for row in CHAIN]


@pytest.mark.parametrize("row", CASES)
def test_the_row_decides(row: str) -> None:
    better, worse = CASES[row]
    if row == "lot":
        better, worse = sorted(CASES[row], key=lambda f: DRAW.lot(f.seat.entrant))
    assert decided_by(better, worse) == row
    for arrival in ((better, worse), (worse, better)):
        ranking = rank(arrival, DRAW)
        assert ranking.order == (better, worse)
        assert bool(ranking.lots) == (row == "lot")


def test_sudden_death_and_deals_that_were_not_dealt_to_a_seat_break_no_ties() -> None:
    # Both won one deal and paid 3 in the last that counts; then 1 is better in the one before.
    one = finish(1, deals_won=1, deal_points=(5, 3, 0), left_out=(2,), calls=9)
    two = finish(2, deals_won=2, deal_points=(7, 3, 9), left_out=(2,), sudden_wins=1)
    assert decided_by(one, two) == "last-deals"
    assert rank([two, one], DRAW).order == (one, two)


def test_a_lot_can_be_drawn_again_by_anyone() -> None:
    again = hmac.new(b"seed", b"tie/3/17", hashlib.sha256).digest()
    assert DRAW.lot(17) == again


def test_lots_are_said_in_words() -> None:
    tied = [finish(entrant) for entrant in (30, 10, 20)]
    ranking = rank([*tied, finish(5, total=1)], DRAW)
    drawn = ", ".join(map(str, sorted((10, 20, 30), key=DRAW.lot)))
    assert ranking.lots == (f"round 3: entrants 10, 20, 30 were equal; lots put {drawn}",)
    assert ranking.entrants[-1] == 5


def test_another_round_and_another_seed_draw_other_lots() -> None:
    tied = [finish(entrant) for entrant in range(1, 9)]
    orders = {rank(tied, Draw(seed, n)).entrants for seed in (b"a", b"b") for n in (1, 2)}
    assert len(orders) == 4


def test_the_table_at_the_head_of_the_file_has_every_row_and_where_it_applies() -> None:
    listed = re.findall(r"^\| ([a-z-]+) \| ([a-z, ]+) \|", tiebreaks.__doc__ or "", re.MULTILINE)
    assert listed[1:] == [(row.id, ", ".join(row.where)) for row in ROWS]


small = st.integers(0, 2)
made_finishes = st.lists(
    st.builds(
        lambda points, total, won, outs, calls, deals: finish(
            0,
            points=points,
            total=total,
            deals_won=won,
            down_and_outs=outs,
            calls=calls,
            deal_points=deals,
        ),
        *[small] * 5,
        st.tuples(small, small),
    ),
    max_size=12,
)


def numbered(finishes: list[Finish]) -> list[Finish]:
    return [
        finish(
            number,
            points=int(item.points),
            **{
                name: getattr(item.seat, name)
                for name in ("total", "deals_won", "down_and_outs", "calls", "deal_points")
            },
        )
        for number, item in enumerate(finishes, start=1)
    ]


@given(made_finishes, st.randoms(use_true_random=False))
def test_the_order_of_arrival_changes_nothing(made: list[Finish], dice: object) -> None:
    finishes = numbered(made)
    before = rank(finishes, DRAW)
    dice.shuffle(finishes)  # type: ignore[attr-defined]
    assert rank(finishes, DRAW) == before
    keys = [tuple(row.key(item, DRAW) for row in CHAIN) for item in before.order]
    assert keys == sorted(keys)
