"""Schedules in which everybody meets everybody in few rounds, some of them more than once.

Where nothing meets in just the right number of rounds, some meetings are repeated; these base
rounds give fewer rounds than a search over whole schedules does. Each was found by a search over
base rounds for one that leaves no difference out, and each is checked by the tests.
"""

from __future__ import annotations

from .round_robin_designs import Tables, starter, without_repeats


def best_known(entrants: int, seats: int) -> list[Tables]:
    """Return the rounds to begin with where everybody is to meet everybody.

    They let everybody meet everybody where that is known in few rounds; else they repeat nothing;
    there are none where neither is known.
    """
    covering = COVERINGS.get((entrants, seats))
    return without_repeats(entrants, seats) if covering is None else covering.rounds()


_FOUND = (
    starter(  # 18 entrants, 9 rounds
        9,
        3,
        "0 10 17 1 3 4 2 7 11 5 12 16 6 9 15 8 13 14",
    ),
    starter(  # 24 entrants, 12 rounds
        12,
        3,
        "0 6 23 1 5 8 2 12 20 3 4 16 7 15 21 9 11 18 10 13 14 17 19 22",
    ),
    starter(  # 30 entrants, 15 rounds
        15,
        3,
        "0 19 22 1 16 17 2 6 12 3 4 27 5 13 25 7 9 15 8 18 26 10 21 23 11 14 28 20 24 29",
    ),
    starter(  # 42 entrants, 21 rounds
        21,
        3,
        "0 2 5 1 27 38 3 12 32 4 15 26 6 24 33 7 14 20 8 22 36 9 13 34 10 23 41 11 28 30 16 "
        "25 31 17 29 37 18 19 21 35 39 40",
    ),
    starter(  # 48 entrants, 24 rounds
        24,
        3,
        "0 35 45 1 13 28 2 11 30 3 20 32 4 7 27 5 6 36 8 16 33 9 15 19 10 21 34 12 14 46 17 "
        "22 31 18 40 44 23 39 41 24 29 37 25 42 43 26 38 47",
    ),
    starter(  # 24 entrants, 9 rounds
        3,
        4,
        "0 4 6 7 1 2 12 16 3 5 20 21 8 11 14 18 9 13 22 23 10 15 17 19/0 12 20 23 1 6 17 22 2"
        " 5 10 18 3 7 9 21 4 14 15 16 8 11 13 19/0 5 9 10 1 3 16 23 2 19 20 22 4 8 12 13 6 15"
        " 18 21 7 11 14 17",
    ),
    starter(  # 24 entrants, 6 rounds
        3,
        6,
        "0 2 7 8 12 22 1 6 9 10 19 21 3 13 14 16 20 23 4 5 11 15 17 18/0 5 8 10 14 15 1 4 6 "
        "17 22 23 2 3 7 16 18 19 9 11 12 13 20 21",
    ),
    starter(  # 36 entrants, 9 rounds
        9,
        6,
        "0 2 3 11 27 31 1 5 15 19 22 28 4 8 17 23 24 34 6 7 10 12 13 20 9 14 26 32 33 35 16 "
        "18 21 25 29 30",
    ),
    starter(  # 40 entrants, 8 rounds
        8,
        8,
        "0 7 12 20 27 28 35 39 1 5 8 11 13 23 25 29 2 4 21 24 30 33 34 37 3 6 15 18 22 26 31 "
        "32 9 10 14 16 17 19 36 38",
    ),
)
COVERINGS = {(found.entrants, found.seats): found for found in _FOUND}
"""By entrants and seats."""
