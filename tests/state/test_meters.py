"""Meters: two in a process do not clash, several processes add up, the store counts leases."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from services.state import keys
from services.state.errors import Busy, LeaseLost
from services.state.meters import Meters
from services.state.store import Store

from .conftest import THING, Things

WORKER = """
import os, sys
from prometheus_client import CollectorRegistry
from services.state.meters import Meters
meters = Meters(CollectorRegistry())
meters.count_actions("rules", int(sys.argv[1]))
meters.set_outbox_depth(int(sys.argv[1]))
meters.rpc_handled("/a.Service/Do", "OK", 0.01)
"""
SCRAPE = """
import sys
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
registry = CollectorRegistry()
MultiProcessCollector(registry)
print(generate_latest(registry).decode())
"""


def exposed(meters: Meters) -> str:
    return generate_latest(meters.registry).decode()


def sample(meters: Meters, name: str, **labels: str) -> float:
    value = meters.registry.get_sample_value(name, labels)
    return 0.0 if value is None else value


def test_two_in_one_process() -> None:
    first, second = Meters(), Meters()
    first.count_actions("rules", 3)
    assert sample(first, "rummy_arena_actions_total", rule_set="rules") == 3
    assert sample(second, "rummy_arena_actions_total", rule_set="rules") == 0


def test_every_name_is_ours_or_grpcs() -> None:
    names = [
        line.split()[2] for line in exposed(Meters()).splitlines() if line.startswith("# TYPE")
    ]
    assert names
    assert all(name.startswith(("rummy_arena_", "grpc_server_")) for name in names)


def test_rpcs_by_service_method_and_code() -> None:
    meters = Meters()
    meters.rpc_started("/pkg.Service/Do")
    meters.rpc_handled("/pkg.Service/Do", "ABORTED", 0.02)
    where = {"grpc_service": "pkg.Service", "grpc_method": "Do"}
    assert sample(meters, "grpc_server_started_total", **where) == 1
    assert sample(meters, "grpc_server_handled_total", grpc_code="ABORTED", **where) == 1
    assert sample(meters, "grpc_server_handling_seconds_count", **where) == 1


async def test_the_store_counts_waits_and_losses(store: Store, thing: Things) -> None:
    held = await thing.take(lease_ms=5_000)
    with pytest.raises(Busy):
        await thing.take(wait_s=0)
    await store._client.delete(keys.lease(THING, "a1"))
    with pytest.raises(LeaseLost):
        await store.commit(held, b"late")
    meters = store.meters
    assert sample(meters, "rummy_arena_lease_wait_seconds_count", aggregate=THING) == 1
    assert sample(meters, "rummy_arena_leases_lost_total", aggregate=THING) == 1


def test_several_processes_add_up(tmp_path: Path) -> None:
    environment = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    for actions in ("3", "4"):
        subprocess.run([sys.executable, "-c", WORKER, actions], env=environment, check=True)
    text = subprocess.run(
        [sys.executable, "-c", SCRAPE], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert 'rummy_arena_actions_total{rule_set="rules"} 7.0' in text
    assert (
        'grpc_server_handling_seconds_count{grpc_method="Do",grpc_service="a.Service"} 2.0' in text
    )


def test_registry_of_the_caller() -> None:
    registry = CollectorRegistry()
    assert Meters(registry).registry is registry
