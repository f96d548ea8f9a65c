"""A proxy on the wire that loses replies: the request arrives, the answer does not."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

SWALLOW_S = 0.3
"""For so long after a request everything that comes back is lost; then the line breaks."""


class Cutter:
    """Passes bytes on until it is told to lose the next reply."""

    def __init__(self, host: str, port: int) -> None:
        self._upstream = (host, port)
        self._server: asyncio.Server | None = None
        self._armed = False
        self._lines: set[asyncio.Task[None]] = set()
        self.cuts = 0
        self.lost_bytes = 0

    @property
    def address(self) -> str:
        """Where to connect."""
        assert self._server is not None
        return f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def lose_next_reply(self) -> None:
        """Lose what the server answers to the next bytes that are sent to it."""
        self._armed = True

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._line, "127.0.0.1", 0)

    async def stop(self) -> None:
        """Break every line."""
        assert self._server is not None
        self._server.close()
        for line in list(self._lines):
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    async def _line(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._lines.add(task)
        try:
            await self._carry(reader, writer)
        finally:
            self._lines.discard(task)
            writer.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(*self._upstream)
        losing = asyncio.Event()

        async def forth() -> None:
            while data := await reader.read(65536):
                if self._armed:
                    self._armed = False
                    losing.set()
                back.write(data)

        async def home() -> None:
            while data := await there.read(65536):
                if losing.is_set():
                    self.lost_bytes += len(data)
                else:
                    writer.write(data)

        async def cut() -> None:
            await losing.wait()
            await asyncio.sleep(SWALLOW_S)
            self.cuts += 1

        ways = [asyncio.ensure_future(way()) for way in (forth, home, cut)]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            back.close()
            with contextlib.suppress(ConnectionError):
                writer.transport.abort()


@contextlib.asynccontextmanager
async def cutter_before(port: int) -> AsyncIterator[Cutter]:
    """Put a proxy before a server on loopback."""
    cutter = Cutter("127.0.0.1", port)
    await cutter.start()
    try:
        yield cutter
    finally:
        await cutter.stop()
