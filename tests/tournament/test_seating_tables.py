"""Swiss rounds at tables of several seats, against all seatings where the field is small."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from rummy_arena.tournament import seating_search
from rummy_arena.tournament.errors import DuplicateEntrants, UnevenField
from rummy_arena.tournament.seating_tables import byes_needed, danish, lobby, pair_tables
from rummy_arena.tournament.swiss_entries import (
    Entry,
    KeptApart,
    Pair,
    Pairing,
    owner_pairs,
    pair_of,
    squares_floor,
)
from rummy_arena.tournament.tables import TableLimits, fits, table_sizes
from tests.sweeps import some, sweeping, times
from tests.tournament.swiss_play import Event, everybody, pairs_of

FOURS = TableLimits(4, 3, 4)


def seated(event: Event, limits: TableLimits, forbidden: frozenset[Pair] = frozenset()) -> Pairing:
    return pair_tables(
        event.entries(),
        limits,
        met=event.met,
        forbidden=forbidden,
        seed=event.seed,
        round_number=event.round_number,
    )


def seatings(left: Sequence[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield every way to seat entrants at tables of these sizes."""
    if not sizes:
        yield []
    for size in sorted(set(sizes)):
        smaller = list(sizes)
        smaller.remove(size)
        for others in combinations(left[1:], size - 1):
            rest = [entrant for entrant in left[1:] if entrant not in others]
            for more in seatings(rest, smaller):
                yield [(left[0], *others), *more]


def least(
    scores: Mapping[int, Fraction], met: Mapping[Pair, int], sizes: Sequence[int]
) -> tuple[int, Fraction]:
    """Return repeats and squares of the best of all seatings."""
    costs: dict[tuple[int, ...], tuple[int, Fraction]] = {}

    def cost(table: tuple[int, ...]) -> tuple[int, Fraction]:
        if table not in costs:
            held = [scores[entrant] for entrant in table]
            repeats = sum(met.get(pair, 0) for pair in combinations(table, 2))
            costs[table] = repeats, (max(held) - min(held)) ** 2
        return costs[table]

    return min(
        (sum(r for r, _ in found), sum((s for _, s in found), Fraction(0)))
        for tables in seatings(sorted(scores), sizes)
        for found in [list(map(cost, tables))]
    )


@sweeping
@pytest.mark.parametrize(
    ("count", "limits"),
    some(
        [
            (6, TableLimits(3, 3, 3)),
            (7, FOURS),
            (8, FOURS),
            (9, TableLimits(3, 3, 3)),
            (10, TableLimits(5, 4, 5)),
            (10, FOURS),
            (11, FOURS),
            (12, TableLimits(6, 5, 6)),
            (13, TableLimits(7, 6, 7)),
        ],
        0,
        first=7,
        last=0,
    ),
)
def test_small_fields_are_seated_as_well_as_can_be(count: int, limits: TableLimits) -> None:
    event = Event(count, 1)
    for _ in range(5):
        pairing = seated(event, limits)
        found = pairing.quality.repeats, pairing.quality.squares
        assert found == least(event.scores, event.met, [len(t) for t in pairing.tables])
        event.play(pairing)


@sweeping
@pytest.mark.parametrize("seats", range(2, 9))
def test_every_field_is_seated_round_after_round(
    seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seating_search, "IDLE_KICKS", 1)  # who sits where does not matter here
    monkeypatch.setattr(seating_search, "WEIGHED_LEAST", 1_000)
    monkeypatch.setattr(seating_search, "WEIGHED_EACH", 20)
    limits = TableLimits(seats, max(2, seats - 1 if seats > 3 else seats), seats)
    for count in some(range(2, 71), 8, first=15, of=seats):
        if not any(fits(limits, count - byes) for byes in range(count)):
            with pytest.raises(UnevenField):
                seated(Event(count, 2), limits)
            continue
        event = Event(count, 2)
        byes = byes_needed(limits, count)
        for number in range(1, 4):
            pairing = seated(event, limits)
            assert everybody(pairing) == sorted(event.scores)
            assert sorted(map(len, pairing.tables)) == sorted(table_sizes(limits, count - byes))
            assert len(pairing.byes) == byes
            event.play(pairing)
            assert max(event.byes.values()) <= -(-byes * number // count)


@sweeping
@pytest.mark.parametrize(
    ("count", "limits", "rounds"),
    some(
        [
            (64, FOURS, 6),
            (70, TableLimits(8, 7, 8), 3),
            (70, FOURS, 6),
            (70, TableLimits(5, 4, 5), 4),
            (64, TableLimits(6, 5, 6), 4),
            (45, TableLimits(3, 3, 3), 6),
        ],
        0,
        first=2,
    ),
)
def test_nobody_meets_again_while_the_field_is_large_enough(
    count: int, limits: TableLimits, rounds: int
) -> None:
    event = Event(count, 3)
    for _ in range(rounds):
        pairing = seated(event, limits)
        assert pairing.quality.repeats == 0
        assert pairing.quality.squares >= pairing.quality.squares_floor
        event.play(pairing)
    assert max(event.met.values()) == 1


def test_meetings_stay_near_the_fewest_that_there_can_be() -> None:
    event = Event(16, 4)
    repeats = 0
    for _ in range(10):
        pairing = seated(event, FOURS)
        repeats += pairing.quality.repeats
        event.play(pairing)
    played = 10 * 4 * comb(4, 2)
    # 16 entrants have 120 pairs, so that half of 240 meetings are repeats whatever is done.
    assert played - comb(16, 2) <= sum(count - 1 for count in event.met.values()) <= 150
    assert max(event.met.values()) <= 5
    assert repeats >= 120


def test_a_long_field_sits_as_close_as_can_be() -> None:
    event = Event(1200, 5)
    for _ in range(4):
        pairing = seated(event, FOURS)
        assert pairing.quality.repeats == 0
        assert pairing.quality.squares <= Fraction(3, 2) * pairing.quality.squares_floor
        event.play(pairing)
    uneven = sum(max(seats.count(s) for s in range(4)) > 1 for seats in event.seats.values())
    assert uneven <= 120  # after four rounds nine of ten have had every seat once


def test_seats_stay_even_over_many_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating_search, "IDLE_KICKS", 5)
    event = Event(40, 6)
    for _ in range(12):
        event.play(seated(event, FOURS))
    for seats in event.seats.values():
        counts = [seats.count(seat) for seat in range(4)]
        assert max(counts) - min(counts) <= 2, counts


@sweeping
@pytest.mark.parametrize("seed", range(times(4, 24)))
def test_owners_are_kept_apart(seed: int) -> None:
    dice = random.Random(seed)
    count = dice.randint(12, 40)
    tables = len(table_sizes(FOURS, count))
    owners = {e: dice.randint(1, count // 3) for e in range(1, count + 1)}
    held = Counter(owners.values())
    owners = {e: owner for e, owner in owners.items() if held[owner] <= tables}
    owners.update(dict.fromkeys(range(1, tables + 1), 0))  # one owner has one at each table
    forbidden = owner_pairs(owners)
    event = Event(count, seed)
    for _ in range(4):
        pairing = seated(event, FOURS, forbidden)
        assert not forbidden & set(pairs_of(pairing))
        assert everybody(pairing) == sorted(event.scores)
        event.play(pairing)


def test_an_owner_with_more_entrants_than_tables_is_named() -> None:
    event = Event(12, 7)
    with pytest.raises(KeptApart) as refused:
        seated(event, FOURS, owner_pairs(dict.fromkeys((2, 4, 6, 8), "owner")))
    assert set(refused.value.entrants) <= {2, 4, 6, 8}
    assert len(refused.value.entrants) >= 2


@pytest.mark.parametrize(
    ("count", "limits"), [(11, FOURS), (50, FOURS), (31, TableLimits(8, 5, 8))]
)
def test_the_order_of_entries_changes_nothing(count: int, limits: TableLimits) -> None:
    event = Event(count, 8)
    for _ in range(2):
        first, second = seated(event, limits), seated(event, limits)  # entries() shuffles
        assert first == second
        event.play(first)


def test_byes_go_to_the_lowest_scores_of_the_fewest_byes() -> None:
    limits = TableLimits(3, 3, 3)
    entries = [Entry(e, 10 - e, byes=int(e == 8)) for e in range(1, 9)]
    pairing = pair_tables(entries, limits, met={}, seed=b"", round_number=2)
    assert pairing.byes == (7, 6)
    assert [sorted(table) for table in pairing.tables] == [[1, 2, 3], [4, 5, 8]]


def test_a_field_that_fills_no_table_is_refused() -> None:
    for count in (0, 1, 2):
        with pytest.raises(UnevenField):
            seated(Event(count, 9), FOURS)


def test_nobody_enters_twice() -> None:
    with pytest.raises(DuplicateEntrants):
        pair_tables([Entry(1, 0)] * 2 + [Entry(2, 0)], FOURS, met={}, seed=b"", round_number=1)


def test_the_danish_system_seats_by_rank_after_a_round_by_lot() -> None:
    ranked = [Entry(e, 0) for e in (5, 3, 8, 1, 2, 9, 4, 7, 6, 10, 11)]
    first = danish(ranked, FOURS, seed=b"x", round_number=1)
    other = danish(ranked, FOURS, seed=b"y", round_number=1)
    assert everybody(first) == everybody(other) == list(range(1, 12))
    assert first.tables != other.tables
    second = danish(ranked, FOURS, seed=b"x", round_number=2)
    assert [set(table) for table in second.tables] == [{5, 3, 8, 1}, {2, 9, 4, 7}, {6, 10, 11}]
    kept = danish(ranked, FOURS, forbidden=[(3, 5)], seed=b"x", round_number=2)
    assert not {(3, 5)} & set(pairs_of(kept))
    changed = sum(set(a) != set(b) for a, b in zip(kept.tables, second.tables, strict=True))
    assert changed == 2


def test_preliminaries_repeat_no_meeting_whatever_the_scores() -> None:
    event = Event(48, 10)
    for number in range(1, 5):
        pairing = lobby(event.entries(), FOURS, met=event.met, seed=b"x", round_number=number)
        assert pairing.quality.repeats == 0
        event.play(pairing)
    assert pairing.quality.squares > 4 * pairing.quality.squares_floor  # scores were not looked at


@pytest.mark.parametrize("seed", range(30))
def test_the_bound_is_a_bound(seed: int) -> None:
    dice = random.Random(seed)
    sizes = [dice.randint(2, 4) for _ in range(3)]
    scores = {e: Fraction(dice.randint(0, 6)) for e in range(sum(sizes))}
    bound = squares_floor(sorted(scores.values(), reverse=True), sizes)
    assert bound <= least(scores, {}, sizes)[1]


def test_the_quality_counts_what_happened() -> None:
    entries = [Entry(1, 5, seats=(0,)), Entry(2, 3), Entry(3, 2), Entry(4, 0)]
    pairing = pair_tables(
        entries, TableLimits(4, 4, 4), met={pair_of(2, 1): 2, (3, 4): 1}, seed=b"", round_number=2
    )
    quality = pairing.quality
    assert quality.repeats == 3
    assert [quality.spread, quality.widest, quality.squares] == [Fraction(n) for n in (5, 5, 25)]
    assert quality.squares_floor == 4 + 1 + 4
    assert pairing.tables[0].index(1) != 0
