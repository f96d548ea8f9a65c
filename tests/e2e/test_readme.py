"""The README's code runs as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from .arenas import environment, running

README = Path(__file__).parents[2] / "README.md"
CLIENT, BOT = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)


def run(code: str, folder: Path) -> list[str]:
    """Run a program in ``folder``; return the lines that it printed."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_client_runs_a_tournament(tmp_path: Path) -> None:
    assert "127.0.0.1:50051" in CLIENT
    with running(tmp_path / ".arena", "--workers", "1") as arena:
        lines = run(CLIENT.replace("127.0.0.1:50051", arena.api), tmp_path)
    news, standings = lines[:-4], lines[-4:]
    assert [int(line.split()[0]) for line in news] == list(range(1, len(news) + 1))
    assert news[0].endswith("entrant_registered")
    assert news[-1].endswith("tournament_finished")
    assert [line.split()[0] for line in standings][:2] in (["1", "2"], ["1", "1"])


def test_the_bot_plays_a_game(tmp_path: Path) -> None:
    (totals,) = run(BOT, tmp_path)
    assert re.fullmatch(r"\(\d+, \d+, \d+\)", totals)
