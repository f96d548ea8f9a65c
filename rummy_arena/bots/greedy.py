"""The greedy bot: come nearer to the contract, open at once, then put everything down."""

from __future__ import annotations

from rummy_arena.game import solver
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
from rummy_arena.game.laydowns import find_opening
from rummy_arena.game.state import Phase
from rummy_arena.game.view import View

from .bot import Dice
from .building import next_building


class GreedyBot:
    """Takes what brings it nearer, sheds what costs most."""

    name = "greedy"

    def choose(self, view: View, dice: Dice) -> Action:
        """Return the action that looks best for this hand alone."""
        phase = view.phase
        if phase is Phase.PLAY:
            return self._play(view)
        if phase is Phase.CALL_WINDOW:
            return CALL if ActionKind.CALL in view.kinds and helps(view) else PASS
        if phase is Phase.CALL_DECISION:
            return DRAW_DISCARD if helps(view) else ALLOW
        takes = ActionKind.DRAW_DISCARD in view.kinds and helps(view)
        return DRAW_DISCARD if takes else DRAW_STOCK

    def _play(self, view: View) -> Action:
        if view.opened_turn[view.seat]:
            return next_building(view) or costliest(view)
        plan = solver.plan(view.rules, solver.masks(view.hand), view.contract)
        if plan.distance == 0:
            melds = find_opening(view.rules, view.hand, view.contract)
            if melds is not None:
                return open_with(*melds)
        return discard(least_useful(view, plan))


def helps(view: View) -> bool:
    """Return whether the top discard brings the hand nearer to its contract."""
    hand = solver.masks(view.hand)
    rules, contract = view.rules, view.contract
    now = solver.distance(rules, hand, contract)
    return now > 0 and solver.distance(rules, solver.with_card(hand, view.top), contract) < now


def costliest(view: View) -> Action:
    """Return the discard of the natural that costs most, or the end of a turn without one."""
    values = view.rules.card_values
    naturals = [card for card in view.hand if card < JOKER_BASE]
    return discard(max(naturals, key=values.__getitem__)) if naturals else END_TURN


def least_useful(view: View, plan: solver.Plan) -> Card:
    """Return the natural that the plan does not need, of little promise and high cost."""
    values = view.rules.card_values
    ranks = [0] * RANKS
    spare = []
    needed = plan.run_cards
    for card in view.hand:
        if card >= JOKER_BASE:
            break
        rank = RANK_OF[card]
        ranks[rank] += 1
        bit = 1 << SUIT_OF[card] * RANKS + rank
        if needed & bit:
            needed ^= bit
        elif not plan.set_ranks >> rank & 1:
            spare.append(card)
    if not spare:
        spare = [card for card in view.hand if card < JOKER_BASE]
    pair_worth = 8 if view.contract.sets else 0
    return max(spare, key=lambda card: values[card] - pair_worth * ranks[RANK_OF[card]])
