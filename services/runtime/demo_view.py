"""What a demo shows while it runs: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from services.events.create_tournament import TournamentOptions, rules_of

from .demo_play import Plan, Progress
from .figures import ACTIONS, Figures

LINE_EVERY_S = 2.0


class Viewer(AbstractContextManager["Viewer"]):
    """Shows progress as plain lines on stderr; a subclass knows better."""

    def __init__(self, headline: str) -> None:
        self._headline = headline
        self._progress = Progress()
        self._rounds_told = 0
        self._last_line_s = time.monotonic()
        self._rate_text = ""

    def __enter__(self) -> Self:
        self._line(self._headline)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self._line(self._summary())

    def show(self, progress: Progress) -> None:
        """Take the tournament's progress after an event."""
        self._progress = progress
        for row in progress.rounds[self._rounds_told :]:
            self._line(f"{row.title}: {row.entrants} entrants at {tables(row.tables)}")
        self._rounds_told = len(progress.rounds)
        if time.monotonic() - self._last_line_s >= LINE_EVERY_S:
            self._line(f"  {self._summary()}")

    def rate(self, lately: Figures, lately_s: float) -> None:
        """Take what the Prometheus endpoints counted in the last seconds."""
        a_second = lately.total(ACTIONS) / max(lately_s, 0.001)
        self._rate_text = f"now {a_second:,.0f} actions a second"

    def _summary(self) -> str:
        progress = self._progress
        if not progress.rounds:
            return f"{progress.entered} house bots have entered"
        elapsed_s = time.monotonic() - progress.started_s
        return (
            f"{tables(progress.tables)}, {progress.deals} deals, {progress.actions} actions "
            f"in {elapsed_s:.1f} s"
        )

    def _line(self, text: str) -> None:
        self._last_line_s = time.monotonic()
        print(text, file=sys.stderr, flush=True)


class LiveViewer(Viewer):
    """Shows a bar for each round, redrawn in place."""

    def __init__(self, headline: str, console: Console) -> None:
        super().__init__(headline)
        self._live = Live(console=console, get_renderable=self._draw, refresh_per_second=8)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.stop()

    def show(self, progress: Progress) -> None:
        """Take the tournament's progress; the display redraws itself."""
        self._progress = progress

    def _draw(self) -> Group:
        rows = Table.grid(padding=(0, 2))
        for row in self._progress.rounds:
            rows.add_row(
                row.title,
                f"{row.entrants} entrants",
                ProgressBar(total=row.tables, completed=row.finished, width=32),
                f"{row.finished}/{row.tables} tables",
            )
        return Group(
            Text(self._headline, style="bold"),
            rows,
            Text(f"{self._summary()}  {self._rate_text}", style="dim"),
        )


def tables(count: int) -> str:
    """Return a number of tables in words."""
    return "1 table" if count == 1 else f"{count} tables"


def options_text(options: Mapping[str, str]) -> str:
    """Return chosen options in words, to stand after the rule set that they belong to."""
    chosen = ", ".join(f"{name}={value}" for name, value in sorted(options.items()))
    return f" with {chosen}" if chosen else ""


def effective_options(plan: Plan) -> dict[str, str]:
    """Return the options that the tournament is played by, those that nobody chose included."""
    rules = rules_of(
        TournamentOptions(
            title="",
            rule_set=plan.rule_set,
            stages=(),
            rule_set_options=plan.options,
        )
    )
    return {**dict(rules.options), **plan.options}


def viewer(plan: Plan, seed: str, *, workers: int) -> Viewer:
    """Return the display that suits the terminal and the options."""
    processes = "1 worker" if workers == 1 else f"{workers} workers"
    headline = (
        f"{plan.rule_set}{options_text(effective_options(plan))}: {plan.entrants} house bots, "
        f"tables of {plan.seats}, {plan.advance} go on, seed {seed}, {processes}"
    )
    console = Console(stderr=plan.as_json)
    if console.is_terminal:
        return LiveViewer(headline, console)
    return Viewer(headline)
