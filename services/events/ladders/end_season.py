"""A season of a ladder ends: its standings are kept, and who has not played is less sure."""

from __future__ import annotations

from services.events.errors import InvalidOption, LadderOver
from services.events.principals import HOSTS, Principal
from services.state.codec import LADDER_SEASON
from services.state.context import Context
from services.state.ladder_log import LadderSeasonEnded
from services.state.ladder_records import LadderStatus, SeasonRecord

from .change import LadderChange, hold_ladder
from .ladder import (
    LadderSnapshot,
    millionths,
    read_entrants,
    read_ladder,
    season_part,
    standings_of,
)


async def end_season(
    ctx: Context,
    principal: Principal,
    *,
    ladder_id: str,
    season: int,
    reason: str = "",
    validate_only: bool = False,
) -> LadderSnapshot:
    """End a ladder's season, by its number; one that has ended already stays so.

    With ``validate_only`` nothing is stored. Raises NotFound, NotAllowed, InvalidOption for a
    season that has not begun, LadderOver, Busy.
    """
    principal.require(*HOSTS)
    async with hold_ladder(ctx, ladder_id) as change:
        record = change.record
        principal.require_host_of("ladder", record.created_by)
        if record.arena:
            raise InvalidOption("ladder_id", "an arena has no seasons")
        if not 1 <= season <= record.season:
            raise InvalidOption("season", f"give the present season, {record.season}")
        ended = season < record.season
        if record.status is not LadderStatus.OPEN and not ended:
            raise LadderOver(ladder_id)
        if not ended:
            await close_season(change, by=principal.player_id, reason=reason)
        if ended or validate_only:
            return LadderSnapshot(ladder_id, record, change.held.seq)
        change.call()
        await change.commit()
    return await read_ladder(ctx, ladder_id)


async def close_season(change: LadderChange, *, by: str, reason: str) -> None:
    """End the season of a ladder that is held.

    It costs the same whatever the number of entrants, but for its standings: entrants are brought
    into the new season when they are next read.
    """
    record = change.record
    entrants = await read_entrants(change.ctx, change.id, record)
    record.sequence += 1
    rows = [
        (
            line.rank,
            line.tally.entrant,
            millionths(line.tally.rating.mean),
            millionths(line.tally.rating.deviation),
        )
        for line in standings_of(record, entrants)
        if line.tally.games
    ]
    ended = SeasonRecord(record.season, record.sequence, change.now_ms, by, reason, rows)
    change.parts[season_part(record.season)] = LADDER_SEASON.encode(ended)
    change.events.append(LadderSeasonEnded(record.sequence, record.season, by, reason))
    record.season += 1
    record.fewest = 0
    if record.season_ms:
        record.season_ends = _next_end(record.season_ends, record.season_ms, change.now_ms)


def _next_end(due_ms: int, length_ms: int, now_ms: int) -> int:
    """Return when the next season ends: it is a whole one if this ends before it was due."""
    late_ms = now_ms - due_ms
    if late_ms < 0:
        return now_ms + length_ms
    return due_ms + length_ms * (late_ms // length_ms + 1)
