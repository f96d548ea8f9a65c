"""The only way out: what a seat, a bot, a spectator or a stream may see (X-15), default-deny."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from .actions import NONE, ActionKind
from .cards import Card
from .engine import deal_cards, kinds
from .events import (
    Allowed,
    Called,
    CallGranted,
    DealEnded,
    DealStarted,
    Discarded,
    Drew,
    Event,
    GameEnded,
    JokerMoved,
    LaidOff,
    Melded,
    Opened,
    Passed,
    Reshuffled,
    Source,
    TurnEnded,
    WindowClosed,
    WindowOpened,
)
from .melds import TableMeld
from .rules import Contract, RuleSet
from .state import Game, Phase


class View(NamedTuple):
    """A table as one seat sees it; for a spectator ``seat`` is NONE and ``hand`` is empty."""

    rules: RuleSet
    seat: int
    number: int  # contract, from 1
    contract: Contract
    dealer: int
    phase: Phase
    turn: int  # the seat in turn; in a call window or decision the next player
    turn_number: int
    hand: tuple[Card, ...]  # own cards, sorted by id
    melds: tuple[TableMeld, ...]
    top: Card  # the top discard, or NONE
    stock_count: int
    hand_counts: tuple[int, ...]
    opened_turn: tuple[int, ...]  # turn of each seat's opening, 0 while unopened
    calls: tuple[int, ...]  # successful calls of this deal by seat
    totals: tuple[int, ...]  # penalties of the game before this deal, by seat
    kinds: tuple[ActionKind, ...]  # kinds of action that this seat may choose from now; () if none


_NO_CARDS: tuple[Card, ...] = ()
_new_tuple = tuple.__new__


def view(game: Game, seat: int) -> View:
    """Return the table as ``seat`` sees it, or as a spectator does for ``seat`` NONE."""
    deal = game.deal
    hands = deal.hands
    discards = deal.discards
    own = seat >= 0
    # The plain constructor takes as long as all the rest.
    return _new_tuple(
        View,
        (
            game.rules,
            seat,
            deal.number,
            game.rules.contracts[deal.number - 1],
            deal.dealer,
            deal.phase,
            deal.turn,
            deal.turn_number,
            tuple(hands[seat]) if own else _NO_CARDS,
            tuple(deal.melds),
            discards[-1] if discards else NONE,
            len(deal.stock),
            tuple(map(len, hands)),
            tuple(deal.opened_turn),
            tuple(deal.calls),
            game.totals,
            kinds(deal, seat) if own and not game.over else (),
        ),
    )


def redact(event: Event, seat: int, rules: RuleSet, seats: int) -> Event:
    """Return the event as ``seat`` (or a spectator, NONE) may see it; unknown types are refused."""
    return _REDACTIONS[type(event)](event, seat, rules, seats)


def _public(event: Event, seat: int, rules: RuleSet, seats: int) -> Event:
    return event


def _drew(event: Drew, seat: int, rules: RuleSet, seats: int) -> Event:
    if event.source is Source.DISCARD or event.seat == seat:
        return event
    return replace(event, card=NONE)


def _granted(event: CallGranted, seat: int, rules: RuleSet, seats: int) -> Event:
    return event if event.seat == seat else replace(event, penalty=NONE)


def _started(event: DealStarted, seat: int, rules: RuleSet, seats: int) -> Event:
    hand = b""
    if seat >= 0:
        deal = deal_cards(rules, seats, event.number, event.dealer, event.deck)
        hand = bytes(deal.hands[seat])
    return replace(event, deck=b"", hand=hand)


def _reshuffled(event: Reshuffled, seat: int, rules: RuleSet, seats: int) -> Event:
    return replace(event, order=b"")


_PUBLIC = (
    Opened,
    Melded,
    LaidOff,
    JokerMoved,
    Discarded,
    TurnEnded,
    WindowOpened,
    Called,
    Passed,
    Allowed,
    WindowClosed,
    DealEnded,
    GameEnded,
)
_REDACTIONS: dict[type[Event], Callable[[Any, int, RuleSet, int], Event]] = {
    **dict.fromkeys(_PUBLIC, _public),
    Drew: _drew,
    CallGranted: _granted,
    DealStarted: _started,
    Reshuffled: _reshuffled,
}
