"""The gRPC API server as a process: ``rummy-arena api``."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

from .datadir import DataDirError
from .health import Health
from .process import Process, enter, run_loop, settle_memory
from .settings import SettingsError

if TYPE_CHECKING:  # they lead to prometheus_client, which must not be imported before ``enter``
    from services.rpc.server import ArenaServer
    from services.state.context import Context

DRAIN_S = 5.0
CHECK_EVERY_S = 1.0
ADMIN_ID = "admin"
ADMIN_TTL_S = 3600
"""The administrator's token outlives the last API server that has it by no more than this ..."""
ADMIT_EVERY_S = 600.0
"""... so each server stores it anew so often; one that was replaced is soon worth nothing."""


def main() -> int:
    """Serve until SIGTERM or SIGINT; returns the exit status."""
    try:
        process = enter("api")
        return run_loop(serve(process, _end))
    except (DataDirError, SettingsError) as error:
        print(f"rummy-arena: {error}", file=sys.stderr)
        return 2


async def serve(process: Process, end: Callable[[int], NoReturn] | None = None) -> int:
    """Serve, tell the health service every second whether the store answers, and drain.

    Returns the exit status, unless ``end`` takes it while the server is still there.
    """
    import structlog

    from services.rpc.server import ArenaServer, PortTaken
    from services.rpc.tls import TlsError

    from .edge import rates_of, tls_of
    from .wiring import close_context, open_context

    log = structlog.get_logger(__name__)
    settings = process.settings
    admin_token = settings.admin_token or process.data_dir.admin_token()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    context = await open_context(settings)
    server = ArenaServer(
        context, share_port=settings.shares_port, rates=rates_of(settings), tls=tls_of(settings)
    )
    try:
        address = await server.start(f"{settings.api_host}:{settings.api_port}")
    except (PortTaken, TlsError) as error:
        print(f"rummy-arena: {error}", file=sys.stderr)
        await close_context(context)
        return 2
    health = Health()
    encrypted = bool(settings.tls_cert)
    process.expose(health, address=address, shared=settings.shares_port, tls=encrypted)
    settle_memory()
    log.info("serving", address=address, tls=encrypted)
    watching = asyncio.create_task(_watch_store(context, server, health, admin_token))
    told = asyncio.create_task(stop.wait())
    await asyncio.wait((told, watching), return_when=asyncio.FIRST_COMPLETED)
    fault = watching.exception() if watching.done() else None  # it never returns
    log.info("draining", exc_info=fault)
    health.drain()
    for task in (told, watching):
        task.cancel()
    await asyncio.gather(told, watching, return_exceptions=True)
    await server.stop(DRAIN_S)
    await close_context(context)
    status = 0 if fault is None else 1
    if end is not None:
        end(status)
    return status


def _end(status: int) -> NoReturn:
    """End this process at once: all is stored and closed by now.

    Taking down the loop and the interpreter beside grpc's threads has been seen to crash where a
    stream or a connection hung until the end.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


async def _watch_store(
    context: Context, server: ArenaServer, health: Health, admin_token: str
) -> None:
    """Be healthy while the store answers and knows the administrator."""
    import structlog

    from services.events.put_token import put_token
    from services.play.outages import say_alive
    from services.state.errors import StoreUnavailable

    log = structlog.get_logger(__name__)

    loop = asyncio.get_running_loop()
    serving, admit_at_s = False, loop.time()
    while True:
        try:
            await context.store.ping()
            if await say_alive(context):
                log.warning("the arena was away: what its clocks ran meanwhile is given back")
            if loop.time() >= admit_at_s:
                await put_token(
                    context, admin_token, player_id=ADMIN_ID, role="admin", ttl_s=ADMIN_TTL_S
                )
                admit_at_s = loop.time() + ADMIT_EVERY_S
            health.pulse()
        except StoreUnavailable as error:
            health.trouble(str(error))
        now_serving = health.problem() is None
        if now_serving != serving:
            await server.set_serving(serving=now_serving)
            serving = now_serving
        await asyncio.sleep(CHECK_EVERY_S)


if __name__ == "__main__":
    sys.exit(main())
