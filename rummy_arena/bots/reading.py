"""What a hand is worth towards its contract, remembered while the hand does not change.

A seat is asked several times about one hand: in each call window, before its draw; once it has
drawn, it is asked about another. What is kept here follows from the hand and the contract alone,
whatever was asked before, so that bots stay pure functions of what they see. The last few hundred
hands are kept.
"""

from __future__ import annotations

from rummy_arena.game import solver
from rummy_arena.game.cards import RANKS, Card
from rummy_arena.game.melds import Meld
from rummy_arena.game.rules import Contract, RuleSet
from rummy_arena.game.solver.laydowns import opening_of
from rummy_arena.game.solver.limits import RANKS_AT
from rummy_arena.game.view import View

_KEPT = 512
EACH_SUIT = sum(1 << suit * RANKS for suit in range(4))
"""Times a mask of ranks: their cards of all suits."""
_readings: dict[tuple[Card, ...], Reading] = {}
"""By hand; asked about another contract or game, a reading is made anew."""


class Reading:
    """One hand before it has opened: how far it is, and which cards help it."""

    __slots__ = ("_plan", "contract", "distance", "hand", "masks", "rules", "tight")

    def __init__(
        self,
        rules: RuleSet,
        contract: Contract,
        hand: tuple[Card, ...],
        masks: solver.Masks,
        like: Reading | None = None,
    ) -> None:
        self.rules = rules
        self.contract = contract
        self.hand = hand
        self.masks = masks
        if like is None:
            plan = solver.plan(rules, masks, contract)
            self._plan: solver.Plan | None = plan
            self.distance, _, _, self.tight = plan
        else:
            self._plan = None
            self.distance, self.tight = like.distance, like.tight

    @property
    def plan(self) -> solver.Plan:
        """The cheapest way to the contract that the solver finds for this very hand."""
        plan = self._plan
        if plan is None:
            plan = self._plan = solver.plan(self.rules, self.masks, self.contract)
        return plan

    def needless(self) -> int:
        """Return the naturals that the plan does not need, as four suits of 13 bits.

        A card of which the plan needs one copy counts where the hand holds two.
        """
        _, set_ranks, run_cards, _ = self._plan or self.plan
        suits, _, twins = self.masks
        spare = suits & ~run_cards | twins & ~(run_cards >> RANKS_AT)
        return spare & ~(set_ranks * EACH_SUIT)

    def opening(self) -> tuple[Meld, ...]:
        """Return the melds that open; for a hand at distance 0."""
        return opening_of(self.rules, self.hand, self.contract, self.masks, self.plan)


def read(view: View) -> Reading:
    """Return the reading of the view's hand."""
    return Reading(view.rules, view.contract, view.hand, solver.masks(view.hand))


def helps(view: View) -> bool:
    """Return whether the top discard brings the hand nearer to its contract."""
    hand, rules, contract = view.hand, view.rules, view.contract
    reading = _readings.get(hand)
    if reading is None or reading.contract is not contract or reading.rules is not rules:
        reading = _keep(read(view))
    away = reading.distance
    if away == 0:
        return False
    return solver.helps(rules, reading.masks, contract, view.top, away, reading.tight)


def expect_discard(reading: Reading, card: Card) -> None:
    """Keep the reading of the hand after ``card`` went, which the plan does not need.

    Such a discard leaves the hand as far from its contract as it was, so nothing is to be solved.
    """
    hand = reading.hand
    at = hand.index(card)
    rest = hand[:at] + hand[at + 1 :]
    kind = card >> 2
    # A hand is sorted, so that a second copy would stand next to the first.
    left = (hand[at - 1] >> 2, hand[at + 1 - len(hand)] >> 2).count(kind) if len(hand) > 1 else 0
    masks = solver.without_card(reading.masks, card, left)
    _keep(Reading(reading.rules, reading.contract, rest, masks, like=reading))


def _keep(reading: Reading) -> Reading:
    if len(_readings) >= _KEPT:
        _readings.clear()
    _readings[reading.hand] = reading
    return reading
