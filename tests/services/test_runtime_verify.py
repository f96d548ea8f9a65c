"""The command ``rummy-arena verify``."""

from __future__ import annotations

import io
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rummy_arena.game.actions import NONE
from rummy_arena.game.chance import DealtChance, SeededChance
from rummy_arena.game.notation.games import write_game
from rummy_arena.game.view import redact
from rummy_arena.rulesets.registry import RULE_SETS
from services.runtime.cli import run
from tests.game.fair_games import TIMID_RULES, TIMID_SEATS, from_the_system, played, timid

RULES = RULE_SETS["kaluki-european"]
SERVER_ONLY = ("celery", "redis", "msgspec", "grpc", "structlog", "pydantic_settings", "psutil")
Printed = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def text() -> str:
    _, log = played(RULES, 2, DealtChance(RULES, {}, from_the_system))
    return write_game(RULES, 2, log)


def verified(capsys: Printed, tmp_path: Path, text: str, status: int) -> list[str]:
    """Return the lines that the command prints of a game."""
    file = tmp_path / "game.txt"
    file.write_text(text)
    assert run(["verify", str(file)]) == status
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out.splitlines()


def refused(capsys: Printed, *arguments: str) -> str:
    """Return the one line that the command prints when nothing can be read."""
    assert run(["verify", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    return printed.err


def test_a_fair_game_has_a_line_for_each_deal_and_a_verdict(
    capsys: Printed, tmp_path: Path, text: str
) -> None:
    head, *deals, verdict = verified(capsys, tmp_path, text, 0)
    assert head.split() == ["deal", "verdict", "reshuffles", "lots", "commitment"]
    count = len(re.findall(r"^deal [0-9]", text, re.MULTILINE))
    assert len(deals) == count
    for line in deals:
        assert re.fullmatch(r"[0-9]+( replay [0-9]+)? +as committed +[0-9]+ +- +[0-9a-f]{16}", line)
    named = [line.split("  ")[0] for line in deals]
    assert len(set(named)) == count
    assert verdict == f"good: {count} of {count} deals as committed; a legal game"


def test_replays_reshuffles_and_lots_are_shown(capsys: Printed, tmp_path: Path) -> None:
    _, log = timid()
    lines = verified(capsys, tmp_path, write_game(TIMID_RULES, TIMID_SEATS, log), 0)
    assert any(re.match(r"1 replay 1 +as committed +1 +-", line) for line in lines)
    assert any(re.match(r"[0-9]+ +as committed +1 +yes", line) for line in lines)


def test_a_game_that_goes_on_is_good_so_far(capsys: Printed, tmp_path: Path, text: str) -> None:
    first = text.index("    stock")
    cut = text[: text.index("\n", first) + 1]
    lines = verified(capsys, tmp_path, cut, 0)
    assert "not told yet" in lines[1]
    assert lines[-1] == "good so far, but nothing is proven: no seed has been told yet"


def test_a_changed_seed_is_named_with_its_deal(capsys: Printed, tmp_path: Path, text: str) -> None:
    seed = re.search(r"seed of deal 2: ([0-9a-f]{64})", text)
    assert seed is not None
    digits = seed[1]
    other = digits[:-1] + ("0" if digits[-1] != "0" else "1")
    lines = verified(capsys, tmp_path, text.replace(digits, other), 1)
    assert "NOT as committed" in lines[2]
    assert "NOT GOOD: deal 2: the seed is not the one that was committed to" in lines
    assert not any("deal 1" in line or "deal 3" in line for line in lines)


def test_two_cards_of_the_stock_that_were_exchanged_are_named(
    capsys: Printed, tmp_path: Path, text: str
) -> None:
    stock = re.search(r"^    stock: (.*)$", text, re.MULTILINE)
    assert stock is not None
    cards = stock[1].split()
    changed = " ".join([*cards[:-2], cards[-1], cards[-2]])
    lines = verified(capsys, tmp_path, text.replace(stock[1], changed), 1)
    place = 2 * 13 + 1 + len(cards) - 1
    assert (
        f"NOT GOOD: deal 1: the deck has {cards[-1]} at place {place}, the seed gives "
        in " ".join(lines)
    )


def test_a_game_that_was_not_committed_to_says_so(capsys: Printed, tmp_path: Path) -> None:
    _, log = played(RULES, 2, SeededChance(RULES, bytes(32)))
    lines = verified(capsys, tmp_path, write_game(RULES, 2, log), 1)
    (verdict,) = [line for line in lines if line.startswith("NOT GOOD")]
    assert "this game was not committed to" in verdict


def test_a_seed_that_is_missing_is_named(capsys: Printed, tmp_path: Path, text: str) -> None:
    lines = verified(capsys, tmp_path, re.sub("seed of deal 1: .*\n", "", text), 1)
    assert "NOT GOOD: deal 1: its seed was not told" in lines


def test_a_game_that_is_not_legal_is_named_at_its_line(
    capsys: Printed, tmp_path: Path, text: str
) -> None:
    lines = text.splitlines()
    at = next(at for at, line in enumerate(lines) if " discards " in line)
    twice = "\n".join([*lines[: at + 1], *lines[at:]]) + "\n"
    last = verified(capsys, tmp_path, twice, 1)[-1]
    assert last.startswith(f"NOT GOOD: no legal game: line {at + 2}: ")


def test_what_cannot_be_read_is_one_line_and_status_2(
    capsys: Printed, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "odd.txt"
    assert "No such file" in refused(capsys, str(file))
    for content, words in (
        ("", "rummy-arena game 1"),
        ('{"header": {}}\n{}\n', "this is JSON lines; verify and replay read the notation"),
        ("rummy-arena game 1\nrule set: nothing\nseats: 2\n", "line 2: "),
        ("rummy-arena game 1\nrule set: kaluki-european\nseats: 2\n", "without events"),
        (text.replace("seed of deal 1: ", "seed of deal 1: x"), "BYTES"),
    ):
        file.write_text(content)
        assert words in refused(capsys, str(file))
    file.write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in refused(capsys, str(file))


@pytest.mark.parametrize(("viewer", "who"), [("0", "seat 0"), ("spectator", "a spectator")])
def test_what_a_viewer_saw_is_verified_so_far_as_it_saw_cards(
    capsys: Printed, tmp_path: Path, viewer: str, who: str
) -> None:
    _, log = timid()
    seat = int(viewer) if viewer.isdecimal() else NONE
    seen = [redact(event, seat, TIMID_RULES, TIMID_SEATS) for event in log]
    text = write_game(TIMID_RULES, TIMID_SEATS, seen, viewer=viewer)
    last = verified(capsys, tmp_path, text, 0)[-1]
    assert last.endswith(f"deals as committed; so far as {who} saw the cards")
    up_card = re.search(r"up-card (\S+)", text)
    assert up_card is not None
    other = "AC1" if up_card[1] != "AC1" else "AC2"
    changed = text.replace(up_card[0], f"up-card {other}", 1)
    last = verified(capsys, tmp_path, changed, 1)[-1]
    assert last == "NOT GOOD: deal 1: the cards that were dealt are not those of the seed"


def test_a_game_is_read_from_standard_input(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert run(["verify", "-"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("good: ")


def test_it_needs_no_package_of_the_server(tmp_path: Path, text: str) -> None:
    file = tmp_path / "game.txt"
    file.write_text(text)
    script = (
        f"import sys\nsys.modules.update(dict.fromkeys({SERVER_ONLY!r}))\n"
        f"from services.runtime.cli import run\nsys.exit(run(['verify', {str(file)!r}]))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert ran.returncode == 0, ran.stderr


def damaged(text: str, dice: random.Random) -> bytes:
    """Return a game with some bytes, lines or words changed."""
    lines = text.split("\n")
    at, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    match dice.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[other])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            words = lines[at].split(" ")
            words[dice.randrange(len(words))] = dice.choice(("", "-1", "99999999999", *words))
            lines[at] = " ".join(words)
        case 4:
            del lines[at:]
    data = bytearray("\n".join(lines).encode())
    if data and dice.random() < 0.3:
        data[dice.randrange(len(data))] = dice.randrange(256)
    return bytes(data)


@pytest.mark.parametrize("viewer", ["", "0", "spectator"])
def test_a_damaged_game_is_verified_or_refused_in_one_line(
    capsys: Printed, tmp_path: Path, viewer: str
) -> None:
    _, log = played(RULES, 2, DealtChance(RULES, {}, from_the_system))
    if viewer:
        seat = int(viewer) if viewer.isdecimal() else NONE
        log = [redact(event, seat, RULES, 2) for event in log]
    whole = write_game(RULES, 2, log, viewer=viewer)
    file, dice = tmp_path / "game.txt", random.Random(f"of {viewer}")
    for _ in range(20):
        file.write_bytes(damaged(whole, dice))
        status = run(["verify", str(file)])
        printed = capsys.readouterr()
        assert status in (0, 1, 2)
        assert printed.err.count("\n") == (status == 2), printed.err
