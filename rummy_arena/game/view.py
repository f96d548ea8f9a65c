"""The only way out: what a seat, a bot, a spectator or a stream may see (X-15), default-deny.

>>> from rummy_arena.game.chance import SeededChance
>>> from rummy_arena.game.series import new_game
>>> from rummy_arena.rulesets.registry import get_rule_set
>>> rules = get_rule_set("kalooki-jamaican")
>>> game, _ = new_game(rules, 3, SeededChance(rules, bytes(32)))
>>> mine, spectators = view(game, 1), view(game, NONE)
>>> len(mine.hand), [kind.name for kind in mine.kinds], mine.stock_count
(9, ['DRAW_STOCK', 'DRAW_DISCARD'], 80)
>>> spectators.hand, spectators.kinds
((), ())
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from .actions import NONE, ActionKind
from .calls import caller_of
from .cards import Card
from .engine import deal_of, kinds
from .events import (
    Allowed,
    Called,
    CallGranted,
    DealCommitted,
    DealEnded,
    DealRevealed,
    DealStarted,
    Declined,
    Discarded,
    Drew,
    Eliminated,
    Event,
    Forbade,
    GameEnded,
    JokerMoved,
    JokerTaken,
    LaidOff,
    LegEnded,
    LotsDrawn,
    Melded,
    Opened,
    Passed,
    Rebought,
    RebuyOffered,
    Reshuffled,
    Source,
    TookAndOpened,
    TurnEnded,
    WindowClosed,
    WindowOpened,
)
from .melds import TableMeld
from .rules import Contract, RuleSet
from .state import Game, Phase, Progress


class View(NamedTuple):
    """A table as one seat sees it; for a spectator ``seat`` is NONE and ``hand`` is empty."""

    rules: RuleSet
    seat: int
    number: int  # of the deal in its game, from 1
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
    totals: tuple[int, ...]  # penalties before this deal by seat, of the present game of several
    kinds: tuple[ActionKind, ...]  # kinds of action that this seat may choose from now; () if none
    contract_number: int  # from 1
    players: tuple[int, ...]  # the seats that are dealt in
    progress: Progress  # what the present turn has done so far
    caller: int  # whose call the decision is about, or NONE
    hands: tuple[tuple[Card, ...], ...]  # every hand where hands are open (B-24), else ()
    attempt: int  # how often this deal was void and dealt again so far


_CALL_DECISION = Phase.CALL_DECISION
_NO_CARDS: tuple[Card, ...] = ()
_new_tuple = tuple.__new__


def view(game: Game, seat: int) -> View:
    """Return the table as ``seat`` sees it, or as a spectator does for ``seat`` NONE."""
    deal = game.deal
    hands = deal.hands
    discards = deal.discards
    rules = deal.rules
    phase = deal.phase
    own = seat >= 0
    # The plain constructor takes as long as all the rest.
    return _new_tuple(
        View,
        (
            rules,
            seat,
            deal.number,
            rules.contracts[deal.contract_number - 1],
            deal.dealer,
            phase,
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
            deal.contract_number,
            deal.players,
            deal.progress,
            caller_of(deal) if phase is _CALL_DECISION else NONE,
            tuple(map(tuple, hands)) if rules.open_hands else (),
            game.attempt,
        ),
    )


def redact(event: Event, seat: int, rules: RuleSet, seats: int) -> Event:
    """Return the event as ``seat`` (or a spectator, NONE) may see it; unknown types are refused."""
    return _REDACTIONS[type(event)](event, seat, rules, seats)


def _public(event: Event, seat: int, rules: RuleSet, seats: int) -> Event:
    return event


def _drew(event: Drew, seat: int, rules: RuleSet, seats: int) -> Event:
    if event.source is Source.DISCARD or event.seat == seat or rules.open_hands:
        return event
    return replace(event, card=NONE)


def _granted(event: CallGranted, seat: int, rules: RuleSet, seats: int) -> Event:
    return event if event.seat == seat or rules.open_hands else replace(event, penalty=NONE)


def _started(event: DealStarted, seat: int, rules: RuleSet, seats: int) -> Event:
    hand = b""
    hands: tuple[bytes, ...] = ()
    if seat >= 0 or rules.open_hands:
        deal = deal_of(rules, seats, event)
        if seat >= 0:
            hand = bytes(deal.hands[seat])
        if rules.open_hands:
            hands = tuple(map(bytes, deal.hands))
    return replace(event, deck=b"", hand=hand, hands=hands)


def _ended(event: DealEnded, seat: int, rules: RuleSet, seats: int) -> Event:
    """Hands are shown when a deal is scored, not when it is dealt again (X-15)."""
    if event.points or rules.open_hands:
        return event
    hands = tuple([hand if at == seat else b"" for at, hand in enumerate(event.hands)])
    return replace(event, hands=hands)


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
    GameEnded,
    Forbade,
    TookAndOpened,
    JokerTaken,
    RebuyOffered,
    Rebought,
    Declined,
    Eliminated,
    LotsDrawn,
    LegEnded,
    DealCommitted,
    DealRevealed,
)
_REDACTIONS: dict[type[Event], Callable[[Any, int, RuleSet, int], Event]] = {
    **dict.fromkeys(_PUBLIC, _public),
    Drew: _drew,
    DealEnded: _ended,
    CallGranted: _granted,
    DealStarted: _started,
    Reshuffled: _reshuffled,
}
