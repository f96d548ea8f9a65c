"""What ``rummy-arena`` runs: the command line, if the server's packages are there."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit; one line on what to install where only the library is."""
    try:
        from .cli import main as run
    except ModuleNotFoundError as missing:
        sys.exit(
            f"rummy-arena: the package {missing.name} is missing; the command needs those of the "
            "server: pip install 'rummy-arena[server]'"
        )
    run()
