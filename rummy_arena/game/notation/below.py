"""The indented lines below an event: hands, the stock, points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rummy_arena.game.cards import Card
from rummy_arena.game.events import DealEnded, DealStarted, Event, Reshuffled
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import following

from .forms import HIDDEN, Form, Forms, NotationError, Values, quoted

Line = tuple[int, str]
"""A line of a file: its number from 1, and its text without indentation."""

_HAND, _OWN_HAND = "hand {seat}: {cards:held}", "own hand: {cards:held}"
_STOCK, _NO_STOCK = "stock: {cards:held}", f"stock: {HIDDEN}"
_POINTS, _NO_POINTS = "points: {points:numbers}", "no points: dealt again"
_ALL = (_HAND, _OWN_HAND, _NO_STOCK, _STOCK, _POINTS, _NO_POINTS)
_FORMS = {text: Form(text) for text in _ALL}
_READ = Forms([(text, text) for text in _ALL])


def _write(text: str, **values: Any) -> str:
    return _FORMS[text].write(values)


def _hands(hands: Sequence[Sequence[Card]]) -> list[str]:
    return [_write(_HAND, seat=seat, cards=hand) for seat, hand in enumerate(hands)]


def _write_deal(event: DealStarted, rules: RuleSet) -> list[str]:
    """Return the hands as they were dealt, the first first, and the stock as it will be drawn."""
    if not event.deck:
        own = [_write(_OWN_HAND, cards=event.hand)] if event.hand else []
        return [*own, *_hands(event.hands), _NO_STOCK]
    players = event.players
    after = following(max(*players, event.dealer) + 1, players, rules.clockwise)
    dealt = len(players) * rules.contracts[event.contract - 1].cards_each(len(players))
    lines, seat = [], event.dealer
    for place in range(len(players)):
        seat = after[seat]
        cards = event.deck[place : dealt : len(players)]
        lines.append(_write(_HAND, seat=seat, cards=cards))
    return [*lines, _write(_STOCK, cards=event.deck[dealt + 1 :])]


def _write_reshuffled(event: Reshuffled, rules: RuleSet) -> list[str]:
    return [_write(_STOCK, cards=event.order[::-1]) if event.order else _NO_STOCK]


def _write_ended(event: DealEnded, rules: RuleSet) -> list[str]:
    points = _write(_POINTS, points=event.points) if event.points else _NO_POINTS
    return [points, *_hands(event.hands)]


WRITE_BELOW: dict[type[Event], Callable[[Any, RuleSet], list[str]]] = {
    DealStarted: _write_deal,
    Reshuffled: _write_reshuffled,
    DealEnded: _write_ended,
}
"""The lines below each event that has any."""


class _Item(NamedTuple):
    line: int
    text: str
    form: str
    values: Values


class _Items:
    """The lines below an event, taken one after the other."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._items = [_Item(*line, *_READ.read(line[1], line[0])) for line in lines[1:]]
        self.line = lines[0][0]
        self._at = 0

    def take(self, *forms: str) -> _Item | None:
        """Return the next line if it has one of these forms."""
        if self._at == len(self._items) or self._items[self._at].form not in forms:
            return None
        item = self._items[self._at]
        self.line = item.line
        self._at += 1
        return item

    def shows(self, form: str) -> bool:
        """Return whether any of the lines has this form."""
        return any(item.form == form for item in self._items)

    def need(self, *forms: str) -> _Item:
        """Return the next line, which must have one of these forms."""
        item = self.take(*forms)
        if item is None:
            raise self.wrong(" or ".join([f"'{_FORMS[form].shown}'" for form in forms]))
        return item

    def hands(self) -> list[tuple[int, bytes]]:
        """Return the hands that come next, each with its seat."""
        hands: list[tuple[int, bytes]] = []
        while (item := self.take(_HAND)) is not None:
            hands.append((item.values["seat"], item.values["cards"]))
        return hands

    def by_seat(self) -> tuple[bytes, ...]:
        """Return the hands that come next, which must be those of seats 0, 1, ..."""
        hands: list[bytes] = []
        while (item := self.take(_HAND)) is not None:
            if item.values["seat"] != len(hands):
                raise NotationError(quoted(item.text), f"hand {len(hands)}", item.line)
            hands.append(item.values["cards"])
        return tuple(hands)

    def wrong(self, expected: str) -> NotationError:
        """Return the error for what comes next."""
        if self._at < len(self._items):
            item = self._items[self._at]
            return NotationError(quoted(item.text), expected, item.line)
        return NotationError("no more lines of this event", expected, self.line)

    def end(self) -> None:
        """Refuse lines that are left."""
        if self._at < len(self._items):
            raise self.wrong("the next event, which is not indented")


def _read_deal(values: Values, lines: Sequence[Line]) -> Values:
    items = _Items(lines)
    own = items.take(_OWN_HAND)
    if own is None and not items.shows(_NO_STOCK):
        return _read_deck(values, items)
    hands = items.by_seat()
    items.need(_NO_STOCK)
    items.end()
    return {"deck": b"", "hand": own.values["cards"] if own else b"", "hands": hands}


def _read_deck(values: Values, items: _Items) -> Values:
    """Put the deck together again: hands card by card in their order, the up-card, the stock."""
    players = values["players"]
    hands = items.hands()
    if sorted([seat for seat, _ in hands]) != sorted(players):
        raise items.wrong(f"one hand for each of the players {' '.join(map(str, players))}")
    if len({len(cards) for _, cards in hands}) != 1:
        raise items.wrong("hands of equally many cards")
    stock = items.need(_STOCK).values["cards"]
    items.end()
    dealt = [card for cards in zip(*[cards for _, cards in hands], strict=True) for card in cards]
    return {"deck": bytes([*dealt, values["up_card"], *stock])}


def _read_reshuffled(values: Values, lines: Sequence[Line]) -> Values:
    items = _Items(lines)
    stock = items.need(_NO_STOCK, _STOCK)
    items.end()
    return {"order": stock.values.get("cards", b"")[::-1]}


def _read_ended(values: Values, lines: Sequence[Line]) -> Values:
    items = _Items(lines)
    points = items.need(_POINTS, _NO_POINTS).values.get("points", ())
    hands = items.by_seat()
    items.end()
    return {"points": points, "hands": hands}


READ_BELOW: dict[type[Event], Callable[[Values, Sequence[Line]], Values]] = {
    DealStarted: _read_deal,
    Reshuffled: _read_reshuffled,
    DealEnded: _read_ended,
}
"""The fields that stand in the lines below each event that has any."""
