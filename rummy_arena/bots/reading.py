"""What a hand is worth towards its contract, remembered while the hand does not change.

A seat is asked several times about one hand: in each call window, before its draw. Reading a hand
is a pure function; the last few hundred readings are kept.
"""

from __future__ import annotations

from rummy_arena.game import solver
from rummy_arena.game.cards import Card
from rummy_arena.game.rules import Contract, RuleSet
from rummy_arena.game.solver_tables import SUIT_BIT
from rummy_arena.game.view import View

_KEPT = 512
_readings: dict[tuple[tuple[Card, ...], int], Reading] = {}


class Reading:
    """One hand before it has opened: its plan, and which cards help it."""

    __slots__ = ("_masks", "_useful", "contract", "hand", "plan", "rules")

    def __init__(
        self, rules: RuleSet, hand: tuple[Card, ...], contract: Contract, plan: solver.Plan | None
    ) -> None:
        self.rules = rules
        self.contract = contract
        self.hand = hand
        self._masks: solver.Masks | None = None
        self._useful = 0
        self.plan = solver.plan(rules, solver.masks(hand), contract) if plan is None else plan

    def helped_by(self, card: Card) -> bool:
        """Return whether ``card`` brings the hand nearer to its contract."""
        away = self.plan.distance
        if away == 0:
            return False
        masks = self._masks
        if masks is None:
            masks = self._masks = solver.masks(self.hand)
            self._useful = solver.useful(self.rules, masks, self.contract, away)
        bit = SUIT_BIT[card]
        if bit and not self._useful & bit:
            return False
        return solver.within(self.rules, solver.with_card(masks, card), self.contract, away - 1)


def read(view: View) -> Reading:
    """Return the reading of the view's hand."""
    found = _readings.get((view.hand, view.number))
    if found is None or found.rules is not view.rules:
        found = _keep(view, view.hand, None)
    return found


def expect_discard(view: View, card: Card, plan: solver.Plan) -> None:
    """Keep the reading of the hand after ``card`` went, which ``plan`` does not need.

    Such a discard leaves the plan the cheapest there is.
    """
    hand = view.hand
    at = hand.index(card)
    _keep(view, hand[:at] + hand[at + 1 :], plan)


def _keep(view: View, hand: tuple[Card, ...], plan: solver.Plan | None) -> Reading:
    if len(_readings) >= _KEPT:
        _readings.clear()
    found = _readings[hand, view.number] = Reading(view.rules, hand, view.contract, plan)
    return found
