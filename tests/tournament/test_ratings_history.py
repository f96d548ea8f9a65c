from __future__ import annotations

import hashlib
import random
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_arena.tournament.draw import by_lot, lot
from rummy_arena.tournament.ratings import (
    NothingToRate,
    Rating,
    RatingRules,
    UnratedAnchor,
    after_idle_season,
    rate,
)
from rummy_arena.tournament.ratings_explained import explain
from rummy_arena.tournament.ratings_history import (
    ConflictingResult,
    Ledger,
    RatedResult,
    extend,
    recalculate,
)

from .made import table

ANCHORS = {90: Rating(1400, 0), 91: Rating(1600, 60)}
GOLDEN = "b0d0a890adb117ea8db09c2060ac9a6edcbded174bd019b0ed887343c04af573"


def made(seed: int, tables: int, entrants: int = 12) -> list[RatedResult]:
    """Return results of tables of two to eight, some finished at the same sequence."""
    dice = random.Random(seed)
    field = [*range(1, entrants + 1), *ANCHORS]
    results = []
    for number in range(tables):
        sat = dice.sample(field, dice.randint(2, 8))
        places = tuple((entrant, dice.randint(1, len(sat))) for entrant in sat)
        results.append(RatedResult(number * 2 // 3, f"t{dice.randrange(10**6)}-{number}", places))
    return results


def test_a_ledger_is_what_rating_one_by_one_gives() -> None:
    results = made(1, 40)
    ratings = dict(ANCHORS)
    for result in sorted(results, key=lambda result: (result.sequence, result.table)):
        ratings |= rate(ratings, result.places, ANCHORS)
    assert recalculate(results, ANCHORS).ratings == ratings


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 99), st.randoms(use_true_random=False))
def test_neither_the_order_of_delivery_nor_repeats_change_a_byte(
    seed: int, dice: random.Random
) -> None:
    results, ends = made(seed, 25), (3, 9, 40)
    told = recalculate(results, ANCHORS, ends)
    again = results + dice.choices(results, k=10)
    dice.shuffle(again)
    assert written(recalculate(again, ANCHORS, ends[::-1])) == written(told)

    ledger = recalculate((), ANCHORS)
    owed_ends = list(ends)
    while again or owed_ends:
        part, again = again[:4], again[4:]
        ledger = extend(ledger, part, [owed_ends.pop()] if owed_ends else ())
    assert ledger == told
    assert written(ledger) == written(told)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 99))
def test_results_told_in_their_order_are_not_rated_anew(seed: int) -> None:
    results = sorted(made(seed, 12), key=lambda result: (result.sequence, result.table))
    ledger, told = recalculate((), ANCHORS), []
    for result in results:
        told.append(result)
        longer = extend(ledger, [result])
        assert longer.history[: len(ledger.history)] == ledger.history
        assert all(a is b for a, b in zip(longer.history, ledger.history, strict=False))
        assert longer == recalculate(told, ANCHORS)
        ledger = longer
    assert extend(ledger, results) == ledger


def test_all_orders_of_four_results_end_alike() -> None:
    results = made(3, 4)
    told = written(recalculate(results, ANCHORS, [0, 1]))
    for order in permutations(results):
        ledger = recalculate((), ANCHORS)
        for result in order:
            ledger = extend(ledger, [result])
        assert written(extend(ledger, (), [1, 0])) == told


def test_the_order_does_matter_so_the_key_must_decide() -> None:
    one = RatedResult(1, "a", ((1, 1), (2, 2)))
    other = RatedResult(2, "b", ((2, 1), (3, 2)))
    swapped = [RatedResult(2, "a", one.places), RatedResult(1, "b", other.places)]
    assert recalculate([one, other]).ratings != recalculate(swapped).ratings


def test_the_same_sequence_is_ordered_by_table() -> None:
    results = [
        RatedResult(5, table_id, ((1, place), (2, 3 - place)))
        for table_id, place in (("b", 2), ("a", 1), ("B", 1))
    ]
    assert [result.table for result in recalculate(results).results] == ["B", "a", "b"]


def test_a_table_with_two_results_is_refused() -> None:
    result = RatedResult(1, "a", ((1, 1), (2, 2)))
    ledger = recalculate([result])
    for other in (RatedResult(1, "a", ((1, 2), (2, 1))), RatedResult(2, "a", result.places)):
        with pytest.raises(ConflictingResult, match="table a"):
            recalculate([result, other])
        with pytest.raises(ConflictingResult):
            extend(ledger, [other])
    assert extend(ledger, [RatedResult(1, "a", ((2, 2), (1, 1)))]) == ledger  # seats swapped


def test_what_cannot_be_rated_says_at_which_table() -> None:
    with pytest.raises(NothingToRate) as refused:
        recalculate([RatedResult(1, "lonely", ((1, 1),))])
    assert refused.value.__notes__ == ["in the result of table lonely"]


def test_anchors_stand_in_the_ratings_and_not_in_the_history() -> None:
    ledger = recalculate(made(4, 30), ANCHORS, [2, 5, 90])
    assert {entrant: ledger.ratings[entrant] for entrant in ANCHORS} == ANCHORS
    assert not ANCHORS.keys() & {change.entrant for change in ledger.history}
    assert list(ledger.ratings) == sorted(ledger.ratings)


def test_who_sits_a_season_out_is_less_sure_and_nobody_else() -> None:
    results = [
        RatedResult(1, "a", ((1, 1), (2, 2))),
        RatedResult(2, "b", ((1, 1), (3, 2))),  # season 2: entrant 2 is idle
        RatedResult(4, "c", ((1, 1), (2, 2))),
    ]
    ledger = recalculate(results, season_ends=[1, 3])
    idle = [change for change in ledger.history if change.table is None]
    assert [(change.entrant, change.sequence, change.place) for change in idle] == [(2, 3, None)]
    assert idle[0].after == after_idle_season(idle[0].before)
    assert idle[0].before == ledger.history_of(2)[0].after
    assert ledger.history_of(2)[2].before == idle[0].after


def test_a_season_takes_in_the_results_of_its_last_sequence() -> None:
    results = [RatedResult(1, "a", ((1, 1), (2, 2))), RatedResult(2, "b", ((1, 1), (2, 2)))]
    assert len(recalculate(results, season_ends=[1, 2]).history) == 4
    ended = recalculate(results[:1], season_ends=[1, 2])
    assert len(ended.history) == 4  # both are idle in the second season, until told otherwise
    assert extend(ended, results[1:]) == recalculate(results, season_ends=[1, 2])


def test_every_change_starts_where_the_one_before_ended() -> None:
    ledger = recalculate(made(6, 60), ANCHORS, [5, 10, 20])
    for entrant in ledger.ratings.keys() - ANCHORS.keys():
        steps = ledger.history_of(entrant)
        assert steps[0].before == ledger.rules.newcomer
        assert steps[-1].after == ledger.ratings[entrant]
        assert all(a.after == b.before for a, b in pairwise(steps))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 99))
def test_an_explanation_adds_up_to_the_change(seed: int) -> None:
    ledger = recalculate(made(seed, 12), ANCHORS, [4])
    for change in ledger.history:
        if change.table is None:
            continue
        told = ledger.explain(change.table, change.entrant)
        assert (told.before, told.after, told.place) == (change.before, change.after, change.place)
        total = sum(meeting.points for meeting in told.meetings)
        assert total == pytest.approx(change.after.mean - change.before.mean, abs=1e-5)
        assert all((m.scored > m.expected) == (m.points > 0) for m in told.meetings)


def test_an_explanation_in_words() -> None:
    ratings = {1: Rating(1600, 50), 2: Rating(1500, 50), 9: Rating(1500, 0)}
    places = [(2, 1), (1, 2), (9, 2)]
    assert explain(ratings, places, 1, {9}).lines() == [
        "entrant 1, place 2 at a table of 3: 1600 ± 98 became 1592 ± 97 (-8.0)",
        "scored 0 against entrant 2 (1500 ± 98) where 0.64 was expected: -6.6",
        "scored 0.5 against entrant 9 (1500 ± 0) where 0.64 was expected: -1.5",
    ]
    assert explain(ratings, places, 9, {9}).lines() == [
        "entrant 9, place 2 at a table of 3: an anchor, fixed at 1500 ± 0"
    ]
    with pytest.raises(LookupError, match="entrant 3"):
        explain(ratings, places, 3)
    with pytest.raises(UnratedAnchor):
        explain(ratings, [*places, (8, 1)], 1, {8, 9})
    with pytest.raises(LookupError, match="table x"):
        recalculate(()).explain("x", 1)


def test_results_come_from_tables() -> None:
    result = RatedResult.of(8, "a", table(1, (6, 4, 5), (30, 10, 30)))
    assert result == RatedResult(8, "a", ((4, 1), (5, 2), (6, 2)))


def test_rules_and_anchors_are_kept_for_what_follows() -> None:
    rules = RatingRules(start_mean=1000, floor=20)
    results = made(8, 60)
    ledger = extend(extend(recalculate((), ANCHORS, rules=rules), results[30:]), results[:30])
    assert ledger == recalculate(results, ANCHORS, rules=rules)
    assert min(r.deviation for e, r in ledger.ratings.items() if e not in ANCHORS) >= 20


def test_every_machine_writes_the_same_bytes() -> None:
    """A fixed history of 2,000 tables, by its hash; another one means other last digits here."""
    field = [*range(1, 41), *ANCHORS]
    results = []
    for number in range(2000):
        sat = by_lot(b"bytes", "seat", number, field)[: 2 + number % 7]
        places = tuple((e, lot(b"bytes", "tie", number, e)[0] % len(sat)) for e in sat)
        results.append(RatedResult(number, f"t{number}", places))
    ledger = recalculate(results, ANCHORS, range(0, 2000, 250))
    assert hashlib.sha256(written(ledger).encode()).hexdigest() == GOLDEN


def written(ledger: Ledger) -> str:
    """Return ratings and history as decimal text."""
    lines = [f"{entrant} {rating}" for entrant, rating in ledger.ratings.items()]
    lines += [str(change) for change in ledger.history]
    return "\n".join(lines)
