"""A bracket as lines of text: a column for each round, a card for each table."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len

from .cell_text import at_right, fitted, widest, within, wrapped
from .event_layout import Card, Column, Section, onward, score, sections, spread
from .event_record import Event, Seat

_GUTTER = 4
_LONGEST_NAME, _SHORTEST_NAME = 24, 12
_NARROWEST_COLUMN = 12

_Move = tuple[int, int]
"""The line that somebody comes from, and the one in the next column that they go to."""


def section_lines(event: Event, section: Section, width: int) -> list[str]:
    """Return a section, none of its lines wider than so many cells.

    Columns that find no room beside the others follow below.
    """
    names = widest(event.name(seat.entrant) for seat in _seats(section.columns))
    totals = widest(score(card, seat) for card, seat in _card_seats(section.columns))
    heads = widest(card.head for column in section.columns for card in column.cards)
    names = min(max(names, heads - totals - 3, _SHORTEST_NAME), _LONGEST_NAME)
    lines: list[str] = []
    at = 0
    while at < len(section.columns):
        most = max(1, width // _NARROWEST_COLUMN)
        for count in range(min(len(section.columns) - at, most), 0, -1):
            panel = _Panel(event, section, at, count)
            room = panel.room_for_names(width, totals)
            if room >= _SHORTEST_NAME or count == 1:
                lines += ["", *panel.lines(max(1, min(names, room)), totals)]
                at += count
                break
    return within(lines, width)


def stage_lines(event: Event, stage: int, width: int) -> list[str]:
    """Return the bracket of a stage, section by section."""
    lines: list[str] = []
    for section in sections(event, stage):
        if section.title:
            lines += ["", fitted(section.title.capitalize(), width).rstrip()]
        lines += section_lines(event, section, width)
    return lines


def legend(width: int) -> list[str]:
    """Return what the marks of a bracket mean."""
    return wrapped(
        "Before a name the place at the table, after it the penalties; ff: forfeit. → 2: goes on "
        "to table 2 of the next round.",
        width,
    )


class _Panel:
    """As many columns of a section as are shown beside each other."""

    def __init__(self, event: Event, section: Section, at: int, count: int) -> None:
        self._event = event
        self._columns = section.columns[at : at + count]
        ends = at + count
        following = [*section.columns[at + 1 : ends + 1], None][:count]
        cards = [card for column in self._columns for card in column.cards]
        height = {id(card): len(card.seats) + bool(card.head) for card in cards}
        self._tops = spread(self._columns, height, 1)
        self._lines = max((self._tops[id(card)] + height[id(card)] for card in cards), default=0)
        self._rows: list[dict[int, tuple[Card, Seat]]] = []
        self._moves: list[tuple[_Move, ...]] = []  # those after each column that lines show
        self._order_rows()
        self._marks = [
            {
                line: onward(event, card, seat.entrant, next_, drawn=bool(moves))
                for line, (card, seat) in rows.items()
            }
            for next_, moves, rows in zip(following, self._moves, self._rows, strict=True)
        ]
        self._mark_widths = [widest(marks.values()) for marks in self._marks]

    def _order_rows(self) -> None:
        came_from: dict[int, int] = {}
        for at, column in enumerate(self._columns):
            rows = self._placed(column, came_from)
            moves = _moves(came_from, self._rows[-1], rows) if at else ()
            if at:
                if moves is None:
                    rows, moves = self._placed(column, {}), ()
                self._moves.append(moves)
            self._rows.append(rows)
            came_from = {seat.entrant: line for line, (_, seat) in rows.items()}
        self._moves.append(())

    def _placed(self, column: Column, came_from: Mapping[int, int]) -> dict[int, tuple[Card, Seat]]:
        """Return who is on which line: by where they came from, or by their places."""
        rows: dict[int, tuple[Card, Seat]] = {}
        for card in column.cards:
            first = self._tops[id(card)] + bool(card.head)
            ordered = sorted(
                card.seats, key=lambda seat: (came_from.get(seat.entrant, 0), seat.place)
            )
            rows |= {first + at: (card, seat) for at, seat in enumerate(ordered)}
        return rows

    def room_for_names(self, width: int, totals: int) -> int:
        """Return the cells that each column has for names."""
        count = len(self._columns)
        taken = sum(2 + 1 + totals + bool(marks) + marks for marks in self._mark_widths)
        return (width - taken - _GUTTER * (count - 1)) // count

    def lines(self, names: int, totals: int) -> Iterator[str]:
        """Yield the lines, the heads of the columns first."""
        widths = [2 + names + 1 + totals + bool(marks) + marks for marks in self._mark_widths]
        heads = [
            fitted(column.head, width + _GUTTER - 1)
            for column, width in zip(self._columns, widths, strict=True)
        ]
        yield " ".join(heads)
        gutters = [_gutter(moves) for moves in self._moves]
        card_heads = [
            {self._tops[id(card)]: card.head for card in column.cards if card.head}
            for column in self._columns
        ]
        for line in range(self._lines):
            parts = []
            for at, width in enumerate(widths):
                text = card_heads[at].get(line, "")
                if line in self._rows[at]:
                    text = self._row(at, line, names, totals)
                gutter = gutters[at].get(line, " " * _GUTTER)
                cell = fitted(text, width)
                if gutter[0] == "─":
                    cell = _led_on(text.rstrip(), width)
                parts.append(cell + gutter)
            yield "".join(parts)

    def _row(self, at: int, line: int, names: int, totals: int) -> str:
        card, seat = self._rows[at][line]
        place = str(seat.place) if card.finished and seat.place else " "
        name = fitted(self._event.name(seat.entrant), names)
        mark = self._marks[at][line]
        return f"{place} {name} {at_right(score(card, seat), totals)} {mark}".rstrip()


def _led_on(text: str, width: int) -> str:
    """Return a row with a line to the column's edge."""
    left = width - cell_len(text)
    return f"{text} {'─' * (left - 1)}" if left > 1 else fitted(text, width)


def _moves(
    came_from: Mapping[int, int],
    before: Mapping[int, tuple[Card, Seat]],
    rows: Mapping[int, tuple[Card, Seat]],
) -> tuple[_Move, ...] | None:
    """Return the moves between two columns, or None where lines would cross or touch."""
    moves = sorted(
        (came_from[seat.entrant], line)
        for line, (card, seat) in rows.items()
        if seat.entrant in came_from
        and before[came_from[seat.entrant]][0].next.get(seat.entrant) is card
    )
    spans = sorted((min(move), max(move)) for move in moves)
    if any(low <= high for (_, high), (low, _) in itertools.pairwise(spans)):
        return None
    return tuple(moves)


def _gutter(moves: Sequence[_Move]) -> dict[int, str]:
    """Return what stands between two columns, by line."""
    drawn: dict[int, str] = {}
    for start, end in moves:
        if start == end:
            drawn[start] = "─── "
            continue
        down = start < end
        drawn |= dict.fromkeys(range(min(start, end) + 1, max(start, end)), " │  ")
        drawn[start] = "─┐  " if down else "─┘  "
        drawn[end] = " └─ " if down else " ┌─ "
    return drawn


def _card_seats(columns: Sequence[Column]) -> Iterator[tuple[Card, Seat]]:
    for column in columns:
        for card in column.cards:
            for seat in card.seats:
                yield card, seat


def _seats(columns: Sequence[Column]) -> Iterator[Seat]:
    for _, seat in _card_seats(columns):
        yield seat
