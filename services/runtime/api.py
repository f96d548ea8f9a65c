"""The gRPC API server as a process: ``rummy-arena api``."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Coroutine
from typing import Any

from .datadir import DataDirError
from .health import Health
from .process import Process, enter
from .settings import SettingsError

DRAIN_S = 5.0
CHECK_EVERY_S = 1.0
ADMIN_ID = "admin"


def main() -> int:
    """Serve until SIGTERM or SIGINT; returns the exit status."""
    try:
        process = enter("api")
        return run_loop(serve(process))
    except (DataDirError, SettingsError) as error:
        print(f"rummy-arena: {error}", file=sys.stderr)
        return 2


def run_loop(work: Coroutine[Any, Any, int]) -> int:
    """Run on uvloop where there is one."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(work)
    return uvloop.run(work)


async def serve(process: Process) -> int:
    """Serve, tell the health service every second whether the store answers, and drain."""
    import structlog

    from services.rpc.server import ArenaServer, PortTaken

    from .wiring import close_context, open_context

    log = structlog.get_logger(__name__)
    settings = process.settings
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    context = await open_context(settings)
    server = ArenaServer(context)
    try:
        address = await server.start(f"{settings.api_host}:{settings.api_port}")
    except PortTaken as error:
        print(f"rummy-arena: {error}", file=sys.stderr)
        await close_context(context)
        return 2
    health = Health()
    process.expose(health, address=address)
    log.info("serving", address=address)
    watching = asyncio.create_task(_watch_store(process, context, server, health))
    await stop.wait()
    log.info("draining")
    watching.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await watching
    await server.stop(DRAIN_S)
    await close_context(context)
    return 0


async def _watch_store(process: Process, context: Any, server: Any, health: Health) -> None:
    """Be healthy while the store answers and knows the administrator."""
    from services.state.errors import StoreUnavailable

    serving = known = False
    while True:
        try:
            await context.store.ping()
            if not known:
                await _admit_admin(process, context)
                known = True
            health.pulse()
        except StoreUnavailable as error:
            health.trouble(str(error))
        now_serving = health.problem() is None
        if now_serving != serving:
            await server.set_serving(serving=now_serving)
            serving = now_serving
        await asyncio.sleep(CHECK_EVERY_S)


async def _admit_admin(process: Process, context: Any) -> None:
    """Store the administrator's token, so that whoever can read the data directory may begin."""
    from services.events.principals import LONGEST_TTL_S, put_token

    token = process.settings.admin_token or process.data_dir.admin_token()
    await put_token(context, token, player_id=ADMIN_ID, role="admin", ttl_s=LONGEST_TTL_S)


if __name__ == "__main__":
    sys.exit(main())
