"""What a deal costs: penalties by seat, and units of play money (J-24, B-18, E-20)."""

from __future__ import annotations

from collections.abc import Sequence

from .cards import Card
from .events import DealEnd
from .rules import RuleSet, StakeDoubling
from .state import Deal, Outcome


def deal_points(
    rules: RuleSet,
    outcome: Outcome,
    hands: Sequence[list[Card]],
    opened: Sequence[int],
    players: Sequence[int],
) -> tuple[int, ...]:
    """Return the penalties of a deal by seat; nought for all unless somebody went out.

    ``opened`` is true for the seats that have opened; who is not among the players gets nought.
    """
    if outcome.end is not DealEnd.OUT:
        return (0,) * len(hands)
    down_and_out = outcome.down_and_out
    factor = rules.down_and_out_factor if down_and_out else 1
    extra = rules.down_and_out_extra if down_and_out else 0
    points = []
    for seat, hand in enumerate(hands):
        if seat == outcome.winner:
            points.append(rules.out_points)
        elif seat not in players:
            points.append(0)
        else:
            unopened = 0 if opened[seat] else rules.unopened_points
            points.append(rules.hand_points(hand) * factor + extra + unopened)
    return tuple(points)


def deal_stakes(rules: RuleSet, outcome: Outcome, deal: Deal) -> tuple[int, ...]:
    """Return the units that the deal moves, by seat; each loser pays the winner (E-20, B-24)."""
    if outcome.end is not DealEnd.OUT or not rules.deal_stake:
        return (0,) * deal.seats
    doubled = rules.stake_doubling is StakeDoubling.BONUS or (
        rules.stake_doubling is StakeDoubling.DOWN_AND_OUT and outcome.down_and_out
    )
    stake = rules.deal_stake * (2 if doubled else 1)
    paid = [-stake if seat in deal.players else 0 for seat in range(deal.seats)]
    paid[outcome.winner] = stake * (len(deal.players) - 1)
    return tuple(paid)
