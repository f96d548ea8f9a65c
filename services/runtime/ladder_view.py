"""What a terminal is shown of a ladder: standings, who waits for what, a check of its ratings."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_arena.api.v1.ladder_pb2 import Ladder, LadderStanding, LadderStatus, LadderWaiting
from rummy_arena.api.v1.ladder_service_pb2 import CheckLadderRatingsResponse

from .cell_text import line_of, widest, within, wrapped
from .event_record import shown

_GAP = "  "
_LONGEST_NAME = 32
_NOBODY = "Nobody has entered yet."


def standings(ladder: Ladder, rows: Sequence[LadderStanding], width: int) -> list[str]:
    """Return the standings: ratings with the half of what holds them with 95 % certainty."""
    if not rows:
        return [*_head(ladder, width), "", *wrapped(_NOBODY, width)]
    table = [("", "name", "rating", "±", "sure of", "games", "won", "points", "")]
    for row in rows:
        rating, entrant = row.rating, row.entrant
        note = "anchor" if entrant.anchor else "" if entrant.active else "left"
        table.append(
            (
                f"{row.place}" if row.place else "-",
                shown(entrant.name),
                f"{rating.mean:.0f}",
                f"{(rating.high - rating.low) / 2:.0f}",
                f"{rating.conservative:.0f}",
                f"{entrant.games}",
                f"{entrant.wins}",
                f"{entrant.points:.1f}",
                note,
            )
        )
    return [*_head(ladder, width), "", *_columns(table, width, left=(1, 8))]


def waiting(ladder: Ladder, entrants: Sequence[LadderWaiting], width: int) -> list[str]:
    """Return who plays where, and why the others wait."""
    if not entrants:
        return [*_head(ladder, width), "", *wrapped(_NOBODY, width)]
    table = [("name", "rating", "plays at", "waits because")]
    for one in entrants:
        tables = len(one.entrant.open_table_ids)
        at = one.entrant.open_table_ids[0] if tables == 1 else f"{tables} tables" if tables else ""
        name, rating = shown(one.entrant.name), f"{one.entrant.rating.mean:.0f}"
        table.append((name, rating, shown(at), shown(one.words)))
    return [*_head(ladder, width), "", *_columns(table, width, left=(0, 2, 3))]


def check(ladder: Ladder, done: CheckLadderRatingsResponse, width: int) -> list[str]:
    """Return what came of rating everything again."""
    lines = [
        f"{done.results} results of {ladder.table_count} tables and {done.seasons} ends of seasons "
        f"were rated again, for {done.entrants} entrants."
    ]
    lines += [
        f"Entrant {one.entrant} is kept at {one.kept.mean:.6f}; its results give "
        f"{one.recalculated.mean:.6f}."
        for one in done.differences
    ]
    lines += [f"Table {number} was rated more than once." for number in done.repeated_tables]
    if done.missing_table_count:
        lines.append(f"{done.missing_table_count} tables are neither rated nor open.")
    if is_sound(done):
        lines.append("Every rating is what the results give.")
    return [*_head(ladder, width), "", *(part for line in lines for part in wrapped(line, width))]


def is_sound(done: CheckLadderRatingsResponse) -> bool:
    """Return whether a check has found nothing."""
    return not (done.differences or done.repeated_tables or done.missing_table_count)


def _head(ladder: Ladder, width: int) -> list[str]:
    kind = "arena" if ladder.arena else "ladder"
    status = LadderStatus.Name(ladder.status).removeprefix("LADDER_STATUS_").lower()
    said = (
        f"{shown(ladder.options.title)}: {kind}, {status}; {ladder.active_count} take part, "
        f"{ladder.open_table_count} tables open, {ladder.result_count} results"
    )
    if not ladder.arena:
        said += f", season {ladder.season}"
    return wrapped(said, width)


def _columns(table: Sequence[Sequence[str]], width: int, left: Sequence[int]) -> list[str]:
    """Return rows with columns under each other; those of ``left`` begin at their left."""
    widths = [
        min(widest(column), _longest(at, left))
        for at, column in enumerate(zip(*table, strict=True))
    ]
    return within([line_of(cells, widths, left=left, gap=_GAP) for cells in table], width)


def _longest(at: int, left: Sequence[int]) -> int:
    return _LONGEST_NAME if at == left[0] else 200
