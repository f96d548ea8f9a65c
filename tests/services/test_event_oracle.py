"""The oracle: whole events, with everything that hosts and directors do, told again by their log.

Each event is run from a seed: who enters, what its directors do and when, how tables with people
end. Then an independent reader replays the log, and must find the same standings, the same deeds of
the same people for the same reasons, every table of every round, and each result once.
"""

from __future__ import annotations

import random

import pytest

from services.events.read_standings import read_standings
from services.events.tournament import TABLES, TOURNAMENTS
from services.rpc.convert_tournament_event import tournament_event_message
from services.state.codec import TABLE
from services.state.context import Context
from services.state.tournament_log import Registered, TournamentEvent, decode_tournament_events
from tests.sweeps import WHOLE, sweeping
from tests.workers.carrying import Clock

from .event_director import KINDS, Director, Kind
from .event_reader import Reader


async def log_of(ctx: Context, tournament_id: str) -> list[TournamentEvent]:
    """Return the whole log, which must be dense."""
    events: list[TournamentEvent] = []
    for batch in await ctx.store.read_log(TOURNAMENTS, tournament_id, after=0, limit=9_999):
        assert batch.first == len(events) + 1
        events += decode_tournament_events(batch.data)
    return events


async def replayed(ctx: Context, kind: Kind, seed: str) -> Reader:
    """Run an event by its seed, replay its log and compare; return the reader."""
    clock = Clock()
    director = Director(clock.of(ctx), clock, kind, random.Random(seed))
    await director.run()
    reader = director.reader()
    events = await log_of(ctx, director.id)
    reader.read(events)
    _told_by_the_api(events)
    snapshot, rows = await read_standings(ctx, director.id)
    assert reader.status == snapshot.record.status.name.lower()
    assert list(reader.standings()) == [row.row for row in rows]
    for row in rows:
        known = reader.entrants[row.row.entrant - 1]
        assert (known.player_id, known.name) == (row.entrant.player_id, row.entrant.name)
    by_reader = [deed for deed in reader.deeds if deed[0]]  # "" is the arena itself
    assert sorted(map(repr, by_reader)) == sorted(map(repr, director.deeds))
    in_order = [deed for deed in by_reader if deed[1] != "adjudicate"]
    assert in_order == [deed for deed in director.deeds if deed[1] != "adjudicate"]
    await _tables_accounted_for(ctx, reader)
    return reader


def _told_by_the_api(events: list[TournamentEvent]) -> None:
    """Assert that ListTournamentEvents says of each event who did it and why, as the log does."""
    for sequence, event in enumerate(events, start=1):
        message = tournament_event_message(sequence, event)
        told = getattr(message, message.WhichOneof("event") or "")
        for name in ("by", "reason"):
            assert getattr(told, name, "") == getattr(event, name, "")
        if isinstance(event, Registered):
            entrant = told.entrant
            claim = (entrant.number, entrant.player_id, entrant.owner, entrant.seeding)
            assert claim == (event.entrant, event.player_id, event.owner, event.seeding)


async def _tables_accounted_for(ctx: Context, reader: Reader) -> None:
    """Assert that every table that was opened has its one result, or does not count."""
    for played in reader.rounds:
        assert sorted(result.number for result in played.results) == list(
            range(1, len(played.tables) + 1)
        )
    for table_id, times in reader.told.items():
        assert times == 1
        table = TABLE.decode((await ctx.store.read(TABLES, table_id)).data)
        assert table.finished_ms
        assert table.origin is not None


EVENTS = 40 if WHOLE else 1


@sweeping
@pytest.mark.parametrize("kind", KINDS)
async def test_the_log_of_a_whole_event_tells_all(ctx: Context, kind: str) -> None:
    for number in range(EVENTS):
        await replayed(ctx, KINDS[kind], f"{kind} {number}")
