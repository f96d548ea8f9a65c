"""The player of the playthroughs: seeks its opening, lays down what it can, throws the rest.

It depends on nothing but rules and its dice, so that playthroughs change when rules do, and not
when the solver or a bot learns something. What it proposes to lay down, ``engine.check`` judges.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from rummy_arena.game.actions import (
    ALLOW,
    CALL,
    DECLINE,
    DRAW_DISCARD,
    DRAW_STOCK,
    END_TURN,
    FORBID,
    NONE,
    PASS,
    REBUY,
    Action,
    ActionKind,
)
from rummy_arena.game.cards import RANK_OF, SUIT_OF, Card, is_joker
from rummy_arena.game.engine import check, kinds, legal_actions
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.state import Deal

from .seeking import contract_openings, far, melds_of, partners, point_openings

_K = ActionKind
_BUILDING = (_K.LAY_OFF, _K.MOVE_JOKER, _K.TAKE_JOKER)


class Seeker:
    """Chooses a legal action for any seat."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice

    def choose(self, deal: Deal, seat: int) -> Action:
        """Return a legal action of a seat that must or may decide."""
        choices = kinds(deal, seat)
        if _K.REBUY in choices:
            return REBUY if self.chance(0.6) else DECLINE
        if _K.CALL in choices:
            return CALL if self.wants(deal, seat) else PASS
        if _K.FORBID in choices:
            return FORBID if self.chance(0.4) else ALLOW
        if _K.DRAW_AND_OPEN in choices:
            return _first_legal(deal, seat, _openings(deal, seat, deal.top)) or DRAW_STOCK
        if _K.DRAW_DISCARD in choices:
            other = ALLOW if _K.ALLOW in choices else DRAW_STOCK
            return DRAW_DISCARD if self.wants(deal, seat) else other
        return DRAW_STOCK if _K.DRAW_STOCK in choices else self.plays(deal, seat)

    def chance(self, share: float) -> bool:
        """Return whether the dice say so."""
        return self.dice.random() < share

    def wants(self, deal: Deal, seat: int) -> bool:
        """Return whether the top discard is worth having."""
        hand, top = deal.hands[seat], deal.top
        if deal.opened_turn[seat]:
            return self.chance(0.2)
        if is_joker(top):
            return True
        if deal.contract.points:
            return partners(deal.rules, hand, top) > 3
        return far(deal, [*hand, top]) < far(deal, hand)

    def plays(self, deal: Deal, seat: int) -> Action:
        """Return an action between the draw and the end of the turn."""
        choices = kinds(deal, seat)
        if _K.OPEN in choices:
            laid = _first_legal(deal, seat, _openings(deal, seat))
            return laid or self.throws(deal, seat)
        for tries in self.order:
            if (action := tries(self, deal, seat, choices)) is not None:
                return action
        return self.throws(deal, seat)

    def melds(self, deal: Deal, seat: int, choices: Sequence[ActionKind]) -> Action | None:
        """Return a further meld, if there is one."""
        return _first_legal(deal, seat, _further(deal, seat)) if _K.MELD in choices else None

    def exchanges(self, deal: Deal, seat: int, choices: Sequence[ActionKind]) -> Action | None:
        """Return mostly an exchange of a joker that makes a new meld, if there is one."""
        if _K.TAKE_JOKER in choices and self.chance(0.9):
            return _first_legal(deal, seat, _exchanges(deal, seat))
        return None

    def builds(self, deal: Deal, seat: int, choices: Sequence[ActionKind]) -> Action | None:
        """Return mostly a lay-off, a joker move or another exchange, if there is one."""
        built = [action for action in legal_actions(deal, seat) if action.kind in _BUILDING]
        return self.dice.choice(built) if built and self.chance(0.9) else None

    order = (melds, exchanges, builds)
    """What an opened seat tries, one after the other."""

    def throws(self, deal: Deal, seat: int) -> Action:
        """Return the discard that costs least to lose, or the end of a turn without one."""
        thrown = [action for action in legal_actions(deal, seat) if action.kind is _K.DISCARD]
        hand, rules = deal.hands[seat], deal.rules
        opened = bool(deal.opened_turn[seat])

        def cost(action: Action) -> tuple[int, int, int, Card]:
            card = action.card
            rest = [held for held in hand if held != card]
            worth = -rules.card_values[card]
            if opened:
                return 0, 0, worth, card
            if is_joker(card):
                return 99, 0, 0, card
            return far(deal, rest), partners(rules, rest, card), worth, card

        return min(thrown, key=cost) if thrown else END_TURN


def _first_legal(deal: Deal, seat: int, proposals: Iterable[Action]) -> Action | None:
    for action in proposals:
        try:
            check(deal, seat, action)
        except RuleViolation:
            continue
        return action
    return None


def _openings(deal: Deal, seat: int, top: Card = NONE) -> Iterable[Action]:
    """Yield openings of the hand, or such as need the top discard."""
    hand = deal.hands[seat] if top == NONE else [*deal.hands[seat], top]
    if deal.contract.points:
        found = point_openings(deal, seat, hand)
    else:
        found = contract_openings(deal, hand)
    for melds in found:
        if top == NONE:
            yield Action(_K.OPEN, melds=melds)
        elif any(top in meld.cards for meld in melds):
            yield Action(_K.DRAW_AND_OPEN, top, melds=melds)


def _further(deal: Deal, seat: int) -> Iterable[Action]:
    for meld in melds_of(deal.rules, deal.hands[seat]):
        yield Action(_K.MELD, melds=(meld,))


def _exchanges(deal: Deal, seat: int) -> Iterable[Action]:
    """Yield exchanges for a joker of the table that goes into a new meld (E-13)."""
    hand = deal.hands[seat]
    for target, meld in enumerate(deal.melds):
        for joker in filter(is_joker, meld.cards):
            for card in hand:
                fits = SUIT_OF[card] == meld.suit or RANK_OF[card] == meld.low
                if is_joker(card) or not fits:
                    continue
                for also in (NONE, *(other for other in hand if other > card)):
                    rest = [held for held in hand if held not in (card, also)]
                    for made in melds_of(deal.rules, [*rest, joker]):
                        if joker in made.cards:
                            yield Action(_K.TAKE_JOKER, card, target, (made,), also=also)


class Timid(Seeker):
    """Calls and takes as the seeker does, but never opens."""

    def plays(self, deal: Deal, seat: int) -> Action:
        """Return a discard."""
        return self.throws(deal, seat)


class Builder(Seeker):
    """Builds on the table before it melds anything more."""

    order = (Seeker.builds, Seeker.exchanges, Seeker.melds)
