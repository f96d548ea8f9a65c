"""A worker that stops consuming after its first task, its connection and its loop being well.

``python -m tests.workers.deaf_worker``, with a worker's settings.
"""

from __future__ import annotations

from typing import Any

from services.runtime.process import Process, enter


def run(process: Process) -> None:
    """Work, but hear of one task only; what loads the metrics comes after ``enter``."""
    from celery import Celery, bootsteps, signals

    from services.runtime.settings import Settings
    from workers import hearing, worker
    from workers.app import make_app

    class Deafness(bootsteps.StartStopStep):  # type: ignore[misc]  # Celery has no types
        requires = ("celery.worker.consumer.tasks:Tasks",)

        def start(self, parent: Any) -> None:
            def cancel(**_: Any) -> None:
                parent.timer.call_after(0.1, parent.task_consumer.cancel)

            signals.task_received.connect(cancel, weak=False)

    def app(settings: Settings) -> Celery:
        made = make_app(settings)
        made.steps["consumer"].add(Deafness)
        return made

    hearing.DEAF_AFTER_S = 3.0
    hearing.LOOK_EVERY_S = 0.5
    vars(worker)["make_app"] = app
    worker.run_worker(process)


if __name__ == "__main__":
    run(enter("worker"))
