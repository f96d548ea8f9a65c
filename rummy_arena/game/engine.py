"""One deal: dealing, the turn automaton, and what each action does.

DRAW -> PLAY* -> discard -> [CALL_WINDOW -> [CALL_DECISION]] -> DRAW of the next seat
... -> OVER.
Chance comes in: the deck's order, and a function that orders a recycled pile.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence

from .actions import NONE, Action, ActionKind
from .calls import allow, answer, close_window, forbid, hear, open_window
from .cards import Card
from .checks import Prepared, prepare
from .events import (
    DealEnd,
    DealStarted,
    Discarded,
    Drew,
    Event,
    JokerMoved,
    JokerTaken,
    LaidOff,
    Melded,
    Opened,
    Source,
    TookAndOpened,
    TurnEnded,
)
from .kinds import kinds
from .legal import asked, deciders, legal_actions, standard_move
from .rules import UNLIMITED, RuleSet
from .state import Answer, Deal, Outcome, Phase, Progress, following
from .stock import Reshuffle, stock_card

__all__ = [
    "Reshuffle",
    "apply",
    "asked",
    "check",
    "deal_cards",
    "deal_of",
    "deciders",
    "kinds",
    "legal_actions",
    "standard_move",
]

Events = list[Event]

# Members of an enum are slow to look up on the class; the engine runs on these names.
_DRAW, _PLAY, _OVER = Phase.DRAW, Phase.PLAY, Phase.OVER
_CALL_WINDOW = Phase.CALL_WINDOW
_NOT_ASKED = Answer.NOT_ASKED
_STOCK, _DISCARDS = Source
# Events that say little, and half of all there are, are made once and shared: they are frozen.
_SEATS = range(8)  # no rule set seats more
_CARDS = range(256)
_DREW = [
    [[Drew(seat, source, card) for card in _CARDS] for source in (_STOCK, _DISCARDS)]
    for seat in _SEATS
]
_DISCARDED = [[Discarded(seat, card) for card in _CARDS] for seat in _SEATS]
_FRESH = tuple([Progress(melds_before=melds) for melds in range(64)])
"""The progress of a turn that begins, by the melds on the table; no deal can have more."""


def deal_of(rules: RuleSet, seats: int, started: DealStarted) -> Deal:
    """Return the deal that an unredacted event began, as it was then."""
    return deal_cards(
        rules,
        seats,
        started.contract,
        started.dealer,
        started.deck,
        number=started.number,
        players=started.players,
    )


def deal_cards(
    rules: RuleSet,
    seats: int,
    contract_number: int,
    dealer: int,
    deck: Sequence[Card],
    *,
    number: int = 0,
    players: tuple[int, ...] = (),
) -> Deal:
    """Return a new deal, dealt one card at a time from the player after the dealer.

    Without the deal's ``number`` in its game that of the contract is meant; without ``players``
    every seat plays.
    """
    players = players or tuple(range(seats))
    size = rules.contracts[contract_number - 1].cards_each(len(players))
    dealt = len(players) * size
    after = following(seats, players, rules.clockwise)
    hands: list[list[Card]] = [[] for _ in range(seats)]
    seat = starter = after[dealer]
    for offset in range(len(players)):
        hands[seat] = sorted(deck[offset : dealt : len(players)])
        seat = after[seat]
    return Deal(
        rules=rules,
        number=number or contract_number,
        dealer=dealer,
        hands=hands,
        stock=list(reversed(deck[dealt + 1 :])),
        discards=[deck[dealt]],
        contract_number=contract_number,
        players=players,
        after=after,
        opened_turn=[0] * seats,
        calls=[0] * seats,
        answers=[_NOT_ASKED] * seats,
        turn=starter,
    )


def check(deal: Deal, seat: int, action: Action) -> None:
    """Raise the RuleViolation that ``apply`` would raise, and change nothing."""
    prepare(deal, seat, action)


def apply(deal: Deal, seat: int, action: Action, reshuffle: Reshuffle) -> list[Event]:
    """Check the action, change the deal, and return what happened.

    Nothing, for an answer to a call window that others have yet to answer: it is heard when the
    window closes (X-15).
    """
    prepared = prepare(deal, seat, action)
    events: Events = []
    _DOES[action.kind](deal, seat, action, prepared, events, reshuffle)
    return events


# --- what each kind of action does -------------------------------------------------------------


def _draw_stock(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    card = stock_card(deal, events, shuffle)
    if card is None:
        deal.phase = _OVER
        deal.outcome = Outcome(DealEnd.VOID)
        return
    _took(deal, seat, _STOCK, card, events)


def _draw_discard(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    if deal.phase is not _DRAW:  # the next player takes a card that others may have called
        if deal.phase is _CALL_WINDOW:
            hear(deal, events)
        close_window(deal, events)
    card = deal.discards.pop()
    deal.progress = deal.progress._replace(taken=card)
    _took(deal, seat, _DISCARDS, card, events)


def _took(deal: Deal, seat: int, source: Source, card: Card, events: Events) -> None:
    insort(deal.hands[seat], card)
    deal.drawn = card
    deal.phase = _PLAY
    events.append(_DREW[seat][source][card])


def _draw_and_open(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    card = deal.discards.pop()
    insort(deal.hands[seat], card)
    deal.drawn = card
    deal.phase = _PLAY
    _to_table(deal, seat, prepared)
    deal.opened_turn[seat] = deal.turn_number
    events.append(TookAndOpened(seat, card, prepared.melds))


def _lay_down(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    _to_table(deal, seat, prepared)
    if action.kind is ActionKind.OPEN:
        deal.opened_turn[seat] = deal.turn_number
        events.append(Opened(seat, prepared.melds))
    else:
        events.append(Melded(seat, prepared.melds[0]))
    _out_if_empty(deal, seat)


def _to_table(deal: Deal, seat: int, prepared: Prepared) -> None:
    hand = deal.hands[seat]
    for meld in prepared.melds:
        for card in meld.cards:
            hand.remove(card)
    deal.melds.extend(prepared.melds)


def _build(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    card, target, meld, end = action.card, action.target, prepared.melds[0], prepared.end
    deal.hands[seat].remove(card)
    deal.melds[target] = meld
    lays_off = action.kind is ActionKind.LAY_OFF
    counted = lays_off and deal.rules.build_per_end < UNLIMITED
    deal.progress = deal.progress.with_lay_off(target, end if counted else NONE)
    record = LaidOff if lays_off else JokerMoved
    events.append(record(seat, card, target, meld, end))
    _out_if_empty(deal, seat)


def _take_joker(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    hand = deal.hands[seat]
    exchanged, placed = prepared.melds
    cards = (action.card,) if action.also == NONE else (action.card, action.also)
    for card in cards:
        hand.remove(card)
    deal.melds[action.target] = exchanged
    if action.melds:
        for card in placed.cards:
            if card != prepared.joker:
                hand.remove(card)
        deal.melds.append(placed)
    else:
        deal.melds[action.onto] = placed
        counted = deal.rules.build_per_end < UNLIMITED
        deal.progress = deal.progress.with_lay_off(action.onto, prepared.end if counted else NONE)
    events.append(
        JokerTaken(
            seat,
            cards,
            prepared.joker,
            action.target,
            exchanged,
            placed,
            action.onto,
            prepared.end,
        )
    )


def _out_if_empty(deal: Deal, seat: int) -> None:
    """An empty hand ends the deal; down and out if it opened in this turn (J-22, J-24, C-10)."""
    if not deal.hands[seat]:
        deal.phase = _OVER
        down_and_out = deal.opened_turn[seat] == deal.turn_number
        deal.outcome = Outcome(DealEnd.OUT, seat, down_and_out)


def _discard(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    card = action.card
    deal.hands[seat].remove(card)
    deal.discards.append(card)
    events.append(_DISCARDED[seat][card])
    if not deal.hands[seat]:
        _out_if_empty(deal, seat)
        return
    _next_turn(deal)
    if deal.rules.max_calls and deal.outcome is None:
        open_window(deal, seat, events)


def _end_turn(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    events.append(TurnEnded(seat))
    buried = deal.stock_only  # no discard covers the card that a call laid bare (J-8)
    _next_turn(deal)
    deal.stock_only = buried


def _next_turn(deal: Deal) -> None:
    deal.drawn = NONE
    deal.stock_only = False
    deal.progress = _FRESH[len(deal.melds)]
    if deal.turn_number >= deal.rules.turns_cap_per_seat * len(deal.players):
        deal.phase = _OVER
        deal.outcome = Outcome(DealEnd.CAP)
        return
    deal.turn = deal.after[deal.turn]
    deal.turn_number += 1
    deal.phase = _DRAW


def _answer(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    answer(deal, seat, action.kind, events, shuffle)


def _allow(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    allow(deal, seat, events, shuffle)


def _forbid(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    forbid(deal, seat, events)


def _not_of_a_deal(
    deal: Deal, seat: int, action: Action, prepared: Prepared, events: Events, shuffle: Reshuffle
) -> None:
    raise ValueError("a re-buy belongs to the game, not to a deal: use series.apply")


_K = ActionKind
_DOES: dict[ActionKind, Callable[[Deal, int, Action, Prepared, Events, Reshuffle], None]] = {
    _K.DRAW_STOCK: _draw_stock,
    _K.DRAW_DISCARD: _draw_discard,
    _K.DRAW_AND_OPEN: _draw_and_open,
    _K.OPEN: _lay_down,
    _K.MELD: _lay_down,
    _K.LAY_OFF: _build,
    _K.MOVE_JOKER: _build,
    _K.TAKE_JOKER: _take_joker,
    _K.DISCARD: _discard,
    _K.END_TURN: _end_turn,
    _K.CALL: _answer,
    _K.PASS: _answer,
    _K.ALLOW: _allow,
    _K.FORBID: _forbid,
    _K.REBUY: _not_of_a_deal,
    _K.DECLINE: _not_of_a_deal,
}
