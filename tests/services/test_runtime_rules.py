"""The command ``rummy-arena rules``."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields
from typing import Any

import pytest

from rummy_arena.game.rules import RuleSet
from rummy_arena.rulesets.registry import RULE_SETS, options_of
from rummy_arena.rulesets.rulebook import all_clauses, clauses_of
from services.runtime.cli import run
from services.runtime.rules_document import PARAMETERS, rule_set_document

SERVER_ONLY = ("celery", "redis", "msgspec", "grpc", "structlog", "pydantic_settings", "psutil")


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run(["rules", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def squeezed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["rules", *arguments]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_without_an_argument_it_lists_the_rule_sets(capsys: pytest.CaptureFixture[str]) -> None:
    text = squeezed(capsys)
    assert all(rule_set in text for rule_set in RULE_SETS)
    listed = document(capsys)["rule_sets"]
    assert [row["id"] for row in listed] == list(RULE_SETS)
    assert {row["id"]: row["deals"] for row in listed}["kaluki-american"] is None


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_a_rule_set_is_shown_with_all_that_it_holds(
    rule_set: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = RULE_SETS[rule_set]
    text = squeezed(capsys, rule_set)
    for clause in (*clauses_of(rules.head.clauses), *clauses_of("X")):
        assert f"{clause.id} {clause.title} {clause.tag} {clause.text}".rstrip() in text
    assert all(option.name in text for option in options_of(rule_set))
    assert all(deviation.split()[0] in text for deviation in rules.head.deviations)
    assert " ".join(rules.head.source.split()) in text
    assert document(capsys, rule_set) == rule_set_document(rules)


def test_hand_sizes_follow_the_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert "15 (2 players), 13 (3-5 players), 11 (6 players)" in squeezed(capsys, "kaluki-american")
    contract = document(capsys, "kaluki-american")["contracts"][0]
    assert contract["text"] == "51 points"
    assert contract["hand_sizes"] == {"2": 15, "3": 13, "4": 13, "5": 13, "6": 11}


def test_options_are_shown_as_they_would_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ("kalooki-bonus", "--option", "packs=3", "--option", "short_form=on")
    found = document(capsys, *chosen)
    assert found["chosen"] == {"packs": "3", "short_form": "on"}
    assert (found["parameters"]["jokers"], found["max_seats"], found["deals"]) == (6, 8, 7)
    assert "packs=3, short_form=on" in squeezed(capsys, *chosen)


@pytest.mark.parametrize("clause", all_clauses(), ids=lambda clause: clause.id)
def test_one_clause_is_shown_with_its_places_in_code(
    clause: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    text = squeezed(capsys, "--clause", clause.id.lower())
    assert text.startswith(f"{clause.id} {clause.title} {clause.tag}")
    assert all(f"{file}:{name}" in text for file, name in clause.code)
    assert document(capsys, "--clause", clause.id)["unbreakable"] == clause.unbreakable


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["poker"], "unknown rule set 'poker'; known: kalooki-jamaican, kalooki-bonus"),
        (["poker", "--clause", "X-1"], "unknown rule set 'poker'"),
        (["--clause", "J-32"], "unknown clause 'J-32'; known: X-1 to X-20, J-1 to J-31, B-1"),
        (["--clause", "joker"], "unknown clause 'joker'"),
        (["kaluki-european", "--option", "packs=3"], "has no option 'packs'; its options: rebuys"),
        (["kaluki-european", "--option", "rebuys=9"], "option rebuys of kaluki-european is '9'"),
        (["kaluki-european", "--option", "rebuys"], "--option takes NAME=VALUE, not 'rebuys'"),
        (["--option", "rebuys=1"], "--option chooses for a rule set; name one"),
    ],
)
def test_what_is_unknown_is_one_line_that_lists_the_known(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rules", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert expected in printed.err


def test_every_parameter_of_a_rule_set_is_explained() -> None:
    shown = set(rule_set_document(RULE_SETS["kalooki-jamaican"])["parameters"])
    assert shown == set(PARAMETERS) <= {field.name for field in fields(RuleSet)}


def test_it_needs_no_package_of_the_server() -> None:
    block = f"import sys; sys.modules.update(dict.fromkeys({SERVER_ONLY!r}))"
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{block}; from services.runtime.cli import run; "
            "sys.exit(run(['rules', 'kalooki-jamaican']) or run(['rules', 'poker']))",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "J-16 Where a run grows" in done.stdout
    assert done.stderr.startswith("rummy-arena: unknown rule set 'poker'")
