"""The command where only some of the packages are installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BLOCKED = """
import sys
for name in {blocked!r}:
    sys.modules[name] = None
sys.argv = ["rummy-arena", *{arguments!r}]
from services.runtime.entry import main
main()
"""


def run_without(
    blocked: list[str], *arguments: str, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command in a process that cannot import these packages."""
    program = BLOCKED.format(blocked=blocked, arguments=arguments)
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=folder,
    )


@pytest.mark.parametrize(
    ("package", "command", "extra"),
    [
        ("typer", "rules", "cli"),
        ("rich", "rules", "cli"),
        ("psutil", "status", "server"),
        ("hiredis", "up", "server"),
        ("pydantic_settings", "api", "server"),
    ],
)
def test_a_missing_package_is_one_line(package: str, command: str, extra: str) -> None:
    done = run_without([package], command)
    assert done.returncode == 1
    wanted = f"rummy-arena: the package {package} is missing; this command needs it: "
    assert done.stderr == f"{wanted}pip install 'rummy-arena[{extra}]'\n"


@pytest.mark.parametrize(
    "arguments",
    [("rules", "kaluki-european"), ("match", "--help"), ("replay", "--help")],
)
def test_what_needs_no_server_runs_without_its_packages(arguments: tuple[str, ...]) -> None:
    server = ["celery", "redis", "hiredis", "msgspec", "psutil", "pydantic_settings", "structlog"]
    done = run_without(server, *arguments)
    assert (done.returncode, done.stderr) == (0, "")


BOT = """
class Bot:
    name = "faulty"
    def choose(self, view, dice):
        import no_such_package
"""


def test_an_error_of_a_bot_blames_no_package_of_the_server(tmp_path: Path) -> None:
    (tmp_path / "faulty_bots.py").write_text(BOT)
    server = ["celery", "redis", "hiredis", "msgspec", "psutil", "pydantic_settings", "structlog"]
    done = run_without(
        server, "match", "faulty_bots:Bot", "greedy", "--deals", "2", folder=tmp_path
    )
    assert done.returncode == 2
    assert "raised ModuleNotFoundError: No module named 'no_such_package'" in done.stderr
    assert "hiredis" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
@pytest.mark.parametrize("arguments", [("rules",), ("rules", "kaluki-american", "--json")])
def test_output_that_cannot_be_written_is_one_line(arguments: tuple[str, ...]) -> None:
    program = BLOCKED.format(blocked=["hiredis"], arguments=arguments)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", program],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "rummy-arena: cannot write the output: No space left on device\n"
