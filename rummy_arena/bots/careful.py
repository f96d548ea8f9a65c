"""The careful bot: greedy, with an eye on the others at the table."""

from __future__ import annotations

from .greedy import GreedyBot


class CarefulBot(GreedyBot):
    """Greedy play that also weighs what the others can use."""

    name = "careful"
