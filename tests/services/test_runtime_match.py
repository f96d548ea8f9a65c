"""The command ``rummy-arena match``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from services.runtime.cli import run
from services.runtime.cli_bot import BotNotFound, find_bot
from services.runtime.cli_match import match_text
from services.runtime.cli_progress import MatchProgress

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

class Faulty(Hasty):
    def choose(self, view, dice):
        return self.deeper()
    def deeper(self):
        return 1 / 0

class Interrupted(Hasty):
    asked = 0
    def choose(self, view, dice):
        self.asked += 1
        if self.asked > 150:
            raise KeyboardInterrupt
        return super().choose(view, dice)

class Unmakeable(Hasty):
    def __init__(self):
        raise SystemExit(3)

patient = Needy(3)
number = 7
"""


@pytest.fixture
def authors_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "hasty_bots.py").write_text(HASTY)
    (tmp_path / "broken_bots.py").write_text("x = 1\n1 / 0")
    (tmp_path / "misspelt_bots.py").write_text("x = 1\ny = = 2\n")
    (tmp_path / "needing_bots.py").write_text("import no_such_package.of_mine\n")
    (tmp_path / "leaving_bots.py").write_text("import sys\nsys.exit(0)\n")
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
    (compared,) = found["comparisons"]
    assert compared["better"] == "greedy"
    assert compared["difference"] + compared["margin"] < 0
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
    assert found["comparisons"][0]["better"] is None
    assert run(["match", "greedy", "greedy", "--deals", "3"]) == 0
    assert "they did equally well in every pair" in capsys.readouterr().out


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
        ("hasty_bots:Unmakeable", r"cannot be made without arguments \(SystemExit: 3 at .*hasty_"),
        ("broken_bots:Hasty", r"'broken_bots' failed at .*broken_bots.py:2: ZeroDivisionError: "),
        ("misspelt_bots:B", r"'misspelt_bots' failed at .*misspelt_bots.py:2: SyntaxError: inval"),
        ("needing_bots:B", r"failed at .*needing_bots.py:1: .* 'no_such_package'; install or mend"),
        ("leaving_bots:B", r"failed at .*leaving_bots.py:2: SystemExit: 0; mend it first"),
        (":Hasty", "no house bot ':Hasty'; known: .*; your own is MODULE:CLASS"),
        ("hasty_bots:", "no house bot 'hasty_bots:'; known: .*; your own is MODULE:CLASS"),
        (".hasty_bots:Hasty", "your own is MODULE:CLASS"),
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
        (["hasty_bots:Cheat", "greedy", "--deals", "2"], "the bot hasty (the first) chose Action("),
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


@pytest.mark.usefixtures("authors_folder")
def test_what_a_bot_raises_is_shown_by_its_own_frames(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["match", "greedy", "hasty_bots:Faulty", "--deals", "2"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    *frames, said = shown.err.splitlines()
    assert said.startswith("rummy-arena: the bot hasty (the second) raised ZeroDivisionError: ")
    assert "in pair 1: deal 1 (3 sets), turn " in said
    assert frames[0] == "Traceback of the bot:"
    assert all("hasty_bots.py" in line for line in frames if "File" in line)


@pytest.mark.usefixtures("authors_folder")
def test_a_match_that_is_stopped_shows_what_it_has(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["match", "hasty_bots:Interrupted", "greedy", "--seats", "3", "--json"]
    assert run(arguments) == 130
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    assert 0 < found["pairs"] < 1000
    assert found["plays"] == 2 * found["pairs"]
    assert f"rummy-arena: stopped after {found['pairs']} of 1000 pairs\n" in shown.err


def text_of(capsys: pytest.CaptureFixture[str], **changes: object) -> str:
    """Return the text of a match with some findings changed, of its one comparison too."""
    found = document(capsys, "greedy", "random", "--deals", "2")
    (compared,) = found["comparisons"]
    compared |= {name: value for name, value in changes.items() if name in compared}
    return match_text(found | {name: value for name, value in changes.items() if name in found})


def test_the_text_concludes_no_more_than_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    void = {"out": 0.0, "void": 1.0, "cap": 0.0}
    said = text_of(capsys, better=None, ends=void, difference=0.0, margin=0.0)
    assert "nobody went out in any deal" in said
    assert "play more pairs to tell" in text_of(capsys, better=None, difference=1.0, margin=2.0)
    said = text_of(capsys, better=None, margin=None, pairs=1)
    assert "1 pair of deals, " in said
    assert "one pair says nothing" in said


def test_the_text_has_its_columns_by_the_longest_name(capsys: pytest.CaptureFixture[str]) -> None:
    bot = {"mean_penalty": 1.5, "deals_won": 1, "games_won": 1.0}
    bots = [{**bot, "name": "a"}, {**bot, "name": "a_module.of.mine:Bot", "deals_won": 2}]
    first, second = text_of(capsys, bots=bots).splitlines()[1:3]
    assert first == f"  {'a':20}    1.50 points a deal, 1 deal won, 1 game won"
    assert second == "  a_module.of.mine:Bot    1.50 points a deal, 2 deals won, 1 game won"


def test_a_slow_first_pair_is_told_of(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.runtime.cli_progress._FIRST_AFTER_S", 0.01)
    with MatchProgress(7) as progress:
        progress._first.join()
    assert capsys.readouterr().err == "0 of 7 pairs\n"


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


def test_a_test_ends_the_match_as_soon_as_it_is_known_who_is_better(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = document(capsys, "random", "greedy", "--seats", "3", "--effect", "30")
    (compared,) = found["comparisons"]
    assert compared["better"] == "greedy"
    assert (compared["verdict"], compared["decided_after"]) == ("second", found["pairs"])
    assert found["pairs"] < 100 < found["test"]["most_pairs"]


def test_three_bots_at_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("greedy", "random", "careful", "--seats", "3", "--deals", "12")
    found = document(capsys, *arguments)
    assert found["plays"] == 12 * 6
    assert [(one["first"], one["second"]) for one in found["comparisons"]] == [
        ("greedy", "random"),
        ("greedy", "careful"),
        ("random", "careful"),
    ]
    assert [one["better"] for one in found["comparisons"][::2]] == ["greedy", "careful"]


def test_bots_that_cannot_share_the_seats(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["match", "greedy", "random", "careful", "--seats", "4"]) == 2
    assert "3 bots cannot share 4 seats" in capsys.readouterr().err
