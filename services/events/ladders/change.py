"""One change of a ladder, gathered and then committed whole."""

from __future__ import annotations

from services.state.codec import LADDER, LADDER_ENTRANT
from services.state.context import Context
from services.state.ladder_log import LadderEvent, LadderFinished, encode_ladder_events
from services.state.ladder_records import LadderEntrantRecord, LadderRecord, LadderStatus
from services.state.messages import AdvanceLadder, Message, encode_message
from services.state.store import Batch, Held

from .ladder import LADDERS, LEASE_MS, WAIT_S, entrant_part

WATCHDOG_MS = 15_000
"""A table that nothing was heard of for so long is sent for again ..."""
MOST_DOUBLINGS = 5
"""... and half as often each time after that, down to once in eight minutes."""
CALL_MS = 5_000
"""A message that sends for pairing is taken for lost after this."""


class LadderChange:
    """A ladder that is held, and all that is to be written with it."""

    def __init__(self, ctx: Context, held: Held) -> None:
        self.ctx = ctx
        self.held = held
        self.id = held.id
        self.record: LadderRecord = LADDER.decode(held.data)
        self.now_ms = ctx.now_ms()
        self.events: list[LadderEvent] = []
        self.messages: list[Message] = []
        self.parts: dict[str, bytes] = {}

    def put(self, number: int, entrant: LadderEntrantRecord) -> None:
        """Write an entrant."""
        self.parts[entrant_part(number)] = LADDER_ENTRANT.encode(entrant)

    def call(self) -> None:
        """Send for pairing, unless somebody has."""
        if not self.record.called and self.record.status is LadderStatus.OPEN:
            self.record.called = True
            self.messages.append(AdvanceLadder(self.id))

    def unchanged(self) -> bool:
        """Return whether the record is as it was read, and nothing is to be sent or written."""
        return not (self.events or self.messages or self.parts) and self._record_as_read()

    def _record_as_read(self) -> bool:
        return LADDER.encode(self.record) == LADDER.encode(LADDER.decode(self.held.data))

    def finish(self) -> None:
        """End the ladder; tables that are still open do not count."""
        record = self.record
        void = [table.number for table in record.open]
        record.status, record.finished_ms = LadderStatus.FINISHED, self.now_ms
        record.open, record.called = [], False
        self.events.append(LadderFinished(void))

    async def commit(self) -> None:
        """Write everything at once, with when to look at the ladder again."""
        finished = self.record.status is LadderStatus.FINISHED
        await self.ctx.store.commit(
            self.held,
            LADDER.encode(self.record),
            events=Batch(len(self.events), encode_ladder_events(self.events), self.now_ms)
            if self.events
            else Batch(),
            messages=tuple(map(encode_message, self.messages)),
            deadline_ms=next_look(self.record, self.now_ms),
            parts=self.parts,
            ttl_ms=self.ctx.retention.tournaments_ms if finished else None,
        )


async def hold_ladder(ctx: Context, ladder_id: str, *, wait_s: float = WAIT_S) -> LadderChange:
    """Take a ladder to change it: commit or release it. Raises NotFound, Busy."""
    held = await ctx.store.acquire(LADDERS, ladder_id, lease_ms=LEASE_MS, wait_s=wait_s)
    try:
        return LadderChange(ctx, held)
    except BaseException:
        await ctx.store.release(held)
        raise


def table_due(sent_ms: int, tries: int) -> int:
    """Return when a table is sent for again."""
    return sent_ms + (WATCHDOG_MS << min(tries, MOST_DOUBLINGS))


def next_look(record: LadderRecord, now_ms: int) -> int | None:
    """Return when something is due on a ladder though nothing happens; None when it is over."""
    if record.status is LadderStatus.FINISHED:
        return None
    looks = [table_due(table.sent_ms, table.tries) for table in record.open]
    if record.called:
        looks.append(now_ms + CALL_MS)
    if record.status is LadderStatus.CLOSING:
        looks.append(record.ends_ms + record.overtime_ms)
    else:
        looks += [
            moment for moment in (record.look_ms, record.season_ends, record.ends_ms) if moment
        ]
        if record.starts_ms > now_ms:
            looks.append(record.starts_ms)
    return min(looks, default=None)
