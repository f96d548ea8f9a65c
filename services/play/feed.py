"""Feeds: a log is read once for all of its watchers in this process, whoever many they are.

A feed is woken by the one subscription of its process, reads the log from its cursor, and makes
each event into bytes once for each distinct viewer. Every watcher has a queue of such bytes. One
that joins behind what the feed still holds reads pages of its own until it meets the feed; from
``attach`` on, which nothing can interrupt, it gets what the feed reads: no gap, and nothing twice.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from services.state.wakeups import Woken

from .watcher import AnotherViewer, Ready, Watcher

HEARTBEAT_S = 10.0
LINGER_S = 5.0
"""A feed without watchers stays for so long, for those who come back."""
WINDOW = 128
"""Events that a feed holds for those who join a little behind it."""
AT_ONCE = 200
"""Events made into bytes before others have their turn."""
EASY = 512
"""While more than this wait for most watchers, the feed waits for them ..."""
PACE_S = 0.02
LONGEST_PACE_S = 1.0
"""... no longer than this: so a flood of events outruns nobody who reads."""


@dataclass(frozen=True, slots=True)
class Page:
    """Events after a cursor, as they are stored, for nobody's eyes yet."""

    events: Sequence[tuple[int, Any]]  # with their sequences
    complete: bool  # whether nothing will ever follow
    more: bool = False  # whether more can be read at once
    reseated: bool = False  # whether somebody may have become another viewer
    wait_s: float = HEARTBEAT_S  # look again after so long, even if nothing wakes


class Source(Protocol):
    """A log with its viewers."""

    def listen(self) -> AbstractAsyncContextManager[Woken]:
        """Give a bell that rings when the log has grown."""
        ...

    async def end(self) -> int:
        """Return the last sequence that may be read now."""
        ...

    async def read(self, after: int) -> Page:
        """Return the events after a sequence; raises NotFound or CursorTooOld."""
        ...

    def viewer(self, player_id: str) -> int:
        """Return as whom a player sees the log: its seat, or NONE."""
        ...

    def ready(self, events: Sequence[tuple[int, Any]], viewer: int) -> list[Ready]:
        """Return the messages of events for a viewer."""
        ...

    def heartbeat(self) -> bytes:
        """Return a message that says that nothing happened."""
        ...


class _Group:
    """The watchers who see the same, and what they were told last."""

    def __init__(self, start: int) -> None:
        self.start = start  # every event after it, up to the feed's cursor, is held
        self.held: deque[Ready] = deque()
        self.watchers: set[Watcher] = set()

    def tell(self, items: list[Ready]) -> None:
        self.held.extend(items)
        while len(self.held) > WINDOW:
            self.start = self.held.popleft().sequence
        for watcher in self.watchers:
            watcher.put(items)


class Feed:
    """The one reader of a log."""

    def __init__(self, source: Source, forget: Callable[[Feed], None]) -> None:
        self.source = source
        self.users = 0  # streams that watch, or are about to
        self.cursor = 0
        self._forget = forget
        self._groups: dict[int, _Group] = {}
        self._started = asyncio.Event()
        self._ended = False
        self._error: Exception | None = None
        self._told_s = 0.0
        self._task = asyncio.create_task(self._run())

    async def started(self) -> None:
        """Wait until the feed has a place in the log; raises what kept it from one."""
        await self._started.wait()
        if self._error is not None:
            raise self._error.with_traceback(None)

    def attach(self, player_id: str, viewer: int, after: int) -> Watcher | None:
        """Return a watcher who is told everything after ``after``; None if that is not held.

        Raises AnotherViewer unless the player is the viewer that it was taken for.
        """
        if self._error is not None:
            raise self._error.with_traceback(None)
        if self.source.viewer(player_id) != viewer:
            raise AnotherViewer(after)
        group = self._groups.get(viewer)
        if group is None:
            group = self._groups[viewer] = _Group(self.cursor)
        if after < group.start:
            if not group.watchers:
                del self._groups[viewer]
            return None
        watcher = Watcher(player_id, after)
        watcher.put(group.held)
        group.watchers.add(watcher)
        if self._ended:
            watcher.end()
        return watcher

    def detach(self, watcher: Watcher) -> None:
        """Tell a watcher no more."""
        for viewer, group in list(self._groups.items()):
            group.watchers.discard(watcher)
            if not group.watchers:
                del self._groups[viewer]

    def end(self, error: Exception | None = None) -> None:
        """End every watcher's stream, with an error at once or without when all is told."""
        if self._ended:
            return
        self._ended, self._error = True, error
        self._forget(self)
        self._started.set()
        for group in self._groups.values():
            for watcher in group.watchers:
                watcher.end(error)
        if asyncio.current_task() is not self._task:
            self._task.cancel()

    async def _run(self) -> None:
        try:
            async with self.source.listen() as woken:
                self.cursor = await self.source.end()
                self._started.set()
                await self._follow(woken)
        except Exception as error:  # each watcher's call tells it, or that it is a fault of ours
            self.end(error)

    async def _follow(self, woken: Woken) -> None:
        loop = asyncio.get_running_loop()
        self._told_s = idle_since_s = loop.time()
        while True:
            woken.clear()
            page = await self.source.read(self.cursor)
            await self._tell(page)
            if self.users:
                idle_since_s = loop.time()
            if page.complete or loop.time() - idle_since_s >= LINGER_S:
                self.end()  # before anything is awaited: nobody may join what reads no more
                return
            if page.more or len(page.events) > AT_ONCE:
                await self._pace()
            else:
                await woken.wait(min(page.wait_s, self._patience_s()))
                self._beat()

    async def _tell(self, page: Page) -> None:
        if page.reseated:
            self._reseat()
        for at in range(0, len(page.events), AT_ONCE):
            events = page.events[at : at + AT_ONCE]
            for viewer, group in self._groups.items():
                group.tell(self.source.ready(events, viewer))
            self.cursor = events[-1][0]
            self._told_s = asyncio.get_running_loop().time()
            await asyncio.sleep(0)

    def _reseat(self) -> None:
        """Send off whoever became another viewer, before it is told anything more."""
        for viewer, group in self._groups.items():
            for watcher in group.watchers:
                if self.source.viewer(watcher.player_id) != viewer:
                    watcher.end(AnotherViewer(watcher.sent))

    async def _pace(self) -> None:
        for _ in range(round(LONGEST_PACE_S / PACE_S)):
            waiting = [
                len(watcher) > EASY for group in self._groups.values() for watcher in group.watchers
            ]
            if sum(waiting) * 2 <= len(waiting):
                return
            await asyncio.sleep(PACE_S)

    def _patience_s(self) -> float:
        """Heartbeats come when nothing was told for so long, whatever woke the feed meanwhile.

        A change that is not told yet would be seen from one that comes late.
        """
        if not self.users:
            return LINGER_S
        return max(0.0, self._told_s + HEARTBEAT_S - asyncio.get_running_loop().time())

    def _beat(self) -> None:
        now_s = asyncio.get_running_loop().time()
        if now_s - self._told_s < HEARTBEAT_S:
            return
        self._told_s = now_s
        data = self.source.heartbeat()
        for group in self._groups.values():
            for watcher in group.watchers:
                watcher.beat(data)


class Feeds:
    """The feeds of a process, by what they follow."""

    def __init__(self) -> None:
        self._feeds: dict[Hashable, Feed] = {}
        self._closed: Exception | None = None

    def __len__(self) -> int:
        """Return how many logs are read."""
        return len(self._feeds)

    @contextmanager
    def join(self, key: Hashable, make: Callable[[], Source]) -> Iterator[Feed]:
        """Give the feed of a key; the first to join makes it."""
        if self._closed is not None:
            raise self._closed.with_traceback(None)
        feed = self._feeds.get(key)
        if feed is None:
            feed = self._feeds[key] = Feed(make(), lambda gone: self._forget(key, gone))
        feed.users += 1
        try:
            yield feed
        finally:
            feed.users -= 1

    async def follow(
        self, key: Hashable, make: Callable[[], Source], player_id: str, viewer: int, after: int
    ) -> AsyncIterator[bytes]:
        """Yield the messages of everything after a sequence as they come, heartbeats among them.

        Ends after the last event of what is over. Raises NotFound, CursorTooOld, SlowConsumer with
        the last sequence that was yielded, AnotherViewer with it where the player is not ``viewer``
        or ceases to be, or what ``close`` was given.
        """
        with self.join(key, make) as feed:
            await feed.started()
            if feed.source.viewer(player_id) != viewer:
                await feed.source.end()  # the feed may be a moment behind
            while (watcher := feed.attach(player_id, viewer, after)) is None:
                page = await feed.source.read(after)
                if feed.source.viewer(player_id) != viewer:
                    raise AnotherViewer(after)
                for item in feed.source.ready(page.events, viewer):
                    yield item.data
                    after = item.sequence
                if page.complete:
                    return
                if self._closed is not None:
                    raise self._closed.with_traceback(None)
            try:
                while (data := await watcher.take()) is not None:
                    yield data
            finally:
                feed.detach(watcher)

    def close(self, error: Exception) -> None:
        """End every stream with ``error``, and refuse new ones."""
        self._closed = error
        for feed in list(self._feeds.values()):
            feed.end(error)

    def _forget(self, key: Hashable, feed: Feed) -> None:
        if self._feeds.get(key) is feed:
            del self._feeds[key]
