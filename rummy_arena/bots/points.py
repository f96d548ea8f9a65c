"""What a hand is worth towards an opening by points (E-3, E-4).

Such a hand can open or it cannot; which of its cards would serve once more have come is guessed
from their neighbours.
"""

from __future__ import annotations

from rummy_arena.game import solver
from rummy_arena.game.actions import Action, draw_and_open, open_with
from rummy_arena.game.cards import JOKER_BASE, RANKS
from rummy_arena.game.melds import HIGH_ACE
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.solver.laydowns import find_opening
from rummy_arena.game.solver.points import reaches
from rummy_arena.game.solver.tables import ALL_RANKS, SUIT_BIT
from rummy_arena.game.view import View

from .further import in_melds, joins
from .reading import EACH_SUIT

_PAIR_WORTH = 14
"""Points that a spare card may be short of another to be kept for one more suit of its rank."""
_NEXT_WORTH = 14
"""And for a neighbour of its suit."""
_GAP_WORTH = 8
"""And for one that is two ranks away."""
_TWIN_WORTH = -8
"""A second copy serves no meld with the first."""


def opening_by_points(view: View, masks: solver.Masks) -> Action | None:
    """Return the opening that leaves the least penalty, or None."""
    if not reaches(view.rules, masks, view.contract.points):
        return None
    melds = find_opening(view.rules, view.hand, view.contract)
    return None if melds is None else open_with(*melds)


def opening_with_top(view: View) -> Action | None:
    """Return the opening that takes the top discard at once, or None (E-7)."""
    rules, contract, top = view.rules, view.contract, view.top
    held = solver.masks(view.hand)
    if top < JOKER_BASE and not joins(rules, held, top >> 2):
        return None
    if not reaches(rules, solver.with_card(held, top), contract.points):
        return None
    hand = tuple(sorted((*view.hand, top)))
    melds = None
    if not reaches(rules, held, contract.points):  # then hardly an opening does without the card
        melds = find_opening(rules, hand, contract)
    if melds is None or not any(top in meld.cards for meld in melds):
        melds = find_opening(rules, hand, contract, must=top)
    return None if melds is None else draw_and_open(top, *melds)


def completes_meld(view: View) -> bool:
    """Return whether the top discard is a joker, or makes a meld of naturals with the hand."""
    masks = solver.masks(view.hand)
    bit = SUIT_BIT[view.top]
    if view.top >= JOKER_BASE or masks[0] & bit:
        return view.top >= JOKER_BASE
    return in_melds(view.rules, solver.with_card(masks, view.top)) & bit > 0


def spare_of(rules: RuleSet, masks: solver.Masks) -> int:
    """Return the naturals that no meld of the hand needs, as four suits of 13 bits."""
    suits, _, twins = masks
    return suits & ~in_melds(rules, masks) | twins


def least_hopeful(rules: RuleSet, masks: solver.Masks, cards: int) -> int:
    """Return the kind among ``cards`` (four suits of 13 bits) that promises least, a cheap one.

    Dear cards are kept: few of them reach the points of an opening.
    """
    values = rules.card_values
    best, least = -1, 1000
    while cards:
        low = cards & -cards
        cards ^= low
        kind = low.bit_length() - 1
        hope = values[kind << 2] + promise(masks, kind)
        if hope < least:
            best, least = kind, hope
    return best


def promise(masks: solver.Masks, kind: int) -> int:
    """Return what a card of this kind may yet become with others of the hand."""
    suits, _, twins = masks
    rank = kind % RANKS
    mask = suits >> kind - rank & ALL_RANKS
    around = (mask & ~1 | (mask & 1) << HIGH_ACE) << 2 >> (rank or HIGH_ACE)
    worth = _PAIR_WORTH * ((suits >> rank & EACH_SUIT).bit_count() - 1)
    worth += _NEXT_WORTH * (around >> 1 & 0b101).bit_count()
    worth += _GAP_WORTH * (around & 0b10001).bit_count()
    return worth + _TWIN_WORTH if twins >> kind & 1 else worth
