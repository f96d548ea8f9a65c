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
TABLES = "rummy_arena_tables_total"
TOURNAMENTS = "rummy_arena_tournaments_total"
RPCS = "grpc_server_handled_total"
NAMES = (ACTIONS, DEALS, TABLES, TOURNAMENTS, RPCS)


@dataclass(frozen=True)
class Figures:
    """Counts since the processes started, at one moment."""

    at_s: float  # monotonic
    counts: Mapping[tuple[str, str], float] = field(default_factory=dict)  # by metric and outcome
    silent: tuple[str, ...] = ()  # processes that did not answer

    def total(self, name: str) -> int:
        """Return the sum of a counter over processes; tables and tournaments as they finished."""
        outcome = "finished" if name in (TABLES, TOURNAMENTS) else None
        return round(
            sum(
                n
                for (metric, how), n in self.counts.items()
                if metric == name and outcome in (None, how)
            )
        )

    @property
    def deal_ends(self) -> dict[str, int]:
        """Deals by how they ended."""
        found = {how: round(n) for (metric, how), n in self.counts.items() if metric == DEALS}
        return {how: n for how, n in sorted(found.items()) if n}

    def since(self, earlier: Figures) -> Figures:
        """Return what was counted between ``earlier`` and now."""
        return Figures(
            self.at_s,
            {key: n - earlier.counts.get(key, 0.0) for key, n in self.counts.items()},
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
            "deals_by_end": self.deal_ends,
            "actions": self.total(ACTIONS),
            "calls": self.total(RPCS),
        }


def read_figures(record: Mapping[str, Any]) -> Figures:
    """Scrape every endpoint of a run record; a process that does not answer is named in it."""
    counts: defaultdict[tuple[str, str], float] = defaultdict(float)
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
            counts[metric, labels.get("outcome", "")] += value
    return Figures(time.monotonic(), counts, tuple(silent))


def samples(lines: Iterable[str]) -> list[tuple[str, dict[str, str], float]]:
    """Return name, labels and value of the counters that matter here."""
    from prometheus_client.parser import text_string_to_metric_families

    wanted = [line for line in lines if line.startswith(NAMES)]  # parsing all would be slow
    return [
        (sample.name, sample.labels, sample.value)
        for family in text_string_to_metric_families("\n".join(wanted) + "\n")
        for sample in family.samples
    ]
