"""Lists, brackets and standings of tournaments."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from rummy_arena.tournament.registry import get_format
from rummy_arena.tournament.rounds import Round, Standing
from services.state.context import Context
from services.state.records import (
    EntrantRecord,
    RoundRecord,
    Status,
    TableResultRecord,
    TournamentRecord,
)
from services.state.store import NotFound
from services.state.tournament_log import TournamentEvent, decode_tournament_events

from .tournament import (
    INDEX,
    TOURNAMENTS,
    TournamentSnapshot,
    config_of,
    played_round,
    read_tournament,
    results_so_far,
)

PAGE = 200


@dataclass(frozen=True, slots=True)
class TournamentPage:
    """Tournaments in order of creation; ``next_after`` is empty on the last page."""

    tournaments: tuple[TournamentSnapshot, ...]
    next_after: str


async def list_tournaments(ctx: Context, *, after: str, limit: int) -> TournamentPage:
    """Return up to ``limit`` tournaments created after the one with id ``after`` ("" for all)."""
    ids = await ctx.store.index_page(INDEX, after=after, limit=limit)
    found = []
    for tournament_id in ids:
        try:
            found.append(await read_tournament(ctx, tournament_id))
        except NotFound:
            continue  # its creation never finished
    return TournamentPage(tuple(found), ids[-1] if len(ids) == limit else "")


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round and the results counted so far."""

    round: RoundRecord
    results: tuple[TableResultRecord, ...]
    advancing: tuple[int, ...]  # of a finished round


async def bracket(
    ctx: Context, tournament_id: str
) -> tuple[TournamentSnapshot, list[BracketRound]]:
    """Return every round that has been paired; raises NotFound."""
    snapshot = await read_tournament(ctx, tournament_id)
    advancing = await asyncio.to_thread(_advancing, snapshot.record)
    rounds = []
    for index, round_ in enumerate(snapshot.record.rounds):
        results = await results_so_far(ctx, tournament_id, round_)
        going_on = advancing[index] if index < len(advancing) else ()
        rounds.append(BracketRound(round_, tuple(results), going_on))
    return snapshot, rounds


def _advancing(record: TournamentRecord) -> list[tuple[int, ...]]:
    """Return who went on from each finished round. Of thousands it takes long: use a thread."""
    config, format_ = config_of(record), get_format(record.format)
    played = [played_round(round_) for round_ in record.rounds if round_.results]
    return [
        format_.advancing(config, played[: index + 1], record.seed).entrants
        for index in range(len(played))
    ]


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One entrant's line in the standings."""

    row: Standing
    entrant: EntrantRecord


async def standings(
    ctx: Context, tournament_id: str
) -> tuple[TournamentSnapshot, tuple[StandingRow, ...]]:
    """Return every entrant's line, the leaders first.

    Only finished rounds count: an unfinished table never moves a standing. Raises NotFound.
    """
    snapshot = await read_tournament(ctx, tournament_id)
    record = snapshot.record
    if record.status is Status.REGISTERING or not record.rounds:
        return snapshot, ()
    rows = await asyncio.to_thread(_standings, record)
    return snapshot, tuple(StandingRow(row, record.entrants[row.entrant - 1]) for row in rows)


def _standings(record: TournamentRecord) -> tuple[Standing, ...]:
    """Return everybody's line. A field of thousands takes a quarter of a second: use a thread."""
    played = [played_round(round_) for round_ in record.rounds if round_.results]
    current = [round_ for round_ in record.rounds if not round_.results]
    pending = (
        Round(
            number=current[0].number,
            tables=tuple(map(tuple, current[0].tables)),
            byes=tuple(current[0].byes),
        )
        if current
        else None
    )
    format_ = get_format(record.format)
    return format_.standings(config_of(record), played, record.seed, pending=pending)


@dataclass(frozen=True, slots=True)
class NumberedEvent:
    """An event with its place in the tournament's log, from 1, without gaps."""

    sequence: int
    event: TournamentEvent


async def events_after(
    ctx: Context, tournament_id: str, after: int
) -> tuple[list[NumberedEvent], bool]:
    """Return the next events after sequence ``after``, and whether more can be read at once.

    Raises NotFound or CursorTooOld.
    """
    batches = await ctx.store.read_log(TOURNAMENTS, tournament_id, after=after, limit=PAGE)
    numbered: list[NumberedEvent] = []
    for batch in batches:
        for sequence, event in enumerate(decode_tournament_events(batch.data), start=batch.first):
            if sequence > after:
                numbered.append(NumberedEvent(sequence, event))
    return numbered, len(batches) == PAGE
