"""Lobby: preliminary rounds seated by lot; the best of them go on to the next stage."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rummy_arena.tournament.event import Event, Format
from rummy_arena.tournament.options import Option
from rummy_arena.tournament.rounds import Round
from rummy_arena.tournament.seating_tables import lobby
from rummy_arena.tournament.swiss_entries import Entry, Pair, Pairing

from .scored import (
    BYE,
    LAST_ENTRY,
    LATE,
    MOST_ROUNDS,
    in_order,
    last_entry,
    lines,
    paired,
    same_sizes,
    too_few,
)


def _is_over(event: Event) -> bool:
    return event.next_number > event.terms.number("rounds") or too_few(event)


def _pair(event: Event) -> Round | None:
    if _is_over(event):
        return None
    return paired(event, lobby_kernel)


def lobby_kernel(
    event: Event, entries: list[Entry], met: Mapping[Pair, int], forbidden: Collection[Pair]
) -> Pairing:
    """Return the next round by lot with few repeated meetings."""
    return lobby(
        entries,
        event.terms.limits,
        met=met,
        forbidden=forbidden,
        seed=event.seed,
        round_number=event.next_number,
    )


FORMAT = Format(
    id="lobby",
    title="Lobby",
    text="A fixed number of rounds, seated by lot with few repeated meetings, whatever the scores.",
    options=(
        Option("rounds", "3", "how many rounds", (1, MOST_ROUNDS)),
        BYE,
        LAST_ENTRY,
        LATE,
    ),
    plan=lambda terms, entrants: same_sizes(terms, entrants, terms.number("rounds")),
    pair=_pair,
    goes_on=lambda terms, entrants: entrants,
    advancing=in_order,
    standings=lines,
    last_entry=last_entry,
    returns=True,
    is_over=_is_over,
)
