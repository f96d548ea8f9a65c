"""Real servers of every kind that the state may lie on: one Valkey, a cluster of three, Redis 7."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis

from services.runtime.children import Child, spawn, stop
from services.runtime.valkey import _binary

REDIS = shutil.which(os.environ.get("TEST_REDIS_SERVER", "redis-server"))
OLDEST_REDIS = 7
SLOTS = 16_384
BUS = 10_000
"""A node's cluster bus has a port so much higher, which must exist."""
START_S = 15.0
NODE_TIMEOUT_MS = 2_000


def free_port() -> int:
    """Return a port of the loopback that is free with its bus port.

    It is none of those that outgoing connections are given: a node that starts again must find its
    port free.
    """
    while True:
        port = random.randrange(20_000, 22_700)
        with socket.socket() as one, socket.socket() as bus, contextlib.suppress(OSError):
            one.bind(("127.0.0.1", port))
            bus.bind(("127.0.0.1", port + BUS))
            return port


def redis_version() -> int:
    """Return the major version of this machine's redis-server, or 0 if there is none."""
    if REDIS is None:
        return 0
    told = subprocess.run([REDIS, "--version"], capture_output=True, text=True, check=True).stdout
    return int(told.partition("v=")[2].partition(".")[0] or 0)


@contextlib.contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """Run this machine's redis-server on a unix socket; give its URL."""
    assert REDIS is not None
    path = folder / "s"
    options = {"port": "0", "unixsocket": str(path), "dir": str(folder), "save": ""}
    child = _spawn(REDIS, folder, "redis", options)
    try:
        _until_answers(child, redis.Redis(unix_socket_path=str(path)))
        yield f"unix://{path}"
    finally:
        stop(child, grace_s=5)


@dataclass
class Node:
    """One master."""

    port: int
    folder: Path
    child: Child

    def ask(self) -> Any:
        """Return a client of this node alone."""
        return redis.Redis("127.0.0.1", self.port, socket_timeout=5, decode_responses=True)


@dataclass
class ThreeMasters:
    """A cluster without replicas; every node keeps an append-only file that is always synced."""

    folder: Path
    nodes: list[Node] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The URL that names two of its nodes."""
        return f"redis-cluster://127.0.0.1:{self.nodes[0].port},127.0.0.1:{self.nodes[1].port}"

    def form(self) -> None:
        """Start the nodes, give each a third of the slots, and wait until all agree."""
        for number in range(3):
            port = free_port()
            folder = self.folder / f"node-{number}"
            folder.mkdir()
            self.nodes.append(Node(port, folder, self._start(port, folder)))
        for node in self.nodes:
            _until_answers(node.child, node.ask())
        bounds = [SLOTS * number // 3 for number in range(4)]
        for number, node in enumerate(self.nodes):
            client = node.ask()
            client.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
            client.execute_command("CLUSTER ADDSLOTSRANGE", bounds[number], bounds[number + 1] - 1)
            if number:
                client.execute_command("CLUSTER MEET", "127.0.0.1", self.nodes[0].port)
        self.settle()

    def settle(self) -> None:
        """Wait until every node knows all three and says that all is well."""
        deadline = time.monotonic() + START_S
        while not all(_at_ease(node.ask()) for node in self.nodes):
            assert time.monotonic() < deadline, "the cluster does not form"
            time.sleep(0.05)

    def kill(self, number: int) -> None:
        """End a node on the spot."""
        self.nodes[number].child.process.kill()
        self.nodes[number].child.process.wait()

    def start_again(self, number: int, *, wait: bool = True) -> None:
        """Start a node that was ended, with what it had; from the main thread."""
        node = self.nodes[number]
        node.child = self._start(node.port, node.folder)
        if wait:
            _until_answers(node.child, node.ask())

    def mend(self) -> None:
        """Start what was ended, and empty every node."""
        for number, node in enumerate(self.nodes):
            if node.child.ended:
                self.start_again(number)
        self.settle()
        for node in self.nodes:
            node.ask().flushall()

    def _start(self, port: int, folder: Path) -> Child:
        options = {
            "port": str(port),
            "bind": "127.0.0.1",
            "dir": str(folder),
            "save": "",
            "appendonly": "yes",
            "appendfsync": "always",
            "cluster-enabled": "yes",
            "cluster-node-timeout": str(NODE_TIMEOUT_MS),
            "cluster-require-full-coverage": "no",
        }
        return _spawn(_binary(), folder, f"node{port}", options)

    def close(self) -> None:
        """End what runs."""
        for node in self.nodes:
            stop(node.child, grace_s=2)


@contextlib.contextmanager
def three_masters(folder: Path) -> Iterator[ThreeMasters]:
    """Run a cluster of three masters."""
    folder.mkdir(exist_ok=True)
    cluster = ThreeMasters(folder)
    try:
        cluster.form()
        yield cluster
    finally:
        cluster.close()


def _spawn(binary: str, folder: Path, name: str, options: Mapping[str, str]) -> Child:
    command = [binary, *(word for name, value in options.items() for word in (f"--{name}", value))]
    return spawn(name, command, log=folder / "log")


def _until_answers(child: Child, client: Any) -> None:
    deadline = time.monotonic() + START_S
    while True:
        try:
            client.ping()
        except redis.RedisError:
            assert not child.ended, child.log.read_text()
            assert time.monotonic() < deadline
            time.sleep(0.02)
        else:
            return


def _at_ease(client: Any) -> bool:
    told = str(client.execute_command("CLUSTER INFO"))
    return "cluster_state': 'ok'" in told and "cluster_known_nodes': '3'" in told
