"""The courier of a pool process: sends webhooks beside its tasks, so that none waits for a host.

It has a thread and a loop of its own. The sweep hands over the ids of webhooks that are due and
goes on; what is handed over is lost with the process, and then the deadline, which is in the store,
comes again.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading

import structlog

from services.events.deliver_webhook import deliver_webhook
from services.events.post_webhook import Poster
from services.runtime.settings import Settings
from services.runtime.webhook_forms import FORMS
from services.runtime.wiring import close_context, open_context
from services.state.context import Context
from services.state.meters import Meters
from services.state.store import Busy, Conflict, LeaseLost, NotFound, StoreUnavailable
from services.state.webhooks import WEBHOOKS

AT_ONCE = 8
"""Webhooks that one process sends to at the same time, each with one payload under way."""
MOST_IN_HAND = 200
"""More are not taken: their deadlines come again."""
START_S = 5.0
STOP_S = 2.0

log = structlog.get_logger(__name__)


class Courier:
    """Delivers what it is handed; its thread starts with the first."""

    def __init__(self, settings: Settings, meters: Meters) -> None:
        """``meters`` are those of the process: threads may share them."""
        self._settings = settings
        self._meters = meters
        self._thread: threading.Thread | None = None
        self._started = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._in_hand: dict[str, asyncio.Task[None]] = {}

    def hand(self, webhook_id: str) -> None:
        """Take over a webhook that owes something; one that is in hand already stays so."""
        if self._thread is None or not self._thread.is_alive():
            self._started.clear()
            self._thread = threading.Thread(target=self._run, name="courier", daemon=True)
            self._thread.start()
        self._started.wait(START_S)
        with contextlib.suppress(RuntimeError):  # the loop has ended: the deadline comes again
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._take, webhook_id)

    def close(self) -> None:
        """Stop: what is under way has a moment to end, and is sent again otherwise."""
        if self._thread is None:
            return
        self._started.wait(START_S)
        with contextlib.suppress(RuntimeError):  # it has ended by itself
            if self._loop is not None and self._stopping is not None:
                self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(2 * STOP_S)
        self._thread = None

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception:
            log.exception("the courier has stopped; the next webhook starts it again")
        finally:
            self._started.set()  # nobody shall wait for what has failed

    async def _serve(self) -> None:
        ctx = await open_context(self._settings, self._meters)
        poster = Poster(allow_private=ctx.private_webhooks)
        self._room = asyncio.Semaphore(AT_ONCE)
        self._ctx, self._poster = ctx, poster
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        self._started.set()
        try:
            await self._stopping.wait()
            tasks = list(self._in_hand.values())
            if tasks:
                _, late = await asyncio.wait(tasks, timeout=STOP_S)
                for task in late:
                    task.cancel()
        finally:
            poster.close()
            await close_context(ctx)

    def _take(self, webhook_id: str) -> None:
        if webhook_id in self._in_hand or len(self._in_hand) >= MOST_IN_HAND:
            return
        task = asyncio.ensure_future(self._deliver(self._ctx, webhook_id))
        self._in_hand[webhook_id] = task
        task.add_done_callback(lambda _: self._in_hand.pop(webhook_id, None))

    async def _deliver(self, ctx: Context, webhook_id: str) -> None:
        async with self._room:
            try:
                await deliver_webhook(ctx, webhook_id, self._poster.to, FORMS)
            except NotFound as gone:
                log.info("nothing to deliver", webhook=webhook_id, reason=str(gone))
                with contextlib.suppress(StoreUnavailable):
                    await ctx.store.forget_deadline(WEBHOOKS, webhook_id)
            except Busy:
                log.debug("somebody else is about it", webhook=webhook_id)
            except (Conflict, LeaseLost, StoreUnavailable) as error:
                log.warning("to be delivered again", webhook=webhook_id, reason=str(error))
            except Exception:  # one damaged webhook must not hold up the others
                log.exception("not delivered", webhook=webhook_id)
