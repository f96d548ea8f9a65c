"""What a view leaves open: cards that nobody has shown, and opponents about to go out."""

from __future__ import annotations

from rummy_arena.game.cards import JOKER_BASE
from rummy_arena.game.view import View


def unseen_naturals(view: View) -> list[int]:
    """Return by kind of natural (id without its pack) how many copies the view does not show."""
    count = [view.rules.packs] * (JOKER_BASE >> 2)
    for meld in view.melds:
        for card in meld.cards:
            if card < JOKER_BASE:
                count[card >> 2] -= 1
    for card in view.hand:
        if card < JOKER_BASE:
            count[card >> 2] -= 1
    if 0 <= view.top < JOKER_BASE:
        count[view.top >> 2] -= 1
    return count


def threatened(view: View, few: int) -> bool:
    """Return whether an opponent who has opened is down to ``few`` cards."""
    return any(
        opened and count <= few and seat != view.seat
        for seat, (opened, count) in enumerate(zip(view.opened_turn, view.hand_counts, strict=True))
    )
