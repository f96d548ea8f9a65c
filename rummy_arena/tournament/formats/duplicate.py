"""Duplicate: the tables of a round share their cards; entrants are compared within the same seat.

A round is one board: every table of a size gets the same cards. What an entrant pays for it is set
beside what the others paid in the same seat (``tournament.duplicate``); the result is the mean
difference a board, so that fewer boards are worth neither more nor less. Who has played less than
half of the rounds comes after the others. A forfeit counts as the most that was paid in that seat.

Everybody has each seat equally often, see ``duplicate_rounds``; where tables change by rank, seats
go to those who had them least.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import count, groupby
from typing import Any

from rummy_arena.tournament.duplicate import Line, Score, compare
from rummy_arena.tournament.errors import NothingPlayed, UnevenField
from rummy_arena.tournament.event import Event, Format, Plan, Terms
from rummy_arena.tournament.options import Option
from rummy_arena.tournament.rounds import Advancing, PlayedRound, Round, Standing
from rummy_arena.tournament.scores import ScoreRanking, chain_for, lines, rank_scores
from rummy_arena.tournament.scoresheet import Scoresheet
from rummy_arena.tournament.seating_tables import byes_needed
from rummy_arena.tournament.tables import TableLimits, table_sizes

from .danish import danish_by
from .duplicate_rounds import changing, staying
from .lobby import lobby_kernel
from .ranking import Ranked, without_the_gone
from .scored import LAST_ENTRY, paired, rounds_option, too_few

LOBBY, DANISH = "lobby", "danish"
CHANGE, STAY = "change", "stay"
MOST_SEATS = 10
"""More than a table has, so that a board's number can hold its round and its seats."""


def _rounds(terms: Terms) -> int:
    return terms.number("rounds") or terms.limits.seats


def _plan(terms: Terms, entrants: int) -> Plan:
    sizes = _sizes(terms.limits, entrants)
    if not sizes:
        raise UnevenField(entrants, _nearest(terms.limits, entrants))
    return (sizes,) * _rounds(terms)


def _sizes(limits: TableLimits, entrants: int) -> tuple[int, ...]:
    """Return the sizes of a round's tables, if any two of them have the same cards."""
    try:
        sizes = table_sizes(limits, entrants - byes_needed(limits, entrants))
    except UnevenField:
        return ()
    return sizes if max(Counter(sizes).values(), default=0) > 1 else ()


def _nearest(limits: TableLimits, entrants: int) -> tuple[int, ...]:
    """Return the nearest smaller field, if there is one, and the nearest larger one."""
    below = next((size for size in range(entrants - 1, 1, -1) if _sizes(limits, size)), None)
    above = next(size for size in count(max(entrants, 0) + 1) if _sizes(limits, size))
    return (above,) if below is None else (below, above)


def _is_over(event: Event) -> bool:
    return event.next_number > _rounds(event.terms) or too_few(event)


def _pair(event: Event) -> Round | None:
    if _is_over(event):
        return None
    round_ = _paired(event)
    if round_ is None:
        return None
    sizes = Counter(map(len, round_.tables))
    alone = tuple(
        f"table {number} is the only one of {len(table)} seats: nobody else has its cards"
        for number, table in enumerate(round_.tables, start=1)
        if sizes[len(table)] == 1
    )
    boards = tuple(_board(event.next_number, len(table)) for table in round_.tables)
    return replace(round_, boards=boards, notes=(*round_.notes, *alone))


def _paired(event: Event) -> Round | None:
    stay, by_lot = event.terms.choice("tables") == STAY, event.terms.choice("pairing") == LOBBY
    if by_lot and not stay:
        return changing(event)
    return (staying(event) if stay else None) or paired(
        event, lobby_kernel if by_lot else danish_by(_standings)
    )


def _board(number: int, seats: int) -> int:
    """Return the number of a round's board for tables of a size, no other's in the stage."""
    return number * MOST_SEATS + seats


def _scores(rounds: Iterable[PlayedRound]) -> list[Score]:
    found: list[Score] = []
    for played in rounds:
        cells: dict[tuple[int, int], list[Score]] = defaultdict(list)
        forfeits: list[tuple[tuple[int, int], Score]] = []
        for table, result in zip(played.tables, played.ordered_results(), strict=True):
            board = _board(played.number, len(table))
            seats = {entrant: seat for seat, entrant in enumerate(table)}
            for seat in result.seats:
                at = seats[seat.entrant]
                score = Score(board, at, seat.entrant, seat.total)
                cells[board, at].append(score)
                if seat.forfeit:
                    forfeits.append(((board, at), score))
        for cell, score in forfeits:
            most = max(other.penalty for other in cells[cell])
            cells[cell][cells[cell].index(score)] = replace(score, penalty=most)
        found += [score for cell in cells.values() for score in cell]
    return found


def _ranked(event: Event) -> Ranked:
    """Return everybody's line by mean difference, and of equal ones by the tie-breaks."""
    sheet = Scoresheet(event)
    compared = {line.entrant: line for line in compare(_scores(event.rounds))}
    byes = Counter(one for round_ in event.rounds for one in round_.byes)

    def key(entrant: int) -> tuple[bool, bool, Fraction]:
        line = compared.get(entrant)
        seldom = 2 * (sheet.tables[entrant] + byes[entrant]) < len(event.rounds)
        return (seldom, not (line and line.boards), line.difference if line else Fraction(0))

    chain = chain_for(event)
    groups: list[tuple[int, ...]] = []
    lots: list[str] = []
    values: dict[str, dict[int, Any]] = {}
    for _, equal in groupby(sorted(sheet.scores, key=lambda one: (key(one), one)), key=key):
        ranking = rank_scores(sheet, chain, equal)
        groups += ranking.groups
        lots += ranking.lots
        for row, found in ranking.values.items():
            values.setdefault(row, {}).update(found)
    whole = lines(sheet, ScoreRanking(tuple(groups), tuple(lots), values), chain)
    scored = [replace(line, score=-_difference(compared, line.entrant)) for line in whole]
    return without_the_gone(event, scored), tuple(lots)


def _difference(compared: dict[int, Line], entrant: int) -> Fraction:
    return compared[entrant].difference if entrant in compared else Fraction(0)


def _standings(event: Event) -> tuple[Standing, ...]:
    return _ranked(event)[0]


def _advancing(event: Event) -> Advancing:
    if not event.rounds:
        raise NothingPlayed
    here = {entrant.number for entrant in event.present()}
    found, lots = _ranked(event)
    return Advancing(tuple(line.entrant for line in found if line.entrant in here), lots=lots)


FORMAT = Format(
    id="duplicate",
    title="Duplicate",
    text="All tables of a round (of the same size) share the same cards, and entrants are compared "
    "with those who had the same seat: ranked by the mean difference a board.",
    options=(
        rounds_option("0", "as many as a full table has seats"),
        Option(
            "pairing",
            LOBBY,
            "who meets: by lot with few repeated meetings, or by rank",
            choices=(LOBBY, DANISH),
        ),
        Option(
            "tables",
            CHANGE,
            "whether tables change with every round, or stay together while seats go round",
            choices=(CHANGE, STAY),
        ),
        LAST_ENTRY,
    ),
    plan=_plan,
    pair=_pair,
    goes_on=lambda terms, entrants: entrants,
    advancing=_advancing,
    standings=_standings,
    last_entry=lambda terms: terms.number("last_entry"),
    returns=True,
    is_over=_is_over,
)
