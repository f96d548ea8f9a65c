"""What a seat that has opened puts on the table next: melds, lay-offs, joker moves (J-15 to J-20).

Where a game lays more limits on building (B-10, B-12, C-10, E-12, E-13), they are read off the rule
set and the view; what is rare is put to the engine's own check.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import combinations

from rummy_arena.game import solver
from rummy_arena.game.actions import (
    HIGH,
    LOW,
    NONE,
    Action,
    ActionKind,
    lay_down,
    lay_off,
    move_joker,
    take_joker_to_lay_off,
)
from rummy_arena.game.cards import JOKER_BASE, RANKS, Card
from rummy_arena.game.melds import HIGH_ACE, Meld, MeldKind, TableMeld
from rummy_arena.game.rules import Contract, JokerExchange, NewMelds, RunEnds
from rummy_arena.game.solver.best_building import best_building
from rummy_arena.game.solver.building_moves import places, stood_for
from rummy_arena.game.solver.laydowns import find_melds
from rummy_arena.game.solver.tables import SUIT_BIT, bits_of
from rummy_arena.game.state import Progress
from rummy_arena.game.view import View

from .further import costliest_meld, in_melds, joins
from .reading import EACH_SUIT
from .shadow import may, shadow

_SET = MeldKind.SET  # members of an enum are slow to look up on the class
_MELD, _LAY_OFF = ActionKind.MELD, ActionKind.LAY_OFF
_MOVE_JOKER, _TAKE_JOKER = ActionKind.MOVE_JOKER, ActionKind.TAKE_JOKER
_ONE_SET = Contract(sets=1, runs=0, hand_size=0)
_ONE_RUN = Contract(sets=0, runs=1, hand_size=0)


def next_building(view: View) -> Action | None:
    """Return the next card or meld that a seat which has opened can put on the table, or None.

    Melds first, then naturals, then jokers: a joker that covers a run's end early could shut out
    a natural. Where going out needs a discard, a card is kept for it.
    """
    hand, rules, kinds = view.hand, view.rules, view.kinds
    spare = len(hand) - rules.final_discard
    if spare <= 0:
        return None
    masks = solver.masks(hand)
    if spare >= rules.set_min and _MELD in kinds:
        meld = _own_meld(view, masks, spare)
        if meld is not None:
            return meld
    if _LAY_OFF not in kinds:
        return None
    held = masks[0]
    return (
        _natural_lay_off(view, held)
        or _joker_exchange(view, held)
        or (_joker_lay_off(view, held) if hand[-1] >= JOKER_BASE else None)
    )


def planned_building(view: View) -> Action | None:
    """Return the next action of the turn that leaves least penalty, or None: better, and slower."""
    found = best_building(view.rules, view.seat, view.hand, view.melds, view.progress, view.kinds)
    return found[0] if found else None


def uses_top(view: View) -> bool:
    """Return whether a seat that has opened would put the top discard on the table at once."""
    rules, top = view.rules, view.top
    kinds = [_LAY_OFF, _TAKE_JOKER if rules.joker_exchange is JokerExchange.TAKE else _MOVE_JOKER]
    if rules.new_melds is not NewMelds.NEVER:
        kinds.append(_MELD)
    hand = tuple(sorted((*view.hand, top)))
    turn = Progress(taken=top, melds_before=len(view.melds))
    return any(
        top in (action.card, action.also) or any(top in meld.cards for meld in action.melds)
        for action in best_building(rules, view.seat, hand, view.melds, turn, kinds)
    )


def takes(view: View, card: Card) -> bool:
    """Return whether the table takes ``card`` as it lies, were the seat to hold it in its turn."""
    if card >= JOKER_BASE:
        rules = view.rules
        return any(joker for meld in view.melds for _, joker, _ in places(rules, meld))
    return _natural_place(view, SUIT_BIT[card]) is not None


def melds(view: View, card: Card) -> bool:
    """Return whether ``card`` would make a further meld with the hand of a seat that has opened."""
    rules = view.rules
    if (
        rules.new_melds is NewMelds.NEVER
        or len(view.hand) + 1 < rules.set_min + rules.final_discard
    ):
        return False
    if rules.set_suits_differ and card < JOKER_BASE:
        masks = solver.masks(view.hand)
        if not joins(rules, masks, card >> 2):
            return False
    hand = view._replace(hand=tuple(sorted((*view.hand, card))))
    return any(card in meld.cards for meld in further_melds(hand))


def held_as(hand: tuple[Card, ...], kind: int) -> Card:
    """Return the first card of the hand that is of this kind (its id without its pack)."""
    return hand[bisect_left(hand, kind << 2)]


def _natural_lay_off(view: View, held: int) -> Action | None:
    """Return a lay-off of one of the naturals in ``held``, or None."""
    found = _natural_place(view, held)
    if found is None:
        return None
    kind, target, end = found
    named = view.rules.run_ends is RunEnds.EITHER
    return lay_off(held_as(view.hand, kind), target, end if named else NONE)


def _natural_place(view: View, held: int) -> tuple[int, int, int] | None:
    """Return a kind in ``held`` that the table takes, the meld and the end; None for none."""
    rules, built = view.rules, view.progress.built
    for target, meld in enumerate(view.melds):
        _, kind, low, suit, cards = meld
        if kind is _SET:
            if not held >> low & EACH_SUIT:
                continue
        else:  # most runs are passed over here, before it is asked which ends are open
            ranks = held >> suit * RANKS
            if not (ranks >> (low - 1) % RANKS | ranks >> (low + len(cards)) % RANKS) & 1:
                continue
        for fitting, _, end in places(rules, meld):
            fitting &= held
            if fitting and not (built and _built_out(view, target, end)):
                return fitting.bit_length() - 1, target, end
    return None


def _built_out(view: View, target: int, end: int) -> bool:
    return view.progress.built_on(target, end) >= view.rules.build_per_end


def _joker_exchange(view: View, held: int) -> Action | None:
    """Return the exchange of a natural in ``held`` for a joker of the table, or None."""
    rules, seat = view.rules, view.seat
    taken = _TAKE_JOKER in view.kinds
    for target, meld in enumerate(view.melds):
        if max(meld.cards) < JOKER_BASE:
            continue
        wanted = stood_for(meld)
        if not wanted & held or (meld.kind is _SET and not taken):
            continue
        if taken:
            if meld.kind is not _SET or (wanted & held).bit_count() >= rules.exchange_naturals:
                exchange = _taken_joker(view, target, wanted & held)
                if exchange is not None:
                    return exchange
            continue
        if rules.joker_owner_only and meld.owner != seat:
            continue
        if rules.joker_later_turn and target >= view.progress.melds_before:
            continue
        card = held_as(view.hand, (wanted & held).bit_length() - 1)
        deal = shadow(view)
        for end in (HIGH, LOW) if rules.run_ends is RunEnds.EITHER else (NONE,):
            action = move_joker(card, target, end)
            if may(deal, seat, action):
                return action
    return None


def _taken_joker(view: View, target: int, fitting: int) -> Action | None:
    """Return the exchange of naturals among ``fitting`` for the joker of a meld, or None.

    The joker is laid off.
    """
    deal = shadow(view)
    needed = view.rules.exchange_naturals if view.melds[target].kind is _SET else 1
    cards = tuple([held_as(view.hand, bit.bit_length() - 1) for bit in bits_of(fitting)])
    for onto, meld in enumerate(view.melds):
        for end in (NONE,) if meld.kind is _SET else (HIGH, LOW):
            for chosen in combinations(cards, needed):
                action = take_joker_to_lay_off(chosen, target, onto, end)
                if may(deal, view.seat, action):
                    return action
    return None


def _own_meld(view: View, masks: solver.Masks, spare: int) -> Action | None:
    """Return a further meld of ``spare`` cards of the hand at most, or None."""
    rules = view.rules
    if rules.set_suits_differ:
        if view.hand[-1] < JOKER_BASE and not in_melds(rules, masks):
            return None
        found = costliest_meld(rules, view.hand, spare)
        return None if found is None else lay_down(found)
    if not solver.contains(rules, masks, _ONE_SET) and (
        spare < rules.run_min or not solver.contains(rules, masks, _ONE_RUN)
    ):
        return None  # most hands: nothing is left over to meld
    for meld in further_melds(view):
        cards = meld.cards[:spare]
        if len(cards) >= (rules.set_min if meld.kind is _SET else rules.run_min):
            return lay_down(Meld(meld.kind, cards))
    return None


def further_melds(view: View) -> list[Meld]:
    """Return melds of the hand beside the seat's own, whose ranks and suits are taken (J-12)."""
    if view.rules.set_suits_differ:
        found = costliest_meld(view.rules, view.hand, len(view.hand) - view.rules.final_discard)
        return [] if found is None else [found]
    used_ranks = used_suits = 0
    for meld in view.melds:
        if meld.owner == view.seat:
            if meld.kind is _SET:
                used_ranks |= 1 << meld.low
            else:
                used_suits |= 1 << meld.suit
    return find_melds(view.rules, view.hand, used_ranks, used_suits)


def _joker_lay_off(view: View, held: int) -> Action | None:
    """Lay a joker off, best where it carries a natural of the hand with it."""
    rules, built = view.rules, view.progress.built
    best: tuple[int, int, int] | None = None
    for target, meld in enumerate(view.melds):
        for _, joker, end in places(rules, meld):
            if not joker or (built and _built_out(view, target, end)):
                continue
            rating = 1 if meld.kind is _SET else 2 if _carries(meld, end, held) else 0
            if best is None or rating > best[0]:
                best = rating, target, end
    if best is None:
        return None
    _, target, end = best
    return lay_off(view.hand[-1], target, end if rules.run_ends is RunEnds.EITHER else NONE)


def _carries(meld: TableMeld, end: int, held: int) -> bool:
    """Return whether a natural in ``held`` fits beyond a card laid off at that end of a run."""
    beyond = meld.low + len(meld.cards) + 1 if end == HIGH else meld.low - 2
    return 0 <= beyond <= HIGH_ACE and held >> meld.suit * RANKS + beyond % RANKS & 1 > 0
