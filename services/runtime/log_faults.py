"""How a log tells of an exception: its types and where, but no text in which a card may be."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import rummy_arena
from rummy_arena.game.errors import RuleViolation
from services.play import stand_in

_ROOMS = (
    *(f"{Path(rummy_arena.__file__).parent / room}/" for room in ("game", "bots", "rulesets")),
    stand_in.__file__,
)
"""Code that has cards in its hands; what it or anything that it calls raises may name some."""
LEFT_OUT = "(its text is left out, for it may name cards)"


def fault_text(error: BaseException) -> str:
    """Return the tracebacks of an exception and of those before it, the first cause first.

    Logs are read by people who may not see a card of a running game (X-15). So an exception that
    came through the rules or a bot is told by its type and place alone.
    """
    chain = list(_chain(error))
    hidden = any(_may_name_cards(one) for one in chain)
    told = [_told(one, hidden=hidden) for one in reversed(chain)]
    return "\n\nthen, while that was handled or because of it:\n\n".join(told)


def render_fault(_logger: Any, _method: str, event: dict[str, Any]) -> dict[str, Any]:
    """Stand among structlog's processors: turn ``exc_info`` into the text of ``exception``."""
    given = event.pop("exc_info", None)
    error = _error(given)
    if error is not None:
        event["exception"] = fault_text(error)
    return event


def _error(given: object) -> BaseException | None:
    if isinstance(given, BaseException):
        return given
    if isinstance(given, tuple):
        return given[1] if isinstance(given[1], BaseException) else None
    if given:
        return sys.exc_info()[1]
    return None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    known: set[int] = set()
    while error is not None and id(error) not in known:
        known.add(id(error))
        yield error
        hidden = error.__suppress_context__
        error = error.__cause__ or (None if hidden else error.__context__)


def _may_name_cards(error: BaseException) -> bool:
    return isinstance(error, RuleViolation) or any(
        file.startswith(_ROOMS) for file in _files(error.__traceback__)
    )


def _files(trace: TracebackType | None) -> Iterator[str]:
    while trace is not None:
        yield trace.tb_frame.f_code.co_filename
        trace = trace.tb_next


def _told(error: BaseException, *, hidden: bool) -> str:
    kind = type(error)
    room = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    text = LEFT_OUT if hidden else str(error)
    code = f" {error.code} ({error.clause})" if isinstance(error, RuleViolation) else ""
    lines = ["Traceback (most recent call last):\n", *traceback.format_tb(error.__traceback__)]
    return f"{''.join(lines)}{room}{kind.__qualname__}:{code} {text}"
