"""A whole game as a text: what is played, then each event; written, and parsed back.

>>> from rummy_arena.game.chance import SeededChance
>>> from rummy_arena.game.series import new_game
>>> from rummy_arena.rulesets.registry import get_rule_set
>>> rules = get_rule_set("kaluki-european", {"rebuys": "2"})
>>> game, log = new_game(rules, 2, SeededChance(rules, bytes(32)))
>>> text = write_game(rules, 2, log)
>>> print(text.partition(" (")[0])
rummy-arena game 1
rule set: kaluki-european
options: rebuys=2
seats: 2
<BLANKLINE>
deal 1: contract 1
>>> parsed = parse_game(text)
>>> parsed.events == tuple(log)
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rummy_arena.game.events import DealCommitted, DealStarted, Event
from rummy_arena.game.rules import RuleSet

from .below import Line
from .events import event_lines, parse_event
from .forms import NotationError, quoted

FIRST_LINE = "rummy-arena game 1"
"""What a game begins with: the number is that of the notation."""
SPECTATOR = "spectator"
_INDENT = "    "


class ParsedGame(NamedTuple):
    """A game as its text has it; nothing but the text's form has been checked."""

    rule_set: str  # its id
    options: dict[str, str]
    seats: int
    events: tuple[Event, ...]
    lines: tuple[tuple[Line, ...], ...]  # by event
    names: dict[int, str]  # of seats, where the text tells them
    viewer: str  # who saw it so: a seat's number, "spectator", or "" for a game that hides nothing
    header: dict[str, int]  # line of each entry of the head


def write_game(
    rules: RuleSet,
    seats: int,
    log: Sequence[Event],
    *,
    names: Mapping[int, str] | None = None,
    viewer: str = "",
    remarks: Sequence[str] = (),
) -> str:
    """Return a game, or as much of it as the log has, as text.

    A log that ``view.redact`` made is written with its ``viewer``: a seat's number or "spectator".
    """
    head = [FIRST_LINE, *(f"# {_one_line(remark)}" for remark in remarks), f"rule set: {rules.id}"]
    if rules.options:
        head.append(f"options: {' '.join(f'{name}={value}' for name, value in rules.options)}")
    head.append(f"seats: {seats}")
    named = {seat: _one_line(name) for seat, name in (names or {}).items()}
    head += [f"seat {seat}: {name}" for seat, name in named.items() if name]
    if viewer:
        head.append(f"seen by: {viewer}")
    lines = head
    committed = False
    for event in log:
        commits = isinstance(event, DealCommitted)
        if commits or (isinstance(event, DealStarted) and not committed):
            lines.append("")
        committed = commits
        first, *below = event_lines(event, rules)
        lines.append(first)
        lines += [_INDENT + line for line in below]
    return "\n".join(lines) + "\n"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def parse_game(text: str) -> ParsedGame:
    """Return what ``write_game`` wrote; NotationError names line, what is there and what should be.

    Empty lines and lines that begin with ``#`` say nothing.
    """
    lines = [
        (number, line.rstrip())
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.startswith("#")
    ]
    if not lines or lines[0][1] != FIRST_LINE:
        number, found = lines[0] if lines else (1, "")
        raise NotationError(quoted(found), repr(FIRST_LINE), number)
    head = _Head()
    at = 1
    while at < len(lines) and head.reads(lines[at]):
        at += 1
    head.complete(lines[at - 1][0])
    grouped = tuple(_events(lines[at:]))
    return ParsedGame(
        rule_set=head.rule_set,
        options=head.options,
        seats=head.seats,
        events=tuple(map(parse_event, grouped)),
        lines=grouped,
        names=head.names,
        viewer=head.viewer,
        header=head.lines,
    )


def _events(lines: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    """Yield the lines of each event: one, and those that are indented below it."""
    group: list[Line] = []
    for number, text in lines:
        below = text[:1].isspace()
        if below and not group:
            raise NotationError(quoted(text), "an event, which is not indented", number)
        if not below and group:
            yield tuple(group)
            group = []
        group.append((number, text.strip()))
    if group:
        yield tuple(group)


class _Head:
    """The head of a game, read line by line."""

    def __init__(self) -> None:
        self.rule_set = ""
        self.options: dict[str, str] = {}
        self.seats = 0
        self.names: dict[int, str] = {}
        self.viewer = ""
        self.lines: dict[str, int] = {}

    def reads(self, line: Line) -> bool:
        """Take the line in, or return False where the head is over."""
        number, text = line
        name, _, value = text.partition(": ")
        reader = _ENTRIES.get("seat " if name.startswith("seat ") else name)
        if reader is None:
            return False
        if name in self.lines:
            raise NotationError(quoted(text), f"{name!r} only once", number)
        self.lines[name] = number
        try:
            reader(self, name, value)
        except ValueError:
            raise NotationError(quoted(text), _EXPECTED[name.split()[0]], number) from None
        return True

    def complete(self, number: int) -> None:
        """Refuse a head that lacks what it must have."""
        for name in ("rule set", "seats"):
            if name not in self.lines:
                expected = _EXPECTED[name.split()[0]]
                raise NotationError("a head without it", expected, number)


def _rule_set(head: _Head, name: str, value: str) -> None:
    head.rule_set = value
    if not value or " " in value:
        raise ValueError


def _options(head: _Head, name: str, value: str) -> None:
    choices = value.split()
    head.options = dict([_pair(choice) for choice in choices])
    if len(head.options) != len(choices):
        raise ValueError


def _pair(choice: str) -> tuple[str, str]:
    name, value = choice.split("=")
    return name, value


def _seats(head: _Head, name: str, value: str) -> None:
    head.seats = _number(value)


def _named(head: _Head, name: str, value: str) -> None:
    head.names[_number(name.removeprefix("seat "))] = value


def _viewer(head: _Head, name: str, value: str) -> None:
    head.viewer = value if value == SPECTATOR else str(_number(value))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ValueError
    return int(text)


_ENTRIES: dict[str, Callable[[_Head, str, str], None]] = {
    "rule set": _rule_set,
    "options": _options,
    "seats": _seats,
    "seat ": _named,
    "seen by": _viewer,
}
_EXPECTED = {
    "rule": "'rule set: ID'",
    "options": "'options: NAME=VALUE NAME=VALUE ...'",
    "seats": "'seats: NUMBER'",
    "seat": "'seat SEAT: NAME'",
    "seen": "'seen by: SEAT' or 'seen by: spectator'",
}
