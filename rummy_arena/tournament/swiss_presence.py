"""Who plays in which round of an event that one may enter late, leave, and come back to.

A presence is made of stays: rounds from the first up to, and without, the one that the entrant was
gone for. Each change names the round from which it holds and gives back a new mapping, so that
the same changes give the same presences whoever makes them.

Points for rounds that somebody did not play are a rule of the event, fixed when it starts:

| round | worth |
|---|---|
| paired out (the bye) | ``bye``: by default the points of a sole winner |
| before a late entry | ``late`` for each of the last ``late_rounds`` of them, nothing before |
| between leaving and coming back | ``away`` |
| after leaving for good | nothing |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .results import BEST, finishes
from .rounds import PlayedRound
from .swiss_entries import Entry, Pair, meetings

Stay = tuple[int, int | None]
"""First round, and the first one that is not played any more, if there is one."""
Presences = Mapping[int, tuple[Stay, ...]]
"""Stays of every entrant, in order."""


class EntryClosed(ValueError):
    """The round is later than the last one in which somebody may enter."""

    def __init__(self, entrant: int, round_number: int, last: int) -> None:
        self.entrant, self.round_number, self.last = entrant, round_number, last
        super().__init__(
            f"{entrant} cannot enter in round {round_number}; the last to enter in was round {last}"
        )


class PresenceConflict(ValueError):
    """The entrant is there already, is not there, or the change lies before an earlier one."""

    def __init__(self, entrant: int, round_number: int, reason: str) -> None:
        self.entrant, self.round_number, self.reason = entrant, round_number, reason
        super().__init__(f"entrant {entrant}, round {round_number}: {reason}")


@dataclass(frozen=True, slots=True)
class MissedRounds:
    """What rounds are worth to those who did not play in them."""

    bye: Fraction = Fraction(BEST)
    late: Fraction = Fraction(0)
    late_rounds: int = 0
    away: Fraction = Fraction(0)
    last_entry: int | None = None  # last round in which somebody may enter


def enter(
    presences: Presences, entrant: int, round_number: int, rule: MissedRounds
) -> dict[int, tuple[Stay, ...]]:
    """Return the presences with a new entrant from this round on.

    Raises EntryClosed, and PresenceConflict for somebody who has entered before.
    """
    if entrant in presences:
        raise PresenceConflict(entrant, round_number, "has entered before; let it come back")
    if rule.last_entry is not None and round_number > rule.last_entry:
        raise EntryClosed(entrant, round_number, rule.last_entry)
    return {**presences, entrant: ((round_number, None),)}


def drop(presences: Presences, entrant: int, round_number: int) -> dict[int, tuple[Stay, ...]]:
    """Return the presences without the entrant from this round on; raises PresenceConflict."""
    stays = presences.get(entrant, ())
    if not stays or stays[-1][1] is not None:
        raise PresenceConflict(entrant, round_number, "is not there, so it cannot leave")
    first = stays[-1][0]
    if round_number < first:
        raise PresenceConflict(entrant, round_number, f"comes only in round {first}")
    return {**presences, entrant: (*stays[:-1], (first, round_number))}


def come_back(presences: Presences, entrant: int, round_number: int) -> dict[int, tuple[Stay, ...]]:
    """Return the presences with the entrant again from this round on; raises PresenceConflict."""
    stays = presences.get(entrant, ())
    end = stays[-1][1] if stays else None
    if end is None:
        reason = "is there already" if stays else "has never entered"
        raise PresenceConflict(entrant, round_number, reason)
    if round_number < end:
        raise PresenceConflict(entrant, round_number, f"leaves only in round {end}")
    return {**presences, entrant: (*stays, (round_number, None))}


def is_present(stays: Iterable[Stay], round_number: int) -> bool:
    """Return whether stays hold a round."""
    return any(
        first <= round_number and (end is None or round_number < end) for first, end in stays
    )


def present(presences: Presences, round_number: int) -> tuple[int, ...]:
    """Return who is to be paired in a round, by number."""
    return tuple(
        entrant for entrant in sorted(presences) if is_present(presences[entrant], round_number)
    )


def missed_points(stays: Sequence[Stay], rounds: int, rule: MissedRounds) -> Fraction:
    """Return the points for the rounds up to this one that lie outside an entrant's stays."""
    stays = [stay for stay in stays if stay[0] != stay[1]]
    if not stays:
        return Fraction(0)
    entered, here = stays[0][0], stays[-1][0]
    late = min(entered - 1, rounds, rule.late_rounds)
    away = sum(not is_present(stays, number) for number in range(entered, min(here, rounds + 1)))
    return late * rule.late + away * rule.away


def entries(rounds: Sequence[PlayedRound], presences: Presences, rule: MissedRounds) -> list[Entry]:
    """Return the entries of the round after these, of those who are present in it.

    Scores are placement points with what the rule gives. Raises ResultsMismatch.
    """
    byes: Counter[int] = Counter()
    points: dict[int, Fraction] = dict.fromkeys(presences, Fraction(0))
    seats: dict[int, list[int]] = {entrant: [] for entrant in presences}
    for played in rounds:
        byes.update(played.byes)
        for result in played.ordered_results():
            for finish in finishes(result):
                points[finish.seat.entrant] += finish.points
        for table in played.tables:
            for seat, entrant in enumerate(table):
                seats[entrant].append(seat)
    return [
        Entry(
            entrant,
            points[entrant]
            + byes[entrant] * rule.bye
            + missed_points(presences[entrant], len(rounds), rule),
            byes=byes[entrant],
            seats=tuple(seats[entrant]),
        )
        for entrant in present(presences, len(rounds) + 1)
    ]


def met(rounds: Iterable[PlayedRound]) -> Counter[Pair]:
    """Return how often each two have met in these rounds."""
    return meetings(played.tables for played in rounds)
