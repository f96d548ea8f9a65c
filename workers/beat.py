"""The clock: Celery beat, with nothing on disk, that says how it fares."""

from __future__ import annotations

from typing import Any

from celery.apps.beat import Beat
from celery.beat import Scheduler

from services.runtime.health import Health
from services.runtime.process import Process

from .app import make_app

LONGEST_SLEEP_S = 1.0


def run_beat(process: Process) -> int:
    """Send the sweep at its times until SIGTERM; return the exit status."""
    health = Health()
    process.expose(health)

    class Clock(Scheduler):  # type: ignore[misc]  # Celery has no types
        """Beat's scheduler; a tick that published, or had nothing to publish, is a good round."""

        def tick(self, *args: Any, **kwargs: Any) -> Any:
            wait_s = super().tick(*args, **kwargs)
            health.pulse()
            return wait_s

    app = make_app(process.settings)
    Beat(
        app=app,
        scheduler=Clock,
        max_interval=LONGEST_SLEEP_S,
        loglevel=process.settings.log_level.upper(),
        redirect_stdouts=False,
        quiet=True,
    ).run()
    return 0
