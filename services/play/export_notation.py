"""A table that has ended, in the text notation of games: what ``rummy-arena verify`` reads."""

from __future__ import annotations

from collections.abc import Iterator

from rummy_arena.game.notation import write_game
from services.state.table_log import TableAdjudicated, TableClosed, game_events

from .errors import NeverPlayed
from .export_table import Export

CHUNK_CHARACTERS = 1 << 16


def notation(export: Export) -> Iterator[bytes]:
    """Yield the game as UTF-8 text, in pieces; raises NeverPlayed where there was none.

    What the notation has no words for, because it is no part of the game, is in its remarks: the
    table, and how it ended if not by playing. The same export is always the same bytes.
    """
    events = [dated.event for dated in export.events]
    game = game_events(events)
    if not game:
        raise NeverPlayed(export.snapshot.table_id)
    text = write_game(
        export.rules,
        len(export.snapshot.seats),
        game,
        names={seat: seated.name for seat, seated in enumerate(export.snapshot.seats)},
        remarks=_remarks(export),
    )
    for at in range(0, len(text), CHUNK_CHARACTERS):
        yield text[at : at + CHUNK_CHARACTERS].encode()


def _remarks(export: Export) -> list[str]:
    snapshot = export.snapshot
    remarks = [f"table {snapshot.table_id}"]
    origin = snapshot.origin
    if origin is not None and origin.ladder_id:
        remarks.append(f"ladder {origin.ladder_id}, table {origin.number}")
    elif origin is not None:
        place = f"round {origin.round}, table {origin.number}"
        remarks.append(f"tournament {origin.tournament_id}, {place}")
    for dated in export.events:
        if isinstance(dated.event, TableAdjudicated):
            places = " ".join(map(str, dated.event.places))
            remarks.append(f"adjudicated, places by seat: {places}; {dated.event.reason}")
        elif isinstance(dated.event, TableClosed):
            remarks.append(f"called off: {dated.event.reason}")
    remarks += [
        f"seed of deal {one.number}, attempt {one.attempt}, not told in the game: {one.seed.hex()}"
        for one in export.unrevealed
    ]
    return remarks
