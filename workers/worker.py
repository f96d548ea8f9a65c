"""A Celery worker: its pool's children play the tables, its consumer loop says how it fares."""

from __future__ import annotations

import os
from typing import Any

import structlog
from celery import bootsteps, signals

from services.runtime.children import die_with_parent
from services.runtime.health import Health
from services.runtime.process import Process

from .app import QUEUES, make_app
from .hearing import Hearing
from .process import start_process, stop_process

PULSE_S = 1.0
log = structlog.get_logger(__name__)


def run_worker(process: Process) -> int:
    """Work until SIGTERM, then finish what is in hand; return the exit status."""
    settings, parent_pid = process.settings, os.getpid()
    app = make_app(settings)
    health = Health()
    process.expose(health)

    @signals.worker_process_init.connect(weak=False)
    def _forked(**_: Any) -> None:
        die_with_parent(parent_pid)
        start_process(settings)

    @signals.worker_process_shutdown.connect(weak=False)
    def _ending(**_: Any) -> None:
        stop_process()

    hearing = Hearing(app)
    app.steps["consumer"].add(_pulse_step(health, hearing))
    worker = app.Worker(
        hostname=process.name,
        pool="prefork",
        concurrency=settings.pool_size,
        queues=list(QUEUES),
        loglevel=settings.log_level.upper(),
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        quiet=True,
    )
    hearing.start()
    worker.start()
    hearing.stop()
    return int(worker.exitcode or 0)


def _pulse_step(health: Health, hearing: Hearing) -> type[bootsteps.StartStopStep]:
    """Return a step that pulses from the consumer's own loop while the broker is heard."""

    class Pulse(bootsteps.StartStopStep):  # type: ignore[misc]  # Celery has no types
        requires = ("celery.worker.consumer.tasks:Tasks",)

        def start(self, parent: Any) -> None:
            health.pulse()
            self._timer = parent.timer.call_repeatedly(PULSE_S, self._beat, (parent,))

        def stop(self, parent: Any) -> None:
            timer = getattr(self, "_timer", None)
            if timer is not None:
                timer.cancel()

        def _beat(self, parent: Any) -> None:
            if hearing.lost_an_acknowledgement(parent):
                raise ConnectionResetError("an acknowledgement was lost: connect anew")
            if parent.connection is None or not parent.connection.connected:
                health.trouble("the broker is not connected")
            elif (problem := hearing.problem()) is not None:
                health.trouble(problem)
            else:
                health.pulse()

    return Pulse
