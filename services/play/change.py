"""Change a table once for a request: under its lease, with its answer kept for a repeat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from rummy_arena.game.actions import NONE
from rummy_arena.game.rules import RuleSet
from services.state.codec import TABLE
from services.state.commits import fingerprint_of
from services.state.context import Context
from services.state.event_codec import encode_events
from services.state.messages import Message
from services.state.records import ENDED, Life, TableRecord
from services.state.store import Answer, Batch
from services.state.table_log import TableEvent, TableStarted
from services.state.tables import is_sealed, table_record

from .clocks import pause_end_ms
from .commit import Commit, commit_of
from .errors import WrongLife
from .save import save
from .table import LEASE_MS, TABLES, WAIT_S, dealt, table_of

OPEN_MS = 3_600_000
"""A table that has not started for so long is closed."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A request to change something: repeated, it changes nothing and has the same answer."""

    request_id: str
    wait_s: float = WAIT_S
    preview: bool = False  # only find out what would be: nothing is changed, no answer kept


@dataclass(frozen=True, slots=True)
class Changed:
    """What a change led to: the table's log now ends at ``sequence``."""

    sequence: int  # 0 of a sealed table, for its length depends on how the cards lie
    seat: int = NONE  # that the request got, where it asked for one
    places: tuple[int, ...] = ()  # by seat, where they were decided on


@dataclass(frozen=True, slots=True)
class Alteration:
    """What a request makes of a table's record: the commit, and the seat where it got one.

    Without a commit there is nothing to change; the answer is kept all the same.
    """

    commit: Commit | None
    seat: int = NONE
    places: tuple[int, ...] = ()


async def change(
    ctx: Context,
    table_id: str,
    ask: Ask,
    content: Sequence[object],
    alter: Callable[[TableRecord, RuleSet], Alteration],
) -> Changed:
    """Let ``alter`` change the record and commit it, once for each request id.

    ``content`` is what tells this request from others: its verb, who asks, and its arguments.
    Raises NotFound, Busy, RequestReused, and what ``alter`` raises; then nothing is changed.
    """
    fingerprint = fingerprint_of(content)
    held = await ctx.store.acquire(
        TABLES,
        table_id,
        lease_ms=LEASE_MS,
        wait_s=ask.wait_s,
        request_id="" if ask.preview else ask.request_id,
        fingerprint=fingerprint,
    )
    if held.reply is not None:
        return _answered(held.reply)
    try:
        record, rules = table_record(table_id, held.data)
        altered = alter(record, rules)
    except BaseException:
        await ctx.store.release(held)
        raise
    before = 0 if is_sealed(record) else held.seq
    if ask.preview:
        await ctx.store.release(held)
        events = altered.commit.events.count if altered.commit and before else 0
        return Changed(before + events, altered.seat, altered.places)
    if altered.commit is None and record.life in ENDED:  # and what has ended stays as it is
        await ctx.store.release(held)
        return Changed(before, altered.seat)
    commit = altered.commit or unchanged(ctx, table_id, record, rules)
    after = before and before + commit.events.count
    changed = Changed(after, altered.seat, altered.places)
    answer = Answer(ask.request_id, fingerprint, msgspec.msgpack.encode(changed))
    await save(ctx, held, record, commit, answer=answer)
    return changed


def unchanged(ctx: Context, table_id: str, record: TableRecord, rules: RuleSet) -> Commit:
    """Return the commit that leaves a table as it is, its clock and deadline included."""
    now_ms = ctx.now_ms()
    if record.life is Life.OPEN:
        return plain(record, [], now_ms, deadline_ms=record.created_ms + OPEN_MS)
    if record.life is Life.PAUSED:
        return plain(record, [], now_ms, deadline_ms=pause_end_ms(record))
    table = table_of(table_id, record, rules, ctx.random_bytes)
    return commit_of(table, [], table.decision(), now_ms=now_ms, wake=table.bots_waiting)


def _answered(reply: bytes) -> Changed:
    return msgspec.msgpack.decode(reply, type=Changed)


def require_life(table_id: str, record: TableRecord, *wanted: Life) -> None:
    """Raise WrongLife unless the table is in one of these stages of its life."""
    if record.life not in wanted:
        raise WrongLife(table_id, record.life, *wanted)


def gathered(
    ctx: Context,
    table_id: str,
    record: TableRecord,
    rules: RuleSet,
    events: list[TableEvent],
    *,
    start: bool = False,
) -> Commit:
    """Return the commit of an open table: it starts once every seat is taken and ready.

    With ``start`` readiness is not asked for.
    """
    now_ms = ctx.now_ms()
    seats = record.seats
    if not all(seat.player_id and (seat.ready or start) for seat in seats):
        return plain(record, events, now_ms, deadline_ms=record.created_ms + OPEN_MS)
    table, first_deal = dealt(table_id, record, rules, ctx.random_bytes)
    ctx.meters.count_table(record.rule_set, "started")
    return commit_of(
        table,
        [*events, TableStarted(), *first_deal],
        (),
        now_ms=now_ms,
        wake=table.bots_waiting,
    )


def plain(
    record: TableRecord,
    events: Sequence[TableEvent],
    now_ms: int,
    *,
    deadline_ms: int | None = None,
    messages: tuple[Message, ...] = (),
) -> Commit:
    """Return a commit that plays nothing."""
    batch = Batch(len(events), encode_events(events) if events else b"", now_ms)
    return Commit(TABLE.encode(record), batch, messages, deadline_ms)
