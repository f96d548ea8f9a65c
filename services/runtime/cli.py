"""The command ``rummy-arena``: ``demo``, ``up``, ``status``, ``api``, ``rules``, ``replay``,
``match``, ``verify``, ``export``, ``event``, ``ladder``.

Each command imports what it needs when it runs, so that ``--help`` and a mistyped option answer at
once. Whatever an operator can put right is one line on stderr and exit status 2; a process that
failed is one line and status 1.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from .cli_event import event
from .cli_export import export
from .cli_formats import formats
from .cli_ladder import ladder
from .cli_match import match
from .cli_replay import replay
from .cli_rules import choices_of, rules
from .cli_verify import verify

INTERRUPTED = 130
_UNWRITTEN = (errno.ENOSPC, errno.EPIPE, errno.EIO)

app = typer.Typer(
    name="rummy-arena",
    help="Host large online tournaments of contract rummy.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

DataDirOption = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Where state and logs live [RUMMY_ARENA_DATA_DIR, .arena]."),
]
FreshDirOption = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Where state and logs live; else a folder that goes after."),
]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", min=1, max=64, help="Celery worker processes.")
]
ApiProcessesOption = Annotated[
    int | None,
    typer.Option(
        "--api-processes", min=1, max=64, help="gRPC server processes [RUMMY_ARENA_API_PROCESSES]."
    ),
]
PortOption = Annotated[
    int | None,
    typer.Option(
        "--port", min=0, max=65535, help="gRPC port; 0 takes a free one [RUMMY_ARENA_API_PORT]."
    ),
]
FreePortOption = Annotated[
    int | None, typer.Option("--port", min=0, max=65535, help="gRPC port; else a free one.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document, nothing else.")]


@app.command()
def demo(
    entrants: Annotated[int, typer.Option(min=2, max=4096, help="House bots that enter.")] = 256,
    rule_set: Annotated[str, typer.Option(help="What they play.")] = "kalooki-jamaican",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="NAME=VALUE",
            help="Played so; may be repeated. A tournament of Kaluki has no re-buys unless you say "
            "so: rebuys=1.",
        ),
    ] = None,
    seats: Annotated[
        int | None, typer.Option(min=2, max=8, help="Seats of a table; 4 where the game has them.")
    ] = None,
    advance: Annotated[int, typer.Option(min=1, max=7, help="Who go on from a table.")] = 2,
    seed: Annotated[str | None, typer.Option(help="Same seed, same standings.")] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Leave it running until Ctrl-C.")] = False,
    as_json: JsonOption = False,
    workers: WorkersOption = None,
    data_dir: FreshDirOption = None,
    port: FreePortOption = None,
) -> int:
    """Play a whole tournament of house bots through the real system and show who won."""
    from .demo import Plan, run_demo, usual_seats

    options = choices_of(option or [])
    plan = Plan(
        entrants=entrants,
        rule_set=rule_set,
        options=options,
        seats=seats if seats is not None else usual_seats(rule_set, options),
        advance=advance,
        seed=seed,
        keep=keep,
        as_json=as_json,
    )
    return run_demo(plan, workers=workers, data_dir=data_dir, port=port)


@app.command()
def up(
    data_dir: DataDirOption = None,
    port: PortOption = None,
    workers: WorkersOption = None,
    api_processes: ApiProcessesOption = None,
) -> int:
    """Run the whole arena on this machine until Ctrl-C."""
    from .arena import up as run_up
    from .settings import load_settings

    return run_up(
        load_settings(
            data_dir=data_dir, api_port=port, workers=workers, api_processes=api_processes
        )
    )


@app.command()
def status(data_dir: DataDirOption = None, as_json: JsonOption = False) -> int:
    """Say what runs and how it fares."""
    from .settings import load_settings
    from .status import status as show_status

    return show_status(load_settings(data_dir=data_dir), as_json=as_json)


@app.command()
def api() -> int:
    """Run the gRPC API server alone, set by RUMMY_ARENA_* variables."""
    from .api import main as run_api

    return run_api()


app.command()(rules)
app.command()(formats)
app.command()(replay)
app.command()(match)
app.command()(verify)
app.command()(export)
app.add_typer(event, name="event")
app.add_typer(ladder, name="ladder")


_ACTED_ON = {
    "services.runtime.datadir.DataDirError": 2,
    "services.runtime.server_check.ServerError": 2,
    "services.runtime.settings.SettingsError": 2,
    "services.runtime.supervisor.SetupError": 2,
    "services.runtime.valkey.ValkeyError": 2,
    "services.runtime.supervisor.ChildError": 1,
}
"""Failures that an operator can act on, and their exit status.

By name: their modules need the server's packages, which may not be there.
"""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    status = run(sys.argv[1:] if arguments is None else arguments)
    try:
        sys.stdout.flush()
    except OSError as error:
        # What was not written is written again at the exit, and would be complained of again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = status or unwritten(error)
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """Run the command line; returns the exit status."""
    try:
        result: Any = app(arguments or ["--help"], prog_name="rummy-arena", standalone_mode=False)
    except TyperException as error:
        context = getattr(error, "ctx", None)
        # An option without its value is refused before its command is known.
        named = [word for word in arguments[:1] if not word.startswith("-")]
        command = " ".join(["rummy-arena", *named])
        if context is not None:
            command = context.command_path
        complain(f"{error.format_message()} ({command} --help lists what there is)")
        return 2
    except (KeyboardInterrupt, typer.Abort):
        complain("stopped")
        return INTERRUPTED
    except Exception as error:
        return explain(error)
    return int(result or 0)


def explain(error: Exception) -> int:
    """Print a failure that an operator can act on, or raise it again; returns the exit status."""
    for kind in type(error).__mro__:
        status = _ACTED_ON.get(f"{kind.__module__}.{kind.__qualname__}")
        if status is not None:
            complain(str(error))
            return status
    if isinstance(error, OSError) and error.filename is None and error.errno in _UNWRITTEN:
        return unwritten(error)
    raise error


def unwritten(error: OSError) -> int:
    """Say that the output could not be written; returns the exit status.

    Nothing is said to a reader who has gone, like ``head``.
    """
    if error.errno != errno.EPIPE:
        complain(f"cannot write the output: {error.strerror}")
    return 1


def complain(text: str) -> None:
    """Print one line on stderr; spaces stay as they are, for they may be what is wrong."""
    line = " ".join([part.strip() for part in text.splitlines()])
    print(f"rummy-arena: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
