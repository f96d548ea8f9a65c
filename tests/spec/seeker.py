"""The player of the playthroughs: seeks its contract by the solver's distance, else plays plainly.

It depends on nothing but rules, the distance and its dice, so that playthroughs change when rules
do, and not when a bot learns something.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rummy_arena.game.actions import ALLOW, CALL, DRAW_DISCARD, DRAW_STOCK, PASS, Action, ActionKind
from rummy_arena.game.cards import Card, is_joker
from rummy_arena.game.engine import kinds
from rummy_arena.game.solver import distance, masks
from rummy_arena.game.state import Deal
from tests.game.plain_player import PlainPlayer


class Seeker(PlainPlayer):
    """Takes and calls what brings it nearer, opens when it can, discards what it can spare."""

    def __init__(self, dice: Random) -> None:
        super().__init__(dice, skill=0.9)

    def choose(self, deal: Deal, seat: int) -> Action:
        """Return a legal action of a seat that must or may decide."""
        choices = kinds(deal, seat)
        if ActionKind.CALL in choices:
            return CALL if self._wants(deal, seat) else PASS
        if ActionKind.DRAW_DISCARD in choices:
            other = ALLOW if ActionKind.ALLOW in choices else DRAW_STOCK
            return DRAW_DISCARD if self._wants(deal, seat) else other
        if ActionKind.OPEN in choices:
            melds = self.lay_down(deal, seat, ActionKind.OPEN)
            return Action(ActionKind.OPEN, melds=melds) if melds else self._discard(deal, seat)
        return super().choose(deal, seat)

    def _wants(self, deal: Deal, seat: int) -> bool:
        hand = deal.hands[seat]
        return is_joker(deal.top) or _far(deal, [*hand, deal.top]) < _far(deal, hand)

    def _discard(self, deal: Deal, seat: int) -> Action:
        hand = deal.hands[seat]
        values = deal.rules.card_values

        def cost(card: Card) -> tuple[int, int, int]:
            return _far(deal, [held for held in hand if held != card]), -values[card], card

        naturals = [card for card in hand if not is_joker(card)]
        return Action(ActionKind.DISCARD, min(naturals, key=cost))


def _far(deal: Deal, hand: Sequence[Card]) -> int:
    return distance(deal.rules, masks(hand), deal.contract)
