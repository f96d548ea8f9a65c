"""A Swiss round at tables of three to eight seats, and rounds that are seated alike.

1. As few as possible have a bye: only where the field cannot be seated (see ``tables``); whoever
   has had the fewest, of these the lowest scores, of these the lot.
2. The rest stand in a line by score and are cut into tables, the smaller ones at the end.
3. Swaps keep apart who must be, then take out repeated meetings, then bring scores together
   (``seating_search``). That is a search within a budget, not a proof; the quality of a pairing
   says what it came to, beside a bound that no pairing can go below. Owners, whose entrants are
   all kept from each other, are always kept apart where there are tables enough for each.
4. Seats rotate (``seating``). Among those of equal score, neighbours in the line want different
   seats, so that tables can mostly give everybody a seat that it has had least.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count

from .draw import lot
from .errors import UnevenField
from .seating import seat_order, seat_wanted
from .seating_search import Draw, Search
from .swiss import pair_two
from .swiss_entries import Entry, KeptApart, Line, Pair, Pairing, line_up, quality
from .tables import TableLimits, fits, nearest, table_sizes

BYE = "bye"
"""Purpose of a lot that gives a bye."""
KICK = "kick"
"""Purpose of a lot that moves the search on; the entrant is a running number."""


def pair_tables(
    entries: Collection[Entry],
    limits: TableLimits,
    *,
    met: Mapping[Pair, int],
    forbidden: Collection[Pair] = (),
    seed: bytes,
    round_number: int,
) -> Pairing:
    """Return the tables and byes of a round, by the rules above; at two seats by ``pair_two``.

    Raises UnevenField when not even one table can be filled, KeptApart, DuplicateEntrants.
    """
    if limits.max_seats == 2:
        byes_needed(limits, len(entries))
        return pair_two(entries, met=met, forbidden=forbidden, seed=seed, round_number=round_number)
    return _paired(entries, limits, met, forbidden, seed, round_number, widths=True)


def danish(
    ranked: Sequence[Entry],
    limits: TableLimits,
    *,
    forbidden: Collection[Pair] = (),
    seed: bytes,
    round_number: int,
) -> Pairing:
    """Return a round of the Danish system: the first by lot, later ones by rank.

    At four seats the first four sit at table 1, the next four at table 2, and so on, whoever has
    met (Federazione Italiana Scala 40). ``ranked`` is in the order of the standings, whose scores
    only the quality of the pairing looks at. Swaps with the nearest keep apart who must be.
    Errors as of ``pair_tables``.
    """
    known = {entry.entrant: entry for entry in ranked}
    ranks = [
        replace(entry, score=0 if round_number == 1 else -rank) for rank, entry in enumerate(ranked)
    ]
    found = _paired(ranks, limits, {}, forbidden, seed, round_number, widths=False)
    return replace(found, quality=quality(found.tables, known.values(), {}))


def lobby(
    entries: Collection[Entry],
    limits: TableLimits,
    *,
    met: Mapping[Pair, int],
    forbidden: Collection[Pair] = (),
    seed: bytes,
    round_number: int,
) -> Pairing:
    """Return a preliminary round: seated by lot with few repeated meetings, whatever the scores.

    Errors as of ``pair_tables``.
    """
    level = [replace(entry, score=0) for entry in entries]
    found = _paired(level, limits, met, forbidden, seed, round_number, widths=False)
    return replace(found, quality=quality(found.tables, entries, met))


def byes_needed(limits: TableLimits, entrants: int) -> int:
    """Return how many must sit out; raises UnevenField when nobody could play."""
    for byes in range(entrants):
        if fits(limits, entrants - byes):
            return byes
    raise UnevenField(entrants, nearest(limits, entrants))


def _paired(
    entries: Collection[Entry],
    limits: TableLimits,
    met: Mapping[Pair, int],
    forbidden: Collection[Pair],
    seed: bytes,
    round_number: int,
    *,
    widths: bool,
) -> Pairing:
    out = _sit_out(entries, byes_needed(limits, len(entries)), seed, round_number)
    line = line_up(
        [entry for entry in entries if entry.entrant not in out],
        met=met,
        forbidden=forbidden,
        seed=seed,
        round_number=round_number,
        kind=lambda entry: seat_wanted(entry.seats, limits.seats),
    )
    sizes = table_sizes(limits, len(line.entries))
    found = _searched(line, sizes, _draw(seed, round_number), widths=widths)
    tables = [_seated(line, table) for table in sorted(map(sorted, found))]
    return Pairing(tuple(tables), tuple(out), quality(tables, entries, met))


def _sit_out(
    entries: Iterable[Entry], byes: int, seed: bytes, round_number: int
) -> dict[int, Entry]:
    ordered = sorted(
        entries,
        key=lambda entry: (entry.byes, entry.score, lot(seed, BYE, round_number, entry.entrant)),
    )
    return {entry.entrant: entry for entry in ordered[:byes]}


def _draw(seed: bytes, round_number: int) -> Draw:
    numbers = count()

    def draw(below: int) -> int:
        drawn = lot(seed, KICK, round_number, next(numbers))
        return int.from_bytes(drawn[:16], "big") % below

    return draw


def _searched(line: Line, sizes: Sequence[int], draw: Draw, *, widths: bool) -> list[list[int]]:
    search = Search(line, _cut(range(len(line.entries)), sizes), widths=widths)
    search.run(draw)
    if search.badly_seated(search.forbidden):
        search = Search(line, _dealt(line, len(sizes)), widths=widths)
        search.run(draw)
    left = search.badly_seated(search.forbidden)
    if left:
        raise KeptApart(line.entries[place].entrant for place in left)
    return search.tables


def _cut(places: Sequence[int], sizes: Sequence[int]) -> list[Sequence[int]]:
    tables, start = [], 0
    for size in sizes:
        tables.append(places[start : start + size])
        start += size
    return tables


def _dealt(line: Line, tables: int) -> list[list[int]]:
    """Return tables that everybody is dealt to in turn, those kept from each other in a row.

    Nobody of a group that has no more members than there are tables sits with another of it.
    """
    groups: dict[int, list[int]] = defaultdict(list)
    for place in range(len(line.entries)):
        groups[min({place, *line.apart[place]})].append(place)
    row = [place for group in sorted(groups.values(), key=len, reverse=True) for place in group]
    return [row[number::tables] for number in range(tables)]


def _seated(line: Line, table: Sequence[int]) -> tuple[int, ...]:
    """Return a table's entrants in seat order."""
    drawn = sorted(table, key=lambda place: line.lots[place])
    order = seat_order([line.entries[place].seats for place in drawn])
    seats = dict(zip(order, drawn, strict=True))
    return tuple(line.entries[seats[seat]].entrant for seat in range(len(table)))
