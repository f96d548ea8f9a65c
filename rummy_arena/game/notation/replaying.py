"""A game in notation is played again and verified: every line is what the rules make of it.

>>> from rummy_arena.game.notation.games import parse_game
>>> from rummy_arena.rulesets.registry import get_rule_set
>>> game = parse_game('''rummy-arena game 1
... rule set: kaluki-european
... seats: 2
... ''')
>>> replay_text(get_rule_set(game.rule_set, game.options), game)
Traceback (most recent call last):
    ...
rummy_arena.game.notation.replaying.CorruptGame: line 3: no events: 'deal 1: ...' should follow
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TypeGuard

from rummy_arena.game.actions import HIGH, LOW, NONE, Action
from rummy_arena.game.cards import JOKER_BASE, Card, card_text, cards_text, parse_card
from rummy_arena.game.errors import RuleViolation, fact_words
from rummy_arena.game.events import DealStarted, Event, LotsDrawn, Reshuffled
from rummy_arena.game.replay import CorruptLog, Replay
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.series import SeatsError
from rummy_arena.game.state import Game

from .below import Line
from .events import event_lines
from .forms import HIDDEN, NO_CARDS
from .games import ParsedGame

_UP_CARD = re.compile(r"up-card \S+$")
_CARD_FACTS = frozenset(("card", "top", "joker"))
_JOKERS = 9  # that notation can tell apart
_ENDS = {NONE: "not said", LOW: "low", HIGH: "high"}


class CorruptGame(ValueError):
    """A game in notation is not a legal game; ``line`` is the first that is wrong."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class TextReplay:
    """A game in notation that is played again action by action, and verified line by line.

    ``game`` stands where the first ``position`` events lead. CorruptGame names the first line that
    is not what the rules make of the lines before it.
    """

    def __init__(self, rules: RuleSet, parsed: ParsedGame) -> None:
        if parsed.viewer:
            reason = "cards are hidden: only a game that hides nothing can be played again"
            raise CorruptGame(parsed.header["seen by"], reason)
        if not rules.min_seats <= parsed.seats <= rules.max_seats:
            raise CorruptGame(parsed.header["seats"], str(SeatsError(rules, parsed.seats)))
        self._rules = rules
        self._parsed = parsed
        try:
            self._replay = Replay(rules, parsed.seats, parsed.events)
        except CorruptLog as error:
            raise self._corrupt(error) from error
        self._verify(0)

    @property
    def game(self) -> Game:
        """The game as it stands now."""
        return self._replay.game

    @property
    def position(self) -> int:
        """How many events were played."""
        return self._replay.position

    @property
    def over(self) -> bool:
        """Whether the whole text was played."""
        return self._replay.over

    @property
    def between_deals(self) -> bool:
        """Whether the text ends after a deal that another should follow."""
        return self._replay.between_deals

    def next_action(self) -> tuple[int, Action]:
        """Return the seat that acts next, and what it does."""
        try:
            return self._replay.next_action()
        except CorruptLog as error:
            raise self._corrupt(error) from error

    def step(self) -> None:
        """Play the next action."""
        start = self.position
        try:
            self._replay.step()
        except CorruptLog as error:
            raise self._corrupt(error) from error
        self._verify(start)

    def _verify(self, start: int) -> None:
        """Refuse words in the new events' lines that say something else than the events do."""
        for at in range(start, self.position):
            self._compare(at, self._parsed.events[at])

    def _compare(self, at: int, right: Event) -> None:
        """Raise CorruptGame at the first line of event ``at`` that is not one of ``right``."""
        found = self._parsed.lines[at]
        wanted = event_lines(right, self._rules)
        if isinstance(right, DealStarted) and not _is_deal(self._parsed.events[at], right):
            wanted = [_UP_CARD.sub("up-card ...", wanted[0])]  # whose cards the text does not have
        for (line, text), expected in zip(found, wanted, strict=False):
            if text != expected:
                raise CorruptGame(line, f"is {text!r}, should be {expected!r}")
        if len(found) < len(wanted):
            raise CorruptGame(found[-1][0], f"should be followed by {wanted[len(found)]!r}")
        if len(found) > len(wanted):
            line, text = found[len(wanted)]
            raise CorruptGame(line, f"is {text!r}, should not be there")

    def _corrupt(self, error: CorruptLog) -> CorruptGame:
        """Return the error with its line, and its events in notation."""
        lines, at, right = self._parsed.lines, error.sequence - 1, error.expected
        if at >= len(lines):
            if not lines:
                last = max(self._parsed.header.values())
                return CorruptGame(last, "no events: 'deal 1: ...' should follow")
            return CorruptGame(lines[-1][-1][0], f"the game is cut off{self._before(right)}")
        line, text = lines[at][0]
        if right is not None:
            try:
                _check_cards(lines[at], self._parsed.events[at], right)
                self._compare(at, right)
            except CorruptGame as corrupt:
                return corrupt
        if isinstance(error.__cause__, RuleViolation):
            return CorruptGame(line, f"{text!r} is refused: {refusal_text(error.__cause__)}")
        return CorruptGame(line, f"{text!r}: {error.reason}")

    def _before(self, missing: Event | None) -> str:
        if missing is None:
            return ""
        if isinstance(missing, LotsDrawn):
            return " before the lots were drawn"
        return f" before {event_lines(missing, self._rules)[0]!r}"


def refusal_text(error: RuleViolation) -> str:
    """Return the refusal with its cards in notation."""
    facts = [f"{name} {_fact(name, value)}" for name, value in error.facts.items()]
    return f"{error.code} ({error.clause}){': ' if facts else ''}{', '.join(facts)}"


def _fact(name: str, value: object) -> str:
    if name in _CARD_FACTS and _is_card(value):
        return card_text(value)
    if name == "cards" and isinstance(value, tuple) and all(map(_is_card, value)):
        return cards_text(value)
    if name == "end" and isinstance(value, int) and value in _ENDS:
        return _ENDS[value]
    return value if isinstance(value, str) else fact_words(value)


def _is_card(value: object) -> TypeGuard[Card]:
    return isinstance(value, int) and 0 <= value < JOKER_BASE + _JOKERS


def _is_deal(found: Event, right: DealStarted) -> bool:
    """Return whether the event starts the very deal that is due."""
    if not isinstance(found, DealStarted):
        return False
    return (found.number, found.attempt) == (right.number, right.attempt)


def _check_cards(lines: tuple[Line, ...], found: Event, right: Event) -> None:
    """Raise CorruptGame where a deck or a stock has other cards than it must have."""
    if isinstance(found, DealStarted) and isinstance(right, DealStarted):
        free = Counter(right.deck)
        free[found.up_card] -= 1
    elif isinstance(found, Reshuffled) and isinstance(right, Reshuffled):
        free = Counter(right.order)
    else:
        return
    for line, text in lines[1:]:
        for word in text.partition(": ")[2].split():
            if word not in (HIDDEN, NO_CARDS):
                card = parse_card(word)
                if free[card] <= 0:
                    raise CorruptGame(line, f"{word} stands twice, or is none of these cards")
                free[card] -= 1
    lacking = cards_text(sorted(card for card, count in free.items() if count > 0))
    if lacking:
        raise CorruptGame(lines[-1][0], f"these cards are missing: {lacking}")


def replay_text(rules: RuleSet, parsed: ParsedGame) -> Game:
    """Return the game that a parsed text leads to; CorruptGame where it is not a legal one.

    Of a text that ends between two deals, the game has the deal that is over.
    """
    played = TextReplay(rules, parsed)
    while not played.over:
        played.step()
    return played.game
