"""Which reason keeps a free entrant waiting, and until when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .ladder import Contender, LadderTerms
from .ladder_reasons import NobodyNear, Reason, SameOwner, TooFew


@dataclass(frozen=True, slots=True)
class Sight:
    """Another free entrant, and how far away it is."""

    distance: float
    other: Contender


def why(
    one: Contender,
    others: Sequence[Sight],
    anchors: Sequence[Sight],
    terms: LadderTerms,
    now_ms: int,
) -> Reason:
    """Return why an entrant has no table though it is free; the others are those left without."""
    free = 1 + len(others) + len(anchors)
    if free < terms.fewest:
        return TooFew(free, terms.fewest)
    until_ms = _until(one, others, anchors, terms)
    if until_ms is not None:
        until_ms = max(until_ms, now_ms + 1)
    waited_ms = now_ms - one.since_ms
    reach = terms.reach_after(waited_ms)
    seen = (*others, *anchors) if waited_ms >= terms.anchors_ms else tuple(others)
    needed = (terms.fewest if waited_ms >= terms.fewer_ms else terms.seats) - 1
    near = [sight for sight in seen if sight.distance <= reach]
    parties = {sight.other.party for sight in near} - {one.party}
    if terms.owners_apart and len(near) >= needed > len(parties):
        return SameOwner(one.owner, len(near), len(parties), until_ms)
    beyond = [sight.distance for sight in seen if sight.distance > reach]
    in_reach = len(parties) if terms.owners_apart else len(near)
    nearest = round(min(beyond), 6) if beyond else None
    return NobodyNear(reach, in_reach, needed, nearest, until_ms)


def _until(
    one: Contender, others: Sequence[Sight], anchors: Sequence[Sight], terms: LadderTerms
) -> int | None:
    """Return when the entrant has a table if nothing changes but its limits; None if never."""
    alone = _nearest_of_parties(one, others, terms)
    filled = _nearest_of_parties(one, (*others, *anchors), terms)
    waits = []
    for seats in range(terms.fewest, terms.seats + 1):
        least_ms = 0 if seats == terms.seats else terms.fewer_ms
        for distances, also_ms in ((alone, 0), (filled, terms.anchors_ms)):
            if len(distances) < seats - 1:
                continue
            reached_ms = terms.waits_for(distances[seats - 2])
            if reached_ms is not None:
                waits.append(max(least_ms, also_ms, reached_ms))
    return one.since_ms + min(waits) if waits else None


def _nearest_of_parties(one: Contender, sights: Sequence[Sight], terms: LadderTerms) -> list[float]:
    """Return the distances of those who could sit at one table with the entrant, ascending."""
    ordered = sorted(sights, key=lambda sight: sight.distance)
    if not terms.owners_apart:
        return [sight.distance for sight in ordered]
    nearest: dict[tuple[str, int], float] = {}
    for sight in ordered:
        if sight.other.party != one.party:
            nearest.setdefault(sight.other.party, sight.distance)
    return list(nearest.values())
