"""Play the house bots of a table in bursts of some milliseconds, each committed as a whole.

What a burst that was not committed had played is played again, the same, since bots are pure.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Set
from dataclasses import replace

import structlog

from rummy_arena.bots.bot import Bot
from rummy_arena.game.events import DealStarted, Event
from rummy_arena.game.replay import actions_in
from services.state.context import Context
from services.state.messages import ReportResult
from services.state.records import Life
from services.state.store import Busy, Held

from .clocks import TURN_PHASES, is_absent
from .commit import commit_of
from .save import save
from .stand_in import play_on
from .table import TABLES, Dice, Table, load_table

LEASE_MS = 15_000
BURST_MS = 100
"""A burst ends with the first deal that is over after so long."""
BURST_EVENTS = 2_000
"""And with so many events, so that no log entry grows huge."""

log = structlog.get_logger(__name__)


async def play_bots(
    ctx: Context,
    table_id: str,
    bots: Mapping[str, Bot],
    *,
    slice_ms: int,
    wait_s: float = 0.0,
    report: Callable[[], Awaitable[object]] | None = None,
) -> bool:
    """Let the house bots decide until a player must, the game is over, or the slice ends.

    A table whose every player is absent is played to the end of its deal. Returns whether this call
    played; False when another process held the table for ``wait_s``: it then plays the table
    itself. Raises NotFound. Safe to call any number of times.

    With ``report``, the end of the game sends nobody to count its result: ``report`` is called to
    count it, and whoever awaits the result sends for the table again should this get lost.
    """
    try:
        held = await ctx.store.acquire(TABLES, table_id, lease_ms=LEASE_MS, wait_s=wait_s)
    except Busy:
        return False
    lease: Held | None = held
    try:
        cast = _Cast(load_table(table_id, held.data, ctx.random_bytes), bots)
        until_ms = ctx.now_ms() + slice_ms
        while lease is not None and cast.asked():
            lease = await _burst(ctx, lease, cast, until_ms, reports=report is not None)
    finally:
        if lease is not None:
            await ctx.store.release(lease)
    if report is not None and cast.table.record.life is Life.FINISHED:
        await report()
    return True


class _Cast:
    """A table, and who plays its seats here: bots, and stand-ins for whom nobody plays."""

    def __init__(self, table: Table, bots: Mapping[str, Bot]) -> None:
        self.table = table
        named = {seat: record.bot for seat, record in enumerate(table.record.seats) if record.bot}
        self.bots = {seat: bots[name] for seat, name in named.items() if name in bots}
        self._failed = set(named) - set(self.bots)
        self._abandoned_deal = table.decision()[:2] if table.abandoned else None

    def stand_ins(self) -> Set[int]:
        """Return the seats that stand-ins play now.

        Those of bots that failed; those of absent players outside their own turn, which waits a
        moment for each; and in a deal that every player has abandoned also their turns.
        """
        deal = self.table.game.deal
        if deal.phase in TURN_PHASES and self._abandoned_deal != self.table.decision()[:2]:
            return self._failed
        return self._failed.union(
            seat for seat in deal.players if is_absent(self.table.record, seat)
        )

    def asked(self) -> bool:
        """Return whether a seat that is played here must decide."""
        played_here = self.stand_ins() | set(self.bots)
        return any(seat in played_here for seat in self.table.waiting)

    def replace_failed(self, data: bytes, dice: Dice) -> int:
        """Go back to the stored table, with a stand-in for the bot that was asked last."""
        seat = next(seat for seat in self.table.waiting if seat in self.bots)
        del self.bots[seat]
        self._failed.add(seat)
        self.table = load_table(self.table.id, data, dice)
        return seat


async def _burst(
    ctx: Context, held: Held, cast: _Cast, until_ms: int, *, reports: bool
) -> Held | None:
    before = cast.table.decision()
    full_ms = ctx.now_ms() + BURST_MS

    def full(events: list[Event]) -> bool:
        between_deals = type(events[-1]) is DealStarted
        return (between_deals and ctx.now_ms() >= full_ms) or len(events) >= BURST_EVENTS

    with ctx.meters.bot_burst(cast.table.record.rule_set) as decisions:
        events: list[Event] | None = None
        while events is None:
            try:
                events = play_on(cast.table, cast.bots, cast.stand_ins, full=full)
            except Exception:  # a bot is somebody's code: its fault must not stop the table
                seat = cast.replace_failed(held.data, ctx.random_bytes)
                bot = cast.table.record.seats[seat].bot
                log.exception("house bot failed", table=cast.table.id, seat=seat, bot=bot)
                ctx.meters.bot_failed(bot)
        decisions.append(actions_in(events))
    now_ms = ctx.now_ms()
    more = cast.asked() and now_ms < until_ms
    wake = not more and cast.table.bots_waiting
    commit = commit_of(cast.table, events, before, now_ms=now_ms, wake=wake)
    if reports:
        kept = [message for message in commit.messages if not isinstance(message, ReportResult)]
        commit = replace(commit, messages=tuple(kept))
    return await save(ctx, held, cast.table.record, commit, keep=more)
