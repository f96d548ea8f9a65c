"""Who met whom, as lines of text: a table of opponents, or one of rounds where that is too wide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from .cell_text import fitted, line_of, widest, within, wrapped
from .event_record import Event, Round, Seat, Table, group_heading

By = Literal["auto", "opponents", "rounds"]

_LONGEST_NAME, _SHORTEST_NAME = 24, 8
_MOST_OPPONENTS = 40
LEAGUES = ("swiss", "danish", "lobby", "round-robin", "groups", "duplicate")
"""Ids of formats in which everybody plays to the end of the stage."""
BRACKETS = ("knockout", "double-elimination", "shrinking")
"""Ids of formats in which fewer play in each round."""
_MOST_STAY = 0.8
"""The share of entrants who are left in the last round of a league, of whatever format."""
_PLAYING = "·"
_ITSELF = "\N{MULTIPLICATION SIGN}"


@dataclass(frozen=True)
class Group:
    """Entrants who are compared with each other, the best first, and their tables by round."""

    title: str  # empty where the stage is one group
    entrants: tuple[int, ...]
    rounds: tuple[Round, ...]
    totals: Mapping[int, int]  # penalties of each entrant at these tables

    @property
    def heading(self) -> str:
        """What stands above it."""
        return group_heading(self.title)


def groups(event: Event, stage: int) -> list[Group]:
    """Return the groups of a stage: the tables of one label, where it has several."""
    rounds = event.of_stage(stage)
    labels = list(dict.fromkeys(table.label for round_ in rounds for table in round_.tables))
    if len(labels) < 2 or not _apart(rounds):
        return [_group(event, "", rounds, stage)] if rounds else []
    found = []
    for label in sorted(labels, key=lambda label: (len(label), label)):
        members = _sitting(rounds, {label})
        own = tuple(
            Round(
                round_.number,
                tuple(table for table in round_.tables if table.label == label),
                round_.stage,
                tuple(one for one in round_.byes if one in members),
            )
            for round_ in rounds
        )
        found.append(_group(event, label, own, stage))
    return found


def is_league(event: Event, stage: int) -> bool:
    """Return whether all entrants play on to the end of a stage, rather than fewer each round."""
    known = event.stage(stage)
    name = known.format if known else ""
    if name in LEAGUES or name in BRACKETS:
        return name in LEAGUES
    rounds = event.of_stage(stage)
    if len(rounds) < 2:
        return False
    first, last = (
        sum(len(table.seats) for table in round_.tables) + len(round_.byes)
        for round_ in (rounds[0], rounds[-1])
    )
    return last >= first * _MOST_STAY


def stage_lines(event: Event, stage: int, width: int, by: By = "auto") -> list[str]:
    """Return the crosstables of a stage, none of the lines wider than so many cells."""
    lines: list[str] = []
    told: dict[str, None] = {}
    for group in groups(event, stage):
        if group.title:
            lines += ["", fitted(group.heading, width).rstrip()]
        matrix = _matrix(event, group, width) if by != "rounds" else None
        if matrix and (by == "opponents" or len(group.entrants) <= _MOST_OPPONENTS):
            lines += ["", *matrix]
            told[_OF_OPPONENTS] = None
        else:
            lines += _by_rounds(event, group, width)
            told[_OF_PAIRS if _in_pairs(group.rounds) else _OF_TABLES] = None
    lines += [""] if told else []
    lines += [line for text in told for line in wrapped(text, width)]
    return within(lines, width)


_OF_OPPONENTS = (
    "A cell has the points against that opponent: 1 for each table that the row's entrant left as "
    f"the better placed, ½ where they shared a place, {_PLAYING} where they are playing."
)
_OF_PAIRS = (
    "A cell has the number of the opponent's row after + for a win, - for a loss, = for a shared "
    f"place, {_PLAYING} while they play."
)
_OF_TABLES = (
    f"A cell has the number of the table and, after a colon, the place there; {_PLAYING} while it "
    "is played, ff for a forfeit."
)


def _apart(rounds: Sequence[Round]) -> bool:
    """Return whether nobody sits at tables of different labels."""
    label_of: dict[int, str] = {}
    return all(
        label_of.setdefault(entrant, table.label) == table.label
        for round_ in rounds
        for table in round_.tables
        for entrant in table.entrants
    )


def _sitting(rounds: Sequence[Round], labels: set[str]) -> set[int]:
    return {
        entrant
        for round_ in rounds
        for table in round_.tables
        if table.label in labels
        for entrant in table.entrants
    }


def _group(event: Event, title: str, rounds: Sequence[Round], stage: int) -> Group:
    """Return a group in the order of the standings, or, of a stage before, of its own points."""
    members = {one for round_ in rounds for table in round_.tables for one in table.entrants}
    members |= {one for round_ in rounds for one in round_.byes}
    totals = _totals(rounds)
    if stage == event.rounds[-1].stage and event.standings:
        ordered = sorted(members, key=event.rank)
    else:
        points = _points(rounds)
        ordered = sorted(members, key=lambda one: (-points[one], totals[one], one))
    return Group(title, tuple(ordered), tuple(rounds), totals)


def _against(rounds: Sequence[Round]) -> dict[tuple[int, int], Fraction | None]:
    """Return the points of one entrant against another; None where they play for the first."""
    found: dict[tuple[int, int], Fraction | None] = {}
    for table in (table for round_ in rounds for table in round_.tables):
        for seat in table.seats:
            for other in table.seats:
                if seat is other:
                    continue
                key = (seat.entrant, other.entrant)
                if table.finished:
                    found[key] = (found.get(key) or Fraction(0)) + _better(seat, other)
                else:
                    found.setdefault(key, None)
    return found


def _better(seat: Seat, other: Seat) -> Fraction:
    if seat.place == other.place:
        return Fraction(0) if seat.forfeit else Fraction(1, 2)
    return Fraction(int(seat.place < other.place))


def _points(rounds: Sequence[Round]) -> Counter[int]:
    """Return twice the points of everybody against all opponents."""
    points: Counter[int] = Counter()
    for (entrant, _), won in _against(rounds).items():
        points[entrant] += int(2 * (won or 0))
    return points


def _totals(rounds: Sequence[Round]) -> Counter[int]:
    totals: Counter[int] = Counter()
    for seat in (seat for round_ in rounds for table in round_.tables for seat in table.seats):
        totals[seat.entrant] += seat.total
    return totals


def _half(points: Fraction) -> str:
    whole, rest = divmod(points, 1)
    return f"{whole or ''}½" if rest else str(whole)


def _matrix(event: Event, group: Group, width: int) -> list[str] | None:
    """Return everybody against everybody, or None where it does not fit."""
    count = len(group.entrants)
    digits = len(str(count))
    if digits + count * 2 + _SHORTEST_NAME > width:
        return None
    against = _against(group.rounds)
    points = _points(group.rounds)
    rows = [["", "", *map(str, range(1, count + 1)), "points", "penalties"]]
    for number, one in enumerate(group.entrants, start=1):
        cells = [
            _ITSELF if one == other else _cell(against, one, other) for other in group.entrants
        ]
        summed = [_half(Fraction(points[one], 2)), str(group.totals[one])]
        rows.append([str(number), event.name(one), *cells, *summed])
    return _columns(rows, width)


def _cell(against: Mapping[tuple[int, int], Fraction | None], one: int, other: int) -> str:
    if (one, other) not in against:
        return ""
    points = against[one, other]
    return _PLAYING if points is None else _half(points)


def _columns(rows: Sequence[Sequence[str]], width: int) -> list[str] | None:
    """Return rows in columns, names cut as far as must be; None where that is too far."""
    widths = [widest(column) for column in zip(*rows, strict=True)]
    names = min(widths[1], _LONGEST_NAME, width - (sum(widths) - widths[1] + len(widths) - 1))
    if names < min(widths[1], _SHORTEST_NAME):
        return None
    widths[1] = names
    return [line_of(cells, widths) for cells in rows]


def _in_pairs(rounds: Sequence[Round]) -> bool:
    return all(len(table.seats) <= 2 for round_ in rounds for table in round_.tables)


def _by_rounds(event: Event, group: Group, width: int) -> list[str]:
    """Return what everybody did in each round; rounds that find no room follow below."""
    number = {entrant: at for at, entrant in enumerate(group.entrants, start=1)}
    pairs = _in_pairs(group.rounds)
    columns = []
    for round_ in group.rounds:
        cells = dict(_cells(round_, number, pairs=pairs))
        columns.append([f"R{round_.number}", *(cells.get(one, "") for one in group.entrants)])
    heads = ["", *map(str, range(1, len(group.entrants) + 1))]
    names = ["", *map(event.name, group.entrants)]
    last = ["penalties", *(str(group.totals[one]) for one in group.entrants)]
    lines: list[str] = []
    for shown in _panels(columns, width - widest(heads) - 1 - _SHORTEST_NAME, last):
        rows = list(zip(heads, names, *shown, strict=True))
        found = _columns(rows, width)
        if found is None:  # a terminal as narrow as that shows what it can
            found = [" ".join(filter(None, row)) for row in rows]
        lines += ["", *found]
    return lines


def _cells(round_: Round, number: Mapping[int, int], *, pairs: bool) -> Iterator[tuple[int, str]]:
    for table in round_.tables:
        for seat in table.seats:
            yield seat.entrant, _met(table, seat, number) if pairs else _placed(table, seat)
    for entrant in round_.byes:
        yield entrant, "bye"


def _met(table: Table, seat: Seat, number: Mapping[int, int]) -> str:
    others = [other for other in table.seats if other is not seat]
    if not others:
        return "bye"
    [other] = others
    sign = _PLAYING
    if table.finished:
        better = _better(seat, other), _better(other, seat)
        sign = "=" if better[0] == better[1] else "+" if better[0] > better[1] else "-"
    return f"{sign}{number[other.entrant]}{'ff' if seat.forfeit else ''}"


def _placed(table: Table, seat: Seat) -> str:
    if not table.finished:
        return f"{table.number}:{_PLAYING}"
    return f"{table.number}:{'ff' if seat.forfeit else seat.place}"


def _panels(columns: Sequence[list[str]], width: int, last: list[str]) -> Iterator[list[list[str]]]:
    """Yield as many columns at a time as fit; the last panel ends with ``last``."""
    panel: list[list[str]] = []
    taken = 0
    for column in [*columns, last]:
        size = widest(column) + 1
        if panel and taken + size > width:
            yield panel
            panel, taken = [], 0
        panel.append(column)
        taken += size
    yield panel
