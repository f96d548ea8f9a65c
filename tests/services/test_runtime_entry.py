"""The command where only some of the packages are installed."""

from __future__ import annotations

import subprocess
import sys

import pytest

BLOCKED = """
import sys
for name in {blocked!r}:
    sys.modules[name] = None
sys.argv = ["rummy-arena", *{arguments!r}]
from services.runtime.entry import main
main()
"""


def run_without(blocked: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process that cannot import these packages."""
    program = BLOCKED.format(blocked=blocked, arguments=arguments)
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
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
