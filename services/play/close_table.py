"""A table is closed without a result: by its director, or because its players never came."""

from __future__ import annotations

from rummy_arena.game.rules import RuleSet
from services.state.context import Context
from services.state.records import ENDED, Life, TableRecord
from services.state.store import Held
from services.state.table_log import TableClosed

from .change import OPEN_MS, Alteration, Ask, Changed, change, plain, require_life
from .clocks import pause_end_ms
from .commit import Commit
from .errors import InTournament
from .rights import Person, require_director
from .save import save

NOBODY_CAME = "the game did not start in time"
NOBODY_RESUMED = "the game was paused for too long"


async def close_table(
    ctx: Context, person: Person, table_id: str, ask: Ask, *, reason: str
) -> Changed:
    """Call the table off; one that is closed already stays as it is.

    Raises NotFound, WrongLife, NotDirector, InTournament, Busy or RequestReused.
    """

    def alter(record: TableRecord, rules: RuleSet) -> Alteration:
        require_director(table_id, record, person)
        if record.life is Life.CLOSED:
            return Alteration(None)
        require_life(table_id, record, Life.OPEN, Life.PLAYING, Life.PAUSED)
        if record.origin is not None:
            origin = record.origin
            raise InTournament(table_id, origin.tournament_id or origin.ladder_id)
        return Alteration(_closed(record, person.player_id, reason, ctx.now_ms()))

    content = ("close", person.player_id, table_id, reason)
    return await change(ctx, table_id, ask, content, alter)


async def call_off_table(ctx: Context, table_id: str, *, by: str, reason: str) -> None:
    """Close a tournament's table that the tournament does not count on any more.

    One that has ended stays as it is. Raises NotFound, Busy.
    """

    def alter(record: TableRecord, rules: RuleSet) -> Alteration:
        if record.life in ENDED:
            return Alteration(None)
        return Alteration(_closed(record, by, reason, ctx.now_ms()))

    await change(ctx, table_id, Ask(""), (), alter)


async def close_unstarted(ctx: Context, held: Held, record: TableRecord) -> Held | None:
    """Close an open table whose time has passed, and return the lease when it has not."""
    now_ms = ctx.now_ms()
    if now_ms < record.created_ms + OPEN_MS:
        return held
    return await save(ctx, held, record, _closed(record, "", NOBODY_CAME, now_ms))


async def close_forgotten(ctx: Context, held: Held, record: TableRecord) -> Held | None:
    """Close a table that was paused for too long, and return the lease when it was not."""
    now_ms, end_ms = ctx.now_ms(), pause_end_ms(record)
    if end_ms is None or now_ms < end_ms:
        return held
    return await save(ctx, held, record, _closed(record, "", NOBODY_RESUMED, now_ms))


def _closed(record: TableRecord, by: str, reason: str, now_ms: int) -> Commit:
    record.life, record.reason = Life.CLOSED, reason
    record.finished_ms, record.deadline_ms, record.paused_ms = now_ms, 0, 0
    return plain(record, [TableClosed(by, reason)], now_ms)
