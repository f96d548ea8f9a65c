"""Why a result moved a rating: opponent by opponent, in numbers and in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from .ratings import (
    DECIMALS,
    RULES,
    Place,
    Rating,
    RatingRules,
    after_table,
    expected_score,
    sit_down,
)
from .ratings_model import pair_weight


@dataclass(frozen=True, slots=True)
class Meeting:
    """What one opponent at the table did to a rating."""

    opponent: int
    rating: Rating  # the opponent's, before
    place: int
    expected: float  # of the entrant against this opponent: 1 is a sure win, 1/2 an even match
    scored: float  # 1, 1/2 for a shared place, or 0
    points: float  # what it added to the mean


@dataclass(frozen=True, slots=True)
class Explanation:
    """One change of one rating, opponent by opponent; their points add up to the change."""

    entrant: int
    place: int
    before: Rating
    after: Rating
    weight: float  # of each opponent: 1 at a table of two, less at larger ones
    anchor: bool
    meetings: tuple[Meeting, ...]

    def lines(self) -> list[str]:
        """Return the change in words, one line for each opponent after the first line."""
        seats = len(self.meetings) + 1
        head = f"entrant {self.entrant}, place {self.place} at a table of {seats}: "
        if self.anchor:
            return [f"{head}an anchor, fixed at {self.before.shown}"]
        change = self.after.mean - self.before.mean
        told = f"{self.before.shown} became {self.after.shown} ({change:+.1f})"
        return [
            head + told,
            *(
                f"scored {meeting.scored:g} against entrant {meeting.opponent} "
                f"({meeting.rating.shown}) where {meeting.expected:.2f} was expected: "
                f"{meeting.points:+.1f}"
                for meeting in self.meetings
            ),
        ]


def explain(
    ratings: Mapping[int, Rating],
    places: Iterable[Place],
    entrant: int,
    anchors: Collection[int] = (),
    *,
    rules: RatingRules = RULES,
) -> Explanation:
    """Return why a table moved the rating of ``entrant``; opponents by place, then by number.

    Takes what ``rate`` took; raises as it does, and LookupError for who did not sit there.
    """
    sat = list(places)
    seats = sit_down(ratings, sat, anchors, rules)
    number = next((n for n, (sitting, _) in enumerate(sat) if sitting == entrant), None)
    if number is None:
        raise LookupError(f"entrant {entrant} did not sit at this table")
    seat, place, fixed = seats[number], sat[number][1], entrant in anchors
    before = ratings.get(entrant) or rules.newcomer
    weight = pair_weight(len(seats))
    gain = 0.0 if fixed else seat.variance_after(weight) * weight
    meetings = [
        _meeting(before, place, other, ratings.get(other[0]) or rules.newcomer, gain * pull)
        for other, pull in zip(sat[:number] + sat[number + 1 :], seat.pulls, strict=True)
    ]
    return Explanation(
        entrant,
        place,
        before,
        before if fixed else after_table(seat, weight, rules),
        weight,
        fixed,
        tuple(sorted(meetings, key=lambda meeting: (meeting.place, meeting.opponent))),
    )


def _meeting(before: Rating, place: int, other: Place, rating: Rating, points: float) -> Meeting:
    opponent, other_place = other
    return Meeting(
        opponent,
        rating,
        other_place,
        expected_score(before, rating),
        0.5 if place == other_place else float(place < other_place),
        round(points, DECIMALS) + 0.0,
    )
