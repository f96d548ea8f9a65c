"""What the Prometheus endpoints of a running arena say, added up over its processes."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .probes import scrape
from .run_record import processes

ACTIONS = "rummy_arena_actions_total"
DEALS = "rummy_arena_deals_total"
TABLES = "rummy_arena_tables_finished_total"
TOURNAMENTS = "rummy_arena_tournaments_finished_total"
RPCS = "grpc_server_handled_total"
NAMES = (ACTIONS, DEALS, TABLES, TOURNAMENTS, RPCS)


@dataclass(frozen=True)
class Figures:
    """Counts since the processes started, at one moment."""

    at_s: float  # monotonic
    totals: Mapping[str, float] = field(default_factory=dict)
    deal_ends: Mapping[str, float] = field(default_factory=dict)  # deals by outcome
    silent: tuple[str, ...] = ()  # processes that did not answer

    def total(self, name: str) -> int:
        """Return the sum of a counter over all labels and processes."""
        return round(self.totals.get(name, 0.0))

    def since(self, earlier: Figures) -> Figures:
        """Return what was counted between ``earlier`` and now."""
        return Figures(
            self.at_s,
            {name: value - earlier.totals.get(name, 0.0) for name, value in self.totals.items()},
            {end: n - earlier.deal_ends.get(end, 0.0) for end, n in self.deal_ends.items()},
            self.silent,
        )

    def sentence(self) -> str:
        """Return the counts in words."""
        return (
            f"{self.total(TOURNAMENTS)} tournaments, {self.total(TABLES)} tables, "
            f"{self.total(DEALS)} deals, {self.total(ACTIONS)} actions, {self.total(RPCS)} calls"
        )

    def document(self) -> dict[str, Any]:
        """Return the counts for a JSON document."""
        return {
            "tournaments": self.total(TOURNAMENTS),
            "tables": self.total(TABLES),
            "deals": self.total(DEALS),
            "deals_by_end": {end: round(n) for end, n in sorted(self.deal_ends.items()) if n},
            "actions": self.total(ACTIONS),
            "calls": self.total(RPCS),
        }


def read_figures(record: Mapping[str, Any]) -> Figures:
    """Scrape every endpoint of a run record; a process that does not answer is named in it."""
    totals: defaultdict[str, float] = defaultdict(float)
    ends: defaultdict[str, float] = defaultdict(float)
    silent = []
    for name, entry in processes(record):
        if "metrics" not in entry:
            continue
        try:
            text = scrape(entry["metrics"])
        except OSError:
            silent.append(name)
            continue
        for metric, labels, value in samples(text.splitlines()):
            totals[metric] += value
            if metric == DEALS:
                ends[labels.get("outcome", "")] += value
    return Figures(time.monotonic(), totals, ends, tuple(silent))


def samples(lines: Iterable[str]) -> list[tuple[str, dict[str, str], float]]:
    """Return name, labels and value of the counters that matter here."""
    from prometheus_client.parser import text_string_to_metric_families

    wanted = [line for line in lines if line.startswith(NAMES)]  # parsing all would be slow
    return [
        (sample.name, sample.labels, sample.value)
        for family in text_string_to_metric_families("\n".join(wanted) + "\n")
        for sample in family.samples
    ]
