"""The Danish system as a format."""

from __future__ import annotations

from dataclasses import replace

from rummy_arena.tournament.field import Entrant

from .events import played, stage


def test_the_first_at_the_standings_sit_at_table_one_and_so_on() -> None:
    danish = stage("danish", (4, 3, 6), rounds=4)
    event, rounds = played(danish, 24)
    assert len(rounds) == 4
    for number, round_ in enumerate(rounds[1:], start=1):
        before = replace(event, rounds=event.rounds[:number])
        order = [line.entrant for line in danish.format.standings(before)]
        cut = [set(order[place : place + 4]) for place in range(0, 24, 4)]
        assert [set(table) for table in round_.tables] == cut


def test_owners_are_kept_apart_though_their_ranks_are_near() -> None:
    field = tuple(Entrant(number, owner=f"owner {number % 6}") for number in range(1, 25))
    _, rounds = played(stage("danish", (4, 3, 6), rounds=5), field)
    for round_ in rounds:
        assert not round_.notes
        for table in round_.tables:
            assert len({number % 6 for number in table}) == len(table)


def test_the_number_of_rounds_follows_the_field_or_the_host() -> None:
    for entrants, seats, rounds in ((4, 4, 2), (16, 4, 3), (17, 4, 4), (64, 4, 4), (64, 2, 7)):
        danish = stage("danish", (seats, min(seats, 3), 6 if seats > 2 else 2))
        assert len(danish.format.plan(danish.terms, entrants)) == rounds
    assert len(played(stage("danish", (4, 3, 6), rounds=2), 40)[1]) == 2
