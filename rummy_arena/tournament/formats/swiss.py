"""Swiss: close scores together, few repeated meetings; one may enter late, leave, and come back.

At tables of two by ``swiss.pair_two``, of more by ``seating_tables.pair_tables``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rummy_arena.tournament.event import Event
from rummy_arena.tournament.seating_tables import pair_tables
from rummy_arena.tournament.swiss import pair_two
from rummy_arena.tournament.swiss_entries import Entry, Pair, Pairing

from .scored import LIKE_A_KNOCKOUT, like_a_knockout, rounds_option, scored_format


def _kernel(
    event: Event, entries: list[Entry], met: Mapping[Pair, int], forbidden: Collection[Pair]
) -> Pairing:
    limits = event.terms.limits
    if limits.seats == 2 and (limits.max_seats == 2 or len(entries) % 2 == 0):
        return pair_two(
            entries,
            met=met,
            forbidden=forbidden,
            seed=event.seed,
            round_number=event.next_number,
        )
    return pair_tables(
        entries,
        limits,
        met=met,
        forbidden=forbidden,
        seed=event.seed,
        round_number=event.next_number,
    )


FORMAT = scored_format(
    "swiss",
    "Swiss",
    "A number of rounds for everybody; in each, entrants of close scores meet whom they have "
    "met least.",
    rounds_option("0", LIKE_A_KNOCKOUT),
    like_a_knockout,
    _kernel,
)
