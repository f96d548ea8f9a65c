"""``rummy-arena verify``: whether a game in notation was dealt as it was committed to.

It needs the library, typer and nothing else: no server, and nothing that runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rummy_arena.game.fairness import DealCheck, Verification

_HEAD = ("deal", "verdict", "reshuffles", "lots", "commitment")


def verify(
    file: Annotated[Path, typer.Argument(help="A game in notation; - reads standard input.")],
) -> int:
    """Redo each deal of a game from its seed, and check what was committed to before it.

    Of a game as one seat or a spectator saw it, the cards that were shown are checked.
    Exit status 0: all as committed; 1: not so, and what differs is told; 2: no game can be read.
    """
    from rummy_arena.game.actions import NONE
    from rummy_arena.game.fairness import verify as verify_log
    from rummy_arena.game.fairness_seen import verify_seen
    from rummy_arena.game.notation import CorruptGame, NotationError, parse_game, replay_text
    from rummy_arena.game.notation.games import SPECTATOR

    from .cli import complain
    from .replay_run import Request, RequestError, game_text, rules_of

    request = Request(file=file)
    try:
        parsed = parse_game(game_text(request))
        rules = rules_of(parsed)
    except (NotationError, CorruptGame) as error:
        complain(f"{request.source}: {error}")
        return 2
    except RequestError as error:
        complain(str(error))
        return 2
    if not parsed.events:
        complain(f"{request.source}: the head of a game without events")
        return 2
    if parsed.viewer:
        viewer = NONE if parsed.viewer == SPECTATOR else int(parsed.viewer)
        return _told(verify_seen(rules, parsed.seats, parsed.events, viewer), parsed.viewer)
    try:
        replay_text(rules, parsed)  # names the line, and reads words that say more than the events
        illegal = ""
    except CorruptGame as error:
        illegal = str(error)
    return _told(verify_log(rules, parsed.seats, parsed.events), illegal=illegal)


def _told(found: Verification, viewer: str = "", illegal: str = "") -> int:
    """Print what was found, and return the exit status."""
    for line in [*_table(found), *_verdict(found, illegal, viewer)]:
        typer.echo(line)
    return 0 if found.good and not illegal else 1


def _table(found: Verification) -> list[str]:
    """Return a line for each deal, in columns."""
    rows = [_HEAD, *map(_row, found.deals)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{text:{width}}" for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _row(deal: DealCheck) -> tuple[str, ...]:
    replay = f" replay {deal.attempt}" if deal.attempt else ""
    commitment = deal.commitment.hex()[:16] or "none"
    lots = "yes" if deal.lots else "-"
    return (
        f"{deal.number}{replay}",
        deal.state.value,
        str(deal.reshuffles),
        lots,
        commitment,
    )


def _verdict(found: Verification, illegal: str, viewer: str) -> list[str]:
    """Return what the game proves; ``illegal`` is where it is no legal game, if anywhere."""
    if illegal or not found.good:
        wrong = [*found.deal_faults, *([f"no legal game: {illegal}"] if illegal else [])]
        if not found.committed:
            nothing = "this game was not committed to, so that nothing about its cards is proven"
            wrong = [nothing, *wrong[len(found.deals) :]]
        return [f"NOT GOOD: {fault}" for fault in wrong]
    proven = sum(bool(deal.seed) for deal in found.deals)
    if not proven:
        return ["good so far, but nothing is proven: no seed has been told yet"]
    secret = len(found.deals) - proven
    rest = f"; {secret} not told yet" if secret else ""
    seen = f"so far as {_who(viewer)} saw the cards" if viewer else "a legal game"
    return [f"good: {proven} of {len(found.deals)} deals as committed{rest}; {seen}"]


def _who(viewer: str) -> str:
    return f"seat {viewer}" if viewer.isdecimal() else f"a {viewer}"
