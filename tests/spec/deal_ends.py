"""The last discard of a Kaluki deal that began at chosen totals, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rummy_arena.game.events import Eliminated, Event
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Game
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.positions import Position, in_game, position

NO_REBUYS = get_rule_set("kaluki-european", {"rebuys": "0"})


def after_a_deal(
    totals: Sequence[int],
    left: Mapping[int, str],
    *,
    winner: int = 0,
    dealer: int | None = None,
    gone: Sequence[int] = (),
    number: int = 1,
    rebuys: Sequence[int] = (),
    rules: RuleSet = NO_REBUYS,
) -> tuple[Position, Game, list[Event]]:
    """Let ``winner`` go out of a deal that began at ``totals``; ``left`` are the others' hands.

    ``gone`` left the game before; ``rebuys`` are those used so far, by seat. Rows of the score
    sheet before this deal are nought.
    """
    seats = len(totals)
    held = position(
        seats=seats,
        contract=number,
        players=tuple(seat for seat in range(seats) if seat not in gone),
        hands={winner: "2C", **left},
        turn=winner,
        opened=[winner],
        rules=rules,
        pile="8C",
    )
    held.deal.dealer = seats - 1 if dealer is None else dealer
    game = in_game(held, scores=[(0,) * seats] * (number - 1))
    game.adjustments[:] = totals
    game.eliminated[:] = gone
    game.rebuys[:] = rebuys or [0] * seats
    events = held.does(f"{winner} discards 2C")
    return held, game, events


def out_of(events: list[Event]) -> tuple[int, ...]:
    """Return the seats that the events eliminate."""
    return tuple(seat for event in events if isinstance(event, Eliminated) for seat in event.seats)
