"""Actions of every kind, most of them senseless, to try what an engine refuses."""

from __future__ import annotations

from random import Random

from rummy_arena.game import engine
from rummy_arena.game.actions import HIGH, LOW, NONE, Action, ActionKind
from rummy_arena.game.melds import Meld, MeldKind
from rummy_arena.game.rules import RunEnds
from rummy_arena.game.state import Deal

from .plain_player import openings

BARE_KINDS = (
    ActionKind.DRAW_STOCK,
    ActionKind.DRAW_DISCARD,
    ActionKind.END_TURN,
    ActionKind.CALL,
    ActionKind.PASS,
    ActionKind.ALLOW,
    ActionKind.FORBID,
    ActionKind.REBUY,
    ActionKind.DECLINE,
)


def actions_without_melds(deal: Deal, seat: int, dice: Random) -> list[Action]:
    """Return actions of all kinds that need no melds, legal and illegal ones."""
    hand = deal.hands[seat]
    cards = [*dice.sample(hand, min(3, len(hand))), dice.choice(deal.rules.pack)]
    actions = [Action(kind) for kind in BARE_KINDS]
    actions += [Action(ActionKind.DISCARD, card) for card in cards]
    targets = dice.sample(range(-1, len(deal.melds) + 1), min(3, len(deal.melds) + 2))
    for target in targets:
        for card in cards:
            for end in _ends(deal, target):
                actions.append(Action(ActionKind.LAY_OFF, card, target, end=end))
            for end in _ends(deal, target):
                actions.append(Action(ActionKind.MOVE_JOKER, card, target, end=end))
            actions += _exchanges(deal, card, target, [NONE, *cards], targets)
    return actions


def _ends(deal: Deal, target: int) -> tuple[int, ...]:
    """Return the ends that an action on this meld names in its listed form."""
    known = 0 <= target < len(deal.melds)
    if deal.rules.run_ends is RunEnds.EITHER and known:
        return (LOW, HIGH) if deal.melds[target].kind is MeldKind.RUN else (NONE,)
    return (NONE,)


def _exchanges(
    deal: Deal, card: int, target: int, seconds: list[int], places: list[int]
) -> list[Action]:
    return [
        Action(ActionKind.TAKE_JOKER, card, target, end=end, also=also, onto=onto)
        for also in seconds
        if also == NONE or also > card
        for onto in places
        for end in _ends(deal, onto)
    ]


def wild_actions(deal: Deal, seat: int, dice: Random) -> list[Action]:
    """Return actions of every kind, most of them senseless."""
    inside = 0 <= seat < deal.seats
    actions = actions_without_melds(deal, seat if inside else 0, dice)
    hand = deal.hands[seat] if inside else deal.hands[0]
    for kind in (ActionKind.OPEN, ActionKind.MELD, ActionKind.DRAW_AND_OPEN, ActionKind.TAKE_JOKER):
        melds = tuple(
            Meld(dice.choice(list(MeldKind)), tuple(dice.choices(hand, k=dice.randrange(6))))
            for _ in range(dice.randrange(4))
        )
        card = deal.top if kind is ActionKind.DRAW_AND_OPEN else dice.choice(hand or [NONE])
        actions.append(Action(kind, card, dice.randrange(-1, 6), melds))
    if inside and deal.turn == seat and ActionKind.OPEN in engine.kinds(deal, seat):
        tries = [20]
        found = next(openings(deal, hand, tries), None)
        if found:  # nearly legal ones: a meld too few, a card swapped
            actions += [Action(ActionKind.OPEN, melds=melds) for melds in (found, found[1:])]
    return actions
