"""The whole game: the series of deals, replays of void deals, the score sheet, the places."""

from __future__ import annotations

from dataclasses import dataclass

from . import engine
from .actions import Action
from .chance import Chance
from .errors import IllegalHere
from .events import DealEnd, DealEnded, DealStarted, Event, GameEnded
from .rules import RuleSet
from .state import Deal, Game, Outcome


@dataclass(frozen=True, slots=True)
class GameResult:
    """What a finished game leaves, every list by seat."""

    totals: tuple[int, ...]
    places: tuple[int, ...]  # 1 is first; equal totals share (J-31, X-16)
    deals_won: tuple[int, ...]
    down_and_outs: tuple[int, ...]
    calls: tuple[int, ...]
    deal_points: tuple[tuple[int, ...], ...]  # per seat, in the order of the deals


def new_game(rules: RuleSet, seats: int, chance: Chance) -> tuple[Game, list[Event]]:
    """Return a game whose first deal is dealt, and what happened; ValueError on a wrong number."""
    if not rules.min_seats <= seats <= rules.max_seats:
        raise ValueError(f"{rules.title} seats {rules.min_seats} to {rules.max_seats}, not {seats}")
    deal, started = _dealt(rules, seats, 1, 0, 0, chance)
    game = Game(rules=rules, seats=seats, deal=deal, down_and_outs=[0] * seats, calls=[0] * seats)
    return game, [started]


def apply(game: Game, seat: int, action: Action, chance: Chance) -> list[Event]:
    """Apply one action, score a deal that ends by it, and deal the next; return what happened."""
    if game.over:
        raise IllegalHere("GAME_OVER", "J-30")
    deal = game.deal
    events = engine.apply(
        deal,
        seat,
        action,
        lambda cards: chance.reshuffle(deal.number, game.attempt, deal.reshuffles, cards),
    )
    if deal.outcome is not None:
        _score(game, deal, deal.outcome, events)
        _go_on(game, chance, events)
    return events


def _dealt(
    rules: RuleSet, seats: int, number: int, attempt: int, dealer: int, chance: Chance
) -> tuple[Deal, DealStarted]:
    deck = chance.deck(number, attempt)
    deal = engine.deal_cards(rules, seats, number, dealer, deck)
    return deal, DealStarted(number, attempt, dealer, bytes(deck), deal.top)


def _score(game: Game, deal: Deal, outcome: Outcome, events: list[Event]) -> None:
    """Write the row of the score sheet; a void deal leaves none until its last replay (X-10)."""
    points: tuple[int, ...] = ()
    if outcome.end is DealEnd.OUT:
        factor = 2 if outcome.doubled else 1
        points = tuple(game.rules.hand_points(hand) * factor for hand in deal.hands)
        game.down_and_outs[outcome.winner] += outcome.doubled
    elif game.attempt >= game.rules.max_replays:
        points = (0,) * game.seats
    for seat, calls in enumerate(deal.calls):
        game.calls[seat] += calls
    if points:
        game.scores.append(points)
        game.winners.append(outcome.winner)
    hands = tuple(map(bytes, deal.hands))
    events.append(DealEnded(outcome.end, outcome.winner, outcome.doubled, hands, points))


def _go_on(game: Game, chance: Chance, events: list[Event]) -> None:
    """Deal again: the same contract and dealer after a void (X-4), else the next, or end."""
    number = len(game.scores) + 1
    if number > len(game.rules.contracts):
        game.over = True
        events.append(GameEnded(game.totals, places(game.totals)))
        return
    replayed = number == game.deal.number
    game.attempt = game.attempt + 1 if replayed else 0
    dealer = game.deal.dealer if replayed else (game.deal.dealer + 1) % game.seats
    game.deal, started = _dealt(game.rules, game.seats, number, game.attempt, dealer, chance)
    events.append(started)


def places(totals: tuple[int, ...]) -> tuple[int, ...]:
    """Return the place of each seat: 1 plus the number of seats with a lower total."""
    return tuple(1 + sum(other < total for other in totals) for total in totals)


def result(game: Game) -> GameResult:
    """Return the result of a finished game; ValueError while it goes on."""
    if not game.over:
        raise ValueError("the game is not over: it has no result yet")
    return GameResult(
        totals=game.totals,
        places=places(game.totals),
        deals_won=tuple(game.winners.count(seat) for seat in range(game.seats)),
        down_and_outs=tuple(game.down_and_outs),
        calls=tuple(game.calls),
        deal_points=tuple(zip(*game.scores, strict=True)),
    )
