"""Tables as CSV by RFC 4180, safe to be opened in a spreadsheet.

A spreadsheet takes a cell that begins with one of ``= + - @`` for a formula, whatever the file
says, and names are chosen by anybody. So an apostrophe is put before such a character at the start
of a text, and after a comma, semicolon, bar or tab within it, at which some would begin a new
cell. Numbers are never touched.
"""

from __future__ import annotations

import csv
import io
import re

from .event_document import Cell, Sheet

_FORMULA = re.compile("(^|[,;|\t\r\n])(\\s*)(?=[=+\\-@\uff1d\uff0b\uff0d\uff20])")


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
