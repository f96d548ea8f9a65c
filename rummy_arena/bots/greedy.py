"""The greedy bot: come nearer to the contract, open at once, then put everything down."""

from __future__ import annotations

from bisect import bisect_left

from rummy_arena.game import solver
from rummy_arena.game.actions import (
    ALLOW,
    CALL,
    DRAW_DISCARD,
    DRAW_STOCK,
    END_TURN,
    NONE,
    PASS,
    REBUY,
    Action,
    ActionKind,
    discard,
    open_with,
)
from rummy_arena.game.cards import JOKER_BASE, RANKS, Card
from rummy_arena.game.melds import HIGH_ACE
from rummy_arena.game.solver.tables import ALL_RANKS, LANE_BITS, SUIT_BIT
from rummy_arena.game.state import Phase
from rummy_arena.game.view import View

from .bot import Dice
from .building import held_as, melds, next_building, takes
from .points import completes_meld, least_hopeful, opening_by_points, opening_with_top, spare_of
from .reading import Reading, expect_discard, helps, read

# Members of an enum are slow to look up on the class.
_DRAW, _PLAY = Phase.DRAW, Phase.PLAY
_CALL_WINDOW, _CALL_DECISION = Phase.CALL_WINDOW, Phase.CALL_DECISION
_CALL, _DRAW_DISCARD = ActionKind.CALL, ActionKind.DRAW_DISCARD
_DRAW_AND_OPEN = ActionKind.DRAW_AND_OPEN
_DISCARDS = tuple(map(discard, range(256)))
_PAIR_WORTH = 16
"""Penalty points that a spare card may cost for each card of its rank, itself included."""
_NEAR_WORTH = 14
"""And for each neighbour within a run's reach."""
_REACH = 3
_NEIGHBOURS = 0b1110111
"""A run of four may hold the three ranks on either side."""


class GreedyBot:
    """Takes what brings it nearer, sheds what costs most."""

    name = "greedy"

    def choose(self, view: View, dice: Dice) -> Action:
        """Return the action that looks best for this hand alone."""
        phase = view.phase
        if phase is _PLAY:
            return self._play(view)
        if phase is _CALL_WINDOW:
            return (
                (CALL if helps(view) else PASS) if _CALL in view.kinds else self.decide_call(view)
            )
        if phase is _DRAW:
            return self._draw(view)
        if phase is _CALL_DECISION:
            return self.decide_call(view)
        return REBUY

    def wants(self, view: View) -> bool:
        """Return whether the seat would rather have the top discard than a card of the stock."""
        if view.opened_turn[view.seat]:
            return takes(view, view.top) or melds(view, view.top)
        return completes_meld(view) if view.contract.points else helps(view)

    def decide_call(self, view: View) -> Action:
        """Return the answer to a call that this seat decides about."""
        return DRAW_DISCARD if _DRAW_DISCARD in view.kinds and helps(view) else ALLOW

    def _draw(self, view: View) -> Action:
        if _DRAW_DISCARD in view.kinds:
            return DRAW_DISCARD if self.wants(view) else DRAW_STOCK
        if _DRAW_AND_OPEN in view.kinds:
            return opening_with_top(view) or DRAW_STOCK
        return DRAW_STOCK

    def _play(self, view: View) -> Action:
        if view.opened_turn[view.seat]:
            return self.build(view) or self.shed(view)
        if view.contract.points:
            masks = solver.masks(view.hand)
            return opening_by_points(view, masks) or self.discard_for_points(view, masks)
        reading = read(view)
        if reading.distance == 0:
            return open_with(*reading.opening())
        return self.discard(view, reading)

    def build(self, view: View) -> Action | None:
        """Return what a seat that has opened puts on the table next, or None."""
        return next_building(view)

    def shed(self, view: View) -> Action:
        """Return the discard of a seat that has opened, or the end of a turn without one."""
        cards = discards_of(view)
        if not cards:
            return END_TURN
        return _DISCARDS[max(cards, key=view.rules.card_values.__getitem__)]

    def discard(self, view: View, reading: Reading) -> Action:
        """Return the discard of a seat that has not opened."""
        spare = reading.needless()
        if view.rules.throw_back:
            card = least_promising(reading, spare or reading.masks[0])
        else:
            card = cheapest_loss(view, reading, spare)
        if SUIT_BIT[card] & spare:
            expect_discard(reading, card)
        return _DISCARDS[card]

    def discard_for_points(self, view: View, masks: solver.Masks) -> Action:
        """Return the discard of a seat that has yet to reach the points of an opening."""
        every, _, twins = masks
        barred = barred_card(view)
        if barred >= 0 and not twins & SUIT_BIT[barred]:
            every &= ~SUIT_BIT[barred]
        spare = spare_of(view.rules, masks) & every
        card = held_as(view.hand, self.needed_least(view, masks, spare or every))
        return _DISCARDS[card if card != barred else view.hand[view.hand.index(card) + 1]]

    def needed_least(self, view: View, masks: solver.Masks, cards: int) -> int:
        """Return the kind among ``cards`` (four suits of 13 bits) that the seat discards."""
        return least_hopeful(view.rules, masks, cards)


def barred_card(view: View) -> Card:
    """Return the card taken from the pile that may not be thrown back this turn, or NONE (X-8)."""
    taken = view.progress.taken
    return NONE if taken < 0 or view.rules.throw_back or len(view.hand) == 1 else taken


def discards_of(view: View) -> tuple[Card, ...]:
    """Return the cards of the hand that the seat may discard in its turn (J-21, C-12, X-8)."""
    hand = view.hand
    if hand[-1] >= JOKER_BASE and not view.rules.joker_discard:
        hand = hand[: bisect_left(hand, JOKER_BASE)]
    barred = barred_card(view)
    return hand if barred < 0 else tuple([card for card in hand if card != barred])


def cheapest_loss(view: View, reading: Reading, spare: int) -> Card:
    """Return a natural among those to ``spare`` (four suits of 13 bits), or else of the hand.

    It is one of little promise that may be discarded.
    """
    every, _, twins = reading.masks
    barred = barred_card(view)
    if barred < 0:
        return least_promising(reading, spare or every)
    if not twins & SUIT_BIT[barred]:
        every &= ~SUIT_BIT[barred]
    card = least_promising(reading, spare & every or every)
    return card if card != barred else reading.hand[reading.hand.index(card) + 1]  # its twin


def least_promising(reading: Reading, cards: int) -> Card:
    """Return the natural among ``cards`` (four suits of 13 bits) of little promise and high cost.

    Promise is what a spare card may yet become: a set with others of its rank, a run with its
    neighbours.
    """
    if cards & (cards - 1) == 0:
        return held_as(reading.hand, cards.bit_length() - 1)
    values = reading.rules.card_values
    suits, lanes, _ = reading.masks
    pair_worth = _PAIR_WORTH if reading.contract.sets else 0
    runs = reading.contract.runs
    best, worst = 0, -1000
    while cards:
        low = cards & -cards
        cards ^= low
        kind = low.bit_length() - 1
        rank = kind % RANKS
        score = values[kind << 2]
        if pair_worth:
            score -= pair_worth * (lanes >> LANE_BITS * rank & 15)
        if score <= worst:
            continue  # neighbours only make it worth more to keep
        if runs:
            mask = suits >> kind - rank & ALL_RANKS
            around = (mask | (mask & 1) << HIGH_ACE) << _REACH >> rank & _NEIGHBOURS
            count = around.bit_count()
            if not rank:  # an ace: the better of its two ends
                count = max(count, (mask >> HIGH_ACE - _REACH).bit_count())
            score -= _NEAR_WORTH * count
        if score > worst:
            best, worst = kind, score
    return held_as(reading.hand, best)
