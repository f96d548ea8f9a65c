from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from services.runtime.health import Health
from services.runtime.metrics import Endpoint, prepare_metrics
from services.runtime.probes import ask_http, port_is_free

# Runs alone: prometheus_client chooses its storage when it is first imported.
GROUP = """
import os, sys
from pathlib import Path
from services.runtime.metrics import Endpoint, exposition, prepare_metrics
from services.runtime.probes import scrape
prepare_metrics(Path(sys.argv[1]))
from prometheus_client import CollectorRegistry, Counter, Gauge
registry = CollectorRegistry()
played = Counter("played", "x", registry=registry)
busy = Gauge("busy", "x", registry=registry, multiprocess_mode="livesum")
played.inc(1)
for _ in range(2):
    if os.fork() == 0:
        played.inc(10)
        busy.inc()
        os._exit(0)
    os.wait()
busy.inc(5)
endpoint = Endpoint("127.0.0.1", 0, lambda: None)
endpoint.start()
print(scrape(endpoint.address))
"""


def test_one_endpoint_is_right_for_a_group_of_processes(tmp_path: Path) -> None:
    command = [sys.executable, "-c", GROUP, str(tmp_path / "metrics")]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = text.splitlines()
    assert "played_total 21.0" in lines  # the dead children's counts stay
    assert "busy 5.0" in lines  # their gauges go


def test_metrics_of_an_earlier_start_are_wiped(tmp_path: Path) -> None:
    (tmp_path / "counter_1.db").write_bytes(b"old")
    code = (
        "import sys; from pathlib import Path; from services.runtime.metrics import *\n"
        "prepare_metrics(Path(sys.argv[1])); print(list(Path(sys.argv[1]).iterdir()))"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"


def test_preparing_too_late_is_an_error(tmp_path: Path) -> None:
    import prometheus_client  # noqa: F401  the import is the point

    with pytest.raises(RuntimeError, match="before prometheus_client"):
        prepare_metrics(tmp_path)


def test_health_needs_a_recent_round_of_work() -> None:
    now = 100.0
    health = Health(stale_after_s=5, clock=lambda: now)
    assert health.problem() == "has not finished starting"
    health.pulse()
    assert health.problem() is None
    now += 4.9
    health.trouble("the store does not answer")
    assert health.problem() is None
    now += 1
    assert health.problem() == (
        "no round of work went well for 6 s; last trouble: the store does not answer"
    )


def test_the_endpoint_says_how_the_process_fares() -> None:
    wrong: list[str] = ["the broker is away"]
    endpoint = Endpoint("127.0.0.1", 0, lambda: wrong[0] if wrong else None)
    endpoint.start()
    assert ask_http(endpoint.address) == "the broker is away"
    wrong.clear()
    assert ask_http(endpoint.address) is None
    host, _, port = endpoint.address.rpartition(":")
    assert not port_is_free(host, int(port))
    with pytest.raises(OSError, match="in use"):
        Endpoint(host, int(port), lambda: None)
    endpoint.close()
    assert port_is_free(host, int(port))
    assert "does not answer" in (ask_http(endpoint.address) or "")
