"""What ``rummy-arena`` runs: the command line, if the packages that a command needs are there."""

from __future__ import annotations

import sys

_EXTRAS = {"typer": "cli", "rich": "cli"}


def main() -> None:
    """Run the command line and exit; one line on what to install where only the library is."""
    try:
        from .cli import main as run

        run()
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package in ("rummy_arena", "services", "workers"):
            raise
        extra = _EXTRAS.get(package, "server")
        sys.exit(
            f"rummy-arena: the package {package} is missing; this command needs it: "
            f"pip install 'rummy-arena[{extra}]'"
        )
