"""The relay's process: signals, loop, context."""

from __future__ import annotations

import asyncio
import signal

from services.runtime.health import Health
from services.runtime.process import Process, run_loop
from services.runtime.wiring import close_context, open_context

from .app import make_app
from .relay import Relay


def run_relay(process: Process) -> int:
    """Relay until SIGTERM or SIGINT; return the exit status."""
    health = Health()
    process.expose(health)
    run_loop(_relay(process, health))
    return 0


async def _relay(process: Process, health: Health) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    context = await open_context(process.settings)
    try:
        relay = Relay(context, make_app(process.settings), health, name=process.name)
        await relay.run(stop)
    finally:
        await close_context(context)
