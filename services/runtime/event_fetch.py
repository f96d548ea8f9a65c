"""What an arena tells of an event, all of it as it was at one moment where that can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rummy_arena.client import ArenaError

from .event_document import Told

if TYPE_CHECKING:
    from rummy_arena.client import Arena

_TRIES = 3
_TOO_OLD = "CURSOR_TOO_OLD"


async def fetch(arena: Arena, tournament_id: str, *, log: bool = True) -> Told:
    """Return an event; raises ArenaError.

    It is read again where something happened while it was read, but of one in which something
    always happens the parts may differ by that little. Its log is left out where it is not kept
    whole any more, and unless it is asked for.
    """
    told = await _read(arena, tournament_id, log=log)
    for _ in range(_TRIES - 1):
        now = await arena.tournaments.get(tournament_id)
        if now.sequence == told.tournament.sequence and now.status == told.tournament.status:
            break
        told = await _read(arena, tournament_id, log=log)
    return told


async def _read(arena: Arena, tournament_id: str, *, log: bool) -> Told:
    tournaments = arena.tournaments
    tournament = await tournaments.get(tournament_id)
    rounds = await tournaments.bracket(tournament_id)
    standings = await tournaments.standings(tournament_id)
    logged = []
    if log or not standings:
        try:
            logged = [event async for event in tournaments.log(tournament_id)]
        except ArenaError as error:
            if error.reason != _TOO_OLD:
                raise
    return Told(tournament, rounds, standings, logged)
