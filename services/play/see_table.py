"""See a table: live from a seat, or as a spectator, behind by what its terms say."""

from __future__ import annotations

from dataclasses import dataclass

from rummy_arena.game.actions import NONE
from services.state.context import Context
from services.state.records import Life
from services.state.tables import table_game, table_record

from .clocks import credit
from .delayed import REUSE_MS, PastLogs, delay_of
from .history import has_ended
from .outages import KnownOutages
from .read_table import TableSnapshot, snapshot_of
from .rights import Person, require_sight, seat_held, sees_cards
from .table import TABLES
from .table_then import record_sealed, record_then


@dataclass(frozen=True, slots=True)
class Sight:
    """A table as a person may see it now, and how."""

    snapshot: TableSnapshot
    seat: int  # whose cards the person sees, or NONE
    delayed: bool
    last_sequence: int  # of what the person may know of; the snapshot may be a moment older
    sealed: bool = False  # only where the table is in its life is seen


async def see_table(
    ctx: Context,
    logs: PastLogs,
    table_id: str,
    person: Person,
    *,
    known: KnownOutages | None = None,
) -> Sight:
    """Return the table as the person may see it; raises NotFound or NotInvited.

    With what outages are ``known`` its clock tells of the time that is given back for them.
    CursorTooOld where a spectator is behind and the log is not kept from its beginning.
    """
    stored = await ctx.store.read(TABLES, table_id)
    record, rules = table_record(table_id, stored.data)
    require_sight(table_id, record, person)
    if not sees_cards(record, person):
        snapshot = snapshot_of(table_id, record_sealed(record), None, NONE, 0)
        return Sight(snapshot, NONE, delayed=False, last_sequence=0, sealed=True)
    if known is not None and record.life is Life.PLAYING and record.deadline_ms:
        credit(record, await known.spans(ctx))
    seat = seat_held(record, person.player_id)
    delay = delay_of(record, person.player_id)
    if delay is not None:
        log = logs.of(table_id)
        await log.extend(ctx)
        now_ms = ctx.now_ms()
        end = log.visible_end(delay, now_ms)
        if not (has_ended(record) and end == log.last):
            reached, game = await log.game_then(
                rules, len(record.seats), end, now_ms, reuse_ms=REUSE_MS if delay.ms else 0
            )
            past, later = log.parted(reached)
            then = record_then(record, game, past, later)
            snapshot = snapshot_of(table_id, then, game, NONE, reached)
            return Sight(snapshot, NONE, delayed=True, last_sequence=end)
    game = None if record.game is None else table_game(table_id, record, rules)
    snapshot = snapshot_of(table_id, record, game, seat, stored.seq)
    return Sight(snapshot, seat, delayed=delay is not None, last_sequence=stored.seq)
