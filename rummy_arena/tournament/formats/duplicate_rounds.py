"""Rounds of a duplicate event in which everybody has each seat once, as far as sizes allow.

They come in blocks of as many rounds as a full table has seats. Tables stay together for a block
and turn, or they change with every round by lot: then the rounds of a block are paired together,
and seats given to all of them at once (``round_robin_seats``). A block ends early when somebody
leaves or comes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from rummy_arena.tournament.duplicate_seatings import seatings
from rummy_arena.tournament.errors import UnevenField
from rummy_arena.tournament.event import Event
from rummy_arena.tournament.field import Entrant
from rummy_arena.tournament.round_robin_seats import seated
from rummy_arena.tournament.rounds import PlayedRound, Round
from rummy_arena.tournament.seating_tables import byes_needed, lobby
from rummy_arena.tournament.swiss_entries import Entry, Pair, Pairing, meetings
from rummy_arena.tournament.tables import TableLimits, table_sizes

from .apart import kept_apart

Seen = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]
"""Tables and byes of a round that was played."""


def changing(event: Event) -> Round | None:
    """Return the next round of tables that change; None where too few are left."""
    limits = event.terms.limits
    here = tuple(Entrant(e.number, owner=e.owner, group=e.group) for e in event.present())
    try:
        byes_needed(limits, len(here))
    except UnevenField:
        return None
    start = block_start(event)
    before = tuple((round_.tables, round_.byes) for round_ in event.rounds[:start])
    round_ = _block(limits, here, before, event.seed)[len(event.rounds) - start]
    return replace(round_, number=event.next_number)


@lru_cache(maxsize=8)
def _block(
    limits: TableLimits, here: tuple[Entrant, ...], before: tuple[Seen, ...], seed: bytes
) -> tuple[Round, ...]:
    """Return the rounds of a block for those who are here, after what was played before it."""
    count = len(table_sizes(limits, len(here) - byes_needed(limits, len(here))))
    met = meetings(tables for tables, _ in before)
    byes = Counter(one for _, out in before for one in out)
    rounds: list[Round] = []
    for number in range(len(before) + 1, len(before) + 1 + limits.seats):
        entries = [Entry(one.number, 0, byes[one.number]) for one in here]
        pair = partial(_paired, entries, limits, seed, number)
        found, notes = kept_apart(here, met, count, first=number == 1, pair=pair)
        met += meetings([found.tables])
        byes.update(found.byes)
        rounds.append(Round(number, found.tables, found.byes, notes=notes))
    ordered = seated([list(map(list, round_.tables)) for round_ in rounds])
    return tuple(
        replace(round_, tables=tuple(map(tuple, tables)))
        for round_, tables in zip(rounds, ordered, strict=True)
    )


def _paired(
    entries: Sequence[Entry],
    limits: TableLimits,
    seed: bytes,
    number: int,
    met: Mapping[Pair, int],
    forbidden: Collection[Pair],
) -> Pairing:
    return lobby(entries, limits, met=met, forbidden=forbidden, seed=seed, round_number=number)


def staying(event: Event) -> Round | None:
    """Return the next round of tables that stay together, or None where new ones are due."""
    start = block_start(event)
    turn = len(event.rounds) - start
    if not turn or event.rounds[-1].byes:
        return None
    tables = tuple(_turned(table, turn) for table in event.rounds[start].tables)
    return Round(event.next_number, tables)


def block_start(event: Event) -> int:
    """Return how many rounds were played before the block of the next one begins."""
    there = [_everybody(round_) for round_ in event.rounds]
    there.append({entrant.number for entrant in event.present()})
    start = 0
    for place in range(1, len(there)):
        if there[place] != there[start] or place - start == event.terms.limits.seats:
            start = place
    return start


def _everybody(round_: PlayedRound) -> set[int]:
    return {*round_.byes, *(one for table in round_.tables for one in table)}


def _turned(table: Sequence[int], turn: int) -> tuple[int, ...]:
    """Return who sits where so many rounds after they sat as this."""
    orders = seatings(len(table))
    places = dict(zip(orders[0], table, strict=True))
    return tuple(places[place] for place in orders[turn % len(orders)])
