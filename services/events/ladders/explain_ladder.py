"""What everybody on a ladder does or waits for, at this moment."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from rummy_arena.tournament.ladder_reasons import NotBegun, Reason
from services.state.context import Context
from services.state.ladder_records import LadderEntrantRecord, LadderStatus

from .advance_ladder import paired_now
from .change import LARGE
from .ladder import LadderSnapshot, active_numbers, number_of, read_entrants, read_ladder


@dataclass(frozen=True, slots=True)
class Explained:
    """One entrant: at tables, or waiting for one, or both while it may play at several."""

    number: int
    entrant: LadderEntrantRecord
    reason: Reason | None  # why it waits; None where it does not
    soon: bool  # it is about to be given a table


@dataclass(frozen=True, slots=True)
class LadderExplained:
    """A ladder, and everybody who takes part or still plays."""

    ladder: LadderSnapshot
    now_ms: int
    entrants: tuple[Explained, ...]


async def explain_ladder(ctx: Context, ladder_id: str, *, player_id: str = "") -> LadderExplained:
    """Return what holds for everybody, or for one player; nothing is changed. Raises NotFound."""
    snapshot = await read_ladder(ctx, ladder_id)
    record, now_ms = snapshot.record, ctx.now_ms()
    active = await active_numbers(ctx, ladder_id)
    playing = [number for table in record.open for number in table.entrants]
    entrants = await read_entrants(ctx, ladder_id, record, sorted({*active, *playing}))
    waits: dict[int, Reason] = {}
    soon: frozenset[int] = frozenset()
    if record.status is LadderStatus.OPEN and now_ms < record.starts_ms:
        waits = dict.fromkeys(active, NotBegun(record.starts_ms))
    elif record.status is LadderStatus.OPEN:
        paired = paired_now(record, entrants, now_ms)
        made = await asyncio.to_thread(paired) if len(entrants) > LARGE else paired()
        waits, soon = made.waits, made.seated
    wanted = entrants
    if player_id:
        number = await number_of(ctx, ladder_id, player_id)
        wanted = {n: entrant for n, entrant in entrants.items() if n == number}
    told = [
        Explained(number, entrant, waits.get(number), number in soon)
        for number, entrant in wanted.items()
        if not entrant.gone or entrant.playing
    ]
    return LadderExplained(snapshot, now_ms, tuple(told))
