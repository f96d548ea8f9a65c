"""Swiss: close scores together, few repeated meetings; one may enter late, leave, and come back.

At tables of two by ``swiss.pair_two``, of more by ``seating_tables.pair_tables``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rummy_arena.tournament.event import Event, Format, Plan, Terms
from rummy_arena.tournament.rounds import Round
from rummy_arena.tournament.seating_tables import pair_tables
from rummy_arena.tournament.swiss import pair_two
from rummy_arena.tournament.swiss_entries import Entry, Pair, Pairing

from .scored import (
    BYE,
    LAST_ENTRY,
    LATE,
    LIKE_A_KNOCKOUT,
    in_order,
    last_entry,
    like_a_knockout,
    lines,
    paired,
    rounds_option,
    same_sizes,
    starters,
    too_few,
)


def _plan(terms: Terms, entrants: int) -> Plan:
    return same_sizes(terms, entrants, like_a_knockout(terms, entrants))


def _is_over(event: Event) -> bool:
    rounds = like_a_knockout(event.terms, len(starters(event)))
    return event.next_number > rounds or too_few(event)


def _pair(event: Event) -> Round | None:
    if _is_over(event):
        return None
    return paired(event, _kernel)


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


FORMAT = Format(
    id="swiss",
    title="Swiss",
    text="A number of rounds for everybody; in each, entrants of close scores meet whom they have "
    "met least.",
    options=(rounds_option("0", LIKE_A_KNOCKOUT), BYE, LAST_ENTRY, LATE),
    plan=_plan,
    pair=_pair,
    goes_on=lambda terms, entrants: entrants,
    advancing=in_order,
    standings=lines,
    last_entry=last_entry,
    returns=True,
    is_over=_is_over,
)
