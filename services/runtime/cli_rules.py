"""``rummy-arena rules``: the rule sets, and each with its parameters, options and clauses.

It needs the library, typer and rich: no server, and nothing that runs.
"""

from __future__ import annotations

import json
from typing import Annotated

import typer


def rules(
    rule_set: Annotated[
        str | None, typer.Argument(help="The rule set to explain; without it, list them.")
    ] = None,
    clause: Annotated[
        str | None, typer.Option("--clause", help="Show one clause of the rule book: J-16.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="As played so; may be repeated."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document, nothing else.")
    ] = False,
) -> int:
    """Explain the games that can be played, and the clauses of their rule book."""
    from rummy_arena.rulesets.errors import OptionError, UnknownRuleSet
    from rummy_arena.rulesets.registry import get_rule_set
    from rummy_arena.rulesets.rulebook import UnknownClause
    from rummy_arena.rulesets.rulebook import clause as clause_of

    from .cli import complain
    from .rules_document import Document, clause_document, rule_set_document, summaries

    if option and not rule_set:
        raise typer.BadParameter("--option chooses for a rule set; name one")
    if clause is not None and not clause.strip():
        raise typer.BadParameter("--clause names a clause of the rule book, such as J-16")
    document: Document
    try:
        chosen = get_rule_set(rule_set, choices_of(option or [])) if rule_set else None
        if clause:
            document = clause_document(clause_of(clause))
        elif chosen:
            document = rule_set_document(chosen)
        else:
            document = {"rule_sets": summaries()}
    except (OptionError, UnknownRuleSet, UnknownClause) as error:
        complain(str(error))
        return 2
    if as_json:
        print(json.dumps(document))
        return 0
    from .rules_view import show_clause, show_list, show_rule_set

    (show_clause if clause else show_rule_set if chosen else show_list)(document)
    return 0


def choices_of(texts: list[str]) -> dict[str, str]:
    """Return the options that NAME=VALUE texts choose."""
    choices: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise typer.BadParameter(f"--option takes NAME=VALUE, not {text!r}")
        name, value = name.strip(), value.strip()
        if choices.setdefault(name, value) != value:
            raise typer.BadParameter(f"--option {name} is given twice: {choices[name]} and {value}")
    return choices
