"""What both forms of double elimination share: who is in which bracket, and who is out since when.

Everything follows from the labels of tables and their results. A bye changes no bracket.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from rummy_arena.tournament.event import Event
from rummy_arena.tournament.results import Finish, finishes
from rummy_arena.tournament.rounds import PlayedRound, Round
from rummy_arena.tournament.swiss_presence import is_present

from .elimination import in_round, ordered

UPPER, LOWER, FINAL, RESET = "upper", "lower", "final", "final reset"
"""Labels of tables."""


@dataclass(frozen=True, slots=True)
class Drop:
    """Those who came down from the upper bracket in a round and wait for their first table."""

    round: int
    places: int  # tables that the upper bracket had in it, walkovers and byes included
    entrants: list[int]

    def within(self, entrants: Collection[int]) -> Drop:
        """Return those of the group who are among others."""
        return replace(self, entrants=[one for one in self.entrants if one in entrants])


@dataclass(slots=True)
class Brackets:
    """Where everybody is after the complete rounds, whether still there or not."""

    upper: list[int] = field(default_factory=list)  # at two-seat tables with empty places
    lower: list[int] = field(default_factory=list)  # who has played in the lower bracket
    drops: list[Drop] = field(default_factory=list)  # the oldest first
    lost: dict[int, int] = field(default_factory=dict)  # the round that put somebody out
    cut: dict[int, int] = field(default_factory=dict)  # after it the final had no seat for them
    lots: list[str] = field(default_factory=list)  # drawn in the last round
    finals: int = 0  # tables of the final that were played
    won: tuple[int, ...] | None = None  # who won the final, when it has been decided


@dataclass(frozen=True, slots=True)
class Outlook:
    """What comes next: who is still in, and either the tables to play or who has won."""

    upper: tuple[int, ...]  # without a loss, the best first
    lower: tuple[int, ...]
    won: tuple[int, ...] | None
    tables: tuple[tuple[str, Sequence[int]], ...] = ()  # label and entrants
    byes: tuple[int, ...] = ()

    @property
    def alive(self) -> tuple[int, ...]:
        """Everybody who is still in, or has won."""
        return (*self.upper, *self.lower) if self.won is None else self.won


def labelled(round_: Round | PlayedRound, label: str) -> list[tuple[int, ...]]:
    """Return the tables with this label."""
    tables = enumerate(round_.tables, start=1)
    return [table for number, table in tables if round_.label(number) == label]


def who_left(event: Event) -> dict[int, int]:
    """Return the last round before somebody left, of all who have, as far as it is known.

    Of the disqualified only the last round that they took part in is known.
    """
    last: dict[int, int] = {}
    for played in event.rounds:
        last.update(dict.fromkeys(in_round(played), played.number))
    found: dict[int, int] = {}
    for one in event.field:
        missing = (r for r in range(1, event.next_number + 1) if not is_present(one.stays, r))
        first = next(missing, None)
        if first is not None:
            found[one.number] = max(first - 1, last.get(one.number, 0))
        elif one.disqualified:
            found[one.number] = last.get(one.number, 0)
    known = {one.number for one in event.field}
    return found | {entrant: round_ for entrant, round_ in last.items() if entrant not in known}


def out_in_order(event: Event, brackets: Brackets, staying: Iterable[int]) -> list[int]:
    """Return who is out, the best first: by the round, then who left before who lost.

    Those who left come in the order of the last round that they took part in, and within a round
    in the order of ``tiebreaks``, those with a bye before and those at the final first.
    """
    still = set(staying)
    left, now = who_left(event), len(event.rounds)
    left |= {one: min(since, left.get(one, since)) for one, since in brackets.cut.items()}
    keys: dict[int, tuple[int, bool, int, int]] = {}
    for played in event.rounds:
        for place, entrant in enumerate(_in_order(event, played)):
            lost = entrant in brackets.lost
            since = brackets.lost[entrant] if lost else left.get(entrant, now)
            keys[entrant] = (-since, lost, -played.number, place)
    return sorted(keys.keys() - still, key=lambda entrant: keys[entrant])


def _in_order(event: Event, played: PlayedRound) -> list[int]:
    order = list(played.byes)
    for found in _finals_first(played):
        order += ordered(event, played.number, found).entrants
    return order


def lots_of_the_gone(event: Event, alive: Collection[int]) -> list[str]:
    """Return the lots that order those whom the last round put out."""
    played = event.rounds[-1]
    lots: list[str] = []
    for found in _finals_first(played):
        gone = [finish for finish in found if finish.seat.entrant not in alive]
        lots += ordered(event, played.number, gone).lots
    return lots


def _finals_first(played: PlayedRound) -> list[list[Finish]]:
    """Return the finishes at the tables of the final, and those at the others."""
    results = played.ordered_results()
    return [
        [
            finish
            for result in results
            if (played.label(result.number) in (FINAL, RESET)) == final
            for finish in finishes(result)
        ]
        for final in (True, False)
    ]
