"""Swiss rounds at tables of two, against all pairings weighed by networkx."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

import networkx
import pytest

from rummy_arena.tournament import swiss
from rummy_arena.tournament.errors import DuplicateEntrants
from rummy_arena.tournament.swiss import pair_two, seats_clash, second_wanted
from rummy_arena.tournament.swiss_entries import (
    Entry,
    KeptApart,
    Pair,
    Pairing,
    meetings,
    owner_pairs,
    pair_of,
    quality,
)
from tests.sweeps import some, sweeping
from tests.tournament.swiss_play import Event, everybody, pairs_of

Levels = tuple[int, ...]


def paired(event: Event, forbidden: Collection[Pair] = ()) -> Pairing:
    return pair_two(
        event.entries(),
        met=event.met,
        forbidden=forbidden,
        seed=event.seed,
        round_number=event.round_number,
    )


def levels_of(one: Entry, other: Entry, met: Mapping[Pair, int]) -> Levels:
    """Return repeats, square of the distance and clash of seats of one pair."""
    distance = one.score - other.score
    clash = seats_clash(second_wanted(one.seats), second_wanted(other.seats))
    square = distance * distance
    assert square == int(square)
    return met.get(pair_of(one.entrant, other.entrant), 0), int(square), clash


def least(
    entries: Sequence[Entry],
    met: Mapping[Pair, int],
    forbidden: Collection[Pair],
    bye: Collection[int],
) -> Levels | None:
    """Return the sums of the levels of the best pairing; one of ``bye``, if any, sits out."""
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(entry.entrant for entry in entries)
    costs = {}
    for one, other in combinations(entries, 2):
        if pair_of(one.entrant, other.entrant) not in forbidden:
            levels = levels_of(one, other, met)
            cost = (levels[0] << 60) + (levels[1] << 20) + levels[2]
            costs[pair_of(one.entrant, other.entrant)] = levels
            graph.add_edge(one.entrant, other.entrant, weight=-cost)
    graph.add_edges_from((entrant, 0, {"weight": 0}) for entrant in bye)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(found) < len(graph):
        return None
    played = [costs[pair_of(*pair)] for pair in found if 0 not in pair]
    return tuple(map(sum, zip(*played, strict=True)))


def best(event: Event, forbidden: Collection[Pair] = ()) -> tuple[tuple[int, int], Levels] | None:
    """Return the class (byes, score) that has the bye and the levels of the best pairing."""
    entries = sorted(event.entries(), key=lambda entry: entry.entrant)
    if len(entries) % 2 == 0:
        levels = least(entries, event.met, forbidden, ())
        return None if levels is None else ((0, 0), levels)
    for byes, score in sorted({(entry.byes, entry.score) for entry in entries}):
        tied = [e.entrant for e in entries if (e.byes, e.score) == (byes, score)]
        levels = least(entries, event.met, forbidden, tied)
        if levels is not None:
            return (byes, int(score)), levels
    return None


def reached(event: Event, pairing: Pairing) -> tuple[tuple[int, int], Levels]:
    known = {entry.entrant: entry for entry in event.entries()}
    played = [levels_of(known[a], known[b], event.met) for a, b in pairing.tables]
    out = (0, 0)
    if pairing.byes:
        (bye,) = pairing.byes
        out = (known[bye].byes, int(known[bye].score))
    return out, tuple(map(sum, zip(*played, strict=True)))


@sweeping
@pytest.mark.parametrize("count", some(range(2, 71), 16, first=15))
def test_every_field_is_paired_round_after_round(count: int) -> None:
    event = Event(count, 1)
    for _ in range(8):
        pairing = paired(event)
        assert everybody(pairing) == sorted(event.scores)
        assert {len(table) for table in pairing.tables} == {2}
        assert len(pairing.byes) == count % 2
        event.play(pairing)
        assert max(event.byes.values()) - min(event.byes.values()) <= 1
    assert max(event.byes.values()) <= -(-8 * (count % 2) // count)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7, 8, 9, 11, 14, 15, 21, 30, 33])
def test_no_pairing_is_better(count: int) -> None:
    event = Event(count, 2)
    for _ in range(min(count + 2, 12)):
        pairing = paired(event)
        assert reached(event, pairing) == best(event)
        event.play(pairing)


@pytest.mark.parametrize("seed", range(25))
def test_no_pairing_is_better_with_owners(seed: int) -> None:
    dice = random.Random(seed)
    count = dice.randint(4, 16)
    event = Event(count, seed)
    forbidden = owner_pairs({e: dice.randint(1, 1 + count // 2) for e in event.scores})
    for _ in range(5):
        wanted = best(event, forbidden)
        if wanted is None:
            with pytest.raises(KeptApart) as refused:
                paired(event, forbidden)
            assert set(refused.value.entrants) <= set(event.scores)
            assert len(refused.value.entrants) >= 1
            return
        pairing = paired(event, forbidden)
        assert reached(event, pairing) == wanted
        assert not forbidden & set(pairs_of(pairing))
        event.play(pairing)


@pytest.mark.parametrize("count", [30, 41, 60])
def test_blocks_and_windows_lose_nothing(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swiss, "BLOCK", 4)
    monkeypatch.setattr(swiss, "NEAR", 1)
    monkeypatch.setattr(swiss, "LONG", 10)
    event = Event(count, 3)
    for _ in range(9):
        pairing = paired(event)
        (bye, levels), wanted = reached(event, pairing), best(event)
        assert wanted is not None
        assert (bye, levels[:2]) == (wanted[0], wanted[1][:2])  # seats choose among what is left
        event.play(pairing)


def test_a_long_field_repeats_nothing_and_is_as_close_as_can_be() -> None:
    event = Event(601, 4)
    for _ in range(7):
        pairing = paired(event)
        assert pairing.quality.repeats == 0
        assert pairing.quality.squares <= pairing.quality.squares_floor * 2
        event.play(pairing)
    assert max(event.byes.values()) == 1


def test_an_owner_of_many_is_kept_apart_in_a_long_field() -> None:
    event = Event(500, 8)
    forbidden = owner_pairs(dict.fromkeys(range(1, 101), "owner"))
    for _ in range(3):
        pairing = paired(event, forbidden)
        assert not forbidden & set(pairs_of(pairing))
        assert pairing.quality.repeats == 0
        assert pairing.quality.squares == pairing.quality.squares_floor
        event.play(pairing)


@pytest.mark.parametrize(("count", "held"), [(1000, 501), (1001, 502)])
def test_an_owner_of_more_than_half_is_refused_at_once(count: int, held: int) -> None:
    entries = [Entry(e, 0) for e in range(count)]
    forbidden = owner_pairs(dict.fromkeys(range(held), "owner"))
    with pytest.raises(KeptApart) as refused:
        pair_two(entries, met={}, forbidden=forbidden, seed=b"", round_number=1)
    assert len(refused.value.entrants) == 2 * held - count
    assert set(refused.value.entrants) <= set(range(held))


def test_seats_alternate() -> None:
    event = Event(64, 5)
    for number in range(1, 9):
        event.play(paired(event))
        uneven = [e for e, seats in event.seats.items() if abs(2 * sum(seats) - number) > 1]
        assert len(uneven) <= 12
        assert all(abs(2 * sum(seats) - number) <= 2 for seats in event.seats.values())


@pytest.mark.parametrize(
    ("seats", "wants"),
    [((), 0), ((0,), 3), ((1,), -3), ((0, 1), -1), ((1, 0), 1), ((0, 0), 5), ((0, 1, 0), 3)],
)
def test_the_seat_that_is_wanted(seats: tuple[int, ...], wants: int) -> None:
    assert second_wanted(seats) == wants


def test_one_is_left_and_nobody_is() -> None:
    assert pair_two([], met={}, seed=b"", round_number=1) == Pairing((), (), quality([], [], {}))
    alone = pair_two([Entry(7, 0)], met={}, seed=b"", round_number=1)
    assert (alone.tables, alone.byes) == ((), (7,))


def test_nobody_enters_twice() -> None:
    with pytest.raises(DuplicateEntrants) as refused:
        pair_two([Entry(1, 0), Entry(2, 0), Entry(1, 3)], met={}, seed=b"", round_number=1)
    assert refused.value.entrants == (1,)


def test_who_cannot_be_kept_apart_is_named() -> None:
    entries = [Entry(e, 0) for e in (1, 2, 3, 4)]
    forbidden = owner_pairs({1: "one", 2: "one", 3: "one"})
    with pytest.raises(KeptApart) as refused:
        pair_two(entries, met={}, forbidden=forbidden, seed=b"", round_number=1)
    assert set(refused.value.entrants) < {1, 2, 3}
    assert len(refused.value.entrants) == 2
    assert str(refused.value.entrants[0]) in str(refused.value)


def test_the_bye_goes_up_the_line_only_where_owners_must_be_kept_apart() -> None:
    # Entrant 3 has had no bye, but if it sat out, 1 and 2 of one owner would have to meet.
    entries = [Entry(1, 6, byes=1), Entry(2, 3, byes=1), Entry(3, 0)]
    free = pair_two(entries, met={}, seed=b"", round_number=3)
    kept = pair_two(entries, met={}, forbidden=[(2, 1)], seed=b"", round_number=3)
    assert (free.byes, kept.byes) == ((3,), (2,))


@pytest.mark.parametrize("count", [9, 40, 151])
def test_the_order_of_entries_changes_nothing(count: int) -> None:
    event = Event(count, 6)
    for _ in range(4):
        first, second = paired(event), paired(event)  # entries() shuffles
        assert first == second
        event.play(first)


def test_the_seed_and_the_round_change_the_draw() -> None:
    entries = [Entry(e, 0) for e in range(40)]
    drawn = {
        pair_two(entries, met={}, seed=seed, round_number=number).tables
        for seed in (b"a", b"b")
        for number in (1, 2)
    }
    assert len(drawn) == 4


def test_another_process_finds_the_same() -> None:
    code = (
        "from tests.tournament.swiss_play import Event\n"
        "from tests.tournament.test_swiss import paired\n"
        "event = Event(121, 7)\n"
        "for _ in range(4):\n"
        "    pairing = paired(event); event.play(pairing); print(pairing)\n"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": str(n)},
        ).stdout
        for n in (1, 2, 3)
    }
    assert len(runs) == 1
    assert len(next(iter(runs))) > 1000


def test_meetings_and_owners_are_pairs() -> None:
    assert meetings([[(3, 1), (2, 4, 5)], [(1, 3)]]) == {
        (1, 3): 2,
        (2, 4): 1,
        (2, 5): 1,
        (4, 5): 1,
    }
    assert owner_pairs({5: 1, 2: 1, 9: 2, 7: 1}) == {(2, 5), (2, 7), (5, 7)}


def test_scores_of_any_size_and_fraction_are_paired() -> None:
    entries = [Entry(e, Fraction(10**30 * e, 7**20 + e)) for e in range(1, 9)]
    pairing = pair_two(entries, met={}, seed=b"", round_number=1)
    assert sorted(map(sorted, pairing.tables)) == [[1, 2], [3, 4], [5, 6], [7, 8]]
