"""Which pairs of a long line a cheapest matching can need, and where it falls into blocks.

Entrants stand in a line by score. Costs come in levels: pairs that must not be, pairs that have
met ("bad" pairs, both), then a convex function f of the distance in score with f(0) = 0. Call a
matching best if no other has lower levels, and short if, of the best, none has a smaller sum of
distances in the line. All short matchings are alike in this:

* **Reach.** Let (a, b) be a pair of it, and c somebody who stands between them, paired with d.
  If d stands between them too, beyond c, then (a, c) and (d, b) cost no more, as f is
  superadditive; if d stands behind b, then (a, c) and (b, d) do not; if before a, then (d, a) and
  (c, b). All three are shorter, so in each case one of the new pairs is bad. Hence who stands
  between a and b is accounted for by their bad partners: two for each who stands between them, one
  for each who stands beyond, near enough to be paired with somebody between. And one who has the
  bye.
* **Cuts.** Let (a, b) and (c, d) both lead over the gap before position k. Then (a, c) and (b, d)
  cost no more and are shorter, so one of them is bad. Where no two who can reach over the gap from
  the same side are bad, at most one pair leads over it; and none, if an even number are before it.

Both are conditions on positions alone, and each makes the other's windows smaller; what they leave
out is left out with proof, for every f. A block between two cuts is matched by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate

ROUNDS = 6
"""Of making windows smaller; each is sound by itself, more of them only save work."""


@dataclass(frozen=True, slots=True)
class Reach:
    """How far pairs can go."""

    right: list[int]  # farthest position that each can be paired with, itself if none
    left: list[int]  # the same towards the head of the line
    after: list[int]  # who stands between a pair is at most after[a] + before[b] + loose
    before: list[int]
    loose: int  # 1 if somebody has the bye

    def needed(self, one: int, other: int) -> bool:
        """Return whether a short matching can have this pair, the first before the second."""
        return other - one - 1 <= self.after[one] + self.before[other] + self.loose


def reaches(bad: Sequence[Collection[int]], *, odd: bool) -> Reach:
    """Return the windows of a line; ``bad`` has the bad partners of every position."""
    count = len(bad)
    found = Reach([count] * count, [-1] * count, [], [], int(odd))
    for number in range(ROUNDS):
        after, before = _accounts(bad, found)
        found = Reach(found.right, found.left, after, before, found.loose)
        right, left = _coarse(found) if number < ROUNDS // 2 else _fine(found)
        if (right, left) == (found.right, found.left) and number >= ROUNDS // 2:
            break
        found = Reach(right, left, after, before, found.loose)
    return found


def _accounts(bad: Sequence[Collection[int]], reach: Reach) -> tuple[list[int], list[int]]:
    after, before = [0] * len(bad), [0] * len(bad)
    for place, partners in enumerate(bad):
        ahead = behind = ahead_far = behind_far = 0
        for partner in partners:
            if partner > place:
                ahead += partner < reach.right[place]
                ahead_far += reach.left[partner] < place
            else:
                behind += partner > reach.left[place]
                behind_far += reach.right[partner] > place
        after[place] = 2 * ahead + behind_far
        before[place] = 2 * behind + ahead_far
    return after, before


def _coarse(reach: Reach) -> tuple[list[int], list[int]]:
    count = len(reach.after)
    most_after, most_before = max(reach.after, default=0), max(reach.before, default=0)
    right = [
        min(count - 1, place + 1 + own + most_before + reach.loose)
        for place, own in enumerate(reach.after)
    ]
    left = [
        max(0, place - 1 - own - most_after - reach.loose) for place, own in enumerate(reach.before)
    ]
    return right, left


def _fine(reach: Reach) -> tuple[list[int], list[int]]:
    count = len(reach.after)
    right, left = list(range(count)), list(range(count))
    for one in range(count):
        for other in range(reach.right[one], one, -1):
            if reach.needed(one, other):
                right[one] = max(right[one], other)
                left[other] = min(left[other], one)
    return right, left


def cuts(bad: Sequence[Collection[int]], reach: Reach) -> list[bool]:
    """Return for every position whether at most one pair leads over the gap before it.

    The parity of those who stand before it says whether it is one or none.
    """
    change = [0] * (len(bad) + 2)
    for one, partners in enumerate(bad):
        for other in partners:
            if other < one:
                continue
            _mark(change, other + 1, min(reach.right[one], reach.right[other]))
            _mark(change, max(reach.left[one], reach.left[other]) + 1, one)
    return [blocked == 0 for blocked in accumulate(change[: len(bad)])]


def _mark(change: list[int], first: int, last: int) -> None:
    if first <= last:
        change[first] += 1
        change[last + 1] -= 1
