"""A worker that silently stopped consuming turns its health red, and no other does."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from services.runtime.children import spawn, stop
from services.runtime.datadir import DataDir
from services.runtime.probes import ask_http
from services.runtime.settings import load_settings
from services.runtime.valkey import start_valkey
from workers.app import EVENTS_QUEUE, make_app
from workers.hearing import DEAF_AFTER_S, Hearing


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def _hearing() -> tuple[Hearing, Clock]:
    clock = Clock()
    return Hearing(make_app(load_settings(redis_url="redis://nowhere:1")), clock=clock), clock


def test_nothing_to_do_is_no_problem() -> None:
    hearing, clock = _hearing()
    clock.now += 10 * DEAF_AFTER_S
    hearing.heard(0)
    assert hearing.problem() is None


def test_tasks_that_wait_for_long_are_one() -> None:
    hearing, clock = _hearing()
    hearing.heard(3)
    clock.now += DEAF_AFTER_S - 1
    assert hearing.problem() is None
    clock.now += 2
    assert "3 tasks wait" in (hearing.problem() or "")


def test_a_task_taken_or_an_empty_queue_is_a_new_beginning() -> None:
    hearing, clock = _hearing()
    hearing.heard(3)
    clock.now += DEAF_AFTER_S + 1
    hearing._on_taken()
    assert hearing.problem() is None
    clock.now += DEAF_AFTER_S + 1
    assert hearing.problem() is not None
    hearing.heard(0)
    hearing.heard(5)
    assert hearing.problem() is None


def test_a_worker_that_stopped_consuming_turns_red(tmp_path: Path) -> None:
    server, url = start_valkey(tmp_path / "store", log=tmp_path / "store.log")
    settings = {
        "RUMMY_ARENA_REDIS_URL": url,
        "RUMMY_ARENA_DATA_DIR": str(tmp_path / "data"),
        "RUMMY_ARENA_METRICS_PORT": "0",
    }
    child = spawn(
        "worker",
        [sys.executable, "-P", "-m", "tests.workers.deaf_worker"],
        log=tmp_path / "worker.log",
        env={**os.environ, "PYTHONPATH": os.getcwd(), **settings},
    )
    try:
        folder = DataDir(tmp_path / "data")
        address = _eventually(lambda: (folder.notice("worker") or {}).get("metrics"))
        assert _eventually(lambda: ask_http(address) is None), child.log.read_text()
        app = make_app(load_settings(redis_url=url))
        app.send_task("workers.sweep", queue=EVENTS_QUEUE)
        time.sleep(2)  # it takes this one, and is deaf from then on
        assert ask_http(address) is None
        for _ in range(3):
            app.send_task("workers.sweep", queue=EVENTS_QUEUE)
        problem = _eventually(lambda: ask_http(address))
        assert "tasks wait" in str(problem)
    finally:
        stop(child, grace_s=10)
        stop(server, grace_s=5)


def _eventually(look: Callable[[], object], *, within_s: float = 40.0) -> str:
    """Return what ``look`` finds, once it finds something."""
    until = time.monotonic() + within_s
    while not (found := look()):
        assert time.monotonic() < until
        time.sleep(0.1)
    return str(found)
