"""The rules of the house that no other tool holds.

Clauses and playthroughs of rule sets are held by tests/spec, error rows by tests/services.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.tournament.registry import FORMATS
from services.state.messages import MESSAGE_TYPES
from workers.relay import ROUTES

ROOT = Path(__file__).parent.parent
TESTS = ROOT / "tests"
TOP_LEVEL = {
    *(".ci", ".gitignore", "CHANGELOG.md", "LICENSE", "Makefile", "README.md", "buf.yaml"),
    *("deploy", "proto", "pyproject.toml", "requirements-dev.lock", "requirements.lock"),
    *("rummy_arena", "services", "tests", "workers"),
}
LONGEST_MODULE = 400
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"}
GENERATED = "rummy_arena/api/"
# Brackets keep this file from naming what it looks for.
FOREIGN = {
    "a path of somebody's machine": (
        r"(?<![\w.])/(?:[w]ork|[h]ome|[U]sers)/\w|/opt/[p]ypi|\.\./[s]hared"
    ),
    "the making instead of the thing": (
        r"\b[s]ubagent|\b[c]oding agent|\bLL[M]\b|\b[C]laude\b|[b]rief\.md"
    ),
    "a number in somebody's tracker": r"\b[i]ssue #?\d|\b[t]icket #?\d",
    "a package registry": (
        r"://[^\s/]*(?:[p]ypi|[a]rtifactory|[n]exus)|^--(?:extra-)?[i]ndex-url|^--[f]ind-links"
    ),
}


@cache
def tracked() -> tuple[str, ...]:
    """Return every file under version control; all that are there in an unpacked archive."""
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip("this is no checkout, so it is not known which files belong to the project")
    return tuple(name for name in done.stdout.split("\0") if name and (ROOT / name).exists())


def texts() -> Iterator[tuple[str, str]]:
    """Yield name and text of every tracked file that is text and was written by hand."""
    for name in tracked():
        if name.startswith(GENERATED) or name == "LICENSE":
            continue
        try:
            yield name, (ROOT / name).read_text()
        except UnicodeDecodeError:
            continue


def modules() -> list[str]:
    return [name for name in tracked() if name.endswith(".py") and not name.startswith(GENERATED)]


def test_nothing_else_lies_at_the_top() -> None:
    assert {name.split("/")[0] for name in tracked()} <= TOP_LEVEL


@pytest.mark.parametrize("what", FOREIGN)
def test_the_project_stands_alone(what: str) -> None:
    pattern = re.compile(FOREIGN[what], re.MULTILINE)
    found = [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]!r} is {what}"
        for name, text in texts()
        for match in pattern.finditer(text)
    ]
    assert not found, "\n".join(found)


def test_no_module_grows_too_long_to_read() -> None:
    lengths = {name: (ROOT / name).read_text().count("\n") for name in modules()}
    assert not {name: n for name, n in lengths.items() if n > LONGEST_MODULE}


def test_every_module_says_by_its_name_what_it_is_about() -> None:
    assert not [name for name in modules() if VAGUE_NAMES & set(Path(name).with_suffix("").parts)]


def test_every_room_has_its_tests() -> None:
    rooms = {Path(name).parts[:2] for name in modules() if name.startswith("rummy_arena/")}
    missing = [
        room
        for _, room in sorted(parts for parts in rooms if (ROOT.joinpath(*parts)).is_dir())
        if room != "rulesets" and not any((TESTS / room).glob("test_*.py"))  # spec/ has those
    ]
    assert not missing


@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_every_house_bot_has_a_test(name: str) -> None:
    bot_tests = [path.read_text() for path in (TESTS / "bots").glob("test_*.py")]
    assert any(re.search(rf"[\"']{name}[\"']|HOUSE_BOTS", text) for text in bot_tests)


@pytest.mark.parametrize("format_id", FORMATS)
def test_every_format_has_its_tests(format_id: str) -> None:
    assert (TESTS / "tournament" / f"test_{format_id.replace('-', '_')}.py").exists()


def test_every_outbox_message_has_a_task() -> None:
    assert set(ROUTES) == set(MESSAGE_TYPES)
