"""Shows rule sets and clauses on a terminal."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .rules_document import PARAMETERS, Document

_UNLIMITED = "unlimited"


def show_list(document: Document) -> None:
    """Print a table of the rule sets."""
    table = _table("rule set", "title", "seats", "deals", "source")
    for rules in document["rule_sets"]:
        table.add_row(rules["id"], rules["title"], _seats(rules), _deals(rules), rules["source"])
    console = _console()
    console.print(table)
    console.print("rummy-arena rules RULE_SET explains one of them.", style="dim")


def show_rule_set(document: Document) -> None:
    """Print a rule set: its head, what it is played with, and its clauses."""
    console = _console()
    _print_head(console, document)
    _section(console, "Contracts" if len(document["contracts"]) > 1 else "Opening")
    console.print(_contracts(document["contracts"]))
    _section(console, "Points of a card left in a hand")
    console.print(_values(document["hand_values"]))
    _section(console, "Options")
    console.print(_options(document) if document["options"] else "none")
    _section(console, "Parameters")
    console.print(_parameters(document["parameters"]))
    for letter, clauses in groupby(document["clauses"], key=lambda clause: clause["id"][0]):
        _section(console, "Clauses of every game" if letter == "X" else "Clauses of this game")
        for clause in clauses:
            _print_clause(console, clause)


def show_clause(document: Document) -> None:
    """Print one clause, and where it lives in code."""
    console = _console()
    _print_clause(console, document)
    for place in document["code"]:
        console.print(f"  {place}", style="dim")


def _print_head(console: Console, document: Document) -> None:
    clauses = document["clauses"]
    own = [clause["id"] for clause in clauses if not clause["id"].startswith("X")]
    console.print(Text.assemble((document["title"], "bold"), f"  {document['id']}"))
    grid = Table.grid(padding=(0, 2))
    grid.add_row("source", document["source"])
    grid.add_row("clauses", f"{own[0]} to {own[-1]}, and X-1 to {clauses[-1]['id']} of every game")
    for deviation in document["deviations"] or ("none",):
        grid.add_row("deviation", deviation)
    grid.add_row("seats", _seats(document))
    grid.add_row("deals", _deals(document))
    chosen = ", ".join(f"{name}={value}" for name, value in document["chosen"].items())
    if chosen:
        grid.add_row("chosen", chosen)
    console.print(grid)


def _contracts(contracts: list[dict[str, Any]]) -> Table:
    table = _table("deal", "contract", "cards each")
    for contract in contracts:
        deal = str(contract["number"]) if len(contracts) > 1 else "every"
        table.add_row(deal, contract["text"], _cards(contract["hand_sizes"]))
    return table


def _cards(sizes: dict[str, int]) -> str:
    """Return hand sizes in words: one number, or one for each range of players."""
    if len(set(sizes.values())) == 1:
        return str(next(iter(sizes.values())))
    parts = []
    for size, members in groupby(sizes, key=lambda players: sizes[players]):
        players = list(members)
        span = players[0] if len(players) == 1 else f"{players[0]}-{players[-1]}"
        parts.append(f"{size} ({span} players)")
    return ", ".join(parts)


def _values(values: dict[str, int]) -> Table:
    black, red = values["black_ace"], values["red_ace"]
    aces = [("ace", black)] if black == red else [("black ace", black), ("red ace", red)]
    columns = [("joker", values["joker"]), *aces, ("king to ten", values["court"])]
    table = _table(*(name for name, _ in columns), "nine to two")
    table.add_row(*(str(points) for _, points in columns), "its number")
    return table


def _options(document: Document) -> Table:
    table = _table("option", "values", "default", "clause", "what it does")
    for option in document["options"]:
        row = (option[key] for key in ("name", "values", "default", "clause", "text"))
        table.add_row(*row)
    return table


def _parameters(parameters: Document) -> Table:
    table = _table("parameter", "value", "what it says")
    for name, value in parameters.items():
        table.add_row(name, _value(value), PARAMETERS[name])
    return table


def _value(value: object) -> str:
    if value is None:
        return _UNLIMITED
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ").replace("-", " ") if isinstance(value, str) else str(value)


def _print_clause(console: Console, clause: Document) -> None:
    console.print(
        Text.assemble((f"{clause['id']} {clause['title']}", "bold"), (f"  {clause['tag']}", "dim"))
    )
    text = clause["text"]
    if clause["unbreakable"]:
        text = f"{text} No code can break it: {clause['unbreakable']}".strip()
    console.print(Padding(text, (0, 0, 0, 2)))


def _seats(document: Document) -> str:
    return f"{document['min_seats']} to {document['max_seats']}"


def _deals(document: Document) -> str:
    return "until one is left" if document["deals"] is None else str(document["deals"])


def _section(console: Console, title: str) -> None:
    console.print()
    console.print(title, style="bold underline")


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)
