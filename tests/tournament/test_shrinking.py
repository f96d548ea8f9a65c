"""A shrinking field: who is out, which table is broken, who moves, who comes back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set
from rummy_arena.tournament.errors import InvalidFormat
from rummy_arena.tournament.event import Event
from rummy_arena.tournament.field import Entrant, Field, entrants
from rummy_arena.tournament.formats.shrinking_tables import moved
from rummy_arena.tournament.results import TableResult
from rummy_arena.tournament.rounds import PlayedRound, Round
from rummy_arena.tournament.stages import Stage

from .events import SEED, Chance, played, stage
from .made import table

KALUKI, JAMAICAN = "kaluki-european", "kalooki-jamaican"


def shrinking(
    rules: str = KALUKI, limits: tuple[int, int, int] = (4, 2, 5), **options: object
) -> Stage:
    return stage("shrinking", limits, rules=rules, options=options)


def paid(round_: Round, penalties: dict[int, int]) -> PlayedRound:
    """Return a round in which entrants paid what is said, others nothing."""
    return round_.played(
        table(number, seats, [penalties.get(one, 0) for one in seats])
        for number, seats in enumerate(round_.tables, start=1)
    )


def after(stage_: Stage, field: Field, *rounds: dict[int, int]) -> tuple[Event, Round | None]:
    """Return the stage after rounds with these penalties, and the next round."""
    event = Event(stage_.terms, field, (), SEED)
    for penalties in rounds:
        round_ = stage_.format.pair(event)
        assert round_ is not None
        event = replace(event, rounds=(*event.rounds, paid(round_, penalties)))
    return event, stage_.format.pair(event)


def everybody(round_: Round | None) -> set[int]:
    assert round_ is not None
    return {*round_.byes, *(one for seats in round_.tables for one in seats)}


# --- tables ---------------------------------------------------------------------------------------


def test_who_stays_keeps_table_and_order_and_the_turn_to_deal_passes_on() -> None:
    found = moved([(1, 2, 3, 4), (5, 6, 7, 8)], {1, 2, 3, 4, 5, 7, 8}, (), 2)
    assert found == ((2, 3, 4, 1), (7, 8, 5))


def test_the_table_with_the_fewest_is_broken_of_equal_ones_the_last() -> None:
    before = [(1, 2, 3, 4), (5, 6, 7), (8, 9, 10)]
    here = {1, 2, 3, 5, 6, 8, 9}
    assert moved(before, here, (), 2) == ((2, 3, 1, 8), (6, 5, 9))


def test_who_is_next_to_deal_moves_from_the_longest_table_to_the_shortest() -> None:
    assert moved([(1, 2, 3, 4), (5, 6, 7, 8)], {1, 2, 3, 4, 5, 8}, (), 2) == ((3, 4, 1), (8, 5, 2))


def test_who_joins_goes_to_the_shortest_table_and_tables_are_opened_for_many() -> None:
    assert moved([(1, 2, 3)], {1, 2, 3}, (4,), 1) == ((2, 3, 1, 4),)
    found = moved([(1, 2, 3, 4)], {1, 2, 3, 4}, (5, 6), 2)
    assert found == ((3, 4, 1), (5, 6, 2))


@pytest.mark.parametrize("seats", [(2, 2, 5), (4, 3, 6), (4, 4, 4), (8, 5, 8)])
def test_there_are_always_as_few_tables_as_hold_the_field_and_sizes_differ_by_one(
    seats: tuple[int, int, int],
) -> None:
    _, rounds = played(shrinking(limits=seats, cut=7), 70)
    for round_ in rounds:
        sizes = list(map(len, round_.tables))
        assert max(sizes) - min(sizes) <= 1
        assert len(sizes) == 1 or sum(sizes) > (len(sizes) - 1) * seats[0] or min(sizes) == seats[1]
        final = len(sizes) == 1 and not round_.byes
        assert round_.labels == (("final",) if final else ())


# --- who is out -----------------------------------------------------------------------------------


def test_who_has_more_than_the_limit_of_the_rule_set_is_out() -> None:
    event, following = after(shrinking(), entrants(8), {1: 150, 2: 151, 3: 80}, {3: 70, 4: 151})
    assert everybody(following) == {1, 3, 5, 6, 7, 8}
    lines = {line.entrant: line for line in shrinking().format.standings(event)}
    assert (lines[4].rank, lines[2].rank) == (7, 8)
    assert lines[3].score == -150
    assert [line.eliminated for line in lines.values()].count(True) == 2


def test_the_host_may_set_another_limit() -> None:
    _, following = after(shrinking(out_above=40), entrants(6), {1: 40, 2: 41})
    assert everybody(following) == {1, 3, 4, 5, 6}


@pytest.mark.parametrize(
    ("cut", "fields"), [(25, [16, 12, 9, 7, 6, 5, 4, 3, 2]), (50, [16, 8, 4, 2])]
)
def test_the_cut_puts_out_its_share_of_the_field_and_one_at_least(
    cut: int, fields: list[int]
) -> None:
    cutting = shrinking(cut=cut, out_above=9999)
    _, rounds = played(cutting, 16, Chance(spread=20))
    assert [len(everybody(round_)) for round_ in rounds] == fields
    assert [sum(sizes) for sizes in cutting.format.plan(cutting.terms, 16)] == fields


def test_the_cut_takes_the_highest_totals() -> None:
    _, following = after(shrinking(cut=25), entrants(8), {1: 9, 2: 8, 3: 7, 4: 6})
    assert everybody(following) == {3, 4, 5, 6, 7, 8}


def test_if_everybody_would_be_out_the_lowest_stay() -> None:
    everywhere = dict.fromkeys(range(1, 9), 200) | {3: 170, 6: 170}
    event, following = after(shrinking(), entrants(8), everywhere)
    assert everybody(following) == {3, 6}
    alone = replace(event, rounds=(event.rounds[0], paid(following or Round(0, ()), {3: 5})))
    assert shrinking().format.pair(alone) is None
    assert shrinking().format.advancing(alone).entrants == (6,)


def test_a_forfeit_pays_the_most_of_the_round_and_a_bye_the_mean() -> None:
    two = shrinking(limits=(2, 2, 2), out_above=9999, rules=KALUKI)
    event = Event(two.terms, entrants(5), (), SEED)
    round_ = two.format.pair(event)
    assert round_ is not None
    (out,) = round_.byes
    first, second = round_.tables
    results = [table(1, first, [10, 21]), table(2, second, [30, 0])]
    lost = replace(results[1].seats[1], forfeit=True)
    results[1] = TableResult(2, (results[1].seats[0], lost))
    event = replace(event, rounds=(round_.played(results),))
    scores = {line.entrant: -line.score for line in two.format.standings(event)}
    assert scores == {first[0]: 10, first[1]: 21, second[0]: 30, second[1]: 30, out: 22}


def test_equal_totals_at_the_cut_are_told_apart_the_same_in_any_order() -> None:
    cutting = shrinking(cut=50)
    event, following = after(cutting, entrants(8), {})
    turned = tuple(replace(one, results=one.results[::-1]) for one in event.rounds)
    assert cutting.format.pair(replace(event, rounds=turned)) == following
    assert len(everybody(following)) == 4
    assert cutting.format.advancing(event).lots


# --- contracts ------------------------------------------------------------------------------------


def test_each_round_is_one_deal_of_the_rule_set() -> None:
    for name, rules in RULE_SETS.items():
        limits = (min(4, rules.max_seats), rules.min_seats, rules.max_seats)
        _, rounds = played(shrinking(name, limits, cut=20), 13)
        for number, round_ in enumerate(rounds, start=1):
            chosen = get_rule_set(name, dict(round_.options))
            if rules.by_elimination:
                assert chosen.deals_cap == 1
            else:
                assert chosen.contracts == (rules.contracts[number - 1],)


def test_games_of_contracts_end_after_the_last_one() -> None:
    cutting = shrinking(JAMAICAN, (4, 3, 6), cut=1)
    event, rounds = played(cutting, 30)
    assert len(rounds) == 9
    assert len(cutting.format.advancing(event).entrants) == 1
    assert cutting.format.advancing(event).entrants[0] == cutting.format.standings(event)[0].entrant


def test_a_game_that_puts_nobody_out_asks_for_a_cut() -> None:
    plain = shrinking(JAMAICAN, (4, 3, 6))
    with pytest.raises(InvalidFormat) as refused:
        plain.format.plan(plain.terms, 16)
    assert refused.value.option == "cut"


def test_fewer_than_a_table_needs_end_it() -> None:
    cutting = shrinking(JAMAICAN, (4, 3, 6), cut=50)
    event, rounds = played(cutting, 8)
    assert [len(everybody(round_)) for round_ in rounds] == [8, 4]
    assert len(cutting.format.advancing(event).entrants) == 1
    assert [line.eliminated for line in cutting.format.standings(event)].count(False) == 2


# --- leaving and coming back ----------------------------------------------------------------------


def field_with(*changed: Entrant, of: int = 8) -> Field:
    known = {one.number: one for one in changed}
    return tuple(known.get(one.number, one) for one in entrants(of))


def test_who_comes_back_has_the_highest_total_of_the_field() -> None:
    back = field_with(Entrant(2, stays=((1, 2), (2, None))))
    again = shrinking(reentries=1, reentry_rounds=3)
    event, following = after(again, back, {1: 120, 2: 151, 3: 80})
    assert 2 in everybody(following)
    event, _ = after(again, back, {1: 120, 2: 151, 3: 80}, {2: 10})
    scores = {line.entrant: -line.score for line in again.format.standings(event)}
    assert scores[1] == 120
    assert scores[2] == 161, "its own total was the highest"
    event, _ = after(again, back, {1: 120, 3: 130}, {2: 10})
    assert again.format.last_entry(again.terms) == 3


def test_who_left_comes_back_with_the_highest_total() -> None:
    back = field_with(Entrant(2, stays=((1, 2), (3, None))))
    again = shrinking(reentries=1, reentry_rounds=3)
    event, following = after(again, back, {1: 120}, {3: 30})
    assert 2 in everybody(following)
    event, _ = after(again, back, {1: 120}, {3: 30}, {2: 7})
    scores = {line.entrant: -line.score for line in again.format.standings(event)}
    assert scores[2] == 127


@pytest.mark.parametrize(
    ("reentries", "until", "is_back"), [(0, 9, False), (1, 2, False), (1, 3, True)]
)
def test_nobody_comes_back_too_often_or_too_late(reentries: int, until: int, is_back: bool) -> None:
    back = field_with(Entrant(2, stays=((1, 2), (3, None))))
    again = shrinking(reentries=reentries, reentry_rounds=until)
    event, following = after(again, back, {2: 151}, {})
    assert (2 in everybody(following)) == is_back
    lines = {line.entrant: line for line in again.format.standings(event)}
    assert lines[2].eliminated


def test_who_is_out_does_not_come_back_by_staying() -> None:
    again = shrinking(reentries=3, reentry_rounds=9)
    _, following = after(again, entrants(8), {2: 151})
    assert 2 not in everybody(following)


def test_somebody_new_enters_while_one_may_come_back() -> None:
    field = (*entrants(6), Entrant(7, stays=((2, None),)), Entrant(8, stays=((3, None),)))
    entering = shrinking(reentry_rounds=2)
    event, second = after(entering, field, {1: 50})
    assert 7 in everybody(second)
    event, third = after(entering, field, {1: 50}, {})
    assert 8 not in everybody(third)
    scores = {line.entrant: -line.score for line in entering.format.standings(event)}
    assert scores[7] == 50
