"""One change of a ladder, gathered and then committed whole."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from services.events.entry import owner_part
from services.state.codec import LADDER, LADDER_ENTRANT, LADDER_NUMBERS
from services.state.commits import fingerprint_of
from services.state.context import Context
from services.state.ladder_log import (
    LadderEvent,
    LadderFinished,
    LadderLeft,
    encode_ladder_events,
)
from services.state.ladder_records import LadderEntrantRecord, LadderRecord, LadderStatus
from services.state.messages import AdvanceLadder, Message, OpenLadderTable, encode_message
from services.state.store import Answer, Batch, Held

from .ladder import ACTIVE_PART, LADDERS, LEASE_MS, WAIT_S, entrant_part

WATCHDOG_MS = 15_000
"""A table that nothing was heard of for so long is sent for again ..."""
MOST_DOUBLINGS = 5
"""... and half as often each time after that, down to once in eight minutes."""
LARGE = 300
"""A pool of more entrants is paired in a thread, and not at every result ..."""
GATHER_MS = 1_000
"""... but when they have gathered for so long."""
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
        self.waits_ms: list[int] = []  # of those who get a table
        self.answer: Answer | None = None  # to the request that this change is made for

    async def is_repeat(self, request_id: str, content: Sequence[object]) -> bool:
        """Return whether a request was answered before; if not, this change's commit answers it.

        One without an id is none. Raises RequestReused when the content is another.
        """
        if not request_id:
            return False
        fingerprint = fingerprint_of(content)
        store = self.ctx.store
        if await store.answer(LADDERS, self.id, request_id, fingerprint) is not None:
            return True
        self.answer = Answer(request_id, fingerprint, b"")
        return False

    def put(self, number: int, entrant: LadderEntrantRecord) -> None:
        """Write an entrant."""
        self.parts[entrant_part(number)] = LADDER_ENTRANT.encode(entrant)

    async def part(self, field: str) -> bytes | None:
        """Return a part as it will be."""
        if field in self.parts:
            return self.parts[field]
        [found] = await self.ctx.store.parts(LADDERS, self.id, [field])
        return found

    async def set_active(self, number: int, *, active: bool) -> None:
        """Count an entrant among those who take part, or not any more."""
        found = await self.part(ACTIVE_PART)
        numbers = set(LADDER_NUMBERS.decode(found)) if found else set()
        if active:
            numbers.add(number)
        else:
            numbers.discard(number)
        self.record.active = len(numbers)
        self.parts[ACTIVE_PART] = LADDER_NUMBERS.encode(sorted(numbers))

    async def take_off(
        self, number: int, entrant: LadderEntrantRecord, *, by: str, reason: str
    ) -> None:
        """Let an entrant take part no more; its tables are played on."""
        put_owned(self, entrant.owner, await owned(self, entrant.owner) - 1)
        await self.set_active(number, active=False)
        entrant.gone, entrant.left_ms = True, self.now_ms
        self.put(number, entrant)
        self.events.append(LadderLeft(number, by, reason))

    def call(self) -> None:
        """Send for pairing, unless somebody has; the sweep pairs large pools, less often."""
        record = self.record
        if record.called_ms or record.status is not LadderStatus.OPEN:
            return
        if record.active > LARGE:
            soon_ms = self.now_ms + GATHER_MS
            record.look_ms = min(record.look_ms, soon_ms) if record.look_ms else soon_ms
            return
        record.called_ms = self.now_ms
        self.messages.append(AdvanceLadder(self.id))

    def unchanged(self) -> bool:
        """Return whether the record is as it was read, and nothing is to be sent or written."""
        return not (self.events or self.messages or self.parts) and self._record_as_read()

    def _record_as_read(self) -> bool:
        return LADDER.encode(self.record) == LADDER.encode(LADDER.decode(self.held.data))

    def finish(self) -> None:
        """End the ladder; tables that are still open do not count, and are called off."""
        record = self.record
        void = [table.number for table in record.open]
        record.status, record.finished_ms = LadderStatus.FINISHED, self.now_ms
        record.open, record.called_ms = [], 0
        self.messages += [OpenLadderTable(self.id, number) for number in void]
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
            answer=self.answer,
            ttl_ms=self.ctx.retention.tournaments_ms if finished else None,
        )


@asynccontextmanager
async def hold_ladder(
    ctx: Context, ladder_id: str, *, wait_s: float = WAIT_S
) -> AsyncIterator[LadderChange]:
    """Take a ladder to change it; what is not committed is dropped. Raises NotFound, Busy."""
    held = await ctx.store.acquire(LADDERS, ladder_id, lease_ms=LEASE_MS, wait_s=wait_s)
    try:
        yield LadderChange(ctx, held)
    finally:
        await ctx.store.release(held)  # nothing happens after a commit


def table_due(sent_ms: int, tries: int) -> int:
    """Return when a table is sent for again."""
    return sent_ms + (WATCHDOG_MS << min(tries, MOST_DOUBLINGS))


def next_look(record: LadderRecord, now_ms: int) -> int | None:
    """Return when something is due on a ladder though nothing happens; None when it is over."""
    if record.status is LadderStatus.FINISHED:
        return None
    looks = [table_due(table.sent_ms, table.tries) for table in record.open]
    if record.called_ms:
        looks.append(record.called_ms + CALL_MS)
    if record.status is LadderStatus.CLOSING:
        looks.append(record.ends_ms + record.overtime_ms)
    else:
        looks += [
            moment for moment in (record.look_ms, record.season_ends, record.ends_ms) if moment
        ]
        if record.starts_ms > now_ms:
            looks.append(record.starts_ms)
    return min(looks, default=None)


async def owned(change: LadderChange, owner: str) -> int:
    """Return how many entrants of an owner take part; none where it is nobody's."""
    if not owner:
        return 0
    return int(await change.part(owner_part(owner)) or b"0")


def put_owned(change: LadderChange, owner: str, count: int) -> None:
    """Write how many entrants of an owner take part."""
    if owner:
        change.parts[owner_part(owner)] = str(max(count, 0)).encode()
