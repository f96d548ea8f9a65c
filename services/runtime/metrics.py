"""The Prometheus endpoint of a process group, and its health answer, over HTTP.

Metrics live in files, one set for each process of the group (prometheus_client's multiprocess
mode), so that one endpoint is right for a worker and all of its pool children. The folder is wiped
at start; at each scrape the gauges of processes that died are dropped, their counters stay.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

MULTIPROC_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
LIVE_FILE = re.compile(r"gauge_live\w*_(\d+)\.db$")


def prepare_metrics(folder: Path) -> None:
    """Empty ``folder`` and point prometheus_client at it.

    Must run before prometheus_client is imported, since the library chooses its storage then;
    raises RuntimeError otherwise.
    """
    if "prometheus_client" in sys.modules:
        raise RuntimeError("prepare_metrics must run before prometheus_client is imported")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.environ[MULTIPROC_VARIABLE] = str(folder)
    _know_own_pid()


def _know_own_pid() -> None:
    """Let metrics learn of a fork from the fork, instead of asking for the pid at each change.

    That is a system call, seven of them an action at a table: half of what the metrics cost.
    """
    from prometheus_client import values

    pid = [os.getpid()]

    def forked() -> None:
        pid[0] = os.getpid()

    os.register_at_fork(after_in_child=forked)
    # How the library is told of another way to name processes.
    values.ValueClass = values.MultiProcessValue(lambda: pid[0])  # type: ignore[no-untyped-call]


def exposition() -> bytes:
    """Return the metrics of the whole process group in Prometheus' text format."""
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    folder = Path(os.environ[MULTIPROC_VARIABLE])
    _mark_dead(folder)
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(folder))  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def _mark_dead(folder: Path) -> None:
    from prometheus_client.multiprocess import mark_process_dead

    owners = {int(m[1]) for file in folder.iterdir() if (m := LIVE_FILE.search(file.name))}
    for pid in owners:
        if not _alive(pid):
            mark_process_dead(pid, path=str(folder))  # type: ignore[no-untyped-call]


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


class Endpoint:
    """``/metrics`` and ``/healthz`` on one port, served by threads of the calling process."""

    def __init__(self, host: str, port: int, problem: Callable[[], str | None]) -> None:
        """Bind at once; port 0 takes a free one. Raises OSError when the port is taken."""
        self._server = ThreadingHTTPServer((host, port), _handler(problem))
        self._server.daemon_threads = True
        bound_host, bound_port = self._server.server_address[:2]
        self.address = f"{bound_host!s}:{bound_port}"

    def start(self) -> None:
        """Serve until the process ends or ``close``."""
        threading.Thread(
            target=self._server.serve_forever,
            name="metrics",
            kwargs={"poll_interval": 0.2},
            daemon=True,
        ).start()

    def close(self) -> None:
        """Stop serving and free the port."""
        self._server.shutdown()
        self._server.server_close()


def _handler(problem: Callable[[], str | None]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        server_version = "rummy-arena"
        timeout = 10

        def do_GET(self) -> None:
            if self.path == "/metrics":
                from prometheus_client.exposition import CONTENT_TYPE_LATEST

                self._answer(200, exposition(), CONTENT_TYPE_LATEST)
            elif self.path == "/healthz":
                wrong = problem()
                text = "ok" if wrong is None else wrong
                self._answer(200 if wrong is None else 503, f"{text}\n".encode(), "text/plain")
            else:
                self._answer(404, b"only /metrics and /healthz are here\n", "text/plain")

        def _answer(self, status: int, body: bytes, content_type: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the base's name
            """Scrapes are not worth a log line."""

    return Handler
