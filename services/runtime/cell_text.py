"""Text of a given width, in the cells of a terminal: some characters take two, some none."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable

from rich.cells import cell_len, set_cell_size

CUT = "…"


def fitted(text: str, width: int) -> str:
    """Return a text at the left of so many cells, cut short where it is too long."""
    if cell_len(text) <= width:
        return text + " " * (width - cell_len(text))
    return set_cell_size(text, max(width - 1, 0)) + CUT[:width]


def at_right(text: str, width: int) -> str:
    """Return a text at the right of so many cells, cut short where it is too long."""
    if cell_len(text) <= width:
        return " " * (width - cell_len(text)) + text
    return fitted(text, width)


def line_of(
    cells: Iterable[str], widths: Iterable[int], *, left: Collection[int] = (1,), gap: str = " "
) -> str:
    """Return cells in columns of these widths: those numbered in ``left`` at the left of theirs."""
    return gap.join(
        fitted(cell, width) if at in left else at_right(cell, width)
        for at, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )


def widest(texts: Iterable[str]) -> int:
    """Return the cells of the longest text; 0 of none."""
    return max(map(cell_len, texts), default=0)


def within(lines: Iterable[str], width: int) -> list[str]:
    """Return lines without blanks at their ends, none wider than so many cells."""
    return [
        line if cell_len(line) <= width else fitted(line, width).rstrip()
        for line in (line.rstrip() for line in lines)
    ]


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Return a text in lines of so many cells."""
    if not text.isascii():  # textwrap counts characters
        width -= cell_len(text) - len(text)
    return textwrap.wrap(
        text, max(width, len(indent) + 1), initial_indent=indent, subsequent_indent=indent
    )
