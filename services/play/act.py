"""A player acts at a table."""

from __future__ import annotations

from dataclasses import dataclass

from rummy_arena.game import series
from rummy_arena.game.actions import Action
from rummy_arena.game.state import Phase
from services.state.commits import fingerprint_of
from services.state.context import Context
from services.state.records import Life
from services.state.store import Answer
from services.state.table_log import SeatReturned, TableEvent
from services.state.tables import table_record

from . import clocks
from .commit import commit_of
from .errors import TooLate, WrongLife
from .outages import outages
from .rights import seat_of
from .save import save
from .stand_in import answer_for_absent
from .table import LEASE_MS, TABLES, WAIT_S, Table, table_of


@dataclass(frozen=True, slots=True)
class Acted:
    """What an action led to: the table's log now ends at ``sequence``."""

    sequence: int


async def act(
    ctx: Context,
    table_id: str,
    player_id: str,
    action: Action,
    *,
    request_id: str,
    wait_s: float = WAIT_S,
    arrived_ms: int | None = None,
) -> Acted:
    """Apply one action of a player once, however often the request arrives.

    ``arrived_ms`` is when the call reached the arena, now unless given: what it waited since then
    is not the player's time. An answer in a call window is told to nobody, and adds nothing to the
    log, before the window closes.

    Raises NotFound, NotStarted, WrongLife, NotSeated, HouseBotSeat, TooLate, RuleViolation, Busy
    after ``wait_s``, or RequestReused when the request id came with another action before; then
    nothing is changed.
    """
    fingerprint = fingerprint_of((player_id, action))
    if arrived_ms is None:
        arrived_ms = ctx.now_ms()
    held = await ctx.store.acquire(
        TABLES,
        table_id,
        lease_ms=LEASE_MS,
        wait_s=wait_s,
        request_id=request_id,
        fingerprint=fingerprint,
    )
    if held.reply is not None:
        return Acted(int(held.reply))
    try:
        record, rules = table_record(table_id, held.data)
        # First who asks: a spectator who is behind must not learn where the table is by now.
        seat = seat_of(table_id, record, player_id)
        table = table_of(table_id, record, rules, ctx.random_bytes)
        if table.record.life is not Life.PLAYING and not table.game.over:
            raise WrongLife(table_id, table.record.life, Life.PLAYING)
        before = table.decision()
        await _in_time(ctx, table, seat, arrived_ms)
        events = _acted(table, seat, action, arrived_ms)
        commit = commit_of(table, events, before, now_ms=ctx.now_ms(), wake=table.bots_waiting)
    except BaseException:
        await ctx.store.release(held)
        raise
    sequence = held.seq + len(events)
    answer = Answer(request_id, fingerprint, str(sequence).encode())
    await save(ctx, held, table.record, commit, answer=answer)
    return Acted(sequence)


async def _in_time(ctx: Context, table: Table, seat: int, arrived_ms: int) -> None:
    """Give back the time that the arena was away; raises TooLate if the seat's was over even so.

    What is left of the seat's grace is taken before.
    """
    record, phase = table.record, table.game.deal.phase
    late = clocks.is_late(record, table.game, seat, arrived_ms)
    if late or clocks.is_overdrawn(record, phase, arrived_ms):
        clocks.credit(record, await outages(ctx, record.decided_ms))
    if clocks.is_late(record, table.game, seat, arrived_ms) and not clocks.spend_grace(
        record, seat, phase, arrived_ms
    ):
        raise TooLate(table.id, record.deadline_ms, arrived_ms)


def _acted(table: Table, seat: int, action: Action, arrived_ms: int) -> list[TableEvent]:
    """Apply the action and settle the seat's clock; return what happened."""
    record, game = table.record, table.game
    before, phase = table.decision(), game.deal.phase
    played = series.apply(game, seat, action, table.chance)
    events: list[TableEvent] = []
    absent = clocks.is_absent(record, seat)
    if played or not absent:  # a return must not tell of an answer that is told later
        record.seats[seat].missed = 0
        if absent:
            events.append(SeatReturned(seat))
    if table.decision() != before:
        clocks.charge(record, seat, phase, arrived_ms)
        if phase is Phase.PLAY:
            clocks.reward(record, seat)
    record.seats[seat].acted = True
    return [*events, *played, *answer_for_absent(table)]
