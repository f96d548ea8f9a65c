"""The rule book, the code and the cases hold together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from .rulebook import PACKAGE, TAGS, Clause, clauses

CLAUSES = {clause.id: clause for clause in clauses()}
RULES = Path(__file__).parent / "rules"


def cases() -> Iterator[tuple[str, list[str]]]:
    """Yield each case of tests/spec/rules with the clause ids of its marker."""
    for file in sorted(RULES.glob("test_*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield f"{file.name}::{node.name}", _marked(node)


def _marked(node: ast.FunctionDef) -> list[str]:
    return [
        str(argument.value)
        for mark in node.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.clause"
        for argument in mark.args
        if isinstance(argument, ast.Constant)
    ]


CASES = dict(cases())
CASED = {clause for marked in CASES.values() for clause in marked}


def test_the_clauses_are_numbered_without_a_gap_or_a_repetition() -> None:
    ids = [clause.id for clause in clauses()]
    assert len(ids) == len(set(ids))
    for book, members in groupby(ids, key=lambda i: i[0]):
        assert [int(i[2:]) for i in members] == list(range(1, 1 + {"X": 20, "J": 31}[book]))


@pytest.mark.parametrize("clause", CLAUSES.values(), ids=CLAUSES)
def test_a_clause_says_where_it_comes_from_and_where_it_lives(clause: Clause) -> None:
    assert clause.tag in TAGS
    assert bool(clause.code) != bool(clause.unbreakable), "say Code: or No code can break it:"
    for file, name in clause.code:
        text = (PACKAGE / file).read_text()
        assert re.search(rf"^(def|class) {name}\b|^{name}\b.*=", text, re.MULTILINE), (file, name)


@pytest.mark.parametrize("clause", CLAUSES.values(), ids=CLAUSES)
def test_a_clause_that_code_can_break_has_a_case(clause: Clause) -> None:
    if clause.unbreakable:
        assert clause.id not in CASED, f"{clause.id} has a case, so code can break it"
    else:
        assert clause.id in CASED, f"write a case for {clause.id} {clause.title}"


@pytest.mark.parametrize("case", CASES)
def test_a_case_names_its_clauses(case: str) -> None:
    assert CASES[case], f"{case} needs @pytest.mark.clause"
    unknown = [clause for clause in CASES[case] if clause not in CLAUSES]
    assert not unknown, f"{case} names {unknown}, which the rule book does not hold"


def test_errors_and_comments_cite_clauses_that_exist() -> None:
    cited = {
        clause
        for folder in ("game", "rulesets", "bots")
        for file in (PACKAGE / folder).glob("*.py")
        for clause in re.findall(r"\b[XJ]-\d+\b", file.read_text())
    }
    assert cited <= set(CLAUSES)
