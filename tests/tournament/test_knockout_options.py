"""Seeding, byes, the third place, owners, and entrants who leave or never come."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from rummy_arena.tournament.event import Plan
from rummy_arena.tournament.field import Entrant, Field, entrants
from rummy_arena.tournament.formats.knockout import FORMAT, advancing, pair, plan, standings
from rummy_arena.tournament.results import TableResult
from rummy_arena.tournament.stages import Stage
from tests.sweeps import WHOLE, sweeping

from .elimination_play import (
    by_number,
    check_any_history,
    followed,
    knockout,
    opened,
    seeded,
    sizes,
    with_round,
)
from .events import Chance, played

SEED = b"a seed"
FOURS = knockout()
PAIRS = knockout(2, 1, 2, 4)


def test_the_best_seeds_of_two_seat_tables_meet_in_the_final() -> None:
    field = seeded(16)
    event = opened(knockout(2, 1, 2, 4, seeding="seeded"), field, SEED)
    met: list[set[frozenset[int]]] = []
    while (round_ := pair(event)) is not None:
        met.append({frozenset(seats) for seats in round_.tables})
        event = with_round(FORMAT, event, by_number)
    assert met[0] == {frozenset((seed, 17 - seed)) for seed in range(1, 9)}
    assert met[1:] == [
        {frozenset((seed, 9 - seed)) for seed in range(1, 5)},
        {frozenset((1, 4)), frozenset((2, 3))},
        {frozenset((1, 2))},
    ]


def test_seeds_are_dealt_to_larger_tables_as_a_snake() -> None:
    round_ = pair(opened(knockout(seeding="seeded"), seeded(16), SEED))
    assert round_ is not None
    assert [sorted(seats) for seats in round_.tables] == [
        [1, 8, 9, 16],
        [2, 7, 10, 15],
        [3, 6, 11, 14],
        [4, 5, 12, 13],
    ]


def test_whose_seeding_is_unknown_comes_after_the_seeds_by_lot() -> None:
    field = tuple(replace(one, seeding=one.number if one.number < 4 else 0) for one in entrants(16))
    firsts = set()
    for seed in (b"a", b"b", b"c", b"d"):
        round_ = pair(opened(knockout(seeding="seeded"), field, seed))
        assert round_ is not None
        tops = [min(seats) for seats in round_.tables]
        assert tops[:3] == [1, 2, 3]
        firsts.add(tuple(sorted(round_.tables[3])))
    assert len(firsts) == 4


@pytest.mark.parametrize("count", range(2, 35))
def test_byes_of_a_bracket_go_to_the_best_seeds_in_the_first_round(count: int) -> None:
    config = knockout(2, 1, 2, 4, seeding="seeded", byes="yes", third_place="yes")
    event, paired = played(config, seeded(count), Chance(count, spread=9999))
    assert tuple(map(sizes, paired)) == plan(config.terms, count)
    free = 2 ** (count - 1).bit_length() - count
    assert sorted(paired[0].byes) == list(range(1, free + 1))
    assert not any(round_.byes for round_ in paired[1:])
    lost = Counter(row.eliminated for row in standings(event))
    assert lost == {True: count - 1, False: 1}


def test_byes_without_seeding_are_drawn() -> None:
    config = knockout(2, 1, 2, 4, byes="yes")
    drawn = {pair(opened(config, entrants(6), bytes([n]))).byes for n in range(9)}  # type: ignore[union-attr]
    assert len(drawn) > 3


@pytest.mark.parametrize(
    ("config", "count", "expected"),
    [
        (knockout(4, 2, 3, 4), 5, ((4,), (3,))),  # five may not sit together: one has a bye
        (knockout(4, 2, 4, 4), 7, ((4,), (4,))),
        (
            knockout(2, 1, 2, 2),
            5,
            ((2, 2), (2, 2), (2,)),
        ),  # the best loser makes three of them four
    ],
)
def test_who_cannot_be_seated_has_a_bye(config: Stage, count: int, expected: Plan) -> None:
    assert plan(config.terms, count) == expected
    config = replace(
        config, terms=replace(config.terms, options={**config.terms.options, "seeding": "seeded"})
    )
    event, paired = played(config, seeded(count), Chance(3))
    assert tuple(map(sizes, paired)) == expected
    free = count - sum(expected[0])
    assert paired[0].byes == tuple(range(1, free + 1))
    assert set(paired[0].byes) <= set(advancing(replace(event, rounds=event.rounds[:1])).entrants)


def test_no_second_bye_while_another_has_none() -> None:
    """Whoever leaves may make a field that cannot be seated a second time."""
    config = knockout(4, 3, 4, 4, seeding="seeded")
    event = with_round(FORMAT, opened(config, seeded(9), SEED), by_number)
    assert event.rounds[0].byes == (1,)
    goes_on = advancing(event).entrants
    assert len(goes_on) == 8
    losers = [row.entrant for row in standings(event) if row.eliminated]
    left = {losers[0], goes_on[-1]}
    event = followed(event, left=left, after=1)
    round_ = pair(event)
    assert round_ is not None
    assert len(round_.byes) == 3
    assert 1 not in round_.byes


@pytest.mark.parametrize(
    ("config", "count", "final", "third"),
    [
        (knockout(2, 1, 2, 4, byes="yes", third_place="yes"), 8, 2, 2),
        (knockout(4, 2, third_place="yes"), 16, 4, 4),
        (knockout(4, 2, third_place="yes"), 6, 4, 0),  # two are no table
    ],
)
def test_the_third_place_is_played_beside_the_final(
    config: Stage, count: int, final: int, third: int
) -> None:
    event, paired = played(config, count, Chance(5))
    last = paired[-1]
    assert plan(config.terms, count)[-1] == tuple(filter(None, (final, third)))
    if not third:
        assert last.labels == ()
        return
    assert last.labels == ("final", "third place")
    rows = standings(event)
    assert {row.entrant for row in rows[:final]} == set(last.tables[0])
    assert {row.entrant for row in rows[final : final + third]} == set(last.tables[1])
    behind = next(r for r in event.rounds[-1].results if r.number == 2)
    best = min(behind.seats, key=lambda seat: seat.place)
    assert rows[final].entrant in {
        seat.entrant for seat in behind.seats if seat.place == best.place
    }
    before = replace(event, rounds=event.rounds[:-1], pending=last)
    playing = [(row.rank, row.entrant) for row in standings(before) if not row.eliminated]
    assert {entrant for rank, entrant in playing if rank == 1} == set(last.tables[0])
    assert {entrant for rank, entrant in playing if rank == final + 1} == set(last.tables[1])


@pytest.mark.parametrize("seeding", ["lot", "seeded"])
@pytest.mark.parametrize("seats", [2, 4])
def test_one_owner_and_one_group_are_apart_in_the_first_round(seats: int, seeding: str) -> None:
    config = knockout(seats, 1, 2, 4, seeding=seeding)
    for seed in range(12):
        field = tuple(
            Entrant(n, n, owner=f"o{n % 7}" if n % 3 else "", group=f"g{n % (32 // seats)}")
            for n in range(1, 33)
        )
        round_ = pair(opened(config, field, bytes([seed])))
        assert round_ is not None
        for name in ("owner", "group"):
            common = {one.number: getattr(one, name) for one in field if getattr(one, name)}
            for seats_ in round_.tables:
                held = [common[one] for one in seats_ if one in common]
                assert len(held) == len(set(held)), (name, seats_)
        assert round_.notes == ()


def test_owners_who_cannot_be_apart_are_spread_and_named() -> None:
    field = tuple(Entrant(n, owner="one" if n <= 10 else "") for n in range(1, 33))
    round_ = pair(opened(FOURS, field, SEED))
    assert round_ is not None
    assert sorted(sum(e <= 10 for e in seats) for seats in round_.tables) == [1] * 6 + [2] * 2
    assert len(round_.notes) == 1
    assert "one owner could not be kept apart" in round_.notes[0]


def test_the_next_best_come_up_for_those_who_left() -> None:
    event = with_round(FORMAT, opened(FOURS, 16), by_number)
    decided = advancing(event)
    left = set(decided.entrants[:2])
    after = advancing(followed(event, left=left, after=1))
    assert len(after.entrants) == 8
    assert not left & set(after.entrants)
    assert set(after.added) == set(after.entrants) - set(decided.entrants)
    assert after.added == tuple(sorted(after.added))
    rows = standings(followed(event, left=left, after=1))
    assert {row.entrant for row in rows[8:10]} == left  # the best of those who went out then


def test_an_opponent_in_a_bracket_who_left_is_a_walkover() -> None:
    config = knockout(2, 1, 2, 4, seeding="seeded")
    event = with_round(FORMAT, opened(config, seeded(8), SEED), by_number)
    event = followed(event, left={4}, after=1)
    round_ = pair(event)
    assert round_ is not None
    assert round_.byes == (1,)
    assert [set(seats) for seats in round_.tables] == [{2, 3}]
    event = with_round(FORMAT, event, by_number)
    final = pair(event)
    assert final is not None
    assert [set(seats) for seats in final.tables] == [{1, 2}]


def test_a_double_no_show_sends_nobody_on() -> None:
    config = knockout(2, 1, 2, 4, seeding="seeded")

    def nobody(_round: int, number: int, seats: tuple[int, ...]) -> TableResult:
        result = by_number(_round, number, seats)
        if set(seats) != {4, 5}:
            return result
        return replace(
            result, seats=tuple(replace(one, place=1, forfeit=True) for one in result.seats)
        )

    event = with_round(FORMAT, opened(config, seeded(8), SEED), nobody)
    assert sorted(advancing(event).entrants) == [1, 2, 3]
    round_ = pair(event)
    assert round_ is not None
    assert round_.byes == (1,)
    rows = standings(event)
    assert {row.entrant for row in rows[-2:]} == {4, 5}


def test_who_is_left_alone_has_won() -> None:
    config = knockout(2, 1, 2, 4, seeding="seeded")
    event = with_round(FORMAT, opened(config, seeded(4), SEED), by_number)
    alone = followed(event, left={1}, after=1)
    assert pair(alone) is None
    assert advancing(alone).entrants == (2,)
    assert [(row.entrant, row.eliminated) for row in standings(alone)[:2]] == [
        (2, False),
        (1, True),
    ]
    empty = followed(event, left={1, 2}, after=1)
    assert pair(empty) is None
    assert advancing(empty).entrants == ()
    assert all(row.eliminated for row in standings(empty))


@sweeping
@pytest.mark.parametrize(
    "config",
    [
        FOURS,
        knockout(4, 3, 4, 4, seeding="seeded", third_place="yes"),
        knockout(2, 1, 2, 4, seeding="seeded", byes="yes", third_place="yes"),
        PAIRS,
        knockout(2, 1, 2, 2, third_place="yes"),
    ],
)
def test_no_history_of_leaving_and_forfeits_is_too_much(config: Stage) -> None:
    for seed in range(80 if WHOLE else 20):
        check_any_history(config, seed)


def test_a_field_of_one_owner_is_seated_in_time() -> None:
    field: Field = tuple(Entrant(n, owner="one") for n in range(1, 4097))
    round_ = pair(opened(FOURS, field, SEED))
    assert round_ is not None
    assert len(round_.tables) == 1024
