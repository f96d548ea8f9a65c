"""The deal as a seat sees it: what the view shows, and nothing where it shows nothing.

The engine's own checks and lists work on it, so that a bot never has an idea of the rules beside
the engine's. Only what a seat may do in its own turn follows from it: no hand but the viewer's and
no card of the stock is there.
"""

from __future__ import annotations

from rummy_arena.game.actions import NONE, Action
from rummy_arena.game.engine import check, legal_actions
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.state import Deal, following
from rummy_arena.game.view import View


def shadow(view: View) -> Deal:
    """Return the deal as the view's seat sees it, for questions about that seat's turn."""
    seats = len(view.hand_counts)
    hands: list[list[int]] = [[] for _ in range(seats)]
    hands[view.seat] = list(view.hand)
    return Deal(
        rules=view.rules,
        number=view.number,
        dealer=view.dealer,
        hands=hands,
        stock=[NONE] * view.stock_count,
        discards=[] if view.top == NONE else [view.top],
        contract_number=view.contract_number,
        players=view.players,
        after=following(seats, view.players, view.rules.clockwise),
        melds=list(view.melds),
        opened_turn=list(view.opened_turn),
        calls=list(view.calls),
        phase=view.phase,
        turn=view.turn,
        turn_number=view.turn_number,
        progress=view.progress,
    )


def turn_actions(view: View) -> list[Action]:
    """Return every legal action without melds of a seat in its turn, as the engine lists them."""
    return legal_actions(shadow(view), view.seat)


def may(deal: Deal, seat: int, action: Action) -> bool:
    """Return whether the engine accepts the action."""
    try:
        check(deal, seat, action)
    except RuleViolation:
        return False
    return True
