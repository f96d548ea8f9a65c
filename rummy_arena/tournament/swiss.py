"""A Swiss round at tables of two, as a cheapest matching.

The pairing is decided by these levels, the first the weightiest:

1. Everybody plays, but one of an odd field, who has the bye: whoever has had the fewest, of these
   the lowest score. Somebody else only where this leaves no pairing for the rest.
2. No forbidden pair; KeptApart where that is impossible.
3. The fewest repeated meetings; who met twice already counts twice.
4. The closest scores: the smallest sum of squared differences.
5. Seats: each entrant wants the seat that it had less often, else the one that it did not have
   last; two who want the same one are paired where nothing above is lost by another pairing.
6. The lot of the seed.

Levels 1 to 4 are reached exactly, over all pairings of the field: ``matching_window`` shows which
pairs can be left out and where the field falls into blocks. Levels 5 and 6 choose among the pairs
that are looked at: all of them up to BLOCK entrants, in larger fields at least those who stand at
most NEAR places apart in one block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

from .matching import cheapest_matching, packed
from .matching_window import Reach, cuts, reaches
from .swiss_entries import (
    Entry,
    KeptApart,
    Line,
    Pair,
    Pairing,
    line_up,
    quality,
    squares_floor,
)

BLOCK = 48
"""Blocks are at least this long, where the field is; up to twice as many are fully joined."""
LONG = 400
"""Longer blocks are first tried in parts."""
NEAR = 12
"""Places between which all pairs are looked at in a longer block."""
PRIME = (1 << 61) - 1
"""Lots of pairs are products of those of their entrants to this modulus."""


@dataclass(frozen=True, slots=True)
class _Field:
    line: Line
    reach: Reach
    free: list[bool]  # at most one pair leads over the gap before a position
    wants: list[int]  # the more above zero, the more a position wants the second seat


def pair_two(
    entries: Collection[Entry],
    *,
    met: Mapping[Pair, int],
    forbidden: Collection[Pair] = (),
    seed: bytes,
    round_number: int,
) -> Pairing:
    """Return the tables of two and the bye of a round, by the levels above.

    ``met`` counts earlier meetings, see ``swiss_entries.meetings``. Raises KeptApart,
    DuplicateEntrants.
    """
    line = line_up(
        entries,
        met=met,
        forbidden=forbidden,
        seed=seed,
        round_number=round_number,
        kind=lambda entry: second_wanted(entry.seats),
    )
    _refuse_a_majority(line)
    count = len(line.entries)
    bad = [line.bad(place) for place in range(count)]
    reach = reaches(bad, odd=count % 2 == 1)
    wants = [second_wanted(entry.seats) for entry in line.entries]
    field = _Field(line, reach, cuts(bad, reach), wants)
    pairs, bye = _matched(field)
    tables = [_seated(field, one, other) for one, other in sorted(pairs)]
    return Pairing(
        tables=tuple(tables),
        byes=() if bye is None else (line.entries[bye].entrant,),
        quality=quality(tables, line.entries, met),
    )


def _refuse_a_majority(line: Line) -> None:
    """Raise KeptApart at once where more than half of the field are kept from each other."""
    count = len(line.entries)
    groups = Counter(line.apart[place] | {place} for place in range(count) if line.apart[place])
    for group, members in groups.items():
        over = 2 * members - count
        if members == len(group) and over > 1:
            raise KeptApart(line.entries[place].entrant for place in sorted(group)[-over:])


def second_wanted(seats: Sequence[int]) -> int:
    """Return how much somebody wants the second of two seats, below zero for the first."""
    first = sum(seat == 0 for seat in seats)
    return 2 * (2 * first - len(seats)) + (0 if not seats else 1 if seats[-1] == 0 else -1)


def seats_clash(one: int, other: int) -> int:
    """Return what it costs that both want the same seat: the weaker of the two wishes."""
    return min(abs(one), abs(other)) if (one > 0) == (other > 0) and one and other else 0


def _matched(field: _Field) -> tuple[list[Pair], int | None]:
    count = len(field.line.entries)
    if count % 2 == 0:
        return _by_blocks(field, ()), None
    for candidates in _bye_candidates(field.line):
        try:
            pairs = _with_bye(field, candidates)
        except KeptApart:
            if len(candidates) < count and _somebody_may_sit_out(field):
                continue
            raise
        (bye,) = set(range(count)) - {place for pair in pairs for place in pair}
        return pairs, bye
    raise AssertionError("a field that can be paired has somebody who can sit out")


def _with_bye(field: _Field, candidates: Sequence[int]) -> list[Pair]:
    """Return the cheapest pairs with one of the candidates, all of one score, out.

    A few of many candidates do as well as all of them if the pairs of the block that all of them
    span repeat no meeting and are as close in score as any can be.
    """
    if len(candidates) > NEAR:
        ((start, end),) = (
            (start, end) for start, end in _blocks(field, candidates) if (end - start) % 2
        )
        pairs = _by_blocks(field, candidates[-NEAR:])
        inside = [(one, other) for one, other in pairs if start <= one < end]
        if _as_good_as_any(field.line, inside, candidates[0], start, end):
            return pairs
    return _by_blocks(field, candidates)


def _as_good_as_any(
    line: Line, pairs: Sequence[Pair], out: int | None, start: int, end: int
) -> bool:
    scores = [Fraction(line.scores[place]) for place in range(start, end) if place != out]
    floor = squares_floor(scores, [2] * len(pairs))
    return floor == sum((line.scores[a] - line.scores[b]) ** 2 for a, b in pairs) and not any(
        b in line.met[a] for a, b in pairs
    )


def _bye_candidates(line: Line) -> Iterator[list[int]]:
    """Yield those who have the first claim to the bye, then those who have the next one."""
    classes: dict[tuple[int, int], list[int]] = {}
    for place, entry in enumerate(line.entries):
        classes.setdefault((entry.byes, line.scores[place]), []).append(place)
    return (places for _, places in sorted(classes.items()))


def _somebody_may_sit_out(field: _Field) -> bool:
    """Return whether there is a pairing without forbidden pairs, whoever has the bye."""
    count = len(field.line.entries)
    edges = list(_edges(field, 0, count))
    partners, _ = cheapest_matching(count, edges, [0] * len(edges))
    return partners.count(None) == 1


def _by_blocks(field: _Field, bye: Sequence[int]) -> list[Pair]:
    """Return the cheapest pairs of positions; one of ``bye``, if there are any, stays out."""
    pairs: list[Pair] = []
    for start, end in _blocks(field, bye):
        inside = [place for place in bye if start <= place < end]
        in_parts = None if inside or end - start <= LONG else _in_parts(field, start, end)
        pairs += in_parts or _block_pairs(field, start, end, inside)
    return pairs


def _in_parts(field: _Field, start: int, end: int) -> list[Pair] | None:
    """Return the pairs of a long block in parts, if that does as well as any pairing of it can.

    Owners of many leave few cuts, but mostly there are pairs enough without looking at all.
    """
    pairs: list[Pair] = []
    ends = [*range(start, end - 2 * BLOCK + 1, 2 * BLOCK), end]
    try:
        for one, other in pairwise(ends):
            pairs += _block_pairs(field, one, other, ())
    except KeptApart:
        return None
    return pairs if _as_good_as_any(field.line, pairs, None, start, end) else None


def _blocks(field: _Field, bye: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the blocks of the line; all of ``bye`` is in one of them, which alone is odd."""
    count = len(field.line.entries)
    first, last = (min(bye), max(bye)) if bye else (count, count)
    ends = [0]
    for place in range(BLOCK, count - BLOCK + 1):
        whole = place % 2 == 0 if place <= first else place > last and place % 2 == 1
        if whole and field.free[place] and place - ends[-1] >= BLOCK:
            ends.append(place)
    return pairwise([*ends, count])


def _edges(field: _Field, start: int, end: int) -> Iterator[Pair]:
    """Yield the pairs of a block that are looked at."""
    if end - start <= 2 * BLOCK:
        every: Iterator[Pair] = combinations(range(start, end), 2)
        yield from ((a, b) for a, b in every if b not in field.line.apart[a])
        return
    for one in range(start, end):
        apart = field.line.apart[one]
        for other in range(one + 1, min(end, max(one + NEAR, field.reach.right[one]) + 1)):
            near = other - one <= NEAR or field.reach.needed(one, other)
            if near and other not in apart:
                yield one, other


def _block_pairs(field: _Field, start: int, end: int, bye: Sequence[int]) -> list[Pair]:
    line, wants = field.line, field.wants
    edges = list(_edges(field, start, end))
    repeats = [line.met[a].get(b, 0) for a, b in edges]
    distances = [(line.scores[a] - line.scores[b]) ** 2 for a, b in edges]
    clashes = [seats_clash(wants[a], wants[b]) for a, b in edges]
    lots = [line.lots[a] * line.lots[b] % PRIME << 3 for a, b in edges]
    nothing = [0] * len(bye)
    levels = [level + nothing for level in (repeats, distances, clashes)]
    lots += [line.lots[place] for place in bye]
    # Who has the bye is paired with a vertex of its own, behind the block.
    vertices = end - start + bool(bye)
    joined = [(a - start, b - start) for a, b in edges]
    joined += [(place - start, end - start) for place in bye]
    costs = packed(levels, vertices, lots)
    partners, whole = cheapest_matching(vertices, joined, costs)
    if not whole:
        raise KeptApart(
            line.entries[start + place].entrant
            for place, partner in enumerate(partners[: end - start])
            if partner is None
        )
    return [
        (start + place, start + partner)
        for place, partner in enumerate(partners)
        if partner is not None and place < partner < end - start
    ]


def _seated(field: _Field, one: int, other: int) -> tuple[int, int]:
    """Return the two entrants in seat order: who wants the second seat more gets it."""
    line, wants = field.line, field.wants
    changed = wants[one] > wants[other] or (
        wants[one] == wants[other] and line.lots[one] * line.lots[other] % PRIME % 2 == 1
    )
    first, second = (other, one) if changed else (one, other)
    return line.entries[first].entrant, line.entries[second].entrant
