"""The command ``rummy-arena match``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from services.runtime.cli import run
from services.runtime.cli_match import BotNotFound, find_bot

SERVER_ONLY = ("celery", "redis", "msgspec", "grpc", "structlog", "pydantic_settings", "psutil")
HASTY = """
from rummy_arena.game.actions import DRAW_STOCK, Action, ActionKind, discard

class Hasty:
    name = "hasty"
    def choose(self, view, dice):
        if ActionKind.DRAW_STOCK in view.kinds:
            return DRAW_STOCK
        if ActionKind.DISCARD in view.kinds:
            return discard(view.hand[0])
        return Action(view.kinds[-1])

class Needy(Hasty):
    def __init__(self, level):
        self.level = level

class Cheat(Hasty):
    def choose(self, view, dice):
        return discard(255)

patient = Needy(3)
number = 7
"""


@pytest.fixture
def authors_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "hasty_bots.py").write_text(HASTY)
    (tmp_path / "broken_bots.py").write_text("1 / 0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "hasty_bots", raising=False)
    return tmp_path


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run(["match", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_house_bots_play_and_one_is_better(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "greedy", "random", "--deals", "20", "--seats", "3", "--seed", "4")
    assert (found["rule_set"], found["seats"], found["seed"]) == ("kalooki-jamaican", 3, 4)
    assert (found["pairs"], found["plays"], found["unit"]) == (20, 40, "deal")
    assert found["better"] == "greedy"
    assert found["difference"] + found["margin"] < 0
    greedy, other = found["bots"]
    assert greedy["mean_penalty"] < other["mean_penalty"]
    assert sum(found["ends"].values()) == pytest.approx(1)


def test_the_text_says_what_was_played_and_what_it_shows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["--games", "2", "--rule-set", "kalooki-bonus", "--option", "short_form=on"]
    assert run(["match", "greedy", "random", *arguments]) == 0
    shown = capsys.readouterr()
    assert "kalooki-bonus (short_form=on), 4 seats, 2 pairs of games, 4 plays" in shown.out
    assert "99% confidence over the pairs, Student's t" in shown.out
    assert "games won" in shown.out
    assert "2 of 2 pairs" in shown.err


def test_equal_bots_are_not_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "greedy", "greedy", "--deals", "3")
    assert found["better"] is None
    assert run(["match", "greedy", "greedy", "--deals", "3"]) == 0
    assert "neither is shown to be better" in capsys.readouterr().out


@pytest.mark.usefixtures("authors_folder")
def test_an_authors_bot_plays(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "hasty_bots:Hasty", "greedy", "--deals", "4")
    assert found["bots"][0]["name"] == "hasty_bots:Hasty"
    assert document(capsys, "hasty_bots:patient", "greedy", "--deals", "2")["plays"] == 4


@pytest.mark.usefixtures("authors_folder")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("brave", "no house bot 'brave'; known: random, greedy, careful"),
        ("no_such_bots:Hasty", "cannot import 'no_such_bots'"),
        ("hasty_bots:Nobody", "'hasty_bots' has no 'Nobody'"),
        ("hasty_bots:Needy", "cannot be made without arguments"),
        ("hasty_bots:number", "is no bot: it needs a method choose"),
        ("broken_bots:Hasty", "importing 'broken_bots' failed: ZeroDivisionError"),
    ],
)
def test_a_bot_that_cannot_be_found_says_what_to_do(name: str, said: str) -> None:
    before = list(sys.path)
    with pytest.raises(BotNotFound, match=said):
        find_bot(name)
    assert sys.path == before


@pytest.mark.usefixtures("authors_folder")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["brave", "greedy"], "no house bot 'brave'"),
        (["greedy", "random", "--rule-set", "chess"], "kalooki-jamaican"),
        (["greedy", "random", "--option", "calls=off"], "calls"),
        (["greedy", "random", "--option", "calls"], "NAME=VALUE"),
        (["greedy", "random", "--seats", "8"], "seats 3 to 6, not 8"),
        (["greedy", "random", "--deals", "2", "--games", "2"], "not both"),
        (["hasty_bots:Cheat", "greedy", "--deals", "2"], "illegal action in pair 0"),
    ],
)
def test_what_cannot_be_played_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["match", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert said in shown.err
    assert len(shown.err.strip().splitlines()) == 1


def test_it_needs_nothing_of_the_server() -> None:
    blocked = "".join(f"sys.modules[{name!r}] = None\n" for name in SERVER_ONLY)
    code = (
        f"import sys\n{blocked}from services.runtime.cli import run\n"
        "sys.exit(run(['match', 'greedy', 'random', '--deals', '2']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
