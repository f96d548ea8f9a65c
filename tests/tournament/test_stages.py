"""Stages of an event: who goes on, how the next is seeded, and what stays as it was decided."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rummy_arena.tournament.event import Event
from rummy_arena.tournament.field import Entrant, Field, entrants
from rummy_arena.tournament.registry import FORMATS
from rummy_arena.tournament.rounds import Round
from rummy_arena.tournament.stages import (
    Course,
    Stage,
    advancing,
    lots_of,
    next_round,
    plan,
    standings,
)

from .events import SEED, Chance, played_course, stage

FOUR = (4, 3, 6)


def lobby_then_sixteen() -> tuple[Stage, ...]:
    """Return what the Catan championships play: preliminaries, then the best sixteen."""
    return (stage("lobby", FOUR, take=16), stage("knockout", FOUR, options={"advance": 1}))


def groups_then_knockout() -> tuple[Stage, ...]:
    options = {"groups": 4, "advance": 1, "wildcards": 4}
    return (stage("groups", FOUR, options=options), stage("knockout", FOUR))


def everybody(round_: Round) -> set[int]:
    return {*round_.byes, *(one for table in round_.tables for one in table)}


def at(course: Course, rounds: int) -> Course:
    """Return the event as it was after so many rounds."""
    return replace(course, rounds=course.rounds[:rounds])


def changed(field: Field, *others: Entrant) -> Field:
    known = {one.number: one for one in others}
    return tuple(known.get(one.number, one) for one in field)


@pytest.mark.parametrize("stages", [lobby_then_sixteen(), groups_then_knockout()])
@pytest.mark.parametrize("count", [24, 29, 37])
def test_two_stages_are_played_as_planned_to_one_winner(
    stages: tuple[Stage, ...], count: int
) -> None:
    course, rounds = played_course(stages, count)
    sizes = [sorted(map(len, round_.tables)) for round_ in rounds]
    assert sizes == [sorted(sizes_) for sizes_ in plan(stages, count)]
    assert [round_.number for round_ in rounds] == list(range(1, len(rounds) + 1))
    assert [round_.stage for round_ in rounds] == sorted(round_.stage for round_ in rounds)
    assert {round_.stage for round_ in rounds} == {1, 2}
    lines = standings(course)
    assert sorted(line.entrant for line in lines) == list(range(1, count + 1))
    winners = advancing(course).entrants
    assert [line.entrant for line in lines if not line.eliminated] == list(winners)
    assert {line.rank for line in lines if line.entrant in winners} == {1}


def test_the_best_sixteen_go_on_and_are_seeded_in_that_order() -> None:
    seeds: dict[int, int] = {}
    knockout = FORMATS["knockout"]

    def pair(event: Event) -> Round | None:
        seeds.update({one.number: one.seeding for one in event.field})
        return knockout.pair(event)

    first, second = lobby_then_sixteen()
    spying = replace(second, format=replace(knockout, pair=pair))
    course, rounds = played_course((first, spying), 30)
    before = at(course, 3)
    best = [line.entrant for line in standings(before)[:16]]
    assert advancing(before).entrants == tuple(best)
    assert everybody(rounds[3]) == set(best)
    assert seeds == {entrant: place for place, entrant in enumerate(best, start=1)}


def test_those_of_a_later_stage_stand_before_all_others_who_keep_their_order() -> None:
    course, rounds = played_course(lobby_then_sixteen(), 30)
    lines = standings(course)
    through = everybody(rounds[3])
    assert {line.entrant for line in lines[:16]} == through
    order = [line.entrant for line in standings(at(course, 3))]
    assert [line.entrant for line in lines[16:]] == [one for one in order if one not in through]
    assert [line.rank for line in lines[16:]] == list(range(17, 31))
    tables = {line.entrant: line.tables for line in lines}
    assert tables[order[-1]] == 3
    assert tables[lines[0].entrant] == len(rounds)


def test_thirds_of_groups_who_go_on_come_after_winners() -> None:
    course, rounds = played_course(groups_then_knockout(), 24)
    first = sum(round_.stage == 1 for round_ in rounds)
    found = advancing(at(course, first))
    assert len(found.entrants) == 8
    assert len(found.added) == 4
    assert found.entrants[4:] == found.added
    assert everybody(rounds[first]) == set(found.entrants)
    ranks = {line.entrant: line for line in standings(at(course, first))}
    assert all(ranks[one].rank == 1 for one in found.entrants[:4])
    assert len({ranks[one].group for one in found.entrants[:4]}) == 4


def test_those_of_one_group_do_not_meet_in_the_first_round_after() -> None:
    stages = (
        stage("groups", FOUR, options={"groups": 4, "advance": 4}),
        stage("swiss", FOUR, options={"rounds": 2}),
    )
    course, rounds = played_course(stages, 32)
    first = sum(round_.stage == 1 for round_ in rounds)
    group = {line.entrant: line.group for line in standings(at(course, first))}
    for table in rounds[first].tables:
        assert len({group[one] for one in table}) == 4


def test_whoever_has_left_by_then_is_passed_over_for_the_next_best() -> None:
    course, _ = played_course(lobby_then_sixteen(), 30)
    order = [line.entrant for line in standings(at(course, 3))]
    field = changed(course.field, Entrant(order[2], stays=((1, 4),)))
    course, rounds = played_course(lobby_then_sixteen(), field)
    assert everybody(rounds[3]) == set(order[:17]) - {order[2]}


def test_who_comes_back_after_the_stage_is_not_in_the_next() -> None:
    course, _ = played_course(lobby_then_sixteen(), 30)
    best = standings(at(course, 3))[0].entrant
    field = changed(course.field, Entrant(best, stays=((1, 4), (5, None))))
    _, rounds = played_course(lobby_then_sixteen(), field)
    assert not any(best in everybody(round_) for round_ in rounds[3:])


def test_a_disqualification_later_changes_nothing_that_was_decided() -> None:
    course, rounds = played_course(lobby_then_sixteen(), 30)
    out = sorted(everybody(rounds[4]))[0]
    field = changed(course.field, Entrant(out, disqualified=True))
    later = replace(at(course, 4), field=field, pending=rounds[4])
    ended = replace(later, rounds=course.rounds[:5], pending=None)
    for known in (later, ended):
        assert standings(known)[-1].entrant == out
        assert standings(known)[-1].eliminated
    assert lots_of(replace(course, field=field)) == lots_of(course)
    following = next_round(ended)
    assert following is None or out not in everybody(following)
    again = next_round(replace(at(course, 3), field=field))
    assert again is not None
    assert out not in everybody(again), "nobody knows of a later round then"


def test_who_was_disqualified_is_last_and_the_others_move_up() -> None:
    course, rounds = played_course((stage("swiss", FOUR, options={"rounds": 4}),), 16)
    before = standings(course)
    out = before[0].entrant
    field = changed(course.field, Entrant(out, disqualified=True))
    after = standings(replace(course, field=field))
    assert [line.entrant for line in after] == [line.entrant for line in before[1:]] + [out]
    assert [line.rank for line in after] == list(range(1, 17))
    assert advancing(replace(course, field=field)).entrants == (before[1].entrant,)
    assert [line.entrant for line in after if not line.eliminated] == [before[1].entrant]
    assert len(rounds) == 4


def test_a_scored_event_has_one_winner_and_before_its_end_nobody_is_out() -> None:
    course, rounds = played_course((stage("swiss", FOUR, options={"rounds": 3}),), 16)
    assert not any(line.eliminated for line in standings(at(course, 2)))
    assert len(advancing(at(course, 2)).entrants) == 16
    lines = standings(course)
    assert [line.eliminated for line in lines] == [False] + [True] * 15
    assert advancing(course).entrants == (lines[0].entrant,)
    assert len(rounds) == 3


def test_a_stage_that_cannot_begin_ends_the_event_with_the_best_of_the_one_before() -> None:
    stages = (stage("lobby", FOUR, take=16), stage("knockout", (4, 4, 4)))
    field = tuple(
        Entrant(number, stays=((1, None if number < 4 else 4),)) for number in range(1, 17)
    )
    course, rounds = played_course(stages, field)
    assert len(rounds) == 3
    assert next_round(course) is None
    lines = standings(course)
    assert advancing(course).entrants == (lines[0].entrant,)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_nobody_and_too_few_are_no_event(count: int) -> None:
    course = Course(groups_then_knockout(), entrants(count), (), SEED)
    assert next_round(course) is None
    assert len(standings(course)) == count


def test_three_stages_and_their_seeds_follow_each_other() -> None:
    stages = (
        stage("lobby", FOUR, take=16),
        stage("groups", FOUR, take=4, options={"groups": 2, "advance": 2}),
        stage("round-robin", FOUR),
    )
    course, rounds = played_course(stages, 24)
    assert [round_.stage for round_ in rounds] == [1, 1, 1, *[2] * (len(rounds) - 4), 3]
    assert len(everybody(rounds[-1])) == 4
    other, again = played_course(stages, 24, seed=b"another")
    assert [round_.tables for round_ in again] != [round_.tables for round_ in rounds]
    lines = standings(course)
    assert [line.rank for line in lines] == list(range(1, 25))
    assert all(line.tables == len(rounds) for line in lines[:4])
    assert other.rounds != course.rounds


def test_standings_while_a_stage_is_played_hold_everybody() -> None:
    course, rounds = played_course(lobby_then_sixteen(), 30)
    for number, round_ in enumerate(rounds):
        waiting = replace(at(course, number), pending=round_)
        lines = standings(waiting)
        assert sorted(line.entrant for line in lines) == list(range(1, 31))
        playing = everybody(round_)
        reached = {line.entrant for line in lines if line.reached_round == number + 1}
        assert reached == playing
        assert not any(line.eliminated for line in lines if line.entrant in playing)


def test_the_order_of_entrants_and_of_results_does_not_matter() -> None:
    course, _ = played_course(groups_then_knockout(), 26, Chance(spread=8))
    turned = replace(
        course,
        field=course.field[::-1],
        rounds=tuple(replace(one, results=one.results[::-1]) for one in course.rounds),
    )
    for number in range(1, len(course.rounds) + 1):
        assert advancing(at(turned, number)) == advancing(at(course, number))
        assert next_round(at(turned, number)) == next_round(at(course, number))
    assert standings(turned) == standings(course)


def test_the_plan_of_stages_takes_as_many_as_go_on() -> None:
    sizes = plan(lobby_then_sixteen(), 40)
    assert [sum(round_) for round_ in sizes] == [40, 40, 40, 16, 4]
    few = plan(lobby_then_sixteen(), 12)
    assert [sum(round_) for round_ in few][:4] == [12, 12, 12, 12]
