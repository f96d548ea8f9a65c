"""What happened in a tournament, in order."""

from __future__ import annotations

from dataclasses import dataclass

from services.state.context import Context
from services.state.tournament_log import TournamentEvent, decode_tournament_events

from .tournament import TOURNAMENTS

PAGE = 200


@dataclass(frozen=True, slots=True)
class NumberedEvent:
    """An event with its place in the tournament's log, from 1, without gaps."""

    sequence: int
    event: TournamentEvent


async def events_after(
    ctx: Context, tournament_id: str, after: int
) -> tuple[list[NumberedEvent], bool]:
    """Return the next events after sequence ``after``, and whether more can be read at once.

    Raises NotFound or CursorTooOld.
    """
    batches = await ctx.store.read_log(TOURNAMENTS, tournament_id, after=after, limit=PAGE)
    numbered: list[NumberedEvent] = []
    for batch in batches:
        for sequence, event in enumerate(decode_tournament_events(batch.data), start=batch.first):
            if sequence > after:
                numbered.append(NumberedEvent(sequence, event))
    return numbered, len(batches) == PAGE
