"""What the careful bot weighs in games whose opening is by points (E-4).

A seat that is left unopened pays seven times as much as one that has opened, so few things count:
to open soon, to hold little when a deal is about to end, and to feed nobody who has opened.
"""

from __future__ import annotations

from typing import NamedTuple

from rummy_arena.game import solver
from rummy_arena.game.cards import JOKER_BASE, Card
from rummy_arena.game.rules import Contract, RuleSet
from rummy_arena.game.solver.building_table import table_of
from rummy_arena.game.solver.limits import EVERY_NATURAL, RANKS_AT
from rummy_arena.game.view import View

from .further import joins
from .points import promise
from .reading import EACH_SUIT
from .unseen import threatened, unseen_naturals

_FEW_CARDS = 4
"""An opponent who has opened and holds no more than this may go out soon."""
_OUT_WORTH = 3
"""Points that one more unseen card which lets the seat open is worth."""
_FEED_WORTH = 15
"""Points that it costs to discard what an opponent can lay off."""
_SHED_PROMISE = 5
"""After the opening, promise counts a fifth: any meld will do, but time is short."""


def needed_least(view: View, masks: solver.Masks, cards: int) -> int:
    """Return the kind among ``cards`` (four suits of 13 bits) to discard before the opening."""
    values = view.rules.card_values
    dear = -2 if threatened(view, _FEW_CARDS) else 1
    fed = _laid_off_by_others(view)
    helping = _helping(view, masks)
    best, most = -1, -1000
    while cards:
        low = cards & -cards
        cards ^= low
        kind = low.bit_length() - 1
        worth = -dear * values[kind << 2] - promise(masks, kind)
        if fed & low:
            worth -= _FEED_WORTH
        if helping:
            worth += _OUT_WORTH * _outs(view, masks, kind, helping)
        if worth > most:
            best, most = kind, worth
    return best


def shed(view: View, cards: tuple[Card, ...]) -> Card:
    """Return the card among ``cards`` to discard after the opening.

    A joker is kept while the hand is large enough to meld it.
    """
    values = view.rules.card_values
    masks = solver.masks(view.hand)
    naturals = tuple([card for card in cards if card < JOKER_BASE])
    if len(view.hand) <= view.rules.set_min or not naturals:
        naturals = cards
    return max(
        naturals,
        key=lambda card: (
            _SHED_PROMISE * values[card] - (promise(masks, card >> 2) if card < JOKER_BASE else 0)
        ),
    )


def _laid_off_by_others(view: View) -> int:
    """Return the naturals that an opponent who has opened could lay off."""
    if not any(opened for seat, opened in enumerate(view.opened_turn) if seat != view.seat):
        return 0
    return table_of(view.rules, view.melds).fitting


class _Helper(NamedTuple):
    """An unseen kind of natural with which the whole hand could open."""

    kind: int
    copies: int  # that nobody has shown
    needless: int  # naturals that some such opening does without


def _helping(view: View, masks: solver.Masks) -> list[_Helper]:
    """Return the unseen kinds with which the whole hand could open."""
    rules, contract = view.rules, view.contract
    if not solver.within(rules, masks, contract, 1):
        return []
    found = []
    for kind, count in enumerate(unseen_naturals(view)):
        if count <= 0 or not joins(rules, masks, kind):
            continue
        helped = solver.with_card(masks, kind << 2)
        if solver.contains(rules, helped, contract):
            found.append(_Helper(kind, count, _needless(rules, helped, contract)))
    return found


def _needless(rules: RuleSet, masks: solver.Masks, contract: Contract) -> int:
    """Return naturals of a hand that can open each of which it can do without, or 0."""
    plan = solver.plan(rules, masks, contract)
    suits, _, twins = masks
    spare = suits & ~plan.run_cards | twins & ~(plan.run_cards >> RANKS_AT)
    spare &= EVERY_NATURAL & ~(plan.set_ranks * EACH_SUIT)
    return spare if spare & (spare - 1) else 0  # one card stays for the discard


def _outs(view: View, masks: solver.Masks, kind: int, helping: list[_Helper]) -> int:
    """Return how many unseen naturals let the seat open after it discards a card of ``kind``."""
    twin = masks[2] >> kind & 1
    rest = solver.without_card(masks, kind << 2, twin)
    outs = 0
    for helper in helping:
        if helper.needless >> kind & 1 or solver.contains(
            view.rules, solver.with_card(rest, helper.kind << 2), view.contract
        ):
            outs += helper.copies
    return outs
