"""Who sits where at one table, so that everybody gets every seat equally often over an event.

Each entrant's seats so far count against the seats: taking one that it has had c times costs
2 c + 1, the growth of the sum of the squares of its counts, so that the cheapest seats are the
most even ones; a seat that it had in its last round is dearer than another with the same count.
The cheapest of all orders of a table is found by dynamic programming over sets of taken seats
(Held and Karp 1962): n 2^(n-1) steps, 1,024 at eight seats.
"""

from __future__ import annotations

from collections.abc import Sequence


def seat_costs(taken: Sequence[int], seats: int) -> list[int]:
    """Return what each seat costs an entrant that has taken these, the last one last."""
    costs = [2 * (2 * taken.count(seat) + 1) for seat in range(seats)]
    if taken and taken[-1] < seats:
        costs[taken[-1]] += 1
    return costs


def seat_wanted(taken: Sequence[int], seats: int) -> int:
    """Return the cheapest seat, of several the one that comes next after the last one taken."""
    costs = seat_costs(taken, seats)
    after = taken[-1] + 1 if taken else 0
    return min(((after + step) % seats for step in range(seats)), key=lambda seat: costs[seat])


def seat_order(taken: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the seat of each of a table's entrants, given the seats that each has taken.

    Of equally cheap orders it is the first: whose seats come first has the lower seat.
    """
    count = len(taken)
    rows = [seat_costs(seats, count) for seats in taken]
    dearer = sum(map(max, rows)) + 1 if count else 1
    best: list[tuple[int, tuple[int, ...]]] = [(dearer, ())] * (1 << count)
    best[0] = (0, ())
    for used in range((1 << count) - 1):
        cost, order = best[used]
        for seat, own in enumerate(rows[len(order)]):
            if not used >> seat & 1:
                there = used | 1 << seat
                best[there] = min(best[there], (cost + own, (*order, seat)))
    return best[-1][1]
