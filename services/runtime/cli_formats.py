"""``rummy-arena formats``: the formats of tournaments, and each with its options and tie-breaks.

It needs the library, typer and rich: no server, and nothing that runs.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rummy_arena.tournament.event import Format


def formats(
    format_id: Annotated[
        str | None,
        typer.Argument(metavar="FORMAT", help="The format to explain; without it, list them."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document, nothing else.")
    ] = False,
) -> int:
    """Explain the formats of tournaments: what can be chosen, and what breaks ties."""
    from rummy_arena.tournament.errors import UnknownFormat
    from rummy_arena.tournament.registry import FORMATS, get_format

    from .cli import complain

    try:
        found = [get_format(format_id)] if format_id else list(FORMATS.values())
    except UnknownFormat as error:
        complain(str(error))
        return 2
    documents = list(map(format_document, found))
    if as_json:
        print(json.dumps(documents[0] if format_id else {"formats": documents}))
    elif format_id:
        _show(documents[0])
    else:
        _show_list(documents)
    return 0


def format_document(format_: Format) -> dict[str, Any]:
    """Return a format as a JSON document."""
    from rummy_arena.tournament.tiebreaks import chain_of, rows_of

    return {
        "id": format_.id,
        "title": format_.title,
        "description": format_.text,
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "allowed": option.allowed(),
                "description": option.text,
            }
            for option in format_.options
        ],
        "tie_breaks": [
            {"id": row.id, "definition": row.definition} for row in rows_of(format_.ranks)
        ],
        "default_tie_breaks": [row.id for row in chain_of(format_.chain, format_.ranks)],
    }


def _show_list(documents: list[dict[str, Any]]) -> None:
    from rich.console import Console

    console = Console(soft_wrap=False, highlight=False)
    console.print(
        _table(
            ("format", "what it is"),
            [(format_["id"], format_["description"]) for format_ in documents],
        )
    )
    console.print("rummy-arena formats FORMAT explains one of them.", style="dim")


def _show(document: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(soft_wrap=False, highlight=False)
    console.print(Text.assemble((document["title"], "bold"), f"  {document['id']}"))
    console.print(document["description"], markup=False)
    console.print("\nOptions", style="bold")
    rows = [
        (option["name"], option["default"], option["allowed"], option["description"])
        for option in document["options"]
    ]
    console.print(_table(("option", "default", "allowed", "what it decides"), rows))
    console.print("\nTie-breaks", style="bold")
    rows_of_ties = [(row["id"], row["definition"]) for row in document["tie_breaks"]]
    console.print(_table(("id", "what the better entrant has"), rows_of_ties))
    chain = ", ".join(document["default_tie_breaks"])
    console.print(f"\nUnless others are chosen: {chain}.", markup=False)


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for place, head in enumerate(heads):
        table.add_column(head, header_style="dim", no_wrap=place == 0, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table
