"""How many entrants a tournament needs to start."""

from __future__ import annotations

from rummy_arena.tournament.errors import InvalidFormat, UnevenField
from rummy_arena.tournament.stages import plan
from services.state.records import TournamentRecord

from .pairing import stages_of

LOOKED_AT = 64
"""Fields from the smallest on of which one is taken by every format there is."""


def fewest_entrants(record: TournamentRecord) -> int:
    """Return the fewest entrants with which the host wants to play and the first stage can."""
    wanted = max(record.schedule.min_entrants, 2)
    first = stages_of(record)[:1]
    for entrants in range(wanted, wanted + LOOKED_AT):
        try:
            plan(first, entrants)
        except (UnevenField, InvalidFormat):
            continue
        return entrants
    return wanted
