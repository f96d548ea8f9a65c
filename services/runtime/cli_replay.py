"""``rummy-arena replay``: steps through a game in notation and shows what each seat sees.

It needs the library, typer and rich: no server, and nothing that runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def replay(
    file: Annotated[Path, typer.Argument(help="A game in notation; - reads standard input.")],
    seat: Annotated[
        int | None, typer.Option("--seat", min=0, help="Only what this seat sees.")
    ] = None,
    spectator: Annotated[
        bool, typer.Option("--spectator", help="Only what a spectator sees.")
    ] = False,
    deal: Annotated[int | None, typer.Option("--deal", min=1, help="Show one deal.")] = None,
    first: Annotated[
        int | None, typer.Option("--from", min=1, help="Show from this event on.")
    ] = None,
    last: Annotated[int | None, typer.Option("--to", min=1, help="Show up to this event.")] = None,
    step: Annotated[
        bool, typer.Option("--step", help="Wait before each action: Enter goes on, q ends.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Show nothing, only verify the game.")
    ] = False,
) -> int:
    """Step through a game, with each seat's view at each decision, and verify it.

    A file that is no legal game is refused at its line.
    """
    from rummy_arena.game.notation import NotationError
    from rummy_arena.game.notation.replaying import CorruptGame

    from .cli import complain
    from .replay_run import STANDARD_INPUT, Request, RequestError, run_replay

    if seat is not None and spectator:
        raise typer.BadParameter("--seat and --spectator say who looks on; choose one")
    if step and str(file) == STANDARD_INPUT:
        raise typer.BadParameter(
            "--step waits for Enter there, where - reads the game; name a file"
        )
    request = Request(
        file=file,
        seat=seat,
        spectator=spectator,
        deal=deal,
        first=first,
        last=last,
        step=step,
        check=check,
    )
    try:
        run_replay(request)
    except (CorruptGame, NotationError) as error:
        complain(f"{request.source}: {error}")
        return 2
    except RequestError as error:
        complain(str(error))
        return 2
    return 0
