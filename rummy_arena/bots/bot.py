"""What a bot is: a name, and one method that chooses an action from a view."""

from __future__ import annotations

import random
from struct import Struct
from typing import Protocol

from rummy_arena.game.actions import Action
from rummy_arena.game.view import View

_NUMBER = Struct(">Q")
_PLACE = Struct(">BIIIBI")


class Dice:
    """The dice of one decision, a function of a seed and the decision's place in the game.

    A game that is cut anywhere and resumed elsewhere therefore rolls the same. ``random`` is made
    only when a bot asks for it, because most decisions need no dice.
    """

    __slots__ = ("_made", "_place", "_seed")

    def __init__(self, seed: bytes, place: int | View) -> None:
        self._seed = seed
        self._place = place  # the view of the decision, or any number that tells it from others
        self._made: random.Random | None = None

    @property
    def random(self) -> random.Random:
        """The random numbers of this decision; the same object on every use."""
        if self._made is None:
            place = self._place
            placed = _NUMBER.pack(place) if isinstance(place, int) else _placed(place)
            rolled = b"dice" + placed + self._seed
            self._made = random.Random(rolled)  # noqa: S311  play, not secrets; must be repeatable
        return self._made


def _placed(view: View) -> bytes:
    return _PLACE.pack(
        view.seat,
        view.number,
        view.attempt,
        view.turn_number,
        view.phase,
        len(view.hand),
    )


def dice_of(seed: bytes, view: View) -> Dice:
    """Return the dice of the decision that ``view`` shows.

    No two decisions of a game share their dice: within a turn a seat decides once in each phase,
    but while it plays, and then each action shortens its hand. What is not public, such as what
    others answered meanwhile, has no part in them, nor has how the game is recorded.
    """
    return Dice(seed, view)


class Bot(Protocol):
    """A player: a pure function of what its seat sees and of its dice."""

    @property
    def name(self) -> str:
        """The name under which the bot is registered and shown."""
        ...

    def choose(self, view: View, dice: Dice) -> Action:
        """Return an action of one of ``view.kinds``; never asked when that is empty."""
        ...
