"""Lobby: preliminary rounds seated by lot; the best of them go on to the next stage."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rummy_arena.tournament.event import Event
from rummy_arena.tournament.options import Option
from rummy_arena.tournament.seating_tables import lobby
from rummy_arena.tournament.swiss_entries import Entry, Pair, Pairing

from .scored import MOST_ROUNDS, scored_format


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


FORMAT = scored_format(
    "lobby",
    "Lobby",
    "A fixed number of rounds, seated by lot with few repeated meetings, whatever the scores.",
    Option("rounds", "3", "how many rounds", (1, MOST_ROUNDS)),
    lambda terms, entrants: terms.number("rounds"),
    lobby_kernel,
)
