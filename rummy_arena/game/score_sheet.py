"""How a game stands: its scored deals with their contracts, totals, re-buys and money."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .rules import RuleSet, TieForFirst
from .series import final_totals, places
from .state import Game, Leg


@dataclass(frozen=True, slots=True)
class ScoredDeal:
    """One row of the sheet."""

    number: int  # of the deal in the game, from 1
    contract_number: int  # from 1
    points: tuple[int, ...]  # by seat
    winner: int  # NONE if nobody went out
    leg: int  # which of several games, from 1
    sudden_death: bool


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A whole sheet; lists are by seat."""

    deals: tuple[ScoredDeal, ...]
    totals: tuple[int, ...]  # of the present leg, or of all of them once the game is over
    places: tuple[int, ...]  # () before the game is over
    eliminated: tuple[int, ...]  # seats, the lowest in the final order first
    rebuys: tuple[int, ...]  # () where nobody may buy back
    adjustments: tuple[int, ...]  # what re-buys added to totals; () where nobody may buy back
    ledger: tuple[int, ...]  # () where nothing is staked
    pot: int
    legs: tuple[Leg, ...]


def score_sheet(game: Game) -> ScoreSheet:
    """Return the sheet of a game as it stands now."""
    rules = game.rules
    staked = rules.buy_in or rules.deal_stake
    return ScoreSheet(
        deals=tuple(_deals(game)),
        totals=final_totals(game) if game.over else game.totals,
        places=places(game) if game.over else (),
        eliminated=tuple(game.eliminated),
        rebuys=tuple(game.rebuys) if rules.rebuys else (),
        adjustments=tuple(game.adjustments) if rules.rebuys else (),
        ledger=tuple(game.ledger) if staked else (),
        pot=game.pot,
        legs=tuple(game.legs),
    )


def left_out(game: Game) -> tuple[tuple[int, ...], ...]:
    """Return by seat which scored deals, from 0, say nothing of it beside others.

    Those are sudden death, which not everybody plays (B-19), and deals that were not dealt to the
    seat any more: an eliminated seat's last deal is the one that put it above the limit (E-15).
    """
    sudden = [place for place, deal in enumerate(_deals(game)) if deal.sudden_death]
    found = [tuple(sudden)] * game.seats
    for seat in game.eliminated:
        last = max((place for place, row in enumerate(game.scores) if row[seat]), default=-1)
        found[seat] = tuple(range(last + 1, len(game.scores)))
    return tuple(found)


def sudden_wins(game: Game) -> tuple[int, ...]:
    """Return by seat how many deals of sudden death it won."""
    winners = [deal.winner for deal in _deals(game) if deal.sudden_death]
    return tuple(winners.count(seat) for seat in range(game.seats))


def _deals(game: Game) -> Iterator[ScoredDeal]:
    last = len(game.rules.contracts)
    rows = zip(_places_in_legs(game), game.scores, game.winners, strict=True)
    for number, ((leg, nth), points, winner) in enumerate(rows, start=1):
        elimination = game.rules.by_elimination  # one contract for every deal
        yield ScoredDeal(
            number=number,
            contract_number=1 if elimination else min(nth, last),
            points=tuple(points),
            winner=winner,
            leg=leg,
            sudden_death=nth > last and not elimination,
        )


def _places_in_legs(game: Game) -> list[tuple[int, int]]:
    """Return of each scored deal its leg, and which deal of that leg it was.

    A sudden death after the last leg, for the whole game, is a row of that leg.
    """
    lengths = [deals_of(game.rules, leg) for leg in game.legs]
    more = len(game.scores) - sum(lengths)
    if more and game.leg_start < sum(lengths):
        lengths[-1] += more
    elif more:
        lengths.append(more)
    return [
        (leg, nth) for leg, length in enumerate(lengths, start=1) for nth in range(1, length + 1)
    ]


def deals_of(rules: RuleSet, leg: Leg) -> int:
    """Return how many deals a finished leg had: sudden death is one more (B-19)."""
    tied = leg.totals.count(min(leg.totals)) > 1
    return len(rules.contracts) + (tied and rules.tie_for_first is TieForFirst.SUDDEN_DEATH)
