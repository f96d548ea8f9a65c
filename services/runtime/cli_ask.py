"""What commands share that ask an arena something: the asking, and how wide they write."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .cli_connect import NowhereError, Where, connect, written

if TYPE_CHECKING:
    from rummy_arena.client import Arena

WidthOption = Annotated[
    int | None,
    typer.Option("--width", min=20, max=10_000, help="Cells of a line; else the terminal's."),
]
OutOption = Annotated[
    Path | None, typer.Option("--out", "-o", help="File to write; else standard output.")
]
PlainOption = Annotated[
    bool,
    typer.Option(
        "--plain", help="CSV with names just as they are, even where a spreadsheet would run them."
    ),
]
Told = tuple[str, int]
"""What is written, and the exit status."""


def ask(
    where: Callable[[], Where], told: Callable[[Arena], Awaitable[Told]], out: Path | None = None
) -> int:
    """Ask an arena and write what is made of it; returns the exit status, 2 where that failed."""

    async def asked() -> Told:
        async with connect(where()) as arena:
            return await told(arena)

    def work() -> int:
        text, status = asyncio.run(asked())
        with written(out) as file:
            file.write(text.encode())
        return status

    return status_of(work)


def status_of(work: Callable[[], int]) -> int:
    """Do the work of a command and return its exit status; a failure is one line, and status 2."""
    from rummy_arena.client import ArenaError

    from .cli import complain

    try:
        return work()
    except (NowhereError, ArenaError) as error:
        complain(str(error))
        return 2
    except OSError as error:
        if error.filename is None:  # of the output, for which there are words
            raise
        complain(f"cannot use {error.filename}: {error.strerror}")
        return 2


def lines_text(lines: list[str]) -> str:
    """Return lines as the text of a file."""
    return "\n".join(lines) + "\n"


def width_of(chosen: int | None) -> int:
    """Return the cells of a line: those that were chosen, else the terminal's."""
    return chosen or shutil.get_terminal_size().columns
