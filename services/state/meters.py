"""Every Prometheus metric, made by the composition root, never at import.

In a worker each pool process writes its own files (prometheus_client's multiprocess mode), so
counters and histograms add up over processes and gauges say how they are to be combined. Children
of labelled metrics are kept, since looking one up costs four times as much as using it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

PREFIX = "rummy_arena_"
FAST_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LAG_S = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
WAITS_S = (0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0)
DECISION_S = (1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 1e-3, 1e-2, 0.1, 1.0)


class Meters:
    """What is counted and timed; one per process."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        """Register every metric in ``registry``, a fresh one by default."""
        registry = registry or CollectorRegistry()
        self.registry = registry
        self._actions = Counter(
            PREFIX + "actions", "Actions applied at tables.", ["rule_set"], registry=registry
        )
        self._deals = Counter(
            PREFIX + "deals",
            "Deals ended, by how: out, void or cap.",
            ["rule_set", "outcome"],
            registry=registry,
        )
        self._tables = Counter(
            PREFIX + "tables",
            "Tables by what happened to them: started or finished.",
            ["rule_set", "outcome"],
            registry=registry,
        )
        self._tournaments = Counter(
            PREFIX + "tournaments",
            "Tournaments by what happened to them: created, started or finished.",
            ["rule_set", "outcome"],
            registry=registry,
        )
        self._decisions = Histogram(
            PREFIX + "bot_decision_seconds",
            "Time of one house bot's decision with its move; the mean of each burst.",
            ["rule_set"],
            buckets=DECISION_S,
            registry=registry,
        )
        self._bots_failed = Counter(
            PREFIX + "bots_failed",
            "Bursts in which a house bot failed and its seat made standard moves instead.",
            ["bot"],
            registry=registry,
        )
        self._game_cpu = Counter(
            PREFIX + "game_cpu_seconds",
            "Processor time spent in rules and bots, without storing what they led to.",
            ["rule_set"],
            registry=registry,
        )
        self._lease_waits = Histogram(
            PREFIX + "lease_wait_seconds",
            "Time from asking for a lease to having it and its record.",
            ["aggregate"],
            buckets=FAST_S,
            registry=registry,
        )
        self._leases_lost = Counter(
            PREFIX + "leases_lost",
            "Commits refused because the lease ran out or somebody else wrote.",
            ["aggregate"],
            registry=registry,
        )
        self._relayed = Counter(
            PREFIX + "outbox_relayed", "Outbox messages given to the broker.", registry=registry
        )
        self._outbox_lag = Histogram(
            PREFIX + "outbox_lag_seconds",
            "Age of the oldest message of each batch when the broker had it.",
            buckets=FAST_S,
            registry=registry,
        )
        self._outbox_depth = Gauge(
            PREFIX + "outbox_depth",
            "Messages that wait in all outboxes.",
            multiprocess_mode="livemax",
            registry=registry,
        )
        self._queue_depth = Gauge(
            PREFIX + "queue_depth",
            "Tasks that wait in a queue of the broker.",
            ["queue"],
            multiprocess_mode="livemax",
            registry=registry,
        )
        self._archived = Counter(
            PREFIX + "archived", "Tables put into the archive.", registry=registry
        )
        self._archive_failed = Counter(
            PREFIX + "archive_failed",
            "Tables that the archive did not take; each is tried again.",
            registry=registry,
        )
        self._ladder_results = Counter(
            PREFIX + "ladder_results",
            "Results that a ladder or an arena has rated.",
            ["rule_set"],
            registry=registry,
        )
        self._ladder_waits = Histogram(
            PREFIX + "ladder_wait_seconds",
            "Time that an entrant of a ladder waited for a table, its pause included.",
            buckets=WAITS_S,
            registry=registry,
        )
        self._webhook_tries = Counter(
            PREFIX + "webhook_tries",
            "Payloads tried by how: delivered or failed; and webhooks disabled after failures.",
            ["outcome"],
            registry=registry,
        )
        self._webhook_lag = Histogram(
            PREFIX + "webhook_lag_seconds",
            "Age of a payload's first event when it was first tried.",
            buckets=LAG_S,
            registry=registry,
        )
        self._webhook_owed = Gauge(
            PREFIX + "webhook_oldest_undelivered_seconds",
            "Age of the oldest event that a failing webhook owes; 0 if none fails.",
            multiprocess_mode="livemax",
            registry=registry,
        )
        self._rpcs_started = Counter(
            "grpc_server_started",
            "RPCs begun.",
            ["grpc_service", "grpc_method"],
            registry=registry,
        )
        self._rpcs_handled = Counter(
            "grpc_server_handled",
            "RPCs completed, by status code.",
            ["grpc_service", "grpc_method", "grpc_code"],
            registry=registry,
        )
        self._rpc_times = Histogram(
            "grpc_server_handling_seconds",
            "Time from an RPC's arrival to its end.",
            ["grpc_service", "grpc_method"],
            buckets=FAST_S,
            registry=registry,
        )
        # Kept children: label values are few, and known only as they come.
        self._actions_of = lru_cache(maxsize=256)(self._actions.labels)
        self._deals_of = lru_cache(maxsize=256)(self._deals.labels)
        self._decisions_of = lru_cache(maxsize=256)(self._decisions.labels)
        self._game_cpu_of = lru_cache(maxsize=256)(self._game_cpu.labels)
        self._waits_of = lru_cache(maxsize=16)(self._lease_waits.labels)
        self._started_of = lru_cache(maxsize=256)(self._rpcs_started.labels)
        self._handled_of = lru_cache(maxsize=1024)(self._rpcs_handled.labels)
        self._times_of = lru_cache(maxsize=256)(self._rpc_times.labels)

    # --- play ------------------------------------------------------------------------------

    def count_actions(self, rule_set: str, actions: int) -> None:
        """Add actions that a commit has stored."""
        self._actions_of(rule_set).inc(actions)

    def count_deal(self, rule_set: str, outcome: str) -> None:
        """Add a deal that ended."""
        self._deals_of(rule_set, outcome).inc()

    def count_table(self, rule_set: str, outcome: str) -> None:
        """Add a table that was ``started`` or has ``finished``."""
        self._tables.labels(rule_set, outcome).inc()

    def count_tournament(self, rule_set: str, outcome: str) -> None:
        """Add a tournament that was ``created``, ``started`` or has ``finished``."""
        self._tournaments.labels(rule_set, outcome).inc()

    @contextmanager
    def bot_burst(self, rule_set: str) -> Iterator[list[int]]:
        """Time a burst of decisions; the caller appends their number to the list."""
        decisions: list[int] = []
        started, cpu_started = time.perf_counter(), time.process_time()
        yield decisions
        self._game_cpu_of(rule_set).inc(time.process_time() - cpu_started)
        total = sum(decisions)
        if total:
            self._decisions_of(rule_set).observe((time.perf_counter() - started) / total)

    def bot_failed(self, bot: str) -> None:
        """Add a burst that a house bot's fault has cost its moves."""
        self._bots_failed.labels(bot).inc()

    # --- ladders ---------------------------------------------------------------------------

    def ladder_rated(self, rule_set: str) -> None:
        """Add a result that a ladder has rated."""
        self._ladder_results.labels(rule_set).inc()

    def ladder_waited(self, seconds: float) -> None:
        """Observe how long an entrant waited for the table that it was given."""
        self._ladder_waits.observe(seconds)

    # --- the archive -----------------------------------------------------------------------

    def archived(self) -> None:
        """Add a table that is in the archive now."""
        self._archived.inc()

    def archive_failed(self) -> None:
        """Add a table that the archive did not take."""
        self._archive_failed.inc()

    # --- webhooks --------------------------------------------------------------------------

    def webhook_tried(self, outcome: str, lag_s: float | None) -> None:
        """Add a try; ``lag_s`` is the age of what was tried for the first time."""
        self._webhook_tries.labels(outcome).inc()
        if lag_s is not None:
            self._webhook_lag.observe(lag_s)

    def set_webhook_owed(self, seconds: float) -> None:
        """Set how old the oldest event is that a failing webhook owes."""
        self._webhook_owed.set(seconds)

    # --- state -----------------------------------------------------------------------------

    def lease_waited(self, aggregate: str, seconds: float) -> None:
        """Observe how long a lease took."""
        self._waits_of(aggregate).observe(seconds)

    def lease_lost(self, aggregate: str) -> None:
        """Add a commit that was refused."""
        self._leases_lost.labels(aggregate).inc()

    # --- the relay -------------------------------------------------------------------------

    def relayed(self, messages: int, oldest_s: float) -> None:
        """Add a batch of messages that the broker has."""
        self._relayed.inc(messages)
        self._outbox_lag.observe(oldest_s)

    def set_outbox_depth(self, messages: int) -> None:
        """Set how many messages wait."""
        self._outbox_depth.set(messages)

    def set_queue_depth(self, queue: str, tasks: int) -> None:
        """Set how many tasks wait in a queue."""
        self._queue_depth.labels(queue).set(tasks)

    # --- RPCs ------------------------------------------------------------------------------

    def rpc_started(self, full_method: str) -> None:
        """Add an RPC that began; ``full_method`` is ``/package.Service/Method``."""
        self._started_of(*_split(full_method)).inc()

    def rpc_handled(self, full_method: str, code: str, seconds: float) -> None:
        """Add an RPC that ended with this status code after so long."""
        service, method = _split(full_method)
        self._handled_of(service, method, code).inc()
        self._times_of(service, method).observe(seconds)


@lru_cache(maxsize=256)
def _split(full_method: str) -> tuple[str, str]:
    service, _, method = full_method.removeprefix("/").partition("/")
    return service, method
