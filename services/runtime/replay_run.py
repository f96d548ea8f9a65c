"""Replays a file for ``rummy-arena replay``: reads it, verifies it, and shows what is asked for."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from rummy_arena.game.actions import NONE
from rummy_arena.game.events import DealCommitted, DealStarted, Event, GameEnded
from rummy_arena.game.notation.games import SPECTATOR, ParsedGame, parse_game
from rummy_arena.game.notation.replaying import CorruptGame, TextReplay
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.view import redact
from rummy_arena.rulesets.errors import OptionError, UnknownRuleSet
from rummy_arena.rulesets.registry import get_rule_set

from .replay_view import ReplayScreen

STANDARD_INPUT = "-"


class RequestError(Exception):
    """The file cannot be read, or holds nothing of what was asked for."""


class _StopError(Exception):
    """The person at the terminal wants no more."""


@dataclass(frozen=True)
class Request:
    """What to replay, for whose eyes, and which part."""

    file: Path
    seat: int | None = None
    spectator: bool = False
    deal: int | None = None
    first: int | None = None
    last: int | None = None
    step: bool = False
    check: bool = False

    @property
    def source(self) -> str:
        """What the game is read from, in words."""
        return "standard input" if str(self.file) == STANDARD_INPUT else str(self.file)


def run_replay(request: Request) -> None:
    """Show the game; NotationError, CorruptGame and RequestError say what is wrong."""
    parsed = parse_game(game_text(request))
    rules = rules_of(parsed)
    if not parsed.events:
        raise RequestError(
            f"{request.source} has the head of a game, but no events: 'deal 1: ...' should follow "
            f"line {max(parsed.header.values())}"
        )
    shown = _range(request, parsed)
    screen = ReplayScreen(rules, parsed.seats, _viewers(request, parsed), whole=request.step)
    if parsed.viewer:
        if not request.check:
            screen.head(parsed.names, f"seen by {_who(parsed.viewer)}")
            for at in shown:
                lines = [text for _, text in parsed.lines[at - 1]]
                screen.lines(at, parsed.events[at - 1], lines)
        screen.note("not verified: cards are hidden")
        return
    if not request.check:
        screen.head(parsed.names)
        if request.step:
            screen.note("Enter goes on, q ends")
    try:
        _replay(request, parsed, rules, shown, screen)
    except _StopError:
        screen.note("stopped; the rest was not verified")


def _replay(
    request: Request, parsed: ParsedGame, rules: RuleSet, shown: range, screen: ReplayScreen
) -> None:
    viewer = NONE if request.spectator else request.seat

    def show(start: int, end: int) -> None:
        for at in range(start, end):
            if at + 1 in shown and not request.check:
                event = parsed.events[at]
                seen = event if viewer is None else redact(event, viewer, rules, parsed.seats)
                screen.event(at + 1, seen)

    replay = TextReplay(rules, parsed)
    show(0, replay.position)
    while not replay.over:
        seat, _ = replay.next_action()
        start = replay.position
        if start + 1 in shown and not request.check:
            decided = screen.decision(replay.game, seat)
            if decided and request.step:
                _wait()
        replay.step()
        show(start, replay.position)
    screen.note(_verdict(parsed.events, between_deals=replay.between_deals))


def _verdict(events: tuple[Event, ...], *, between_deals: bool) -> str:
    how = "so far; the game goes on"
    if between_deals:
        how = "so far; the next deal is not there"
    elif any(isinstance(event, GameEnded) for event in events):
        how = "to its end"
    return f"verified: {len(events)} events are a legal game {how}"


def _wait() -> None:
    """Wait for Enter; the end of the input, or a q, stops the replay."""
    try:
        answer = input()
    except EOFError:
        raise _StopError from None
    if answer.strip().lower().startswith("q"):
        raise _StopError


def game_text(request: Request) -> str:
    """Return the text of the file that is asked for; RequestError where there is none."""
    text = _text(request)
    if text.startswith("{"):
        raise RequestError(
            f"{request.source}: this is JSON lines; verify and replay read the notation: export "
            "without --format"
        )
    return text


def _text(request: Request) -> str:
    source = request.source
    try:
        if str(request.file) == STANDARD_INPUT:
            return sys.stdin.buffer.read().decode("utf-8-sig")
        return request.file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise RequestError(f"cannot read {source}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        reason = f"it is no text: byte {error.start + 1} is not UTF-8"
        raise RequestError(f"cannot read {source}: {reason}") from error


def rules_of(parsed: ParsedGame) -> RuleSet:
    """Return the rule set of the game, or raise CorruptGame at the line that names it."""
    try:
        return get_rule_set(parsed.rule_set, parsed.options)
    except UnknownRuleSet as error:
        raise CorruptGame(parsed.header["rule set"], str(error)) from error
    except OptionError as error:
        raise CorruptGame(parsed.header["options"], str(error)) from error


def _viewers(request: Request, parsed: ParsedGame) -> tuple[int, ...]:
    """Return the seats whose views are shown."""
    if parsed.viewer and (request.spectator or request.seat is not None):
        raise RequestError(
            f"{request.source} holds only what {_who(parsed.viewer)} saw; replay it as it is"
        )
    if request.spectator or parsed.viewer:
        return ()
    if request.seat is None:
        return tuple(range(parsed.seats))
    if request.seat >= parsed.seats:
        raise RequestError(f"the game has seats 0 to {parsed.seats - 1}, not {request.seat}")
    return (request.seat,)


def _who(viewer: str) -> str:
    return f"a {SPECTATOR}" if viewer == SPECTATOR else f"seat {viewer}"


def _range(request: Request, parsed: ParsedGame) -> range:
    """Return the numbers of the events to show."""
    first, last = 1, len(parsed.events)
    if request.deal is not None:
        started = [
            (event.number, at)
            for at, event in enumerate(parsed.events, 1)
            if isinstance(event, DealCommitted | DealStarted)
        ]
        places = [at for number, at in started if number == request.deal]
        if not places:
            known = started[-1][0] if started else 0
            raise RequestError(f"the game has deals 1 to {known}, not {request.deal}")
        first = places[0]
        last = min([at - 1 for number, at in started if number > request.deal], default=last)
    first, last = max(first, request.first or first), min(last, request.last or last)
    if first > last:
        raise RequestError(f"nothing to show: the game has events 1 to {len(parsed.events)}")
    return range(first, last + 1)
