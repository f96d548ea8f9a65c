"""Against a server that somebody else runs: the embedded one is left out then."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from services.runtime.children import spawn, stop
from services.runtime.valkey import start_valkey
from tests.ports import free_port
from tests.state.servers import three_masters

from .arenas import demo, running

OPTIONS = ("--entrants", "12", "--seed", "outside")
REDIS = shutil.which(os.environ.get("TEST_REDIS_SERVER", "redis-server"))


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[str]:
    server, url = start_valkey(tmp_path / "other", log=tmp_path / "other.log")
    yield url
    stop(server, grace_s=5)


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[str]:
    if REDIS is None:
        pytest.skip("no redis-server on this machine; the one of Debian will do")
    port = free_port()
    command = [REDIS, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(tmp_path)]
    server = spawn("redis", [*command, "--save", ""], log=tmp_path / "redis.log")
    deadline = time.monotonic() + 10
    while "Ready to accept" not in server.log.read_text():
        assert not server.ended, server.log.read_text()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    yield f"redis://127.0.0.1:{port}"
    stop(server, grace_s=5)


def test_state_and_broker_in_two_databases_of_a_running_valkey(valkey: str) -> None:
    _same_as_embedded(f"{valkey}?db=1", f"{valkey}?db=2")


def test_a_running_redis_7(redis: str) -> None:
    _same_as_embedded(f"{redis}/0", f"{redis}/1")


def test_the_state_on_a_cluster_of_three_masters(valkey: str, tmp_path: Path) -> None:
    with three_masters(tmp_path / "cluster") as cluster:
        _same_as_embedded(cluster.url, valkey)


def test_an_arena_at_a_running_server_starts_no_server_and_leaves_it_alone(
    valkey: str, tmp_path: Path
) -> None:
    with running(tmp_path / "arena", env={"RUMMY_ARENA_REDIS_URL": valkey}) as arena:
        assert "valkey" not in arena.record["processes"]
        assert arena.end(signal.SIGTERM) == 0
    with socket.socket(socket.AF_UNIX) as probe:
        probe.connect(valkey.removeprefix("unix://"))
        probe.sendall(b"PING\r\n")
        assert probe.recv(16).startswith(b"+PONG")


def _same_as_embedded(redis_url: str, broker_url: str) -> None:
    outside = {"RUMMY_ARENA_REDIS_URL": redis_url, "RUMMY_ARENA_BROKER_URL": broker_url}
    assert demo(*OPTIONS, env=outside)["standings"] == _embedded()["standings"]


@cache
def _embedded() -> dict[str, Any]:
    return demo(*OPTIONS)
