"""The README's code runs as it stands there."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rummy_arena.client import Arena

from .arenas import RunningArena, environment, running

README = Path(__file__).parents[2] / "README.md"
CLIENT, EVENT, LADDER, TABLE, TOKENS, BOT, ENTRANT = re.findall(
    r"^```python\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL
)


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningArena]:
    with running(tmp_path_factory.mktemp("readme") / ".arena", "--workers", "1") as arena:
        yield arena


def run(code: str, folder: Path, *arguments: str) -> list[str]:
    """Run a program in ``folder``; return the lines that it printed."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_client_runs_a_tournament(arena: RunningArena) -> None:
    assert "127.0.0.1:50051" in CLIENT
    lines = run(CLIENT.replace("127.0.0.1:50051", arena.api), arena.folder.parent)
    news, standings = lines[:-4], lines[-4:]
    assert [int(line.split()[0]) for line in news] == list(range(1, len(news) + 1))
    assert news[0].endswith("entrant_registered")
    assert news[-1].endswith("tournament_finished")
    assert [line.split()[0] for line in standings][:2] in (["1", "2"], ["1", "1"])


def test_an_event_of_two_stages(arena: RunningArena) -> None:
    assert "127.0.0.1:50051" in EVENT
    lines = run(EVENT.replace("127.0.0.1:50051", arena.api), arena.folder.parent)
    assert re.fullmatch(r"\['(NEXT_STEP|ROUND_BEGIN)'\] \d", lines[0])
    assert lines[1] == "round 1 over"
    assert re.fullmatch(r"bot \d wins", lines[-1])


def test_a_ladder_pairs_and_rates(arena: RunningArena) -> None:
    assert "127.0.0.1:50051" in LADDER
    lines = run(LADDER.replace("127.0.0.1:50051", arena.api), arena.folder.parent)
    assert len(lines) == 18
    assert "Anchor: 1200 to 1200" in lines


def test_a_player_creates_a_table_and_plays_at_it(arena: RunningArena) -> None:
    assert "127.0.0.1:50051" in TABLE
    (line,) = run(TABLE.replace("127.0.0.1:50051", arena.api), arena.folder.parent)
    assert re.fullmatch(r"place [1-3] with \d+", line)


def test_tokens_are_given_rotated_and_revoked(arena: RunningArena) -> None:
    assert "127.0.0.1:50051" in TOKENS
    old, fresh = run(TOKENS.replace("127.0.0.1:50051", arena.api), arena.folder.parent)
    assert old.split()[1:] == ["2", fresh.split()[0]]
    assert fresh.endswith(" 2 in use")


def test_the_bot_plays_a_game(tmp_path: Path) -> None:
    (totals,) = run(BOT, tmp_path)
    assert re.fullmatch(r"\(\d+, \d+, \d+\)", totals)


def test_the_bot_takes_part_in_a_tournament(arena: RunningArena, tmp_path: Path) -> None:
    assert "127.0.0.1:50051" in ENTRANT
    token, tournament_id = asyncio.run(one_table(arena))
    code = ENTRANT.replace("127.0.0.1:50051", arena.api)
    (line,) = run(code, tmp_path, token, tournament_id)
    assert re.fullmatch(r"round 1: place [1-4] with \d+", line)


async def one_table(arena: RunningArena) -> tuple[str, str]:
    """Return a new player's token and a tournament of one table at which it sits."""
    async with Arena.connect(arena.api, token=arena.token) as host:
        event = await host.tournaments.create(
            "Test", rule_set="kalooki-jamaican", seats_per_table=4, advance_per_table=2
        )
        for number in range(3):
            bot = await host.players.create(f"bot {number}", house_bot="greedy")
            await host.tournaments.register(event.id, bot.id)
        player = await host.players.create("outside")
        await host.tournaments.register(event.id, player.id)
        await host.tournaments.start(event.id)
        return (await host.players.create_token(player.id)).secret, event.id
