"""A wire that loses things: a proxy before real servers, on a unix socket or on ports."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

CHUNK = 1 << 16


class LossyWire:
    """Passes bytes on, and cuts connections at the worst moment: when a script has run.

    The server has then done what was asked, and the client never hears of it.
    """

    def __init__(self) -> None:
        self._lose: Callable[[], bool] = lambda: False
        self._pumps: set[asyncio.Task[None]] = set()
        self.lost = 0

    def lose_next(self, replies: int) -> None:
        """Lose the next so many replies to scripts."""
        left = iter(range(replies))
        self._lose = lambda: next(left, None) is not None

    def lose_share(self, share: float, seed: int) -> None:
        """Lose this share of all replies to scripts from now on."""
        dice = random.Random(seed)
        self._lose = lambda: dice.random() < share

    def to(self, server: Path | int) -> Callable[..., Awaitable[None]]:
        """Return what serves the connections of a listener: carried to a socket or a port."""
        return lambda reader, writer: self._serve(server, reader, writer)

    async def _serve(
        self, server: Path | int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._pumps.add(task)
        up_reader, up_writer = await (
            asyncio.open_connection("127.0.0.1", server)
            if isinstance(server, int)
            else asyncio.open_unix_connection(str(server))
        )
        asked = False

        async def requests() -> None:
            nonlocal asked
            while data := await reader.read(CHUNK):
                asked = b"EVALSHA" in data
                up_writer.write(data)

        async def replies() -> None:
            while data := await up_reader.read(CHUNK):
                if asked and self._lose():
                    self.lost += 1
                    return
                writer.write(data)

        both = [asyncio.ensure_future(requests()), asyncio.ensure_future(replies())]
        try:
            with contextlib.suppress(asyncio.CancelledError):  # hung up: no failure
                await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in both:
                pump.cancel()
            writer.close()
            up_writer.close()
            self._pumps.discard(task)

    async def hang_up(self) -> None:
        """End every connection."""
        for task in self._pumps:
            task.cancel()
        if self._pumps:
            await asyncio.wait(self._pumps)


@contextlib.asynccontextmanager
async def lossy_wire(server: Path, path: Path) -> AsyncIterator[LossyWire]:
    """Serve a lossy wire to the server's socket on another socket, ``path``."""
    wire = LossyWire()
    listener = await asyncio.start_unix_server(wire.to(server), str(path))
    try:
        yield wire
    finally:
        listener.close()
        await wire.hang_up()


@contextlib.asynccontextmanager
async def lossy_wires(ports: Sequence[int]) -> AsyncIterator[tuple[LossyWire, dict[int, int]]]:
    """Serve lossy wires to all these ports, with one count of losses; give where each is now."""
    wire = LossyWire()
    listeners = {port: await asyncio.start_server(wire.to(port), "127.0.0.1", 0) for port in ports}
    try:
        yield wire, {port: at.sockets[0].getsockname()[1] for port, at in listeners.items()}
    finally:
        for listener in listeners.values():
            listener.close()
        await wire.hang_up()
