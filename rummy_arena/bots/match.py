"""A match of two bots over paired deals: the same decks, the seats rotated, luck divided out.

A pair is one deck order (or the decks of one whole game) that is played twice: half of the seats
are the first bot's, and then the other half, so that each bot sits in every seat once. Which half
comes first goes through every choice from pair to pair, so that no bot gains by who its neighbours
are. What a pair says is the difference of the two bots' mean penalties over its plays; pairs are
independent of each other, so their mean has an interval by Student's t.
"""

from __future__ import annotations

import hashlib
import statistics
from collections import Counter
from collections.abc import Callable, Iterator
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
from rummy_arena.tournament.sequential_interval import margin_of

from .bot import Bot
from .drive import drive
from .fault import BotFault, WatchedBot

__all__ = [
    "CONFIDENCE",
    "BotFault",
    "Record",
    "Terms",
    "pair_seed",
    "play_match",
    "play_pair",
    "seatings",
    "seatings_of_pair",
    "verdict",
]

CONFIDENCE = 0.99
Seating = tuple[bool, ...]
"""By seat: whether the first bot sits there; else the second does."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played: so many pairs of single deals, or of whole games, from one seed."""

    rules: RuleSet
    seats: int
    pairs: int
    seed: int = 0
    whole_games: bool = False


@dataclass(slots=True)
class Record:
    """What a match has shown so far; everything of two is the first bot's, then the second's."""

    differences: list[float] = field(default_factory=list)
    """By pair: mean penalty a deal of the first bot's seats less that of the second's."""
    penalties: list[int] = field(default_factory=lambda: [0, 0])
    hands: list[int] = field(default_factory=lambda: [0, 0])  # dealt to each bot's seats, scored
    deals_won: list[int] = field(default_factory=lambda: [0, 0])  # by going out
    games_won: list[float] = field(default_factory=lambda: [0.0, 0.0])  # shared where tied
    ends: Counter[DealEnd] = field(default_factory=Counter)  # replays of void deals included
    plays: int = 0

    @property
    def mean(self) -> float:
        """The mean difference: below nought, the first bot pays less."""
        return statistics.fmean(self.differences)

    @property
    def margin(self) -> float:
        """Half the width of the interval round ``mean`` that holds with CONFIDENCE."""
        return margin_of(self.differences, CONFIDENCE)

    def share(self, end: DealEnd) -> float:
        """Return the share of deals, replays included, that ended so."""
        return self.ends[end] / self.ends.total()

    def mean_penalty(self, which: int) -> float:
        """Return the mean penalty a deal of the first (0) or second (1) bot's seats."""
        return self.penalties[which] / self.hands[which]


@cache
def seatings(seats: int) -> tuple[Seating, ...]:
    """Return every way to give half of the seats to the first bot, opposite ones counted once.

    Of an odd number of seats it gets the larger half; the opposite makes up for that.
    """
    halves = combinations(range(seats), (seats + 1) // 2)
    chosen = [half for half in halves if seats % 2 or 0 in half]
    return tuple([tuple([seat in half for seat in range(seats)]) for half in chosen])


def seatings_of_pair(terms: Terms, number: int) -> tuple[Seating, Seating]:
    """Return the two seatings of a pair; all contracts see a seating before the next comes."""
    contracts = 1 if terms.whole_games else len(terms.rules.contracts)
    halves = seatings(terms.seats)
    chosen = halves[number // contracts % len(halves)]
    return chosen, tuple([not first for first in chosen])


def play_match(
    terms: Terms, first: Bot, second: Bot, progress: Callable[[Record], None] | None = None
) -> Record:
    """Play the match and return its record; ``progress`` is told after each pair.

    Raises BotFault where a bot fails or is refused, and series.SeatsError for a wrong number
    of seats.
    """
    record = Record()
    for number in range(terms.pairs):
        play_pair(terms, number, (first, second), record)
        if progress is not None:
            progress(record)
    return record


def play_pair(terms: Terms, number: int, bots: tuple[Bot, Bot], record: Record) -> None:
    """Play one pair in both its seatings and add what it shows to the record."""
    penalties, hands = [0, 0], [0, 0]
    for seating in seatings_of_pair(terms, number):
        for row, players in _played(terms, number, seating, bots, record):
            for seat in players:
                which = 0 if seating[seat] else 1
                penalties[which] += row[seat]
                hands[which] += 1
    record.differences.append(penalties[0] / hands[0] - penalties[1] / hands[1])
    for which in range(2):
        record.penalties[which] += penalties[which]
        record.hands[which] += hands[which]


def _played(
    terms: Terms, number: int, seating: Seating, bots: tuple[Bot, Bot], record: Record
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
    seated = {seat: watched[0 if first else 1] for seat, first in enumerate(seating)}
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
            record.deals_won[0 if seating[winner] else 1] += 1
    if not whole_game:
        return
    places = series.places(game)
    share = 1 / places.count(1)
    for seat, place in enumerate(places):
        if place == 1:
            record.games_won[0 if seating[seat] else 1] += share


def pair_seed(seed: int, number: int) -> bytes:
    """Return the 32-byte seed of the decks and dice of a pair."""
    return hashlib.sha256(f"match {seed} pair {number}".encode()).digest()


def verdict(record: Record) -> int | None:
    """Return which bot (0 or 1) pays less with CONFIDENCE, or None where none is shown to."""
    if abs(record.mean) <= record.margin:
        return None
    return 0 if record.mean < 0 else 1
