"""A tournament's entrants and rounds as they are read: of one moment, once, and undamaged."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

import pytest

from rummy_arena.tournament.rounds import Standing
from rummy_arena.tournament.stages import next_round, standings
from services.events.commit_tournament import commit_tournament
from services.events.read_bracket import read_bracket
from services.events.read_standings import read_standings
from services.events.tournament import TOURNAMENTS, read_tournament
from services.events.tournament_parts import (
    Draft,
    content_of,
    copied,
    read_entrants,
    read_round,
    read_some_entrants,
    read_whole,
)
from services.state import keys
from services.state.codec import TOURNAMENT
from services.state.context import Context
from services.state.errors import CorruptRecord
from services.state.kept import Kept
from services.state.records import EntrantRecord, Status, TournamentRecord
from services.state.tournament_log import RoundFinished, decode_tournament_events
from tests.workers.carrying import carry, drain, started, status, sweep, take

from .test_registering import opened


async def change(ctx: Context, tournament_id: str, seedings: dict[int, int], more: int = 0) -> None:
    """Seed some entrants and enter some more in one commit."""
    held = await ctx.store.acquire(TOURNAMENTS, tournament_id, lease_ms=5_000, wait_s=5)
    draft = Draft(TOURNAMENT.decode(held.data))
    numbers = list(seedings)
    for number, entrant in zip(
        numbers, await read_some_entrants(ctx, tournament_id, numbers), strict=True
    ):
        draft.put_entrant(number, copied(entrant, seeding=seedings[number]))
    for _ in range(more):
        number = draft.record.entrant_count + 1
        draft.enter(EntrantRecord(f"p{number}", f"Pat {number}", ""))
    await commit_tournament(ctx, held, draft, [])


async def head(ctx: Context, tournament_id: str) -> TournamentRecord:
    return (await read_tournament(ctx, tournament_id)).record


def asked_for(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return a list of what the store is asked for from now on."""
    asked: list[list[str]] = []
    read = ctx.store.parts

    async def parts(aggregate: str, entity: str, fields: Sequence[str]) -> Any:
        asked.append(list(fields))
        return await read(aggregate, entity, fields)

    monkeypatch.setattr(ctx.store, "parts", parts)
    return asked


async def test_entrants_are_read_once_and_then_those_who_came(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament_id = await opened(ctx)
    assert list(await read_entrants(ctx, tournament_id, await head(ctx, tournament_id))) == []
    await change(ctx, tournament_id, {}, more=3)
    asked = asked_for(ctx, monkeypatch)
    first = await read_entrants(ctx, tournament_id, await head(ctx, tournament_id))
    await read_entrants(ctx, tournament_id, await head(ctx, tournament_id))
    assert asked == [["entrant:1", "entrant:2", "entrant:3"]]
    await change(ctx, tournament_id, {}, more=1)
    asked.clear()
    second = await read_entrants(ctx, tournament_id, await head(ctx, tournament_id))
    assert asked == [["entrant:4"]]
    assert [entrant.name for entrant in second] == ["Pat 1", "Pat 2", "Pat 3", "Pat 4"]
    assert len(first) == 3


async def test_an_entrant_who_changed_is_read_again(ctx: Context) -> None:
    tournament_id = await opened(ctx)
    await change(ctx, tournament_id, {}, more=3)
    await read_entrants(ctx, tournament_id, await head(ctx, tournament_id))
    await change(ctx, tournament_id, {2: 1}, more=1)
    entrants = await read_entrants(ctx, tournament_id, await head(ctx, tournament_id))
    assert [entrant.seeding for entrant in entrants] == [0, 1, 0, 0]


async def test_what_was_read_behind_an_older_record_is_not_kept_for_it(ctx: Context) -> None:
    """A reader has the record, then somebody writes, then the reader gets to the parts."""
    tournament_id = await started(ctx, 4, seed=b"s")
    old = await head(ctx, tournament_id)
    await change(ctx, tournament_id, {1: 5})
    ctx.store.kept = Kept()
    entrants = await read_entrants(ctx, tournament_id, old)
    assert entrants[0].seeding == 5
    assert ctx.store.kept.get(("entrants", tournament_id), None) is None
    await drain(ctx)
    ctx.store.kept = Kept()
    finished = await read_round(ctx, tournament_id, old.rounds[0])
    assert finished.results
    assert ctx.store.kept.get(("round", tournament_id, 1), old.rounds[0].digest) is None


async def test_a_whole_tournament_is_of_one_moment(ctx: Context) -> None:
    tournament_id = await opened(ctx)
    await change(ctx, tournament_id, {}, more=6)
    done = False

    async def write() -> None:
        nonlocal done
        for step in range(1, 31):
            await change(ctx, tournament_id, {1: step, 6: step})
        done = True

    async def look() -> set[int]:
        seen = set()
        while not done:
            _, entrants, _ = await read_whole(ctx, tournament_id)
            assert entrants[0].seeding == entrants[5].seeding
            seen.add(entrants[0].seeding)
        return seen

    _, seen = await asyncio.gather(write(), look())
    assert seen


@pytest.mark.parametrize("part", ["entrant:2", "round:1"])
async def test_a_part_that_is_gone_is_told(ctx: Context, part: str) -> None:
    tournament_id = await started(ctx, 4, seed=b"s")
    await ctx.store._client.hdel(keys.parts(TOURNAMENTS, tournament_id), part)
    ctx.store.kept = Kept()
    with pytest.raises(CorruptRecord, match=part):
        await read_standings(ctx, tournament_id)


async def test_standings_are_worked_out_once_for_each_moment(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament_id = await started(ctx, 8, seed=b"s")
    calls: list[int] = []

    def counted(course: Any) -> tuple[Standing, ...]:
        calls.append(len(course.rounds))
        return standings(course)

    monkeypatch.setattr("services.events.read_standings.standings", counted)
    pages = await asyncio.gather(*(read_standings(ctx, tournament_id) for _ in range(20)))
    assert calls == [0]
    assert len({id(rows) for _, rows in pages}) == 1
    await drain(ctx)
    for _ in range(3):
        _, rows = await read_standings(ctx, tournament_id)
    assert calls == [0], "those that were decided are read"
    assert rows != pages[0][1]


async def test_a_bracket_tells_results_as_they_come_and_who_went_on(ctx: Context) -> None:
    tournament_id = await started(ctx, 8, seed=b"s")
    counts = {0}
    while messages := await take(ctx):
        for message in messages:
            await carry(ctx, message)
            _, rounds = await read_bracket(ctx, tournament_id)
            counts.add(sum(len(item.results) for item in rounds))
    assert counts == {0, 1, 2, 3}
    batches = await ctx.store.read_log(TOURNAMENTS, tournament_id, after=0, limit=999)
    events = [event for batch in batches for event in decode_tournament_events(batch.data)]
    told = [list(event.advancing) for event in events if isinstance(event, RoundFinished)]
    assert [list(item.advancing) for item in rounds] == told
    snapshot, _, stored = await read_whole(ctx, tournament_id)
    assert [round_.finished_ms > 0 for round_ in stored] == [True, True]
    assert len(content_of(snapshot.record)) == 3


async def test_pairing_may_take_longer_than_a_lease(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The start and the step after a round, while others look after the tournament as well."""

    def slow(course: Any) -> Any:
        time.sleep(0.25)
        return next_round(course)

    monkeypatch.setattr("services.events.rounds.next_round", slow)
    monkeypatch.setattr("services.events.advance_tournament.next_round", slow)
    monkeypatch.setattr("services.events.change_tournament.LEASE_MS", 100)
    monkeypatch.setattr("services.events.advance_tournament.LEASE_MS", 100)
    tournament_id = await started(ctx, 4, seed=b"s")
    while messages := await take(ctx):
        for message in messages:
            await asyncio.gather(carry(ctx, message), sweep(ctx), carry(ctx, message))
    assert await status(ctx, tournament_id) is Status.FINISHED
