"""Groups: who is drawn where, who goes on, and what happens when somebody leaves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rummy_arena.tournament.errors import InvalidFormat, UnevenField
from rummy_arena.tournament.event import Event
from rummy_arena.tournament.field import Entrant, Field
from rummy_arena.tournament.rounds import Round, Standing
from rummy_arena.tournament.stages import Stage

from .events import Chance, played, stage

TWO, FOUR = (2, 2, 2), (4, 3, 6)


def groups(limits: tuple[int, int, int] = TWO, **options: object) -> Stage:
    return stage("groups", limits, options=options)


def seeded(count: int) -> Field:
    """Return entrants of whom number 1 is the strongest."""
    return tuple(Entrant(number, seeding=number) for number in range(1, count + 1))


def drawn(rounds: list[Round]) -> dict[str, set[int]]:
    """Return who plays in which group."""
    found: dict[str, set[int]] = {}
    for round_ in rounds:
        for label, table in zip(round_.labels, round_.tables, strict=True):
            found.setdefault(label, set()).update(table)
    return found


def lines(stage_: Stage, event: Event) -> dict[str, list[Standing]]:
    found: dict[str, list[Standing]] = {}
    for line in stage_.format.standings(event):
        found.setdefault(line.group, []).append(line)
    return found


def test_seeds_go_to_the_groups_like_a_snake() -> None:
    _, rounds = played(groups(groups=4), seeded(16))
    assert drawn(rounds) == {
        "A": {1, 8, 9, 16},
        "B": {2, 7, 10, 15},
        "C": {3, 6, 11, 14},
        "D": {4, 5, 12, 13},
    }


def test_owners_are_in_different_groups_where_there_are_groups_enough() -> None:
    field = tuple(replace(one, owner=f"owner {one.number // 4}") for one in seeded(16))
    _, rounds = played(groups(groups=4), field)
    for members in drawn(rounds).values():
        assert len({number // 4 for number in members}) == 4
    crowded = tuple(replace(one, owner="them" if one.number < 6 else "") for one in seeded(16))
    _, rounds = played(groups(groups=4), crowded)
    assert any("one owner" in note for note in rounds[0].notes)


def test_everybody_meets_everybody_of_the_group_and_the_schedule_is_told() -> None:
    _, rounds = played(groups(group_size=4), 16)
    assert len(rounds) == 3
    assert all(not round_.byes for round_ in rounds)
    (note,) = rounds[0].notes
    assert note.startswith("groups A, B, C, D: rounds of the schedule: 3, 3 at least")
    assert not any(round_.notes for round_ in rounds[1:])


def test_winners_go_on_first_then_seconds_then_the_best_thirds() -> None:
    through = groups(groups=3, advance=2, wildcards=2)
    event, _ = played(through, 12)
    by_group = lines(through, event)
    assert sorted(by_group) == ["A", "B", "C"]
    ranked = {line.entrant: line for group in by_group.values() for line in group}
    found = through.format.advancing(event)
    assert [ranked[entrant].rank for entrant in found.entrants] == [1, 1, 1, 2, 2, 2, 3, 3]
    assert found.added == found.entrants[6:]
    thirds = sorted((group[2] for group in by_group.values()), key=lambda line: -line.score)
    assert {line.score for line in thirds[:2]} == {ranked[one].score for one in found.added}
    for rank in (0, 2, 4):
        scores = [ranked[one].score for one in found.entrants[rank : rank + 2]]
        assert scores == sorted(scores, reverse=True)
    out = {line.entrant for line in ranked.values() if line.eliminated}
    assert out == set(range(1, 13)) - set(found.entrants)
    assert through.format.goes_on(through.terms, 12) == 8


def test_nobody_is_out_before_the_last_round() -> None:
    event, rounds = played(groups(groups=3), 12, rounds=2)
    assert len(rounds) == 2
    assert not any(line.eliminated for line in groups(groups=3).format.standings(event))
    assert len(groups(groups=3).format.advancing(event).entrants) == 12


def test_groups_of_different_sizes_are_compared_by_the_table() -> None:
    uneven = groups(groups=2, wildcards=1)
    event, rounds = played(uneven, 9)
    assert len(rounds) == 5
    by_group = lines(uneven, event)
    assert sorted(map(len, by_group.values())) == [4, 5]
    for group in by_group.values():
        assert all(0 <= line.score <= 6 for line in group)
        assert {line.tables for line in group} == {len(group) - 1}
    thirds = [group[2] for group in by_group.values()]
    best = max(thirds, key=lambda line: line.score)
    if thirds[0].score != thirds[1].score:
        assert uneven.format.advancing(event).added == (best.entrant,)


def test_a_shorter_schedule_ends_before_the_others_and_its_group_has_byes() -> None:
    _, rounds = played(groups(groups=2), 9)
    four = next(members for members in drawn(rounds).values() if len(members) == 4)
    assert [four <= set(round_.byes) for round_ in rounds] == [False, False, False, True, True]


def test_who_has_left_is_passed_over_for_the_next_of_the_group() -> None:
    plain = groups(groups=2)
    event, _ = played(plain, 8)
    before = plain.format.advancing(event)
    first = before.entrants[0]
    field = tuple(
        replace(one, stays=((1, 4),)) if one.number == first else one for one in event.field
    )
    after = plain.format.advancing(replace(event, field=field))
    assert first not in after.entrants
    assert len(after.entrants) == 4
    members = drawn([Round(p.number, p.tables, labels=p.labels) for p in event.rounds])
    for group in members.values():
        assert len(group & set(after.entrants)) == 2


def test_a_round_that_one_group_cannot_play_is_left_out_there_as_elsewhere() -> None:
    field = tuple(
        replace(one, stays=((1, 2), (3, None))) if one.number in (1, 4, 5, 8) else one
        for one in seeded(8)
    )
    through = groups(groups=2)
    event, rounds = played(through, field)
    assert len(rounds) == 3
    assert set(rounds[1].labels) == {"B"}
    assert {line.tables for line in lines(through, event)["A"]} == {2}


def test_leaving_early_does_not_pay() -> None:
    field = tuple(replace(one, stays=((1, 2),)) if one.number == 3 else one for one in seeded(6))
    through = groups(groups=1)
    for seed in range(8):
        event, rounds = played(through, field, Chance(seed))
        assert all(3 not in table for round_ in rounds[1:] for table in round_.tables)
        lost = next(line for line in through.format.standings(event) if line.entrant == 3)
        assert 5 * lost.score <= 6
        assert lost.tables == 1
        assert lost.eliminated


def test_tables_of_several_seats_hold_those_of_one_group() -> None:
    _, rounds = played(groups(FOUR, group_size=8), 30)
    members = drawn(rounds)
    assert sorted(map(len, members.values())) == [7, 7, 8, 8]
    for round_ in rounds:
        for label, table in zip(round_.labels, round_.tables, strict=True):
            assert set(table) <= members[label]


@pytest.mark.parametrize(
    ("entrants", "options", "count"),
    [(16, {}, 4), (17, {}, 5), (8, {"groups": 2}, 2), (9, {"group_size": 3}, 3), (3, {}, 1)],
)
def test_how_many_groups_there_are(entrants: int, options: dict[str, object], count: int) -> None:
    _, rounds = played(stage("groups", TWO, options=options), entrants)
    assert len(drawn(rounds)) == count


def test_what_does_not_go_together_is_refused() -> None:
    both = groups(groups=2, group_size=4)
    with pytest.raises(InvalidFormat, match="not both"):
        both.format.plan(both.terms, 16)
    many = groups(groups=5, advance=2)
    with pytest.raises(UnevenField) as refused:
        many.format.plan(many.terms, 14)
    assert refused.value.works == (15,)
    assert many.format.plan(many.terms, 15)
