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
    starter(  # 36 entrants, 18 rounds
        9,
        3,
        "0 13 22 1 4 31 2 16 21 3 18 28 5 23 34 6 29 30 7 9 17 8 14 25 10 20 33 11 26 35 12 "
        "15 19 24 27 32/0 7 16 1 2 22 3 11 15 4 8 30 5 13 21 6 20 34 9 29 31 10 17 27 12 24 "
        "28 14 32 35 18 26 33 19 23 25",
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
    starter(  # 40 entrants, 15 rounds
        5,
        4,
        "0 5 11 28 1 14 31 36 2 9 19 30 3 21 37 39 4 8 23 35 6 15 20 22 7 10 29 34 12 13 16 "
        "18 17 26 27 38 24 25 32 33/0 21 26 32 1 2 11 39 3 7 8 27 4 20 24 28 5 10 18 33 6 16 "
        "17 35 9 13 22 29 12 30 36 37 14 15 31 34 19 23 25 38/0 12 25 27 1 4 7 19 2 18 24 31 "
        "3 17 34 37 5 26 30 39 6 8 10 36 9 21 33 35 11 14 22 32 13 15 20 23 16 28 29 38",
    ),
    starter(  # 20 entrants, 6 rounds
        2,
        5,
        "0 1 12 14 19 2 3 7 13 16 4 5 10 15 17 6 8 9 11 18/0 3 4 5 8 1 6 7 11 15 2 10 16 18 "
        "19 9 12 13 14 17/0 2 10 11 13 1 6 8 16 17 3 9 14 15 19 4 5 7 12 18",
    ),
    starter(  # 24 entrants, 6 rounds
        3,
        6,
        "0 2 7 8 12 22 1 6 9 10 19 21 3 13 14 16 20 23 4 5 11 15 17 18/0 5 8 10 14 15 1 4 6 "
        "17 22 23 2 3 7 16 18 19 9 11 12 13 20 21",
    ),
    starter(  # 30 entrants, 8 rounds
        2,
        6,
        "0 1 6 12 13 18 2 3 7 17 20 22 4 5 14 15 25 28 8 10 11 16 24 27 9 19 21 23 26 29/0 8 "
        "9 12 17 29 1 3 14 15 19 25 2 18 23 26 27 28 4 5 6 7 11 22 10 13 16 20 21 24/0 2 7 9 "
        "24 25 1 4 5 17 21 27 3 6 13 26 28 29 8 11 18 19 20 23 10 12 14 15 16 22/0 3 10 11 21"
        " 28 1 12 22 23 24 26 2 4 5 8 13 19 6 9 14 15 20 27 7 16 17 18 25 29",
    ),
    starter(  # 36 entrants, 9 rounds
        9,
        6,
        "0 2 3 11 27 31 1 5 15 19 22 28 4 8 17 23 24 34 6 7 10 12 13 20 9 14 26 32 33 35 16 "
        "18 21 25 29 30",
    ),
    starter(  # 60 entrants, 15 rounds
        15,
        6,
        "0 8 9 21 31 58 1 12 15 27 53 54 2 5 7 24 35 52 3 11 19 43 51 55 4 18 20 22 28 40 6 "
        "14 26 41 45 57 10 30 32 36 44 50 13 23 37 39 42 48 16 17 25 33 38 46 29 34 47 49 56 "
        "59",
    ),
    starter(  # 32 entrants, 6 rounds
        2,
        8,
        "0 3 8 19 20 21 22 24 1 10 13 15 23 27 30 31 2 4 11 14 16 17 25 29 5 6 7 9 12 18 26 "
        "28/0 1 4 5 22 23 28 29 2 3 12 13 24 25 26 27 6 7 16 17 20 21 30 31 8 9 10 11 14 15 "
        "18 19/0 9 13 16 17 18 22 27 1 3 6 7 11 14 23 24 2 5 8 19 25 28 30 31 4 10 12 15 20 "
        "21 26 29",
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
