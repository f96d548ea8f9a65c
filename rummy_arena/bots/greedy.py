"""The greedy bot: come nearer to the contract, open at once, then put everything down."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_arena.game.actions import (
    ALLOW,
    CALL,
    DRAW_DISCARD,
    DRAW_STOCK,
    END_TURN,
    PASS,
    Action,
    ActionKind,
    discard,
    open_with,
)
from rummy_arena.game.cards import JOKER_BASE, RANK_OF, RANKS, SUIT_OF, Card
from rummy_arena.game.melds import HIGH_ACE
from rummy_arena.game.solver_tables import ALL_RANKS, LANE_BITS, with_high_ace
from rummy_arena.game.state import Phase
from rummy_arena.game.view import View

from .bot import Dice
from .building import next_building
from .reading import Reading, expect_discard, read

# Members of an enum are slow to look up on the class.
_PLAY, _CALL_WINDOW, _CALL_DECISION = Phase.PLAY, Phase.CALL_WINDOW, Phase.CALL_DECISION
_CALL, _DRAW_DISCARD = ActionKind.CALL, ActionKind.DRAW_DISCARD
_PAIR_WORTH = 16
"""Penalty points that a spare card may cost for each card of its rank, itself included."""
_NEAR_WORTH = 14
"""And for each neighbour within a run's reach."""


class GreedyBot:
    """Takes what brings it nearer, sheds what costs most."""

    name = "greedy"

    def choose(self, view: View, dice: Dice) -> Action:
        """Return the action that looks best for this hand alone."""
        phase = view.phase
        if phase is _PLAY:
            return self._play(view)
        if phase is _CALL_WINDOW:
            return CALL if _CALL in view.kinds and helps(view) else PASS
        if phase is _CALL_DECISION:
            return DRAW_DISCARD if helps(view) else ALLOW
        return DRAW_DISCARD if _DRAW_DISCARD in view.kinds and helps(view) else DRAW_STOCK

    def _play(self, view: View) -> Action:
        if view.opened_turn[view.seat]:
            return next_building(view) or costliest(view)
        reading = read(view)
        if reading.distance == 0:
            return open_with(*reading.opening())
        return self.discard(view, reading)

    def discard(self, view: View, reading: Reading) -> Action:
        """Return the discard of a seat that has not opened."""
        spare = reading.needless()
        card = least_promising(reading, spare or view.hand)
        if spare:
            expect_discard(reading, view.number, card)
        return discard(card)


def helps(view: View) -> bool:
    """Return whether the top discard brings the hand nearer to its contract."""
    return read(view).helped_by(view.top)


def costliest(view: View) -> Action:
    """Return the discard of the natural that costs most, or the end of a turn without one."""
    values = view.rules.card_values
    naturals = [card for card in view.hand if card < JOKER_BASE]
    return discard(max(naturals, key=values.__getitem__)) if naturals else END_TURN


def least_promising(reading: Reading, cards: Sequence[Card]) -> Card:
    """Return the natural among ``cards`` of little promise and high cost."""
    values = reading.rules.card_values
    suits, lanes = reading.masks
    pair_worth = _PAIR_WORTH if reading.contract.sets else 0
    near_worth = _NEAR_WORTH if reading.contract.runs else 0
    best, worst = cards[0], -1000
    for card in cards:
        if card >= JOKER_BASE:
            break
        rank = RANK_OF[card]
        score = values[card] - pair_worth * (lanes >> LANE_BITS * rank & 15)
        if near_worth:
            score -= near_worth * neighbours(suits >> SUIT_OF[card] * RANKS & ALL_RANKS, rank)
        if score > worst:
            best, worst = card, score
    return best


def neighbours(mask: int, rank: int) -> int:
    """Return how many other ranks of a suit lie within three of ``rank``, so in a run of four."""
    around = with_high_ace(mask) << 3
    count = (around >> rank & 0b1110111).bit_count()
    return count if rank else max(count, (around >> HIGH_ACE & 0b111).bit_count())
