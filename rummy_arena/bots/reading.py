"""What a hand is worth towards its contract, remembered while the hand does not change.

A seat is asked several times about one hand: in each call window, before its draw. Reading a hand
is a pure function; the last few hundred readings are kept.
"""

from __future__ import annotations

from rummy_arena.game import solver
from rummy_arena.game.cards import RANK_OF, Card
from rummy_arena.game.laydowns import opening_of
from rummy_arena.game.melds import Meld
from rummy_arena.game.rules import Contract, RuleSet
from rummy_arena.game.solver_tables import SUIT_BIT
from rummy_arena.game.view import View

_KEPT = 512
_readings: dict[tuple[tuple[Card, ...], int], Reading] = {}


class Reading:
    """One hand before it has opened: its plan, and which cards help it."""

    __slots__ = ("_useful", "contract", "hand", "masks", "plan", "rules")

    def __init__(
        self,
        rules: RuleSet,
        hand: tuple[Card, ...],
        contract: Contract,
        plan: solver.Plan | None = None,
    ) -> None:
        self.rules = rules
        self.hand = hand
        self.contract = contract
        self.masks = solver.masks(hand)
        self.plan = solver.plan(rules, self.masks, contract) if plan is None else plan
        self._useful = -1

    def helped_by(self, card: Card) -> bool:
        """Return whether ``card`` brings the hand nearer to its contract."""
        away = self.plan.distance
        if away == 0:
            return False
        bit = SUIT_BIT[card]
        if bit:
            if self._useful < 0:
                self._useful = solver.useful(self.rules, self.masks, self.contract, away)
            if not self._useful & bit:
                return False
        taken = solver.with_card(self.masks, card)
        return solver.within(self.rules, taken, self.contract, away - 1)

    def needless(self) -> list[Card]:
        """Return the naturals that the plan does not need."""
        needed, set_ranks = self.plan.run_cards, self.plan.set_ranks
        spare = []
        for card in self.hand:
            bit = SUIT_BIT[card]
            if needed & bit:
                needed ^= bit
            elif bit and not set_ranks >> RANK_OF[card] & 1:
                spare.append(card)
        return spare

    def opening(self) -> tuple[Meld, ...]:
        """Return the melds that open; for a hand at distance 0."""
        return opening_of(self.rules, self.hand, self.contract, self.masks, self.plan)


def read(view: View) -> Reading:
    """Return the reading of the view's hand."""
    found = _readings.get((view.hand, view.number))
    if found is None or found.rules is not view.rules:
        found = _keep(Reading(view.rules, view.hand, view.contract), view.number)
    return found


def expect_discard(reading: Reading, number: int, card: Card) -> None:
    """Keep the reading of the hand after ``card`` went, which the plan does not need.

    Such a discard leaves the plan the cheapest there is.
    """
    hand = reading.hand
    at = hand.index(card)
    rest = hand[:at] + hand[at + 1 :]
    _keep(Reading(reading.rules, rest, reading.contract, reading.plan), number)


def _keep(reading: Reading, number: int) -> Reading:
    if len(_readings) >= _KEPT:
        _readings.clear()
    _readings[reading.hand, number] = reading
    return reading
