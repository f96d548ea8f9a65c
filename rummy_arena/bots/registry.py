"""The house bots, by name."""

from __future__ import annotations

from .bot import Bot
from .careful import CarefulBot
from .greedy import GreedyBot
from .random import RandomBot

HOUSE_BOTS: dict[str, Bot] = {bot.name: bot for bot in (RandomBot(), GreedyBot(), CarefulBot())}
