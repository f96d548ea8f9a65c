"""Finds the bots that ``rummy-arena match`` is told of, and shows where they failed."""

from __future__ import annotations

import importlib
import sys
import traceback
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rummy_arena.bots.bot import Bot

_OWN_FRAMES = 12


class BotNotFound(Exception):
    """No bot is known by this name, or it cannot be made; the text says what to do."""


def find_bot(name: str) -> Bot:
    """Return the house bot of this name, or a new bot of the class that MODULE:CLASS names.

    Modules are looked for in the current folder as well. Raises BotNotFound.
    """
    from rummy_arena.bots.registry import HOUSE_BOTS

    if name in HOUSE_BOTS:
        return HOUSE_BOTS[name]
    module_name, _, class_name = name.partition(":")
    if not module_name or not class_name or module_name.startswith("."):
        known = ", ".join(HOUSE_BOTS)
        raise BotNotFound(f"no house bot {name!r}; known: {known}; your own is MODULE:CLASS")
    found = getattr(_imported(module_name), class_name, None)
    if found is None:
        raise BotNotFound(f"{module_name!r} has no {class_name!r}; write MODULE:CLASS of your bot")
    return _made(found, name)


def _imported(name: str) -> ModuleType:
    sys.path.insert(0, "")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and f"{name}.".startswith(f"{error.name}."):
            where = "in the current folder or installed"
            raise BotNotFound(f"cannot import {name!r} ({error}); is it {where}?") from error
        raise _broken(name, error, "install or mend what it imports") from error
    except (Exception, SystemExit) as error:
        raise _broken(name, error, "mend it first") from error
    finally:
        sys.path.remove("")


def _broken(name: str, error: BaseException, advice: str) -> BotNotFound:
    failed = f"importing {name!r} failed{_place(error)}: {_said(error)}"
    return BotNotFound(f"{failed}; {advice}")


def _made(found: Any, name: str) -> Bot:
    try:
        bot: Bot = found() if isinstance(found, type) else found
    except (Exception, SystemExit) as error:
        raise BotNotFound(
            f"{name} cannot be made without arguments ({_said(error)}{_place(error)}); "
            "name an object of it instead"
        ) from error
    if not callable(getattr(bot, "choose", None)):
        raise BotNotFound(f"{name} is no bot: it needs a method choose(view, dice)")
    return bot


def _said(error: BaseException) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _place(error: BaseException) -> str:
    """Return file and line of the failure, or nothing where it is none of the bot's files."""
    if isinstance(error, SyntaxError) and error.filename:
        return f" at {error.filename}:{error.lineno}"
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_own(frame.filename)]
    return f" at {own[-1].filename}:{own[-1].lineno}" if own else ""


def _is_own(filename: str) -> bool:
    return filename != __file__ and not filename.startswith("<") and filename != _IMPORTLIB


_IMPORTLIB = importlib.__file__


def frames_below(trace: TracebackType | None) -> str:
    """Return the bot's own frames of what it raised: all but the first, which called it."""
    if trace is None or trace.tb_next is None:
        return ""
    frames = traceback.format_tb(trace.tb_next)
    left_out = len(frames) - _OWN_FRAMES
    shown = [f"  ... {left_out} more frames\n"] if left_out > 0 else []
    return "".join(["Traceback of the bot:\n", *shown, *frames[-_OWN_FRAMES:]])
