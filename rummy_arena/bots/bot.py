"""What a bot is: a name, and one method that chooses an action from a view."""

from __future__ import annotations

import random
from typing import Protocol

from rummy_arena.game.actions import Action
from rummy_arena.game.view import View


class Dice:
    """The dice of one decision, a function of a seed and the decision's place in the game.

    A game that is cut anywhere and resumed elsewhere therefore rolls the same. ``random`` is made
    only when a bot asks for it, because most decisions need no dice.
    """

    __slots__ = ("_made", "_position", "_seed")

    def __init__(self, seed: bytes, position: int) -> None:
        self._seed = seed
        self._position = position
        self._made: random.Random | None = None

    @property
    def random(self) -> random.Random:
        """The random numbers of this decision; the same object on every use."""
        if self._made is None:
            rolled = b"dice" + self._position.to_bytes(8, "big") + self._seed
            self._made = random.Random(rolled)  # noqa: S311  play, not secrets; must be repeatable
        return self._made


class Bot(Protocol):
    """A player: a pure function of what its seat sees and of its dice."""

    @property
    def name(self) -> str:
        """The name under which the bot is registered and shown."""
        ...

    def choose(self, view: View, dice: Dice) -> Action:
        """Return an action of one of ``view.kinds``; never asked when that is empty."""
        ...
