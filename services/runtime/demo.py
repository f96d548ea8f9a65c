"""``rummy-arena demo``: start an arena, play a tournament as its client, show it, stop."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import shutil
import tempfile
import time
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

from rummy_arena.client import Arena, ArenaError
from rummy_arena.rulesets.errors import OptionError, UnknownRuleSet
from rummy_arena.rulesets.registry import get_rule_set

from .arena import addresses, running_arena, say, serve_until_stopped
from .datadir import DataDir
from .demo_play import Outcome, Plan, play, usual_seats
from .demo_report import document, report
from .demo_view import Viewer, options_text, viewer
from .figures import Figures, read_figures
from .settings import load_settings
from .signals import StopSignals
from .supervisor import ChildError, Interrupted, SetupError, Supervisor

WATCH_EVERY_S = 0.1
SCRAPE_EVERY_S = 0.5
STALL_S = 60.0
LONGEST_SEED = 128  # characters, as the API has it

__all__ = ["Plan", "run_demo", "usual_seats"]

Result = TypeVar("Result")


def run_demo(plan: Plan, *, workers: int | None, data_dir: Path | None, port: int | None) -> int:
    """Play the demo; returns the exit status.

    Raises SetupError, DataDirError or SettingsError for what the user can put right, ChildError
    when a process fails.
    """
    check(plan)
    begun_s = time.monotonic()
    signals = StopSignals()
    signals.install()
    seed = plan.seed if plan.seed is not None else str(secrets.randbelow(10**6))
    with _folder(data_dir) as folder:
        # A demo talks to itself on this machine: it needs no certificate, whatever else does.
        plain = {"tls_cert": "", "tls_key": "", "tls_client_ca": ""}
        plain["archive_url"] = ""  # nor are its games for keeping
        plain["admin_token"] = ""  # and a token of its own will do
        settings = load_settings(data_dir=folder, api_port=port or 0, workers=workers, **plain)
        directory = DataDir(settings.data_dir)
        say("starting the store, the API server, the relay, the workers and the clock")
        try:
            with running_arena(settings, directory, signals) as (supervisor, record):
                start_s = time.monotonic() - begun_s
                token = directory.admin_token()
                guard = _Guard(supervisor, signals)
                outcome, figures = asyncio.run(
                    guard.run(_follow(plan, seed, record, token, workers=settings.workers))
                )
                _show(plan, outcome, figures, seed=seed, start_s=start_s)
                if plan.keep:
                    for line in addresses(record, directory, settings):
                        say(line)
                    serve_until_stopped(supervisor, signals)
                    say("stopping")
        except Interrupted:
            say("stopped before the end")
            return 128 + int(signals.first or 0)
    return 0


def check(plan: Plan) -> None:
    """Raise SetupError for a plan that no arena would accept, before anything starts."""
    try:
        rules = get_rule_set(plan.rule_set, plan.options)
    except UnknownRuleSet as error:
        raise SetupError(f"{error}; choose one with --rule-set") from None
    except OptionError as error:
        raise SetupError(f"--option: {error}") from None
    if not rules.min_seats <= plan.seats <= rules.max_seats:
        raise SetupError(
            f"--seats {plan.seats}: {rules.id}{options_text(plan.options)} is for "
            f"{rules.min_seats} to {rules.max_seats} seats"
        )
    if plan.advance >= plan.seats:
        raise SetupError(
            f"--advance {plan.advance}: fewer must go on than sit at a table of {plan.seats}"
        )
    if plan.entrants < rules.min_seats:
        raise SetupError(f"--entrants {plan.entrants}: {rules.id} needs {rules.min_seats} at least")
    if plan.seed is not None and not 1 <= len(plan.seed) <= LONGEST_SEED:
        raise SetupError(f"--seed: give 1 to {LONGEST_SEED} characters, or leave it out")


async def _follow(
    plan: Plan, seed: str, record: dict[str, Any], token: str, *, workers: int
) -> tuple[Outcome, Figures]:
    view = viewer(plan, seed, workers=workers)
    before = await asyncio.to_thread(read_figures, record)
    async with Arena.connect(record["api"], token=token) as arena:
        scraping = asyncio.create_task(_scrape(record, before, view))
        try:
            with view:
                outcome = await play(arena, plan, seed, view.show, stall_s=STALL_S)
        except ArenaError as error:
            raise ChildError(f"the arena refused: {error}") from None
        except TimeoutError:
            raise ChildError(f"no table has finished for {STALL_S:.0f} s") from None
        finally:
            scraping.cancel()
    return outcome, (await asyncio.to_thread(read_figures, record)).since(before)


async def _scrape(record: dict[str, Any], earlier: Figures, view: Viewer) -> None:
    while True:
        await asyncio.sleep(SCRAPE_EVERY_S)
        now = await asyncio.to_thread(read_figures, record)
        view.rate(now.since(earlier), now.at_s - earlier.at_s)
        earlier = now


def _show(plan: Plan, outcome: Outcome, figures: Figures, *, seed: str, start_s: float) -> None:
    if plan.as_json:
        told = document(plan, outcome, figures, seed=seed, start_s=start_s)
        print(json.dumps(told), flush=True)
    else:
        report(plan, outcome, figures, seed=seed, start_s=start_s)


class _Guard:
    """Runs a coroutine unless a signal comes or a process ends first."""

    def __init__(self, supervisor: Supervisor, signals: StopSignals) -> None:
        self._supervisor = supervisor
        self._signals = signals

    async def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        task = asyncio.ensure_future(work)
        while not task.done():
            await asyncio.wait({task}, timeout=WATCH_EVERY_S)
            ending = self._ending()
            if ending is not None and not task.done():
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, ChildError):
                    await task
                raise ending
        return task.result()

    def _ending(self) -> Exception | None:
        if self._signals.received():
            return Interrupted()
        failure = self._supervisor.failure()
        return None if failure is None else ChildError(failure)


@contextlib.contextmanager
def _folder(given: Path | None) -> Iterator[Path]:
    """Yield the data directory: the given one, or a fresh one that goes if all went well."""
    if given is not None:
        yield given
        return
    made = Path(tempfile.mkdtemp(prefix="rummy-arena-"))
    try:
        yield made
    except ChildError:
        say(f"the logs are kept in {made}")
        raise
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    shutil.rmtree(made, ignore_errors=True)
