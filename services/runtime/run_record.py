"""What ``run.json`` says of the processes that run, and whether it is still true."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psutil

from .probes import ask_grpc, ask_http, ask_store

SAME_S = 2.0
"""Two readings of when a process was made differ by a second or so while the clock is slewed: they
are counted from the machine's start, which the kernel tells in whole seconds of the clock."""


def probe(entry: Mapping[str, Any]) -> str | None:
    """Ask a process, by its notice, how it fares: None when healthy, else what is wrong."""
    if "url" in entry:
        return ask_store(str(entry["url"]))
    # A shared address may answer for another process, one with TLS may want a certificate of ours.
    if "address" in entry and not (entry.get("shared") or entry.get("tls")):
        return ask_grpc(str(entry["address"]))
    if "metrics" in entry:
        return ask_http(str(entry["metrics"]))
    return "has not said where it listens"


def processes(record: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return name and entry of each process of a run record."""
    return list(record.get("processes", {}).items())


def is_running(entry: Mapping[str, Any]) -> bool:
    """True while the very process that the entry names exists (pids are used again)."""
    found = created(int(entry["pid"]))
    return found is not None and abs(found - float(entry["created"] or 0)) < SAME_S


def created(pid: int) -> float | None:
    """Return when the process was made, in seconds since the epoch, or None if there is none."""
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    except psutil.NoSuchProcess:
        return None
