"""The README's client runs as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from .arenas import environment, running

README = Path(__file__).parents[2] / "README.md"


def test_the_client_of_the_readme_runs_a_tournament(tmp_path: Path) -> None:
    snippet = re.search(r"^```python\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    assert snippet
    with running(tmp_path / ".arena", "--workers", "1") as arena:
        code = snippet[1].replace("127.0.0.1:50051", arena.api)
        assert code != snippet[1]
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    news, standings = lines[:-4], lines[-4:]
    assert [int(line.split()[0]) for line in news] == list(range(1, len(news) + 1))
    assert news[0].endswith("entrant_registered")
    assert news[-1].endswith("tournament_finished")
    assert [line.split()[0] for line in standings][:2] in (["1", "2"], ["1", "1"])
