"""Whether a game was dealt as it was committed to, from what one viewer saw of it.

A player or a spectator who kept the stream needs nothing more: once a deal's seed is told, every
card that was shown (own hand, up-card, own draws, penalty cards) must be the one that the seed put
there. Which stock card is whose is public: a draw takes the next one, and a reshuffle takes the
discard pile, which lay open.

>>> from functools import partial
>>> from rummy_arena.game import series
>>> from rummy_arena.game.chance import DealtChance, deal_seed
>>> from rummy_arena.game.engine import deciders, standard_move
>>> from rummy_arena.game.view import redact
>>> from rummy_arena.rulesets.registry import get_rule_set
>>> rules = get_rule_set("kaluki-european")
>>> chance = DealtChance(rules, {}, partial(deal_seed, bytes(32)))
>>> game, log = series.new_game(rules, 2, chance)
>>> while not game.over:  # everybody is absent
...     seat = deciders(game.deal)[0]
...     log += series.apply(game, seat, standard_move(game.deal, seat), chance)
>>> verify_seen(rules, 2, [redact(event, 1, rules, 2) for event in log], 1).good
True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from .actions import NONE
from .cards import Card, card_text
from .chance import shuffled
from .events import (
    CallGranted,
    DealStarted,
    Discarded,
    Drew,
    Event,
    Reshuffled,
    Source,
    TookAndOpened,
    WindowClosed,
)
from .fairness import Verification, verify_deals
from .rules import RuleSet
from .view import redact


def verify_seen(rules: RuleSet, seats: int, log: Sequence[Event], viewer: int) -> Verification:
    """Return what a log that was redacted for ``viewer`` (NONE: a spectator) proves of its deals.

    The log cannot be played again, so whether it is a legal game is not looked at.
    """
    parts = dict(_by_deal(log))

    def faults(number: int, attempt: int, seed: bytes) -> list[str]:
        started, *events = parts[number, attempt]
        assert isinstance(started, DealStarted)  # noqa: S101  it is where a part begins
        try:
            return _faults(rules, seats, viewer, seed, started, events)
        except (ValueError, LookupError, ArithmeticError) as error:
            return [f"no such deal can be: {error}"]

    return verify_deals(log, faults)


def _by_deal(log: Iterable[Event]) -> Iterator[tuple[tuple[int, int], list[Event]]]:
    """Yield each deal's events, from its DealStarted on."""
    part: list[Event] = []
    for event in log:
        if isinstance(event, DealStarted):
            part = []
            yield (event.number, event.attempt), part
        part.append(event)


def _faults(
    rules: RuleSet,
    seats: int,
    viewer: int,
    seed: bytes,
    started: DealStarted,
    events: Sequence[Event],
) -> list[str]:
    deck = bytes(shuffled(rules.pack, seed, b"deck"))
    players = len(started.players)
    dealt = players * rules.contracts[started.contract - 1].cards_each(players)
    right = redact(replace(started, deck=deck, up_card=deck[dealt]), viewer, rules, seats)
    faults = [] if right == started else ["the cards that were dealt are not those of the seed"]
    table = _Table(seed, deck[dealt:])
    for event in events:
        faults += table.faults(event)
    return faults


class _Table:
    """Stock and discard pile as the seed and what everybody saw have them."""

    def __init__(self, seed: bytes, cards: Sequence[Card]) -> None:
        self._seed = seed
        self._pile = [cards[0]]
        self._stock = list(reversed(cards[1:]))  # drawn from the end
        self._reshuffles = 0

    def faults(self, event: Event) -> list[str]:
        """Go on by one event; return what of it is otherwise than the seed has it."""
        if isinstance(event, Discarded):
            self._pile.append(event.card)
        elif isinstance(event, Drew) and event.source == Source.STOCK:
            return self._drawn(event.card)
        elif isinstance(event, CallGranted):
            return self._drawn(event.penalty)
        elif isinstance(event, Drew | TookAndOpened) or (
            isinstance(event, WindowClosed) and event.granted != NONE
        ):
            self._pile.pop()
        elif isinstance(event, Reshuffled):
            label = b"reshuffle" + bytes((self._reshuffles,))
            self._stock = shuffled(self._pile[:-1], self._seed, label)
            self._pile, self._reshuffles = self._pile[-1:], self._reshuffles + 1
            if event.count != len(self._stock):
                return [f"reshuffle {self._reshuffles} has {event.count} cards, not as they lay"]
        return []

    def _drawn(self, shown: Card) -> list[str]:
        card = self._stock.pop()
        if shown in (NONE, card):
            return []
        return [f"{card_text(shown)} was drawn, where the seed has {card_text(card)}"]
