"""The rule book, the data, the code and the cases hold together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rummy_arena.game.rules import EVERYWHERE, Option, RuleSet
from rummy_arena.rulesets.registry import OPTIONS, RULE_SETS
from rummy_arena.rulesets.rulebook import BOOKS, TAGS, Clause, all_clauses, clauses_of

PACKAGE = Path(__file__).parents[2] / "rummy_arena"
RULES = Path(__file__).parent / "rules"
CLAUSES = {clause.id: clause for clause in all_clauses()}
LAST = {"X": 20, "J": 31, "B": 28, "C": 21, "E": 29}
OPTION_ROWS = [
    pytest.param(rules, option, id=f"{rules}-{option.name}")
    for rules, options in OPTIONS.items()
    for option in options
]


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


@pytest.mark.parametrize("letter", BOOKS)
def test_the_clauses_are_numbered_without_a_gap_or_a_repetition(letter: str) -> None:
    ids = [clause.id for clause in clauses_of(letter)]
    assert ids == [f"{letter}-{number}" for number in range(1, LAST[letter] + 1)]


def test_every_book_is_read() -> None:
    found = {path.name for path in (PACKAGE / "rulesets").glob("rulebook*.md")}
    assert set(BOOKS.values()) == found


@pytest.mark.parametrize("clause", CLAUSES.values(), ids=CLAUSES)
def test_a_clause_says_where_it_comes_from_and_where_it_lives(clause: Clause) -> None:
    assert clause.tag in TAGS
    assert clause.text or clause.unbreakable
    assert bool(clause.code) != bool(clause.unbreakable), "say Code: or No code can break it:"
    for file, name in clause.code:
        text = (PACKAGE / file).read_text()
        assert re.search(rf"^( *)(def|class) {name}\b|^{name}\b.*=", text, re.MULTILINE), (
            file,
            name,
        )


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


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_a_rule_set_cites_clauses_of_its_own_book(rules: RuleSet) -> None:
    assert rules.head.clauses in BOOKS
    cited = {*rules.clauses.values(), *EVERYWHERE.values()}
    assert cited <= set(CLAUSES)
    assert {clause[0] for clause in cited} <= {"X", rules.head.clauses}


@pytest.mark.parametrize(("rule_set", "option"), OPTION_ROWS)
def test_an_option_stands_in_its_book(rule_set: str, option: Option) -> None:
    letter = RULE_SETS[rule_set].head.clauses
    assert option.clause in {clause.id for clause in clauses_of(letter)}
    values = option.choices or ("{} to {}".format(*option.numbers or ()),)
    row = f"| `{option.name}` | {', '.join(values)} | {option.default} | {option.clause} |"
    assert row in (PACKAGE / "rulesets" / BOOKS[letter]).read_text()


def test_errors_and_comments_cite_clauses_that_exist() -> None:
    cited = {
        clause
        for folder in ("game", "rulesets", "bots")
        for file in (PACKAGE / folder).glob("*.py")
        for clause in re.findall(r"\b[XJBCE]-\d+\b", file.read_text())
    }
    assert cited <= set(CLAUSES)
