"""The streams of tournaments: as those of tables, without seats and delays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from typing import Any, cast

from rummy_arena.api.v1 import tournament_service_pb2 as pb
from rummy_arena.api.v1 import watch_pb2
from rummy_arena.game.actions import NONE
from services.events.read_events import events_after
from services.events.tournament import TOURNAMENTS, TournamentSnapshot, read_tournament
from services.play.feed import Feeds, Page
from services.play.watcher import Ready
from services.state import tournament_log as log
from services.state.context import Context
from services.state.errors import CursorTooOld
from services.state.records import Status
from services.state.wakeups import Woken

from .convert_times import timestamp
from .convert_tournament import tournament_message
from .convert_tournament_event import tournament_event_message
from .violations import Fields
from .watching import Drain, check_cursor, cursor_of, write

_ENDED = (Status.FINISHED, Status.CANCELLED)
_LAST = (log.Finished, log.Cancelled)


class TournamentSource:
    """The log of a tournament as it grows; everybody may see all of it."""

    def __init__(self, ctx: Context, tournament_id: str) -> None:
        self._ctx = ctx
        self._id = tournament_id

    def listen(self) -> AbstractAsyncContextManager[Woken]:
        """Give a bell that rings when the log has grown."""
        return self._ctx.store.wakeups.listen(TOURNAMENTS, self._id)

    async def end(self) -> int:
        """Return the last sequence of the log."""
        return (await read_tournament(self._ctx, self._id)).sequence

    async def read(self, after: int) -> Page:
        """Return the events after a sequence; raises NotFound or CursorTooOld."""
        found, more = await events_after(self._ctx, self._id, after)
        events = [(item.sequence, item.event) for item in found]
        if events and not any(isinstance(event, _LAST) for _, event in events):
            return Page(events, complete=False, more=more)
        snapshot = await read_tournament(self._ctx, self._id)
        reached = events[-1][0] if events else after
        complete = snapshot.record.status in _ENDED and reached >= snapshot.sequence
        return Page(events, complete=complete, more=more)

    def viewer(self, player_id: str) -> int:
        """Return NONE: everybody sees the same."""
        return NONE

    def ready(self, events: Sequence[tuple[int, Any]], viewer: int) -> list[Ready]:
        """Return the messages of events."""
        now = timestamp(self._ctx.now_ms())
        return [
            Ready(
                sequence,
                pb.WatchTournamentResponse(
                    server_time=now, event=tournament_event_message(sequence, event)
                ).SerializeToString(),
            )
            for sequence, event in events
        ]

    def heartbeat(self) -> bytes:
        """Return a message that says that nothing happened."""
        now = timestamp(self._ctx.now_ms())
        message = pb.WatchTournamentResponse(server_time=now, heartbeat=watch_pb2.Heartbeat())
        return message.SerializeToString()


class TournamentWatch:
    """Streams of tournaments."""

    def __init__(self, ctx: Context, stopping: asyncio.Event) -> None:
        self._ctx = ctx
        self._feeds = Feeds()
        self._drain = Drain(self._feeds, stopping)

    async def stream(self, request: pb.WatchTournamentRequest, context: Any) -> AsyncIterator[Any]:
        """Yield a tournament's snapshot, and write its events as bytes until it is over."""
        fields = Fields()
        tournament_id = fields.id("tournament_id", request.tournament_id)
        after = cursor_of(fields, request)
        fields.done()
        self._drain.watch()
        snapshot = await read_tournament(self._ctx, tournament_id)
        if after is None:
            after = snapshot.sequence
            yield self._told(snapshot)
        check_cursor(after, snapshot.sequence)
        try:
            await self._follow(context, tournament_id, after)
        except CursorTooOld as error:
            resync = watch_pb2.Resync(after_sequence=error.after)
            now = timestamp(self._ctx.now_ms())
            yield pb.WatchTournamentResponse(server_time=now, resync=resync)
            snapshot = await read_tournament(self._ctx, tournament_id)
            yield self._told(snapshot)
            await self._follow(context, tournament_id, snapshot.sequence)

    async def _follow(self, context: Any, tournament_id: str, after: int) -> None:
        updates = self._feeds.follow(
            tournament_id, lambda: TournamentSource(self._ctx, tournament_id), "", NONE, after
        )
        async with aclosing(cast("AsyncGenerator[bytes, None]", updates)) as messages:
            async for data in messages:
                await write(context, data)

    def _told(self, snapshot: TournamentSnapshot) -> pb.WatchTournamentResponse:
        now = timestamp(self._ctx.now_ms())
        return pb.WatchTournamentResponse(server_time=now, snapshot=tournament_message(snapshot))
