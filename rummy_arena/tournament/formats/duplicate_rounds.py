"""Rounds of a duplicate event in which everybody has each seat once, as far as sizes allow.

They come in blocks of as many rounds as a full table has seats. Tables stay together for a block
and turn, or they change with every round by lot: then the rounds of a block are paired together,
and seats given to all of them at once (``round_robin_seats``). A block ends early when somebody
leaves or comes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from rummy_arena.tournament.duplicate_seatings import seatings
from rummy_arena.tournament.errors import UnevenField
from rummy_arena.tournament.event import Event
from rummy_arena.tournament.round_robin_seats import seated
from rummy_arena.tournament.rounds import PlayedRound, Round
from rummy_arena.tournament.seating_tables import byes_needed, lobby
from rummy_arena.tournament.swiss_entries import Entry, Pair, Pairing, meetings
from rummy_arena.tournament.swiss_presence import met
from rummy_arena.tournament.tables import table_sizes

from .apart import kept_apart


def changing(event: Event) -> Round | None:
    """Return the next round of tables that change; None where too few are left."""
    limits = event.terms.limits
    here = event.present()
    try:
        count = len(table_sizes(limits, len(here) - byes_needed(limits, len(here))))
    except UnevenField:
        return None
    start = block_start(event)
    before = event.rounds[:start]
    meeting = met(before)
    byes = Counter(one for round_ in before for one in round_.byes)
    block: list[tuple[Pairing, tuple[str, ...]]] = []
    for number in range(start + 1, start + 1 + limits.seats):
        entries = [Entry(one.number, 0, byes[one.number]) for one in here]

        def pair(
            meeting: Mapping[Pair, int],
            forbidden: Collection[Pair],
            entries: Sequence[Entry] = entries,
            number: int = number,
        ) -> Pairing:
            return lobby(
                entries,
                limits,
                met=meeting,
                forbidden=forbidden,
                seed=event.seed,
                round_number=number,
            )

        found, notes = kept_apart(here, meeting, count, first=number == 1, pair=pair)
        meeting += meetings([found.tables])
        byes.update(found.byes)
        block.append((found, notes))
    turn = len(event.rounds) - start
    tables = seated([list(map(list, paired.tables)) for paired, _ in block])[turn]
    found, notes = block[turn]
    return Round(event.next_number, tuple(map(tuple, tables)), found.byes, notes=notes)


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
