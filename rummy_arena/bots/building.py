"""Where a hand's cards fit on the table, as a seat that has opened sees it (J-16 to J-20)."""

from __future__ import annotations

from rummy_arena.game import solver
from rummy_arena.game.actions import Action, lay_down, lay_off, move_joker
from rummy_arena.game.cards import JOKER_BASE, RANK_OF, RANKS, SUIT_OF, Card
from rummy_arena.game.laydowns import find_melds
from rummy_arena.game.melds import HIGH_ACE, Meld, MeldKind, TableMeld, joker_index
from rummy_arena.game.rules import Contract
from rummy_arena.game.view import View

_SET, _RUN = MeldKind.SET, MeldKind.RUN  # members of an enum are slow to look up on the class
_ONE_SET = Contract(sets=1, runs=0, hand_size=0)
_ONE_RUN = Contract(sets=0, runs=1, hand_size=0)


def open_end(meld: TableMeld) -> tuple[int, int] | None:
    """Return the position that a run takes next and the step to the one after; None if closed."""
    top = meld.low + len(meld.cards) - 1
    if top < HIGH_ACE:
        return top + 1, 1
    return (meld.low - 1, -1) if meld.low > 0 else None


def end_card(meld: TableMeld, step: int) -> Card:
    """Return the card at the end of a run from which ``step`` leads on."""
    return meld.cards[-1] if step > 0 else meld.cards[0]


def fits(meld: TableMeld, card: Card) -> bool:
    """Return whether ``card`` may be laid off onto ``meld`` (J-15, J-16)."""
    joker = card >= JOKER_BASE
    if meld.kind is _SET:
        return joker or RANK_OF[card] == meld.low
    end = open_end(meld)
    if end is None:
        return False
    position, step = end
    if joker:
        return end_card(meld, step) < JOKER_BASE
    return SUIT_OF[card] == meld.suit and RANK_OF[card] == position % RANKS


def frees_joker(meld: TableMeld, card: Card) -> bool:
    """Return whether ``card`` may take a joker's place in ``meld``, which moves on (J-18, J-19)."""
    if meld.kind is _SET or card >= JOKER_BASE or SUIT_OF[card] != meld.suit:
        return False
    index = joker_index(meld, card)
    end = open_end(meld)
    if index is None or end is None:
        return False
    at_end = len(meld.cards) - 1 if end[1] > 0 else 0
    return index == at_end or meld.cards[at_end] < JOKER_BASE


def next_building(view: View) -> Action | None:
    """Return the next card or meld that a seat which has opened can put on the table, or None.

    Melds first, then naturals, then jokers: a joker that covers a run's end early could shut out
    a natural.
    """
    hand = view.hand
    if len(hand) >= view.rules.set_min:
        meld = _own_meld(view)
        if meld is not None:
            return meld
    return _natural_building(view) or (_joker_lay_off(view) if hand[-1] >= JOKER_BASE else None)


def _natural_building(view: View) -> Action | None:
    """Return a natural's lay-off, or its exchange for a joker that moves on."""
    naturals: dict[int, Card] = {}
    by_rank: dict[int, Card] = {}
    for card in view.hand:
        if card < JOKER_BASE:
            naturals[card >> 2] = by_rank[RANK_OF[card]] = card
    for target, meld in enumerate(view.melds):
        _, kind, low, suit, cards = meld
        if kind is _SET:
            if low in by_rank:
                return lay_off(by_rank[low], target)
            continue
        first = suit * RANKS
        end = open_end(meld)
        if end is None:
            continue
        fitting = naturals.get(first + end[0] % RANKS)
        if fitting is not None:
            return lay_off(fitting, target)
        if max(cards) < JOKER_BASE:
            continue
        for offset, held in enumerate(cards):
            if held >= JOKER_BASE:
                fitting = naturals.get(first + (low + offset) % RANKS)
                if fitting is not None and frees_joker(meld, fitting):
                    return move_joker(fitting, target)
    return None


def _own_meld(view: View) -> Action | None:
    """Return a further meld of the hand, or None."""
    masks = solver.masks(view.hand)
    if not (
        solver.contains(view.rules, masks, _ONE_SET) or solver.contains(view.rules, masks, _ONE_RUN)
    ):
        return None  # most hands: nothing is left over to meld
    melds = further_melds(view)
    return lay_down(melds[0]) if melds else None


def further_melds(view: View) -> list[Meld]:
    """Return melds of the hand beside the seat's own, whose ranks and suits are taken (J-12)."""
    used_ranks = used_suits = 0
    for meld in view.melds:
        if meld.owner == view.seat:
            if meld.kind is _SET:
                used_ranks |= 1 << meld.low
            else:
                used_suits |= 1 << meld.suit
    return find_melds(view.rules, view.hand, used_ranks, used_suits)


def _joker_lay_off(view: View) -> Action | None:
    """Lay a joker off, best where it carries a natural of the hand with it."""
    joker = view.hand[-1]
    best: tuple[int, int] | None = None
    for target, meld in enumerate(view.melds):
        if not fits(meld, joker):
            continue
        rating = 1
        end = None if meld.kind is _SET else open_end(meld)
        if end is not None:
            after = (end[0] + end[1]) % RANKS
            carried = any(
                card < JOKER_BASE and SUIT_OF[card] == meld.suit and RANK_OF[card] == after
                for card in view.hand
            )
            rating = 2 if carried and 0 <= end[0] + end[1] <= HIGH_ACE else 0
        if best is None or rating > best[0]:
            best = rating, target
    return None if best is None else lay_off(joker, best[1])
