"""The command ``rummy-arena replay``."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from rummy_arena.game import engine, series
from rummy_arena.game.actions import NONE
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.events import DealEnded, DealStarted, Drew, Event
from rummy_arena.game.notation.events import event_lines
from rummy_arena.game.notation.games import write_game
from rummy_arena.game.view import redact
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set
from services.runtime.cli import run
from tests.spec.seeker import Seeker

SEATS = 3
RULES = RULE_SETS["kaluki-european"]
SERVER_ONLY = ("celery", "redis", "msgspec", "grpc", "structlog", "pydantic_settings", "psutil")
Printed = pytest.CaptureFixture[str]


def played(rule_set: str, options: dict[str, str] | None = None, seed: int = 1) -> list[Event]:
    """Return the log of a game, or of its first deals."""
    rules = get_rule_set(rule_set, options)
    chance, seeker, dice = SeededChance(rules, bytes(32)), Seeker(Random(seed)), Random(seed)
    game, log = series.new_game(rules, SEATS, chance)
    while not game.over and game.deal.number < 4:
        seat = dice.choice(engine.deciders(game.deal))
        log += series.apply(game, seat, seeker.choose(game.deal, seat), chance)
    return log


@pytest.fixture(scope="module")
def log() -> list[Event]:
    return played(RULES.id)


@pytest.fixture
def file(tmp_path: Path, log: list[Event]) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(write_game(RULES, SEATS, log, names={1: "Ann"}))
    return path


def shown(capsys: Printed, file: Path, *arguments: str) -> str:
    """Return what the command prints when all is well."""
    assert run(["replay", str(file), *arguments]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def refused(capsys: Printed, file: Path, *arguments: str) -> str:
    """Return the one line that the command prints when something is wrong."""
    assert run(["replay", str(file), *arguments]) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    return line


def numbers(text: str) -> list[int]:
    """Return the numbers of the events that were shown."""
    return [int(number) for number in re.findall(r"^ *([0-9]+)  \S", text, re.MULTILINE)]


def first_of(log: list[Event], number: int) -> int:
    """Return the place from 1 of the event that starts a deal."""
    return next(
        at for at, e in enumerate(log, 1) if isinstance(e, DealStarted) and e.number == number
    )


# --- what is shown --------------------------------------------------------------------------------


def test_it_shows_every_event_and_every_hand_and_verifies_the_game(
    capsys: Printed, file: Path, log: list[Event]
) -> None:
    text = shown(capsys, file)
    lines = text.splitlines()
    assert lines[:2] == ["European Kaluki (kaluki-european), 3 seats", "seat 1: Ann"]
    assert numbers(text) == list(range(1, len(log) + 1))
    for at, event in enumerate(log, 1):
        assert f"{at:>6}  {event_lines(event, RULES)[0]}" in lines
    assert f"verified: {len(log)} events are a legal game so far; the game goes on" in text
    deal = engine.deal_cards(RULES, SEATS, 1, 0, log[0].deck)  # type: ignore[union-attr]
    assert "seat 1 draws | top " in text
    assert f"| stock {len(deal.stock)} | totals 0 0 0" in text
    for seat in range(SEATS):
        hand = " ".join(event_lines(log[0], RULES)[1 + (seat - 1) % SEATS].split()[2:])
        found = re.search(rf"hand {seat} +([^(]*) \(not opened\)", text)
        assert found
        assert sorted(found[1].split()) == sorted(hand.split())
    ended = next(event for event in log if isinstance(event, DealEnded))
    for line in event_lines(ended, RULES)[1:]:
        assert f"        {line}" in lines


def test_a_seat_sees_its_own_hand_and_decisions_alone(
    capsys: Printed, file: Path, log: list[Event]
) -> None:
    text = shown(capsys, file, "--seat", "1", "--deal", "1")
    deciding = set(re.findall(r"seat ([0-9]) (?:draws|plays)", text))
    assert deciding == {"1"}
    before_end = text.partition("deal over")[0]
    assert not re.search(r"hand [02]", before_end)
    assert re.search(r"> hand 1 +[^ ]", before_end)
    hidden = [e for e in log[: first_of(log, 2)] if isinstance(e, Drew) and e.seat != 1]
    assert text.count("draws --") == sum(redact(e, 1, RULES, SEATS) != e for e in hidden)
    assert "in the hands of seats 0 to 2" in before_end


def test_a_spectator_sees_no_hand(capsys: Printed, file: Path) -> None:
    text = shown(capsys, file, "--spectator", "--deal", "1").partition("deal over")[0]
    assert "hand 0" not in text
    assert not re.search(r"[0-9] draws [A-Z0-9*]", text)
    assert "seat 2 draws" in text


def test_open_hands_are_open_to_a_spectator(capsys: Printed, tmp_path: Path) -> None:
    options = {"open_hands": "on"}
    rules = get_rule_set("kalooki-bonus", options)
    path = tmp_path / "open.txt"
    path.write_text(write_game(rules, SEATS, played(rules.id, options)[:40]))
    text = shown(capsys, path, "--spectator")
    assert "Kalooki with bonus (kalooki-bonus, open_hands=on), 3 seats" in text
    assert all(f"hand {seat}" in text for seat in range(SEATS))
    assert "may call" in text


def test_one_deal_or_some_events_are_shown(capsys: Printed, file: Path, log: list[Event]) -> None:
    second, third = first_of(log, 2), first_of(log, 3)
    assert numbers(shown(capsys, file, "--deal", "2")) == list(range(second, third))
    assert numbers(shown(capsys, file, "--from", "5", "--to", "9")) == [5, 6, 7, 8, 9]
    both = shown(capsys, file, "--deal", "2", "--from", str(third - 3))
    assert numbers(both) == [third - 3, third - 2, third - 1]
    assert numbers(shown(capsys, file, "--deal", "4"))[-1] == len(log)


def test_only_what_has_changed_is_shown_again_unless_it_goes_step_by_step(
    capsys: Printed, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = ("--from", "2", "--to", "12")
    plain = shown(capsys, file, *some)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 40))
    stepped = shown(capsys, file, *some, "--step")
    assert numbers(plain) == numbers(stepped)
    decisions = stepped.count("| top ")
    assert all(stepped.count(f"hand {seat}") == decisions for seat in range(SEATS))
    assert plain.count("hand 0") < decisions


@pytest.mark.parametrize(("keys", "decisions"), [("\n\nq\n", 3), ("\n", 2), ("", 1), ("Quit\n", 1)])
def test_steps_end_with_q_or_the_input(
    keys: str, decisions: int, capsys: Printed, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(keys))
    text = shown(capsys, file, "--step")
    assert text.count("| top ") == decisions
    assert text.endswith("stopped; the rest was not verified\n")


def test_a_game_is_verified_without_being_shown(
    capsys: Printed, file: Path, log: list[Event]
) -> None:
    assert shown(capsys, file, "--check").splitlines() == [
        f"verified: {len(log)} events are a legal game so far; the game goes on"
    ]


def test_a_viewers_game_is_shown_as_it_is(
    capsys: Printed, tmp_path: Path, log: list[Event]
) -> None:
    path = tmp_path / "seen.txt"
    seen = [redact(event, 2, RULES, SEATS) for event in log]
    path.write_text(write_game(RULES, SEATS, seen, viewer="2"))
    text = shown(capsys, path, "--deal", "1")
    assert "3 seats, seen by seat 2" in text
    assert "own hand: " in text
    assert text.endswith("not verified: cards are hidden\n")
    assert "holds only what seat 2 saw" in refused(capsys, path, "--spectator")
    assert "holds only what seat 2 saw" in refused(capsys, path, "--seat", "2")
    path.write_text(write_game(RULES, SEATS, [redact(log[0], NONE, RULES, SEATS)], viewer="1"))
    path.write_text(path.read_text().replace("contract 1 ", "contract 7 "))
    assert "contract 7" in shown(capsys, path)


def test_a_game_may_end_with_a_deal(capsys: Printed, file: Path) -> None:
    text = file.read_text()
    file.write_text(text[: text.index("deal 3: ")])
    said = shown(capsys, file).splitlines()[-1]
    assert said.endswith("events are a legal game so far; the next deal is not there")
    assert shown(capsys, file, "--deal", "2", "--seat", "0")


def test_a_dash_is_standard_input(
    capsys: Printed, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    assert shown(capsys, Path("-"), "--check").startswith("verified: ")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a letter")))
    assert "rummy-arena: standard input: line 1: found " in refused(capsys, Path("-"))
    assert "name a file" in refused(capsys, Path("-"), "--step")


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("rummy-arena game 1", "a letter", "line 1: found 'a letter', expected 'rummy-arena game"),
        ("rule set: kaluki-european", "rule set: poker", "line 2: unknown rule set 'poker'; known"),
        ("seats: 3", "seats: 3\noptions: packs=3", "line 4: kaluki-european has no option 'packs'"),
        ("seats: 3", "seats: 8", "line 3: European Kaluki seats 2 to 5, not 8 (E-1)"),
        ("1 discards", "1 throws", "expected one of the verbs deal, draws"),
        (
            "1 draws",
            "1 discards",
            "is refused: WRONG_PHASE (X-14): kind discard, allowed draw_stock",
        ),
        ("1 draws", "1  draws", "found '1  draws"),
    ],
)
def test_a_corrupt_file_is_refused_at_its_line(
    old: str, new: str, expected: str, capsys: Printed, file: Path
) -> None:
    text = file.read_text()
    file.write_text(text.replace(old, new, 1))
    line = text[: text.index(old)].count("\n") + new.count("\n") + 1
    error = refused(capsys, file, "--check")
    assert f"{file}: line {line}: " in error
    assert expected in error


def test_what_was_legal_is_shown_before_the_fault(capsys: Printed, file: Path) -> None:
    text = file.read_text()
    head, _, rest = text.partition("deal over")
    file.write_text(f"{head}deal over: void{rest[rest.index(chr(10)) :]}")
    assert run(["replay", str(file)]) == 2
    printed = capsys.readouterr()
    assert numbers(printed.out)
    assert "is 'deal over: void', should be 'deal over: " in printed.err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--seat", "3"], "the game has seats 0 to 2, not 3"),
        (["--seat", "0", "--spectator"], "--seat and --spectator say who looks on; choose one"),
        (["--deal", "5"], "the game has deals 1 to 4, not 5"),
        (["--from", "9", "--to", "8"], "nothing to show: the game has events 1 to "),
        (["--from", "99999"], "nothing to show: the game has events 1 to "),
        (["--seat", "-1"], "--seat"),
    ],
)
def test_what_the_game_does_not_have_is_one_line(
    arguments: list[str], expected: str, capsys: Printed, file: Path
) -> None:
    assert expected in refused(capsys, file, *arguments)


def test_a_file_that_cannot_be_read_is_one_line(capsys: Printed, tmp_path: Path) -> None:
    assert "No such file" in refused(capsys, tmp_path / "none.txt")
    assert "Is a directory" in refused(capsys, tmp_path)
    (tmp_path / "binary").write_bytes(b"rummy\xff")
    assert "it is no text: byte 6 is not UTF-8" in refused(capsys, tmp_path / "binary")
    (tmp_path / "head").write_text("rummy-arena game 1\nseats: 2\nrule set: kaluki-european\n")
    assert "head has the head of a game, but no events" in refused(capsys, tmp_path / "head")
    (tmp_path / "empty").write_text("")
    assert "line 1: found ''" in refused(capsys, tmp_path / "empty")


def test_it_needs_no_package_of_the_server(file: Path) -> None:
    block = f"import sys; sys.modules.update(dict.fromkeys({SERVER_ONLY!r}))"
    call = "from services.runtime.cli import run; sys.exit(run(['replay', sys.argv[1], '--check']))"
    done = subprocess.run(
        [sys.executable, "-c", f"{block}; {call}", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("verified: ")
