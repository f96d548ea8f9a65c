"""A player acts at a table."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import msgspec

from rummy_arena.game import series
from rummy_arena.game.actions import Action
from services.state.context import Context
from services.state.store import Answer

from .errors import HouseBotSeat, NotSeated
from .save import save
from .table import TABLES, Table, commit_of, load_table

LEASE_MS = 5_000


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
    wait_s: float = 2.0,
) -> Acted:
    """Apply one action of a player once, however often the request arrives.

    Raises NotFound, NotSeated, HouseBotSeat, RuleViolation (nothing is changed), Busy after
    ``wait_s``, or RequestReused when the request id came with another action before.
    """
    fingerprint = _fingerprint(player_id, action)
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
        table = load_table(table_id, held.data)
        seat = seat_of(table, player_id)
        before = table.decision()
        events = series.apply(table.game, seat, action, table.chance)
        table.record.seats[seat].missed = 0
        commit = commit_of(table, events, before, now_ms=ctx.now_ms(), wake=table.bots_waiting)
    except BaseException:
        await ctx.store.release(held)
        raise
    sequence = held.seq + len(events)
    answer = Answer(request_id, fingerprint, str(sequence).encode())
    await save(ctx, held, table, commit, answer=answer)
    return Acted(sequence)


def seat_of(table: Table, player_id: str) -> int:
    """Return the seat that this player plays itself; raises NotSeated or HouseBotSeat."""
    for seat, record in enumerate(table.record.seats):
        if record.player_id == player_id:
            if record.bot:
                raise HouseBotSeat(table.id, seat, record.bot)
            return seat
    raise NotSeated(table.id, player_id)


def _fingerprint(player_id: str, action: Action) -> bytes:
    return hashlib.sha256(msgspec.msgpack.encode((player_id, action))).digest()[:16]
