"""The careful bot: counts the cards that would help, and watches who is about to go out.

What it weighs was measured against greedy play over paired deals (see the README of this folder).
Waiting with a complete contract for the double, taking a card only so that no caller gets it, and
calling cards that do not help all cost more than they bring, so it does none of them.
"""

from __future__ import annotations

from rummy_arena.game import solver
from rummy_arena.game.actions import FORBID, Action, ActionKind, discard
from rummy_arena.game.cards import JOKER_BASE, RANKS, Card
from rummy_arena.game.solver.limits import JOKERS_AT
from rummy_arena.game.solver.tables import ALL_RANKS, LANE_BITS, SUIT_BIT, run_tables
from rummy_arena.game.view import View

from . import careful_points
from .building import planned_building, uses_top
from .greedy import GreedyBot, barred_card, cheapest_loss, discards_of
from .reading import EACH_SUIT, Reading, expect_discard
from .unseen import threatened, unseen_naturals

_NEAR = 3
"""Up to this distance the helping cards are counted; further away a guess does as well."""
_OUT_WORTH = 3
"""Penalty points that one more helping card among the unseen is worth."""
_FEW_CARDS = 2
"""An opponent who has opened and holds no more than this may go out in any turn."""


class CarefulBot(GreedyBot):
    """Greedy, but discards so that most of the unseen cards help, or cheaply under threat."""

    name = "careful"

    def decide_call(self, view: View) -> Action:
        """Forbid what may be forbidden: a card that is called helps the caller (B-1)."""
        return FORBID if ActionKind.FORBID in view.kinds else super().decide_call(view)

    def discard(self, view: View, reading: Reading) -> Action:
        """Return the discard of a seat that has not opened."""
        away = reading.distance
        if away >= _NEAR and threatened(view, _FEW_CARDS):
            naturals = [card for card in discards_of(view) if card < JOKER_BASE]
            return discard(max(naturals, key=view.rules.card_values.__getitem__))
        if away > _NEAR:
            return super().discard(view, reading)
        spare = reading.needless()
        card = _most_promising_rest(view, reading, spare)
        if SUIT_BIT[card] & spare:
            expect_discard(reading, card)
        return discard(card)

    def needed_least(self, view: View, masks: solver.Masks, cards: int) -> int:
        """Return the kind to discard while the points of an opening are not reached."""
        return careful_points.needed_least(view, masks, cards)

    def build(self, view: View) -> Action | None:
        """Return the next action of the turn that leaves least penalty, or None."""
        return planned_building(view)

    def wants(self, view: View) -> bool:
        """Return whether the seat would rather have the top discard than a card of the stock."""
        return uses_top(view) if view.opened_turn[view.seat] else super().wants(view)

    def shed(self, view: View) -> Action:
        """Return the discard of a seat that has opened, or the end of a turn without one."""
        cards = discards_of(view)
        if len(cards) > 1 and view.contract.points:
            return discard(careful_points.shed(view, cards))
        return super().shed(view)


def _most_promising_rest(view: View, reading: Reading, spare: int) -> Card:
    """Return the discard that leaves the most helping cards, each worth some penalty points."""
    rest_of = _harmless(view, reading, spare)
    if len(rest_of) < 2:
        return next(iter(rest_of)) if rest_of else cheapest_loss(view, reading, spare)
    unseen = unseen_naturals(view)
    values = view.rules.card_values
    helping = _helping(reading, unseen)
    all_outs = _OUT_WORTH * sum([unseen[kind] for kind, _ in helping])
    best, most = -1, -1
    for card in sorted(rest_of, key=values.__getitem__, reverse=True):
        worth, rest = values[card], rest_of[card]
        if worth + all_outs < most:
            break  # nor can any that follows, which costs no more
        sieve = solver.useful(reading.rules, rest, reading.contract, tight=reading.tight)
        candidates = [found for found in helping if sieve >> found[0] & 1]
        if worth + _OUT_WORTH * sum([unseen[kind] for kind, _ in candidates]) < most:
            continue
        worth += _OUT_WORTH * _outs(reading, SUIT_BIT[card], rest, candidates, unseen)
        if worth > most or (worth == most and card < best):
            best, most = card, worth
    return best


def _harmless(view: View, reading: Reading, spare: int) -> dict[Card, solver.Masks]:
    """Return the discards that come no further from the contract, with what they leave."""
    found: dict[Card, solver.Masks] = {}
    away = reading.distance
    hand, barred = view.hand, barred_card(view)
    for at, card in enumerate(hand):
        if card >= JOKER_BASE:
            break
        if at and hand[at - 1] >> 2 == card >> 2:
            continue  # the same kind again
        copies = 1
        while at + copies < len(hand) and hand[at + copies] >> 2 == card >> 2:
            copies += 1
        if card == barred and copies == 1:
            continue
        rest = solver.without_card(reading.masks, card, copies - 1)
        if SUIT_BIT[card] & spare or solver.within(view.rules, rest, view.contract, away):
            found[hand[at + 1] if card == barred else card] = rest
    return found


def _helping(reading: Reading, unseen: list[int]) -> list[tuple[int, int]]:
    """Return the unseen kinds that help the whole hand, and the naturals each makes needless.

    What helps the hand after a discard helps it before; and where the plan for the hand with the
    card does not need the discard, the card helps after it as well.
    """
    rules, contract, near = reading.rules, reading.contract, reading.distance - 1
    sieve = solver.useful(rules, reading.masks, contract, tight=reading.tight)
    helping = []
    _, set_ranks, run_cards, _ = reading.plan
    needless = ~(set_ranks * EACH_SUIT | run_cards)
    fitting = _fitting_the_plan(reading)
    while sieve:
        low = sieve & -sieve
        sieve ^= low
        kind = low.bit_length() - 1
        if unseen[kind] <= 0:
            continue
        if low & fitting:
            helping.append((kind, needless))
            continue
        masks = solver.with_card(reading.masks, kind << 2)
        if solver.within(rules, masks, contract, near):
            _, set_ranks, run_cards, _ = solver.plan(rules, masks, contract)
            helping.append((kind, ~(set_ranks * EACH_SUIT | run_cards)))
    return helping


def _fitting_the_plan(reading: Reading) -> int:
    """Return naturals that bring the hand nearer by its own plan, as four suits of 13 bits.

    They leave needless what is needless now. Only told for a hand without jokers, which could stand
    for them already.
    """
    rules, plan = reading.rules, reading.plan
    lanes = reading.masks[1]
    if lanes >> JOKERS_AT:
        return 0
    fitting = 0
    for rank in range(RANKS):
        if plan.set_ranks >> rank & 1 and lanes >> LANE_BITS * rank & 15 < rules.set_min:
            fitting |= EACH_SUIT << rank
    tables = run_tables(rules.run_min)
    for first in range(0, 4 * RANKS, RANKS):
        held = plan.run_cards >> first & ALL_RANKS
        more = tables.gains[held] if held else 0
        while more:
            low = more & -more
            more ^= low
            if tables.quality[held | low] >> 4 > held.bit_count():
                fitting |= low << first
    return fitting


def _outs(
    reading: Reading,
    bit: int,
    rest: solver.Masks,
    candidates: list[tuple[int, int]],
    unseen: list[int],
) -> int:
    """Return how many unseen naturals would bring the hand nearer after the discard of ``bit``."""
    rules, contract, near = reading.rules, reading.contract, reading.distance - 1
    outs = 0
    for kind, needless in candidates:
        if needless & bit or solver.within(
            rules, solver.with_card(rest, kind << 2), contract, near
        ):
            outs += unseen[kind]
    return outs
