"""Whether a worker still takes what waits in its queues.

A consumer can stop taking tasks while its connection and its loop are well. What shows is that
tasks wait, and this worker has neither taken one nor has one in hand for longer than any slice of
work lasts.

One way to get there is known, and mended at once: where the broker goes away while a task runs,
Celery 5.7 logs that it could not acknowledge the task and goes on, but kombu counts it as unread
for good. With a prefetch of one no further task is taken, and no socket is left that would tell.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import structlog
from celery import Celery, signals
from celery.worker import state as in_hand
from kombu.exceptions import OperationalError

from .app import QUEUES

LOST_AFTER = 3
"""Looks in a row that find a task unacknowledged that nobody works on."""
LOOK_EVERY_S = 2.0
DEAF_AFTER_S = 20.0
"""Far longer than a slice of work and a reconnection, far shorter than anybody's patience."""
STUCK_AFTER_S = 90.0
"""A task in hand excuses its worker for so long; the longest takes some seconds."""

log = structlog.get_logger(__name__)


class Hearing:
    """Follows the tasks that a worker takes, and from a thread of its own what waits for it."""

    def __init__(self, app: Celery, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._clock = clock
        self._taken = self._clear = clock()
        self._waiting = self._lost = 0
        self._stopped = threading.Event()
        signals.task_received.connect(self._on_taken, weak=False)
        self._thread = threading.Thread(target=self._look, name="hearing", daemon=True)

    def start(self) -> None:
        """Begin to look at the queues."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._stopped.set()

    def problem(self) -> str | None:
        """Return None while tasks that wait are taken, else what is wrong."""
        now = self._clock()
        quiet_s = now - max(self._taken, self._clear)
        patience_s = STUCK_AFTER_S if in_hand.active_requests else DEAF_AFTER_S
        if not self._waiting or quiet_s < patience_s:
            return None
        return f"{self._waiting} tasks wait, and none was taken for {quiet_s:.0f} s"

    def lost_an_acknowledgement(self, consumer: Any) -> bool:
        """Return whether the consumer waits for the end of a task that has ended.

        It is asked from the consumer's own loop. A new connection forgets such tasks; they come
        again when the broker's visibility timeout has passed, and change nothing.
        """
        subscription = consumer.task_consumer
        idle = subscription is not None and not in_hand.reserved_requests
        full = idle and not subscription.channel.qos.can_consume()
        self._lost = self._lost + 1 if full else 0
        if self._lost < LOST_AFTER:
            return False
        self._lost = 0
        return True

    def _on_taken(self, **_: Any) -> None:
        self._taken = self._clock()

    def _look(self) -> None:
        while not self._stopped.wait(LOOK_EVERY_S):
            try:
                self.heard(self._queued())
            except (OperationalError, OSError) as error:
                log.debug("queues not seen", reason=str(error))

    def heard(self, waiting: int) -> None:
        """Note how many tasks wait now."""
        self._waiting = waiting
        if not waiting:
            self._clear = self._clock()

    def _queued(self) -> int:
        with self._app.connection_for_read() as connection:
            try:
                client = connection.default_channel.client
                return sum(int(client.llen(queue)) for queue in QUEUES)
            except connection.connection_errors as error:
                raise OperationalError(str(error)) from error
