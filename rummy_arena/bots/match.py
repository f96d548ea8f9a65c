"""A match of bots over the same decks: the seats rotated, luck divided out.

Of two bots a board is a pair: one deck order (or the decks of one whole game) that is played twice,
half of the seats the first bot's, and then the other half, so that each bot sits in every seat
once. Which half comes first goes through every choice from pair to pair, so that no bot gains by
who its neighbours are. Of more bots a board is played in the balanced seatings of
``duplicate_seatings``, each bot at as many seats. What a board says is how much each bot paid on
the mean over its plays; boards are independent of each other, so the mean of a difference has an
interval by Student's t. With a sequential test the match ends as soon as it is known who is better.
"""

from __future__ import annotations

import hashlib
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

from rummy_arena.game import engine, series
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.events import DealEnd, DealEnded, DealStarted, Event
from rummy_arena.game.legal import first_decider
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Game
from rummy_arena.tournament import duplicate_seatings, sequential
from rummy_arena.tournament.sequential_interval import margin_of

from .bot import Bot
from .drive import drive
from .fault import BotFault, WatchedBot

__all__ = [
    "CONFIDENCE",
    "BotFault",
    "Record",
    "Terms",
    "UnevenBots",
    "pair_seed",
    "play_board",
    "play_match",
    "seatings",
    "seatings_of_board",
    "seatings_of_pair",
    "verdict",
]

CONFIDENCE = 0.99
Halves = tuple[bool, ...]
"""By seat: whether the first bot sits there; else the second does."""
Seating = tuple[int, ...]
"""By seat: which bot sits there, from 0."""
TWO = 2


class UnevenBots(ValueError):
    """So many bots cannot have as many seats each."""

    def __init__(self, bots: int, seats: int) -> None:
        self.bots, self.seats = bots, seats
        super().__init__(
            f"{bots} bots cannot share {seats} seats: take two bots, or seats that the number of "
            "bots divides"
        )


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played: so many boards (pairs) of single deals, or whole games, from one seed."""

    rules: RuleSet
    seats: int
    pairs: int
    seed: int = 0
    whole_games: bool = False


@dataclass(slots=True)
class Record:
    """What a match has shown so far; lists are by bot, the first one first."""

    boards: list[tuple[float, ...]] = field(default_factory=list)
    """By board (pair): the mean penalty a deal of each bot's seats."""
    penalties: list[int] = field(default_factory=lambda: [0, 0])
    hands: list[int] = field(default_factory=lambda: [0, 0])  # dealt to each bot's seats, scored
    deals_won: list[int] = field(default_factory=lambda: [0, 0])  # by going out
    games_won: list[float] = field(default_factory=lambda: [0.0, 0.0])  # shared where tied
    ends: Counter[DealEnd] = field(default_factory=Counter)  # replays of void deals included
    plays: int = 0

    @classmethod
    def of(cls, bots: int) -> Record:
        """Return the empty record of a match of so many bots."""
        return cls([], [0] * bots, [0] * bots, [0] * bots, [0.0] * bots)

    def differences(self, first: int = 0, second: int = 1) -> list[float]:
        """Return by board what the one bot paid less what the other did."""
        return [board[first] - board[second] for board in self.boards]

    def mean(self, first: int = 0, second: int = 1) -> float:
        """Return the mean difference: below nought, the first of the two pays less."""
        return statistics.fmean(self.differences(first, second))

    def margin(self, first: int = 0, second: int = 1) -> float:
        """Return half the width of the interval round ``mean`` that holds with CONFIDENCE."""
        return margin_of(self.differences(first, second), CONFIDENCE)

    def share(self, end: DealEnd) -> float:
        """Return the share of deals, replays included, that ended so."""
        return self.ends[end] / self.ends.total()

    def mean_penalty(self, which: int) -> float:
        """Return the mean penalty a deal of a bot's seats; the first bot is 0."""
        return self.penalties[which] / self.hands[which]


@cache
def seatings(seats: int) -> tuple[Halves, ...]:
    """Return every way to give half of the seats to the first bot, opposite ones counted once.

    Of an odd number of seats it gets the larger half; the opposite makes up for that.
    """
    halves = combinations(range(seats), (seats + 1) // 2)
    chosen = [half for half in halves if seats % 2 or 0 in half]
    return tuple([tuple([seat in half for seat in range(seats)]) for half in chosen])


def seatings_of_board(terms: Terms, number: int, bots: int) -> tuple[Seating, ...]:
    """Return the seatings in which a board is played; raises UnevenBots."""
    if bots == TWO:
        return tuple(
            tuple(0 if first else 1 for first in halves)
            for halves in seatings_of_pair(terms, number)
        )
    if terms.seats % bots:
        raise UnevenBots(bots, terms.seats)
    balanced = duplicate_seatings.seatings(terms.seats, duplicate_seatings.Movement.BALANCED)
    return tuple(tuple(place % bots for place in seating) for seating in balanced)


def seatings_of_pair(terms: Terms, number: int) -> tuple[Halves, Halves]:
    """Return the two seatings of a pair; all contracts see a seating before the next comes."""
    contracts = 1 if terms.whole_games else len(terms.rules.contracts)
    halves = seatings(terms.seats)
    chosen = halves[number // contracts % len(halves)]
    return chosen, tuple([not first for first in chosen])


def play_match(
    terms: Terms,
    *bots: Bot,
    progress: Callable[[Record], None] | None = None,
    test: sequential.Match | None = None,
) -> Record:
    """Play the match and return its record; ``progress`` is told after each board.

    With a ``test`` it ends as soon as that is over. Raises BotFault where a bot fails or is
    refused, series.SeatsError for a wrong number of seats, and UnevenBots.
    """
    record = Record.of(len(bots))
    for number in range(terms.pairs):
        play_board(terms, number, bots, record)
        over = test is not None and test.add(record.boards[-1])
        if progress is not None:
            progress(record)
        if over:
            break
    return record


def play_board(terms: Terms, number: int, bots: Sequence[Bot], record: Record) -> None:
    """Play one board in all its seatings and add what it shows to the record."""
    penalties, hands = [0] * len(bots), [0] * len(bots)
    for seating in seatings_of_board(terms, number, len(bots)):
        for row, players in _played(terms, number, seating, bots, record):
            for seat in players:
                penalties[seating[seat]] += row[seat]
                hands[seating[seat]] += 1
    record.boards.append(tuple(paid / dealt for paid, dealt in zip(penalties, hands, strict=True)))
    for which in range(len(bots)):
        record.penalties[which] += penalties[which]
        record.hands[which] += hands[which]


def _played(
    terms: Terms, number: int, seating: Seating, bots: Sequence[Bot], record: Record
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Play one seating of a pair to its end and note how its deals ended and who won.

    Returns the points of each scored deal by seat, and the seats that played it.
    """
    seed = pair_seed(terms.seed, number)
    chance = SeededChance(terms.rules, seed)
    game, events = series.new_game(terms.rules, terms.seats, chance)
    stop: Callable[[list[Event]], bool] | None = None
    if not terms.whole_games:
        contract = number % len(terms.rules.contracts) + 1
        if contract > 1:
            deck = chance.deck(contract, 0)
            game.deal = engine.deal_cards(game.rules, game.seats, contract, game.deal.dealer, deck)
        stop = lambda _: bool(game.scores)  # noqa: E731  the first scored deal ends the play
    watched = [WatchedBot(bot, which, number) for which, bot in enumerate(bots)]
    seated = {seat: watched[which] for seat, which in enumerate(seating)}
    try:
        events += drive(game, chance, seated, seed, stop=stop)
    except RuleViolation as violation:
        raise seated[first_decider(game.deal, seated)].refused(violation) from violation
    _note(game, events, seating, record, whole_game=terms.whole_games)
    started = {event.number: event.players for event in events if isinstance(event, DealStarted)}
    return zip(game.scores, started.values(), strict=False)


def _note(
    game: Game, events: list[Event], seating: Seating, record: Record, *, whole_game: bool
) -> None:
    record.plays += 1
    record.ends.update([event.end for event in events if isinstance(event, DealEnded)])
    for winner in game.winners:
        if winner >= 0:
            record.deals_won[seating[winner]] += 1
    if not whole_game:
        return
    places = series.places(game)
    share = 1 / places.count(1)
    for seat, place in enumerate(places):
        if place == 1:
            record.games_won[seating[seat]] += share


def pair_seed(seed: int, number: int) -> bytes:
    """Return the 32-byte seed of the decks and dice of a pair."""
    return hashlib.sha256(f"match {seed} pair {number}".encode()).digest()


def verdict(record: Record, first: int = 0, second: int = 1) -> int | None:
    """Return which of two bots pays less with CONFIDENCE, or None where none is shown to."""
    mean = record.mean(first, second)
    if abs(mean) <= record.margin(first, second):
        return None
    return first if mean < 0 else second
