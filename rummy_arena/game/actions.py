"""What a seat may do. One record type, so that equal actions are equal and encode alike."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from .cards import Card
from .melds import Meld

NONE = -1
LOW, HIGH = 0, 1
"""The ends of a run."""


class ActionKind(IntEnum):
    """The verbs of the turn automaton."""

    DRAW_STOCK = 1
    DRAW_DISCARD = 2  # in DRAW, and by the next player in a call window or decision (J-5)
    OPEN = 3  # lay down the whole contract: ``melds``
    MELD = 4  # lay down one further meld after opening: ``melds`` of length 1
    LAY_OFF = 5  # ``card`` onto table meld ``target``
    MOVE_JOKER = 6  # natural ``card`` replaces the joker it equals in run ``target`` (J-18, J-19)
    DISCARD = 7  # ``card``
    END_TURN = 8  # without a discard: only a hand of jokers may (J-21)
    CALL = 9  # request the discard out of turn
    PASS = 10  # let this discard go
    ALLOW = 11  # the next player or the discarder lets a caller have the discard
    FORBID = 12  # the discarder keeps it from the caller (B-1)
    DRAW_AND_OPEN = 13  # take the top discard ``card`` and open with it: ``melds`` (E-7)
    TAKE_JOKER = 14  # exchange naturals for a joker and use it at once (E-13)
    REBUY = 15  # buy back into the game (E-17)
    DECLINE = 16  # do not


class Action(NamedTuple):
    """One action of one seat; unused fields keep their defaults."""

    kind: ActionKind
    card: Card = NONE
    target: int = NONE
    melds: tuple[Meld, ...] = ()
    end: int = NONE  # LOW or HIGH of a run; NONE: the only end that there is
    also: Card = NONE  # TAKE_JOKER: the second natural, where a set asks for two
    onto: int = NONE  # TAKE_JOKER: the meld that the joker is laid off on, unless ``melds`` has it


DRAW_STOCK = Action(ActionKind.DRAW_STOCK)
DRAW_DISCARD = Action(ActionKind.DRAW_DISCARD)
END_TURN = Action(ActionKind.END_TURN)
CALL = Action(ActionKind.CALL)
PASS = Action(ActionKind.PASS)
ALLOW = Action(ActionKind.ALLOW)
FORBID = Action(ActionKind.FORBID)
REBUY = Action(ActionKind.REBUY)
DECLINE = Action(ActionKind.DECLINE)


def discard(card: Card) -> Action:
    """Return the action that discards ``card``."""
    return Action(ActionKind.DISCARD, card)


def lay_off(card: Card, target: int, end: int = NONE) -> Action:
    """Return the action that lays ``card`` off onto table meld ``target``, at ``end`` of a run."""
    return Action(ActionKind.LAY_OFF, card, target, end=end)


def move_joker(card: Card, target: int, end: int = NONE) -> Action:
    """Return the action that replaces a joker of run ``target`` by its natural ``card``.

    The joker goes to ``end`` of the run.
    """
    return Action(ActionKind.MOVE_JOKER, card, target, end=end)


def open_with(*melds: Meld) -> Action:
    """Return the action that opens with ``melds``."""
    return Action(ActionKind.OPEN, melds=melds)


def lay_down(meld: Meld) -> Action:
    """Return the action that lays down one further meld."""
    return Action(ActionKind.MELD, melds=(meld,))


def draw_and_open(card: Card, *melds: Meld) -> Action:
    """Return the action that takes the top discard ``card`` and opens with ``melds`` (E-7)."""
    return Action(ActionKind.DRAW_AND_OPEN, card, melds=melds)


def take_joker_to_meld(cards: tuple[Card, ...], target: int, meld: Meld) -> Action:
    """Return the action that gives ``cards`` for a joker of ``target`` and melds it (E-13)."""
    also = cards[1] if len(cards) > 1 else NONE
    return Action(ActionKind.TAKE_JOKER, cards[0], target, (meld,), also=also)


def take_joker_to_lay_off(
    cards: tuple[Card, ...], target: int, onto: int, end: int = NONE
) -> Action:
    """Return the action that gives ``cards`` for a joker of ``target`` and lays it off (E-13)."""
    also = cards[1] if len(cards) > 1 else NONE
    return Action(ActionKind.TAKE_JOKER, cards[0], target, end=end, also=also, onto=onto)
