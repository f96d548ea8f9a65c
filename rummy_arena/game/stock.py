"""The stock: drawing from it, and what happens when it is empty (X-11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .cards import Card
from .events import Event, Reshuffled
from .state import Deal

Reshuffle = Callable[[list[Card]], Sequence[Card]]
"""Given the recycled cards, bottom first, returns the new stock; its last card is drawn first."""


def stock_card(deal: Deal, events: list[Event], shuffle: Reshuffle) -> Card | None:
    """Take a stock card, recycling the pile if need be; None when the stock is exhausted (X-11)."""
    if not deal.stock:
        if deal.reshuffles >= deal.rules.reshuffles or len(deal.discards) < 2:
            return None
        deal.stock = list(shuffle(deal.discards[:-1]))
        deal.discards = deal.discards[-1:]
        deal.reshuffles += 1
        events.append(Reshuffled(bytes(deal.stock), len(deal.stock)))
    return deal.stock.pop()
