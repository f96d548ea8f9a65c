"""What a seat may do. One record type, so that equal actions are equal and encode alike."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from .cards import Card
from .melds import Meld

NONE = -1


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
    ALLOW = 11  # the next player lets a caller have the discard


class Action(NamedTuple):
    """One action of one seat; unused fields keep their defaults."""

    kind: ActionKind
    card: Card = NONE
    target: int = NONE
    melds: tuple[Meld, ...] = ()


DRAW_STOCK = Action(ActionKind.DRAW_STOCK)
DRAW_DISCARD = Action(ActionKind.DRAW_DISCARD)
END_TURN = Action(ActionKind.END_TURN)
CALL = Action(ActionKind.CALL)
PASS = Action(ActionKind.PASS)
ALLOW = Action(ActionKind.ALLOW)


def discard(card: Card) -> Action:
    """Return the action that discards ``card``."""
    return Action(ActionKind.DISCARD, card)


def lay_off(card: Card, target: int) -> Action:
    """Return the action that lays ``card`` off onto table meld ``target``."""
    return Action(ActionKind.LAY_OFF, card, target)


def move_joker(card: Card, target: int) -> Action:
    """Return the action that replaces a joker of run ``target`` by its natural ``card``."""
    return Action(ActionKind.MOVE_JOKER, card, target)


def open_with(*melds: Meld) -> Action:
    """Return the action that opens with ``melds``."""
    return Action(ActionKind.OPEN, melds=melds)


def lay_down(meld: Meld) -> Action:
    """Return the action that lays down one further meld."""
    return Action(ActionKind.MELD, melds=(meld,))
