"""The Celery application: how work is carried, never what it does.

The broker is not the record: what a task must do can be read from the state, and the sweep sends
again for what was lost. So results are ignored and every task may run any number of times.
"""

from __future__ import annotations

from celery import Celery
from kombu.entity import Queue

from services.runtime.settings import Settings, SettingsError

from .queue_order import ARCHIVE_QUEUE, PlayFirst

# A worker takes them in turn, so that what one holds never waits behind all that another does.
TABLES_QUEUE = "ra.tables"  # tables that go on: somebody may be waiting there
EVENTS_QUEUE = "ra.events"  # short: results, rounds, the sweep
OPENING_QUEUE = "ra.opening"  # tables to open, and whole games with them
ROUNDS_QUEUE = "ra.rounds"  # the tables of large rounds, some at a time
QUEUES = (TABLES_QUEUE, EVENTS_QUEUE, OPENING_QUEUE, ROUNDS_QUEUE, ARCHIVE_QUEUE)
SWEEP_EVERY_S = 1.0
VISIBILITY_TIMEOUT_S = 120
PUBLISH_TIMEOUT_S = 5.0


def make_app(settings: Settings) -> Celery:
    """Return the application, configured for the broker of ``settings``.

    Raises SettingsError when no server is named.
    """
    if not settings.redis_url:
        raise SettingsError(
            "RUMMY_ARENA_REDIS_URL must name the state's server; 'rummy-arena up' brings its own"
        )
    app = Celery("rummy-arena", broker=celery_url(settings.broker), include=["workers.tasks"])
    app.conf.update(
        task_ignore_result=True,
        task_store_errors_even_if_ignored=False,
        task_acks_late=True,
        task_reject_on_worker_lost=False,  # a poison task would loop; the sweep re-issues instead
        task_queues=[Queue(name) for name in QUEUES],  # type: ignore[no-untyped-call]
        task_default_queue=EVENTS_QUEUE,
        task_serializer="json",
        accept_content=["json"],
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_send_task_events=False,
        worker_enable_remote_control=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": VISIBILITY_TIMEOUT_S,
            "socket_timeout": PUBLISH_TIMEOUT_S,
            "socket_connect_timeout": PUBLISH_TIMEOUT_S,
            "queue_order_strategy": f"{PlayFirst.__module__}:{PlayFirst.__name__}",
        },
        beat_schedule={
            "sweep": {
                "task": "workers.sweep",
                "schedule": SWEEP_EVERY_S,
                "options": {"queue": EVENTS_QUEUE, "expires": 5 * SWEEP_EVERY_S},
            }
        },
    )
    return app


def celery_url(url: str) -> str:
    """Return the broker's URL as Celery spells it: a unix socket is ``redis+socket://`` there."""
    if url.startswith("unix://"):
        path, _, query = url.removeprefix("unix://").partition("?")
        number = dict(pair.split("=", 1) for pair in query.split("&") if "=" in pair).get("db", "0")
        return f"redis+socket://{path}?virtual_host={number}"
    return url
