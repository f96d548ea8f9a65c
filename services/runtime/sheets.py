"""Tables with named columns, as JSON and as CSV by RFC 4180, safe to be opened in a spreadsheet.

A spreadsheet takes a cell that begins with one of ``= + - @`` for a formula, whatever the file
says, and names are chosen by anybody. So an apostrophe is put before such a character at the start
of a text, and after a comma, semicolon, bar or tab within it, at which some would begin a new
cell. Numbers are never touched.
"""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass

Cell = str | int | float | bool | None | tuple[int, ...]
"""A number is written as such, None is empty."""
_FORMULA = re.compile("(^|[,;|\t\r\n])(\\s*)(?=[=+\\-@\uff1d\uff0b\uff0d\uff20])")


@dataclass(frozen=True)
class Sheet:
    """A table with named columns."""

    columns: tuple[str, ...]
    rows: list[list[Cell]]

    def objects(self) -> list[dict[str, Cell]]:
        """Return each row by the names of the columns."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def json_text(value: object) -> str:
    """Return a value as JSON for people and programs; the same value is always the same text."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def csv_text(sheet: Sheet, *, guarded: bool = True) -> str:
    """Return a table as CSV: a row of names first, lines that end with CR and LF, UTF-8.

    Unless it is ``guarded``, texts are as they are, whatever a spreadsheet makes of them.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(sheet.columns)
    for row in sheet.rows:
        writer.writerow([_written(cell, guarded=guarded) for cell in row])
    return out.getvalue()


def _written(cell: Cell, *, guarded: bool) -> str | int | float:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, tuple):
        return " ".join(map(str, cell))
    if isinstance(cell, int | float) or not guarded:
        return cell
    return guarded_text(cell)


def guarded_text(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return _FORMULA.sub("\\1\\2'", text)
