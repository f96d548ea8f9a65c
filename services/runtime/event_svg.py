"""A bracket as an SVG picture: a column for each round, curves from a table to the next.

Stages that all entrants play to the end are shown by the order in their groups. The picture
needs nothing else, follows the reader's light or dark theme, and has a title and a description.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from rich.cells import cell_len

from .cell_text import fitted, widest
from .event_crosstable import Group, groups, is_league
from .event_layout import Card, Column, Section, onward, score, sections, spread
from .event_record import NOTHING_YET, Event

_MARGIN, _ROW, _GUTTER, _GAP = 24, 20, 72, 12
_CELL = 7.2
"""Width of a cell of text at 13 px, rather too much than too little."""
_SMALL_CELL = 6.4
_PLACE, _SCORE = 22, 52
_LONGEST_NAME, _SHORTEST_NAME = 28, 10
_BASE = 14  # of the text in its row, from the top

_STYLE = """
text { font-family: system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-size: 13px }
.title { font-size: 18px; font-weight: 600 }
.stage { font-size: 15px; font-weight: 600 }
.small { font-size: 11px }
.on { font-weight: 600 }
.end { text-anchor: end }
.halo { paint-order: stroke; stroke: #ffffff; stroke-width: 3px; stroke-linejoin: round }
@media (prefers-color-scheme: dark) {
 .back { fill: #15171a }
 .card { fill: #202328; stroke: #4a4f57 }
 .ink { fill: #e8e9eb }
 .pale { fill: #a3a9b2 }
 .way { stroke: #7d8590 }
 .halo { stroke: #15171a }
}
"""


class _Sheet:
    """What is drawn, lines first so that they pass behind the cards."""

    def __init__(self) -> None:
        self.ways = Element("g", {"class": "way", "fill": "none", "stroke": "#8a919c"})
        self.rest = Element("g")
        self.width = 0.0
        self.height = 0.0

    def reach(self, x: float, y: float) -> None:
        """Make the picture large enough for a point."""
        self.width, self.height = max(self.width, x), max(self.height, y)

    def text(
        self, x: float, y: float, text: str, kind: str = "ink", *, into: Element | None = None
    ) -> Element:
        """Write a line of text that begins at a point, and return it."""
        pale = "pale" in kind.split()
        made = SubElement(
            self.rest if into is None else into,
            "text",
            {"x": _n(x), "y": _n(y), "class": kind, "fill": "#5c636d" if pale else "#1d2025"},
        )
        made.text = text
        self.reach(x + cell_len(text) * _CELL * (1.4 if "title" in kind else 1.1), y + 6)
        return made

    def card(self, x: float, y: float, width: float, height: float) -> Element:
        """Draw the frame of a card, and return the group that its texts belong to."""
        group = SubElement(self.rest, "g")
        SubElement(
            group,
            "rect",
            {
                "x": _n(x),
                "y": _n(y),
                "width": _n(width),
                "height": _n(height),
                "rx": "4",
                "class": "card",
                "fill": "#f7f8f9",
                "stroke": "#c3c8cf",
            },
        )
        self.reach(x + width, y + height)
        return group

    def row(
        self, group: Element, x: float, y: float, width: float, cells: _Cells, shift: float = 0
    ) -> None:
        """Write a row into a card: a place, a name, a score; ``shift`` is room for long places."""
        place, name, number, kind = cells
        y += _BASE
        self.text(x + _PLACE - 6 + shift, y, place, f"{kind} pale end", into=group)
        self.text(x + _PLACE + shift, y, name, kind, into=group)
        if number:
            self.text(x + width - 8, y, number, f"{kind} end", into=group)

    def way(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Draw a curve from one point to another to its right."""
        start, end = f"{_n(x)} {_n(y)}", f"{_n(to_x)} {_n(to_y)}"
        bend = min(40.0, (to_x - x) / 2)
        SubElement(
            self.ways,
            "path",
            {"d": f"M{start}C{_n(x + bend)} {_n(y)} {_n(to_x - bend)} {_n(to_y)} {end}"},
        )


_Cells = tuple[str, str, str, str]
"""Place, name, score, class."""

_Row = tuple[int, int]
"""The id of a card, and an entrant."""

_PAIR = 2


def picture(event: Event) -> str:
    """Return the picture as a whole SVG document."""
    sheet = _Sheet()
    sheet.text(_MARGIN, _MARGIN + _BASE, event.heading, "title ink")
    y = _MARGIN + 36.0
    if event.outcome:
        sheet.text(_MARGIN, y + _BASE, event.outcome, "ink")
        y += 30
    for stage in event.stage_numbers:
        known = event.stage(stage)
        said = f"Stage {stage}: {known.format}" if known else f"Stage {stage}"
        sheet.text(_MARGIN, y + _BASE, said, "stage ink")
        y += 34
        if is_league(event, stage):
            y = _league(sheet, event, groups(event, stage), y)
        else:
            for section in sections(event, stage):
                y = _section(sheet, event, section, y)
        y += 2 * _GAP
    if not event.rounds:
        sheet.text(_MARGIN, y + _BASE, NOTHING_YET, "pale")
    return _document(event, sheet)


def _document(event: Event, sheet: _Sheet) -> str:
    width, height = round(sheet.width + _MARGIN), round(sheet.height + _MARGIN)
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {height}",
            "width": str(width),
            "height": str(height),
            "role": "img",
            "aria-labelledby": "event-title event-desc",
        },
    )
    SubElement(root, "title", {"id": "event-title"}).text = event.heading
    SubElement(root, "desc", {"id": "event-desc"}).text = " ".join(_described(event))
    SubElement(root, "style").text = _STYLE
    SubElement(
        root,
        "rect",
        {"width": str(width), "height": str(height), "class": "back", "fill": "#ffffff"},
    )
    root.extend((sheet.ways, sheet.rest))
    indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _described(event: Event) -> list[str]:
    tables = sum(len(round_.tables) for round_ in event.rounds)
    left = sum(not table.finished for round_ in event.rounds for table in round_.tables)
    said = [f"{len(event.names)} entrants, {len(event.rounds)} rounds, {tables} tables"]
    said[0] += f", {left} of them not finished." if left else "."
    return [*said, event.outcome] if event.outcome else said


def _name_cells(names: Sequence[str]) -> int:
    return min(max(widest(names), _SHORTEST_NAME), _LONGEST_NAME)


def _league(sheet: _Sheet, event: Event, found: Sequence[Group], y: float) -> float:
    """Draw the order in each group, beside each other; return where to go on below."""
    names = _name_cells([event.name(one) for group in found for one in group.entrants])
    shift = (len(str(max(len(group.entrants) for group in found))) - 1) * _CELL
    width = _PLACE + shift + names * _CELL + _SCORE
    across = max(1, min(len(found), 4))
    bottom = top = y
    for at, group in enumerate(found):
        if at % across == 0:
            top = bottom + (_GAP if at else 0)
        x = _MARGIN + at % across * (width + 2 * _GAP)
        sheet.text(x, top + _BASE, f"{group.heading or 'Order'}, penalties", "small pale")
        height = len(group.entrants) * _ROW + 8.0
        frame = sheet.card(x, top + 20, width, height)
        for row, one in enumerate(group.entrants):
            cells = (
                str(row + 1),
                fitted(event.name(one), names).rstrip(),
                str(group.totals[one]),
                "ink",
            )
            sheet.row(frame, x, top + 24 + row * _ROW, width, cells, shift)
        bottom = max(bottom, top + 20 + height)
    return bottom


def _section(sheet: _Sheet, event: Event, section: Section, y: float) -> float:
    """Draw a section; return where to go on below."""
    if section.title:
        sheet.text(_MARGIN, y + _BASE, section.title.capitalize(), "on ink")
        y += 26
    cards = [card for column in section.columns for card in column.cards]
    names = _name_cells([event.name(seat.entrant) for card in cards for seat in card.seats])
    heads = min(widest(card.head for card in cards), _LONGEST_NAME) * _SMALL_CELL + 16
    width = max(_PLACE + names * _CELL + _SCORE, heads)
    height = {id(card): _height(card) for card in cards}
    tops = spread(section.columns, height, _GAP)
    spots: dict[_Row, tuple[float, float]] = {}
    came: dict[_Row, float] = {}
    for at, column in enumerate(section.columns):
        x = _MARGIN + at * (width + _GUTTER)
        sheet.text(x, y + _BASE, column.head, "on pale")
        for card in column.cards:
            place = x, y + 26 + tops[id(card)], width, names
            spots |= _draw(sheet, event, card, place, came)
        came |= {
            (id(goal), entrant): spots[id(card), entrant][1]
            for card in column.cards
            for entrant, goal in card.next.items()
        }
    following = [*section.columns[1:], None]
    for column, after in zip(section.columns, following, strict=True):
        _lead(sheet, event, (column, after), spots, width)
    return y + 26 + max((tops[id(card)] + height[id(card)] for card in cards), default=0) + _GAP


def _height(card: Card) -> int:
    return len(card.seats) * _ROW + 8 + (18 if card.head else 0)


def _draw(
    sheet: _Sheet,
    event: Event,
    card: Card,
    place: tuple[float, float, float, int],
    came: Mapping[_Row, float],
) -> dict[_Row, tuple[float, float]]:
    """Draw a card; return the left ends of its rows.

    Two who meet are in the order of where they came from, more in the order of their places.
    """
    x, y, width, names = place
    frame = sheet.card(x, y, width, _height(card))
    SubElement(frame, "title").text = _told(event, card)
    y += 4
    if card.head:
        head = fitted(card.head, int(width / _SMALL_CELL)).rstrip()
        sheet.text(x + 8, y + 11, head, "small pale", into=frame)
        y += 18
    found = {}
    ordered = sorted(card.seats, key=lambda seat: seat.place)
    if len(ordered) == _PAIR:
        ordered.sort(key=lambda seat: came.get((id(card), seat.entrant), 0))
    for row, seat in enumerate(ordered):
        kind = "on ink" if seat.entrant in card.through else "ink"
        number = str(seat.place) if card.finished and seat.place else ""
        name = fitted(event.name(seat.entrant), names).rstrip()
        sheet.row(frame, x, y + row * _ROW, width, (number, name, score(card, seat), kind))
        found[id(card), seat.entrant] = (x, y + row * _ROW + _ROW / 2 - 1)
    return found


def _told(event: Event, card: Card) -> str:
    """Return what a card says in one line, with the whole names."""
    rows = [
        f"{seat.place or ''} {event.name(seat.entrant)} {score(card, seat)}".strip()
        for seat in sorted(card.seats, key=lambda seat: seat.place)
    ]
    return f"Round {card.round}, {card.head or 'no table'}: {', '.join(rows)}"


def _lead(
    sheet: _Sheet,
    event: Event,
    columns: tuple[Column, Column | None],
    spots: Mapping[_Row, tuple[float, float]],
    width: float,
) -> None:
    """Draw the ways of those who go on from a column, or say where to."""
    column, following = columns
    for card in column.cards:
        for seat in card.seats:
            x, y = spots[id(card), seat.entrant]
            goal = card.next.get(seat.entrant)
            target = spots.get((id(goal), seat.entrant))
            if target is not None:
                sheet.way(x + width, y, *target)
            elif said := onward(event, card, seat.entrant, following, drawn=True):
                sheet.text(x + width + 4, y + 4, said, "small pale halo")


def _n(value: float) -> str:
    """Return a coordinate, without more decimals than an eye can see."""
    return f"{value:.1f}".removesuffix(".0")
