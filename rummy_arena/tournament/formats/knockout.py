"""Single elimination at tables of several seats.

The best ``advance`` of every table go on, but always fewer than sit there. Whoever goes on is
seated apart from those just met wherever there are tables enough. A round of one table is the
final, and the field shrinks with every round.

Where the number that goes on cannot be seated, the best of the rest fill it up to the nearest
number that can (too few for one table: up to a full table); where no such number lies below the
present field, the last of those who go on are cut instead. "Best" is the order of ``tiebreaks``.

Standings: the places of the final, whose winners share the title if they share the first place;
then everybody else by the round that was their last, and within it by the order of ``tiebreaks``.

Rounds are a function of configuration, entrants, results and seed alone; the order in which
results come in does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rummy_arena.tournament.draw import GROUP, SEAT, Draw, by_lot
from rummy_arena.tournament.errors import (
    DuplicateEntrants,
    InvalidFormat,
    NothingPlayed,
    UnevenField,
)
from rummy_arena.tournament.event import Event, Format, Plan, Terms
from rummy_arena.tournament.options import Option
from rummy_arena.tournament.results import Finish, SeatResult, finishes
from rummy_arena.tournament.rounds import Advancing, PlayedRound, Round, Standing
from rummy_arena.tournament.tables import TableLimits, fits, table_sizes
from rummy_arena.tournament.tiebreaks import TABLE, rank

__all__ = [
    "Advancing",
    "KnockoutConfig",
    "PlayedRound",
    "Round",
    "Standing",
    "UnevenField",
    "advancing",
    "first_round",
    "next_round",
    "plan",
    "standings",
]


@dataclass(frozen=True, slots=True)
class KnockoutConfig:
    """Seats of a full table, how many go on from it, and what the rule set allows.

    Raises InvalidFormat for values that cannot be used.
    """

    seats: int
    advance: int
    min_seats: int
    max_seats: int

    def __post_init__(self) -> None:
        TableLimits(self.seats, self.min_seats, self.max_seats)
        if not 1 <= self.advance < self.seats:
            raise InvalidFormat("advance", f"give 1 to {self.seats - 1}, not {self.advance}")

    @property
    def limits(self) -> TableLimits:
        """The sizes that tables may have."""
        return TableLimits(self.seats, self.min_seats, self.max_seats)

    def places(self, seats: int) -> int:
        """Return how many go on from a table of so many seats."""
        return min(self.advance, seats - 1)


def plan(config: KnockoutConfig, entrants: int) -> tuple[tuple[int, ...], ...]:
    """Return the sizes of the tables of every round that so many entrants play.

    Raises UnevenField.
    """
    rounds = [table_sizes(config.limits, entrants)]
    while len(rounds[-1]) > 1:
        field = _next_field(config, rounds[-1])
        rounds.append(table_sizes(config.limits, field))
    return tuple(rounds)


def first_round(config: KnockoutConfig, entrants: Sequence[int], seed: bytes) -> Round:
    """Return the first round, seated by lot; raises UnevenField, DuplicateEntrants."""
    doubles = sorted(entrant for entrant, times in Counter(entrants).items() if times > 1)
    if doubles:
        raise DuplicateEntrants(doubles)
    return _seated(config, 1, by_lot(seed, SEAT, 0, entrants), seed)


def next_round(config: KnockoutConfig, rounds: Sequence[PlayedRound], seed: bytes) -> Round | None:
    """Return the round after the last one played, or None after the final.

    Raises NothingPlayed, ResultsMismatch.
    """
    last = _last(rounds)
    if len(last.tables) == 1:
        return None
    going_on = set(advancing(config, rounds, seed).entrants)
    number = last.number + 1
    # Neighbours in this line come to different tables: keep those who have just met together in it.
    line: list[int] = []
    for table in by_lot(seed, GROUP, number, range(1, len(last.tables) + 1)):
        met = [entrant for entrant in last.tables[table - 1] if entrant in going_on]
        line += by_lot(seed, SEAT, last.number, met)
    return _seated(config, number, line, seed)


def advancing(config: KnockoutConfig, rounds: Sequence[PlayedRound], seed: bytes) -> Advancing:
    """Return who goes on from the last of the rounds; from the final, who has won.

    Raises NothingPlayed, ResultsMismatch.
    """
    last = _last(rounds)
    draw = Draw(seed, last.number)
    tables = [finishes(result) for result in last.ordered_results()]
    if len(tables) == 1:
        return Advancing(_champions(tables[0]))
    qualified, rest, lots = _by_place(config, tables, draw)
    ranked, others = rank(qualified, draw), rank(rest, draw)
    field = _next_field(config, [len(table) for table in last.tables])
    added = others.entrants[: max(0, field - len(qualified))]
    drawn = [*lots, *ranked.lots, *(others.lots if added else ())]
    return Advancing(
        entrants=(*ranked.entrants[:field], *added),
        added=added,
        cut=ranked.entrants[field:],
        lots=tuple(dict.fromkeys(drawn)),
    )


def standings(
    config: KnockoutConfig,
    rounds: Sequence[PlayedRound],
    seed: bytes,
    *,
    pending: Round | None = None,
) -> tuple[Standing, ...]:
    """Return everybody's line, the best first, after the rounds that are complete.

    ``pending`` is the round that is being played: those in it share the first rank and are in the
    order in which they reached it. Raises ResultsMismatch.
    """
    tallies: dict[int, _Tally] = {}
    order: list[tuple[int, int]] = []  # rank and entrant, the best first
    for position, played in enumerate(rounds):
        for result in played.ordered_results():
            for finish in finishes(result):
                tallies.setdefault(finish.seat.entrant, _Tally()).add(played.number, finish)
        out = _eliminated(config, rounds[: position + 1], seed)
        order = [(0, entrant) for entrant in out] + order
    leaders = _leaders(config, rounds, seed, pending)
    order = [(1, entrant) for entrant in leaders] + order
    reached = pending.number if pending else 0
    playing = set(leaders)
    return tuple(
        tallies.setdefault(entrant, _Tally()).standing(
            rank=shared or position,
            entrant=entrant,
            reached=reached if entrant in playing else 0,
            eliminated=entrant not in playing,
        )
        for position, (shared, entrant) in enumerate(order, start=1)
    )


def _leaders(
    config: KnockoutConfig, rounds: Sequence[PlayedRound], seed: bytes, pending: Round | None
) -> tuple[int, ...]:
    """Return those who have won or still play, the best first."""
    if rounds:
        return advancing(config, rounds, seed).entrants
    if pending:
        return tuple(sorted(entrant for table in pending.tables for entrant in table))
    return ()


def _eliminated(
    config: KnockoutConfig, rounds: Sequence[PlayedRound], seed: bytes
) -> tuple[int, ...]:
    """Return those whose last round this was and who have not won, the best first."""
    last = rounds[-1]
    stay = set(advancing(config, rounds, seed).entrants)
    table_finishes = [finishes(result) for result in last.ordered_results()]
    everybody = [finish for table in table_finishes for finish in table]
    gone = [finish for finish in everybody if finish.seat.entrant not in stay]
    return rank(gone, Draw(seed, last.number)).entrants


def _seated(config: KnockoutConfig, number: int, line: Sequence[int], seed: bytes) -> Round:
    """Deal the line out over the tables like cards, then draw the seats of each table."""
    count = len(table_sizes(config.limits, len(line)))
    return Round(
        number=number,
        tables=tuple(tuple(by_lot(seed, SEAT, number, line[i::count])) for i in range(count)),
    )


def _by_place(
    config: KnockoutConfig, tables: Sequence[list[Finish]], draw: Draw
) -> tuple[list[Finish], list[Finish], list[str]]:
    """Split everybody into those whose place lets them go on and the rest."""
    qualified: list[Finish] = []
    rest: list[Finish] = []
    lots: list[str] = []
    for table in tables:
        ranking = rank(table, draw)
        places = config.places(len(table))
        qualified += ranking.order[:places]
        rest += ranking.order[places:]
        lots += ranking.lots
    return qualified, rest, lots


def _next_field(config: KnockoutConfig, sizes: Sequence[int]) -> int:
    """Return how many go on from tables of these sizes."""
    limits, present = config.limits, sum(sizes)
    places = sum(map(config.places, sizes))
    if places < limits.min_seats:
        return limits.seats
    larger = (field for field in range(places, present) if fits(limits, field))
    smaller = (field for field in range(places - 1, 0, -1) if fits(limits, field))
    # A full table is smaller than any field of two tables, so one of the two always has a number.
    return next(larger, 0) or next(smaller)


def _champions(table: Sequence[Finish]) -> tuple[int, ...]:
    """Return who shares the first place of the final, by entrant number."""
    first = min(finish.seat.place for finish in table)
    return tuple(sorted(finish.seat.entrant for finish in table if finish.seat.place == first))


def _last(rounds: Sequence[PlayedRound]) -> PlayedRound:
    if not rounds:
        raise NothingPlayed
    return rounds[-1]


class _Tally:
    """What an entrant has gathered so far."""

    def __init__(self) -> None:
        self.round = self.tables = self.total = self.deals_won = 0
        self.points = Fraction(0)

    def add(self, round_number: int, finish: Finish) -> None:
        """Count one finished table."""
        seat: SeatResult = finish.seat
        self.round, self.points = round_number, finish.points
        self.tables += 1
        self.total += seat.total
        self.deals_won += seat.deals_won

    def standing(self, *, rank: int, entrant: int, reached: int, eliminated: bool) -> Standing:
        """Return the line of the standings."""
        return Standing(
            rank=rank,
            entrant=entrant,
            reached_round=max(self.round, reached),
            eliminated=eliminated,
            points=self.points,
            tables=self.tables,
            total=self.total,
            deals_won=self.deals_won,
        )


def _config(terms: Terms) -> KnockoutConfig:
    limits = terms.limits
    return KnockoutConfig(limits.seats, terms.number("advance"), limits.min_seats, limits.max_seats)


def _plan(terms: Terms, entrants: int) -> Plan:
    return plan(_config(terms), entrants)


def _pair(event: Event) -> Round | None:
    config = _config(event.terms)
    if event.rounds:
        return next_round(config, event.rounds, event.seed)
    return first_round(config, [entrant.number for entrant in event.present()], event.seed)


FORMAT = Format(
    id="knockout",
    title="Single elimination",
    text="The best of every table go on until one table is left: the final.",
    options=(Option("advance", "2", "how many of each table go on, fewer than its seats", (1, 7)),),
    plan=_plan,
    pair=_pair,
    goes_on=lambda terms, entrants: 1,
    advancing=lambda event: advancing(_config(event.terms), event.rounds, event.seed),
    standings=lambda event: standings(
        _config(event.terms), event.rounds, event.seed, pending=event.pending
    ),
    ranks=TABLE,
)
