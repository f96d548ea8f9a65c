"""May this seat do this now? Each check refuses with its clause, or returns what ``apply`` needs.

Nothing here changes a state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .actions import NONE, Action, ActionKind
from .building import extended, with_joker_moved, with_joker_taken
from .cards import JOKER_BASE, Card
from .errors import Malformed
from .kinds import kinds
from .melds import Meld, MeldKind, TableMeld, meld_points, place, refused
from .refusals import refuse_kind
from .rules import UNLIMITED
from .state import Deal


class Prepared(NamedTuple):
    """What the check worked out."""

    melds: tuple[TableMeld, ...] = ()  # as they will lie on the table
    end: int = NONE  # of a run that grows
    joker: Card = NONE  # taken from the table


NOTHING = Prepared()
_K = ActionKind
_SET, _RUN = MeldKind.SET, MeldKind.RUN  # members of an enum are slow to look up on the class


def prepare(deal: Deal, seat: int, action: Action) -> Prepared:
    """Refuse the action with a RuleViolation, or return the table melds that it will make."""
    if type(seat) is not int or not 0 <= seat < len(deal.hands):
        raise Malformed("UNKNOWN_SEAT", "X-2", seat=seat, seats=deal.seats)
    if type(action) is not Action:
        raise Malformed("UNKNOWN_ACTION", "X-18", action=action)
    kind = action.kind
    if type(kind) is not ActionKind:  # a bare number is equal to a kind, but is none
        raise Malformed("UNKNOWN_ACTION", "X-18", kind=kind)
    if action.melds != ():
        _well_formed(action.melds)
    if kind not in kinds(deal, seat):
        refuse_kind(deal, seat, action)
    checker = _CHECKS.get(kind)
    return NOTHING if checker is None else checker(deal, seat, action)


def _well_formed(melds: object) -> None:
    """Refuse what is no sequence of melds of cards; untyped callers send anything."""
    if not isinstance(melds, tuple | list):
        raise Malformed("UNKNOWN_ACTION", "X-18", melds=melds)
    for meld in melds:
        known = type(meld) is Meld and isinstance(meld.cards, tuple | list)
        if not known or any(type(card) is not int for card in meld.cards):
            raise Malformed("UNKNOWN_ACTION", "X-18", meld=meld)


def holds(deal: Deal, seat: int, cards: tuple[Card, ...]) -> None:
    """Raise Malformed unless the hand holds the cards."""
    hand = deal.hands[seat]
    for card in cards:
        # True and 0.0 are equal to card ids, but are none.
        if type(card) is not int or card not in hand:
            raise Malformed("CARD_NOT_HELD", "X-2", card=card)


# --- laying down -------------------------------------------------------------------------------


def _check_open(deal: Deal, seat: int, action: Action) -> Prepared:
    cards = _distinct(action.melds)
    holds(deal, seat, cards)
    laid = _opening(deal, seat, action.melds)
    _keeps_a_card(deal, seat, len(cards))
    return Prepared(laid)


def _check_draw_and_open(deal: Deal, seat: int, action: Action) -> Prepared:
    top = deal.top
    if action.card != top:
        raise Malformed("NOT_THE_TOP", deal.rules.clause("NOT_THE_TOP"), card=action.card, top=top)
    cards = _distinct(action.melds)
    if top not in cards:
        raise refused(deal.rules, "TOP_NOT_USED", top=top)
    holds(deal, seat, tuple([card for card in cards if card != top]))
    laid = _opening(deal, seat, action.melds)
    _keeps_a_card(deal, seat, len(cards) - 1)
    return Prepared(laid)


def _opening(deal: Deal, seat: int, melds: tuple[Meld, ...]) -> tuple[TableMeld, ...]:
    """Check an opening's melds against the contract and the rules (J-11, C-2, C-3, E-4)."""
    rules, contract = deal.rules, deal.contract
    sets = [meld.kind for meld in melds].count(_SET)
    runs = len(melds) - sets
    if not contract.points and (sets, runs) != (contract.sets, contract.runs):
        raise refused(rules, "CONTRACT_NOT_MET", sets=sets, runs=runs, contract=contract.text)
    laid = _laid_down(deal, seat, melds, own=[])
    if rules.opening_exact:
        for meld in melds:
            exact = rules.set_min if meld.kind is _SET else rules.run_min
            if len(meld.cards) != exact:
                raise refused(rules, "OPENING_NOT_EXACT", cards=meld.cards, exactly=exact)
    if rules.opening_jokers < UNLIMITED:
        for meld in melds:
            jokers = sum([card >= JOKER_BASE for card in meld.cards])
            if jokers > rules.opening_jokers:
                raise refused(
                    rules, "OPENING_JOKERS", cards=meld.cards, maximum=rules.opening_jokers
                )
    if contract.points:
        points = sum([meld_points(rules, meld) for meld in laid])
        if points < contract.points:
            raise refused(rules, "POINTS_NOT_REACHED", points=points, minimum=contract.points)
    return laid


def _check_meld(deal: Deal, seat: int, action: Action) -> Prepared:
    _only_one(deal, action)
    cards = _distinct(action.melds)
    holds(deal, seat, cards)
    laid = _one_meld(deal, seat, action)
    _keeps_a_card(deal, seat, len(cards))
    return Prepared(laid)


def _only_one(deal: Deal, action: Action) -> None:
    if len(action.melds) != 1:
        code = "ONE_MELD_EACH"
        raise Malformed(code, deal.rules.clause(code), melds=len(action.melds))


def _one_meld(deal: Deal, seat: int, action: Action) -> tuple[TableMeld, ...]:
    own = [meld for meld in deal.melds if meld.owner == seat]
    return _laid_down(deal, seat, action.melds, own=own)


def _distinct(melds: tuple[Meld, ...]) -> tuple[Card, ...]:
    """Return the cards of the melds, or raise Malformed where one stands twice."""
    cards = tuple([card for meld in melds for card in meld.cards])
    if len(set(cards)) != len(cards):
        raise Malformed("REPEATED_CARD", "X-2", cards=cards)
    return cards


def _laid_down(
    deal: Deal, seat: int, melds: tuple[Meld, ...], *, own: list[TableMeld]
) -> tuple[TableMeld, ...]:
    """Check the melds against the rules, each other and the owner's melds (J-12)."""
    rules = deal.rules
    laid: list[TableMeld] = []
    for meld in melds:
        placed = place(rules, seat, meld)
        if rules.own_melds_differ:
            _, kind, low, suit, _ = placed
            for _, other_kind, other_low, other_suit, _ in (*own, *laid):
                if other_kind is kind is _SET and other_low == low:
                    raise refused(rules, "SET_RANK_REPEATED", rank=low)
                if other_kind is kind is _RUN and other_suit == suit:
                    raise refused(rules, "RUN_SUIT_REPEATED", suit=suit)
        laid.append(placed)
    return tuple(laid)


def _keeps_a_card(deal: Deal, seat: int, spent: int) -> None:
    """Refuse to empty the hand where going out needs a discard (C-10, E-19)."""
    if deal.rules.final_discard and len(deal.hands[seat]) <= spent:
        raise refused(deal.rules, "DISCARD_NEEDED", held=len(deal.hands[seat]))


# --- building ----------------------------------------------------------------------------------


def _target(deal: Deal, target: int) -> TableMeld:
    if type(target) is not int or not 0 <= target < len(deal.melds):
        raise Malformed("UNKNOWN_MELD", "X-20", target=target, melds=len(deal.melds))
    return deal.melds[target]


def _check_lay_off(deal: Deal, seat: int, action: Action) -> Prepared:
    meld = _target(deal, action.target)
    holds(deal, seat, (action.card,))
    grown, end = extended(deal.rules, meld, action.card, action.target, action.end)
    _not_built_out(deal, action.target, end)
    _keeps_a_card(deal, seat, 1)
    return Prepared((grown,), end)


def _not_built_out(deal: Deal, target: int, end: int) -> None:
    """Refuse more cards on one end of a run than a turn may lay there (E-12)."""
    most = deal.rules.build_per_end
    if most < UNLIMITED and end != NONE and deal.progress.built_on(target, end) >= most:
        raise refused(deal.rules, "BUILT_ENOUGH", target=target, end=end, maximum=most)


def _check_move_joker(deal: Deal, seat: int, action: Action) -> Prepared:
    rules = deal.rules
    meld = _target(deal, action.target)
    holds(deal, seat, (action.card,))
    if rules.joker_owner_only and meld.kind is _RUN and meld.owner != seat:
        raise refused(rules, "NOT_OWN_RUN", target=action.target, owner=meld.owner)
    new = meld.kind is _RUN and action.target >= deal.progress.melds_before
    if rules.joker_later_turn and new:
        raise refused(rules, "RUN_TOO_NEW", target=action.target)
    moved, end = with_joker_moved(rules, meld, action.card, action.target, action.end)
    _keeps_a_card(deal, seat, 1)
    return Prepared((moved,), end)


def _check_take_joker(deal: Deal, seat: int, action: Action) -> Prepared:
    rules = deal.rules
    meld = _target(deal, action.target)
    cards = (action.card,) if action.also == NONE else (action.card, action.also)
    holds(deal, seat, cards)
    if len(set(cards)) != len(cards):
        raise Malformed("REPEATED_CARD", "X-2", cards=cards)
    exchanged, joker = with_joker_taken(rules, meld, cards, action.target)
    if action.melds:
        return _joker_to_meld(deal, seat, action, cards, exchanged, joker)
    if action.onto == NONE:
        raise refused(rules, "JOKER_NOT_USED", joker=joker)
    onto = _target(deal, action.onto)
    if action.onto == action.target:
        onto = exchanged
    placed, end = extended(rules, onto, joker, action.onto, action.end)
    _not_built_out(deal, action.onto, end)
    _keeps_a_card(deal, seat, len(cards))
    return Prepared((exchanged, placed), end, joker)


def _joker_to_meld(
    deal: Deal,
    seat: int,
    action: Action,
    cards: tuple[Card, ...],
    exchanged: TableMeld,
    joker: Card,
) -> Prepared:
    """Check a new meld that the joker goes to; the rest of it comes from the hand."""
    if action.onto != NONE:
        code = "TWO_PLACES_FOR_JOKER"
        raise Malformed(code, deal.rules.clause(code), onto=action.onto)
    _only_one(deal, action)
    melded = _distinct(action.melds)
    if joker not in melded:
        raise refused(deal.rules, "JOKER_NOT_USED", joker=joker)
    own = tuple([card for card in melded if card != joker])
    if set(own) & set(cards):
        raise Malformed("REPEATED_CARD", "X-2", cards=cards)
    holds(deal, seat, own)
    laid = _one_meld(deal, seat, action)
    _keeps_a_card(deal, seat, len(cards) + len(own))
    return Prepared((exchanged, *laid), NONE, joker)


# --- discarding --------------------------------------------------------------------------------


def _check_discard(deal: Deal, seat: int, action: Action) -> Prepared:
    card, rules = action.card, deal.rules
    hand = deal.hands[seat]
    if type(card) is not int or card not in hand:
        holds(deal, seat, (card,))
    if card >= JOKER_BASE and not rules.joker_discard:
        raise refused(rules, "JOKER_DISCARD", card=card)
    if not rules.throw_back and card == deal.progress.taken and len(hand) > 1:
        raise refused(rules, "THROWN_BACK", card=card)
    return NOTHING


# The other kinds ask for nothing but that their kind is open to the seat.
_CHECKS: dict[ActionKind, Callable[[Deal, int, Action], Prepared]] = {
    _K.OPEN: _check_open,
    _K.DRAW_AND_OPEN: _check_draw_and_open,
    _K.MELD: _check_meld,
    _K.LAY_OFF: _check_lay_off,
    _K.MOVE_JOKER: _check_move_joker,
    _K.TAKE_JOKER: _check_take_joker,
    _K.DISCARD: _check_discard,
}
