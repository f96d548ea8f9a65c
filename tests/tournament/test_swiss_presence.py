from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from rummy_arena.tournament.rounds import PlayedRound
from rummy_arena.tournament.seating_tables import pair_tables
from rummy_arena.tournament.swiss_presence import (
    EntryClosed,
    MissedRounds,
    PresenceConflict,
    Stay,
    come_back,
    drop,
    enter,
    entries,
    met,
    missed_points,
    present,
)
from rummy_arena.tournament.tables import TableLimits
from tests.tournament.made import chance

Stays = dict[int, tuple[Stay, ...]]
RULE = MissedRounds(late=Fraction(3), late_rounds=2, away=Fraction(1), last_entry=4)


def test_who_is_there_in_which_round() -> None:
    here = enter(enter({}, 1, 1, RULE), 2, 3, RULE)
    here = come_back(drop(here, 1, 2), 1, 4)
    assert [present(here, number) for number in range(1, 6)] == [(1,), (), (2,), (1, 2), (1, 2)]


@pytest.mark.parametrize(
    ("stays", "rounds", "points"),
    [
        (((1, None),), 5, 0),
        (((2, None),), 5, 3),  # one round late
        (((4, None),), 5, 6),  # three rounds late, of which two count
        (((4, None),), 1, 3),  # as it stands after round 1
        (((1, 3), (5, None)), 5, 2),  # away in rounds 3 and 4
        (((1, 3), (5, None)), 3, 1),
        (((1, 3),), 5, 0),  # gone for good
        (((3, 4), (6, None)), 8, 3 + 3 + 2),
        (((2, 2), (3, None)), 4, 3 + 3),  # left before it had come, and came later
        (((2, 2),), 4, 0),
        ((), 4, 0),
    ],
)
def test_missed_rounds_count_by_the_rule(
    stays: tuple[tuple[int, int | None], ...], rounds: int, points: int
) -> None:
    assert missed_points(stays, rounds, RULE) == points


def test_by_default_missed_rounds_are_worth_nothing() -> None:
    assert missed_points(((3, 5), (7, None)), 9, MissedRounds()) == 0


def test_changes_that_make_no_sense_are_refused() -> None:
    here = enter({}, 1, 3, RULE)
    senseless: tuple[Callable[[], Stays], ...] = (
        lambda: enter(here, 1, 4, RULE),
        lambda: drop(here, 2, 4),
        lambda: drop(here, 1, 2),
        lambda: drop(drop(here, 1, 4), 1, 5),
        lambda: come_back(here, 1, 4),
        lambda: come_back(here, 2, 4),
        lambda: come_back(drop(here, 1, 5), 1, 4),
    )
    for change in senseless:
        with pytest.raises(PresenceConflict) as refused:
            change()
        assert str(refused.value.entrant) in str(refused.value)
    with pytest.raises(EntryClosed) as closed:
        enter(here, 2, 5, RULE)
    assert (closed.value.entrant, closed.value.last) == (2, 4)


@pytest.mark.parametrize("limits", [TableLimits(2, 2, 2), TableLimits(4, 3, 4)])
def test_an_event_with_people_who_come_and_go(limits: TableLimits) -> None:
    here: Stays = {}
    for entrant in range(1, 12):
        here = enter(here, entrant, 1, RULE)
    changes: dict[int, Callable[[Stays], Stays]] = {
        2: lambda here: enter(drop(here, 3, 2), 20, 2, RULE),
        3: lambda here: drop(here, 4, 3),
        4: lambda here: come_back(enter(here, 21, 4, RULE), 3, 4),
    }
    rounds: list[PlayedRound] = []
    for number in range(1, 7):
        if number in changes:
            here = changes[number](here)
        listed = entries(rounds, here, RULE)
        pairing = pair_tables(listed, limits, met=met(rounds), seed=b"seed", round_number=number)
        seated = [entrant for table in pairing.tables for entrant in table]
        assert sorted([*seated, *pairing.byes]) == list(present(here, number))
        rounds.append(
            PlayedRound(
                number,
                pairing.tables,
                tuple(chance(1)(number, n, t) for n, t in enumerate(pairing.tables, start=1)),
                pairing.byes,
            )
        )
    last = {entry.entrant: entry for entry in entries(rounds, here, RULE)}
    assert 4 not in last
    assert last[20].score >= 3
    for entrant, entry in last.items():
        first = here[entrant][0][0]
        away = 2 if entrant == 3 else 0
        assert len(entry.seats) + entry.byes == 6 - (first - 1) - away
    byes = [entrant for played in rounds for entrant in played.byes]
    assert len(byes) == len(set(byes))
