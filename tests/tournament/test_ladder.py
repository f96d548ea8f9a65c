"""Ladders: who gets a table, in which order limits relax, and why whoever is left waits."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_arena.tournament.errors import DuplicateEntrants, InvalidFormat
from rummy_arena.tournament.ladder import Contender, LadderTerms
from rummy_arena.tournament.ladder_pairing import LadderPairing, pair
from rummy_arena.tournament.ladder_reasons import (
    Ahead,
    NobodyNear,
    Pausing,
    SameOwner,
    TablesFull,
    TooFew,
)

NOW = 1_000_000
TWO = LadderTerms(2, pause_ms=0)


def waiting(entrant: int, mean: float = 1500, waited_s: float = 0, **facts: object) -> Contender:
    return Contender(entrant, mean, NOW - int(waited_s * 1000), **facts)  # type: ignore[arg-type]


def pools(most: int = 14) -> st.SearchStrategy[list[Contender]]:
    def contender(entrant: int) -> st.SearchStrategy[Contender]:
        return st.builds(
            Contender,
            entrant=st.just(entrant),
            mean=st.integers(1000, 2000).map(float),
            since_ms=st.integers(NOW - 200_000, NOW),
            owner=st.sampled_from(["", "a", "b"]),
            games=st.integers(0, 12),
            recent=st.lists(st.integers(1, most), max_size=6).map(tuple),
            playing=st.integers(0, 2),
            at_once=st.integers(1, 3),
            anchor=st.integers(0, 4).map(lambda n: n == 0),
        )

    return st.lists(st.integers(1, most), unique=True, max_size=most).flatmap(
        lambda numbers: st.tuples(*map(contender, numbers)).map(list)
    )


def terms() -> st.SearchStrategy[LadderTerms]:
    return st.integers(2, 8).flatmap(
        lambda seats: st.builds(
            LadderTerms,
            seats=st.just(seats),
            fewest=st.integers(2, seats),
            reach=st.sampled_from([0, 100, 300]),
            widen=st.sampled_from([0, 60, 600]),
            widest=st.sampled_from([0, 400]),
            again=st.sampled_from([0, 50]),
            lead=st.integers(0, 6),
            owners_apart=st.booleans(),
            tables=st.integers(1, 9),
        )
    )


def could_sit(head: Contender, left: list[Contender], limits: LadderTerms) -> bool:
    """Return whether a free entrant could have a table of those left over, by trying them all."""
    waited_ms = NOW - head.since_ms
    reach = limits.reach_after(waited_ms)
    near = [
        one
        for one in left
        if one.entrant != head.entrant
        and (not one.anchor or waited_ms >= limits.anchors_ms)
        and abs(one.mean - head.mean) + (0 if one.anchor else limits.again * head.met(one.entrant))
        <= reach
    ]
    fewest = limits.fewest if waited_ms >= limits.fewer_ms else limits.seats
    return any(
        not limits.owners_apart or len({one.party for one in (head, *others)}) == len(others) + 1
        for others in combinations(near, fewest - 1)
    )


@given(pools(), terms(), st.binary(max_size=4))
def test_nobody_sits_where_it_may_not_and_nobody_who_could_sit_is_left(
    pool: list[Contender], limits: LadderTerms, seed: bytes
) -> None:
    made = pair(pool, limits, NOW, seed=seed, number=7)
    by_number = {one.entrant: one for one in pool}
    seats = Counter(entrant for table in made.tables for entrant in table)
    for entrant, taken in seats.items():
        one = by_number[entrant]
        assert taken <= one.at_once - one.playing if one.anchor else taken == 1
        assert one.playing < one.at_once
        assert entrant not in made.waits
    for table in made.tables:
        assert limits.fewest <= len(set(table)) == len(table) <= limits.seats
        sitting = [by_number[entrant] for entrant in table]
        assert not all(one.anchor for one in sitting)
        if limits.owners_apart:
            assert len({one.party for one in sitting}) == len(sitting)
    assert len(made.tables) <= limits.tables
    waits = {one.entrant for one in pool if not one.anchor and one.playing < one.at_once}
    assert made.waits.keys() == waits - made.seated
    free = [
        one
        for one in pool
        if (one.anchor and one.at_once - one.playing > seats[one.entrant])
        or (one.entrant in made.waits and not isinstance(made.waits[one.entrant], Pausing | Ahead))
    ]
    for one in free:
        if not one.anchor and len(made.tables) < limits.tables:
            assert not could_sit(one, free, limits), one
    untils = [reason.until_ms for reason in made.waits.values() if reason.until_ms]
    assert made.look_ms == (min(untils) if untils else None)
    assert made.look_ms is None or made.look_ms > NOW


@settings(max_examples=40)
@given(pools(), terms(), st.randoms(use_true_random=False))
def test_the_order_of_the_pool_changes_nothing(
    pool: list[Contender], limits: LadderTerms, dice: random.Random
) -> None:
    shuffled = pool[:]
    dice.shuffle(shuffled)
    assert pair(pool, limits, NOW) == pair(shuffled, limits, NOW)


@settings(max_examples=60)
@given(pools(10), terms())
def test_the_time_told_is_when_a_table_comes_of_itself(
    pool: list[Contender], limits: LadderTerms
) -> None:
    """What is told is never too late: by then something has changed, if nothing else happens."""
    made = pair(pool, limits, NOW)
    left = [one for one in pool if one.anchor or one.entrant in made.waits]
    for entrant, reason in made.waits.items():
        if isinstance(reason, NobodyNear | SameOwner) and reason.until_ms:
            others = [one for one in left if one.anchor or not _put_off(made, one.entrant)]
            then = pair(others, replace(limits, tables=200), reason.until_ms, open_tables=0)
            assert then.tables, entrant


def _put_off(made: LadderPairing, entrant: int) -> bool:
    return isinstance(made.waits[entrant], Pausing | Ahead)


def test_limits_relax_with_waiting() -> None:
    far = [waiting(1, 1500), waiting(2, 1900)]
    [reason] = {pair(far, TWO, NOW).waits[1]}
    assert reason == NobodyNear(200, 0, 1, 400.0, NOW + 20_000)
    assert reason.words() == "0 within 200 points, and 1 are needed; the next is 400 away"
    assert not pair(far, TWO, NOW + 19_999).tables
    assert sorted(pair(far, TWO, NOW + 20_000).tables[0]) == [1, 2]
    never = replace(TWO, widest=300)
    assert pair(far, never, NOW).waits[1].until_ms is None
    assert not pair(far, never, NOW + 10**9).tables


def test_those_who_met_of_late_lie_farther_apart() -> None:
    met = [waiting(1, recent=(2, 2, 2)), waiting(2, recent=(1, 1, 1)), waiting(3, 1650)]
    made = pair(met, TWO, NOW)
    assert 3 in made.tables[0]
    assert made.waits[({1, 2} - set(made.tables[0])).pop()] == TooFew(1, 2)
    assert pair(met[:2], TWO, NOW).waits[1] == NobodyNear(200, 0, 1, 300.0, NOW + 10_000)


def test_one_owners_entrants_do_not_meet() -> None:
    mine = [waiting(n, owner="me") for n in (1, 2, 3)]
    made = pair(mine, TWO, NOW)
    assert made.waits[1] == SameOwner("me", 2, 0, None)
    assert made.waits[1].words() == "everybody in reach (2) belongs to its owner me"
    assert len(pair([*mine, waiting(4)], TWO, NOW).tables) == 1
    together = replace(TWO, owners_apart=False)
    assert len(pair(mine, together, NOW).tables) == 1
    three = replace(TWO, seats=3, fewest=3)
    theirs = [*mine, waiting(4, owner="you")]
    assert pair(theirs, three, NOW).waits[4] == SameOwner("you", 3, 1, None)


def test_who_has_played_more_waits_for_the_others_a_while() -> None:
    pool = [waiting(1, games=0), waiting(2, games=9), waiting(3, games=9)]
    made = pair(pool, TWO, NOW)
    assert made.waits[2] == Ahead(9, 0, 5, NOW + 60_000)
    assert made.waits[1] == TooFew(1, 2)
    assert len(pair(pool, TWO, NOW + 60_000).tables) == 1
    playing = [waiting(1, games=0, playing=1), waiting(2, games=9), waiting(3, games=9)]
    assert isinstance(pair(playing, TWO, NOW).waits[2], Ahead)


def test_whoever_has_played_the_fewest_comes_first_unless_another_waits_too_long() -> None:
    pool = [waiting(1, games=2, waited_s=59), waiting(2, games=1), waiting(3, games=3)]
    one = replace(TWO, tables=1)
    made = pair(pool, one, NOW)
    assert set(made.tables[0]) == {1, 2}
    assert made.waits[3] == TablesFull(1)
    late = [waiting(n, games=n, waited_s=70 if n > 2 else 1) for n in (1, 2, 3, 4)]
    assert set(pair(late, replace(one, reach=0, again=0), NOW).tables[0]) & {3, 4}


def test_a_table_may_be_smaller_after_a_while() -> None:
    four = LadderTerms(4, 3, pause_ms=0)
    pool = [waiting(n) for n in (1, 2, 3)]
    assert pair(pool, four, NOW).waits[1] == NobodyNear(200, 2, 3, None, NOW + 60_000)
    assert len(pair(pool, four, NOW + 60_000).tables[0]) == 3
    assert pair(pool[:2], four, NOW).waits[1] == TooFew(2, 3)


def test_anchors_fill_tables_when_others_do_not_and_ask_for_none() -> None:
    house = [waiting(n, anchor=True, at_once=50) for n in (8, 9)]
    assert pair(house, TWO, NOW) == LadderPairing((), {}, None)
    alone = pair([waiting(1), *house], TWO, NOW)
    assert alone.waits[1] == NobodyNear(200, 0, 1, None, NOW + 10_000)
    assert pair([waiting(1), *house], TWO, NOW + 10_000).tables
    many = [waiting(n, waited_s=20) for n in range(1, 4)]
    made = pair([*many, *house], replace(TWO, seats=3, fewest=3), NOW)
    assert [len({8, 9} & set(table)) for table in made.tables] == [0]
    assert len(pair([*many, *house], TWO, NOW).tables) == 2
    full = [waiting(1, waited_s=20), waiting(9, anchor=True, at_once=2, playing=2)]
    assert pair(full, TWO, NOW).waits[1] == TooFew(1, 2)


def test_a_pause_lies_between_two_tables() -> None:
    pool = [waiting(1), waiting(2)]
    made = pair(pool, LadderTerms(2), NOW + 500)
    assert made.waits[1] == Pausing(NOW + 2_000)
    assert (made.tables, made.look_ms) == ((), NOW + 2_000)


def test_an_entrant_at_its_limit_is_left_alone() -> None:
    pool = [waiting(1, playing=1), waiting(2, playing=1, at_once=2), waiting(3)]
    made = pair(pool, TWO, NOW)
    assert set(made.tables[0]) == {2, 3}
    assert made.waits == {}


def test_what_makes_no_ladder_is_refused() -> None:
    for wrong in ({"seats": 1}, {"seats": 9}, {"fewest": 5}, {"reach": -1}, {"tables": 0}):
        with pytest.raises(InvalidFormat):
            replace(LadderTerms(4), **wrong)  # type: ignore[arg-type]  # numbers all
    with pytest.raises(InvalidFormat, match="widest"):
        LadderTerms(4, widest=100)
    with pytest.raises(DuplicateEntrants):
        pair([waiting(1), waiting(1)], TWO, NOW)


def simulated(
    means: list[float], limits: LadderTerms, *, slow: int, games: int
) -> tuple[list[int], int]:
    """Play until everybody has so many games; return the games of each, and the longest wait.

    The first six have owners, the last two the same; games of the second take longer.
    """
    dice = random.Random(1)
    owners = ["a", "b", "c", "d", "e", "e"]
    pool = {
        n: Contender(n, mean, owner=owners[n - 1] if n <= len(owners) else "")
        for n, mean in enumerate(means, start=1)
    }
    ends: list[tuple[int, tuple[int, ...]]] = []
    now, number, longest = 0, 1, 0
    while min(one.games for one in pool.values()) < games:
        now += 1_000
        for _, table in [end for end in ends if end[0] <= now]:
            for n in table:
                one, others = pool[n], tuple(other for other in table if other != n)
                recent = (*one.recent, *others)[-12:]
                pool[n] = replace(one, games=one.games + 1, playing=0, since_ms=now, recent=recent)
        ends = [end for end in ends if end[0] > now]
        made = pair(pool.values(), limits, now, seed=b"s", number=number, open_tables=len(ends))
        number += len(made.tables)
        for table in made.tables:
            longest = max(longest, *(now - pool[n].since_ms for n in table))
            ends.append((now + dice.randint(10, 30) * 1000 * (slow if 2 in table else 1), table))
            for n in table:
                pool[n] = replace(pool[n], playing=1, since_ms=now)
    return [one.counted for one in pool.values()], longest


@pytest.mark.parametrize(("seats", "slow"), [(2, 1), (4, 1), (4, 3), (8, 1)])
def test_over_many_games_everybody_plays_nearly_as_often(seats: int, slow: int) -> None:
    dice = random.Random(seats + slow)
    limits = LadderTerms(seats, max(2, seats - 1))
    means = [1500 + dice.gauss(0, 200) for _ in range(26)]
    games, longest = simulated(means, limits, slow=slow, games=25)
    assert max(games) - min(games) <= limits.lead + 2
    assert longest <= 180_000


def test_one_who_is_far_from_all_others_plays_and_does_not_hold_them_up_for_good() -> None:
    limits = LadderTerms(4, 3)
    games, longest = simulated([4000.0, *[1500.0] * 20], limits, slow=1, games=12)
    assert max(games) - min(games) <= 5 * limits.lead
    assert longest <= 310_000  # its reach must widen by 2,300 points


def test_one_who_can_meet_nobody_holds_nobody_up_for_good() -> None:
    limits = LadderTerms(2, widest=400)
    pool = [waiting(1, 4000, waited_s=301), *(waiting(n, games=40, waited_s=5) for n in (2, 3))]
    assert len(pair(pool, limits, NOW).tables) == 1
