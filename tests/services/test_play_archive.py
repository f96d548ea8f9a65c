"""A table is archived before it may expire, whatever dies, is lost, or is away meanwhile."""

from __future__ import annotations

import asyncio
import dataclasses
import gzip
import json
import signal
import sys
from pathlib import Path

import pytest

from rummy_arena.game.fairness import verify
from rummy_arena.game.notation import parse_game
from services.events.principals import Principal
from services.play.adjudicate_table import adjudicate_table
from services.play.archive_table import FIRST_RETRY_MS, LONGEST_RETRY_MS, archive_table
from services.play.change import OPEN_MS, Ask
from services.play.close_table import close_table
from services.play.create_table import NewTable, open_table
from services.play.table import TABLES
from services.runtime.archiving import FORMS
from services.state import keys
from services.state.archive import ArchiveUnavailable, FolderArchive, open_archive
from services.state.context import Context, Retention
from services.state.errors import CursorTooOld
from services.state.messages import ArchiveTable, Message
from services.state.records import TableRecord
from services.state.store import NotFound
from services.state.tables import table_record
from tests.workers.carrying import Clock, sweep, take

from .played import Played, played_table

ADMIN = Principal("admin", "admin")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "archive"
    folder.mkdir()
    return folder


@pytest.fixture
def keeping(ctx: Context, clock: Clock, folder: Path) -> Context:
    """A context with an archive, and a clock that the test sets."""
    return dataclasses.replace(clock.of(ctx), archive=FolderArchive(folder))


async def finished(ctx: Context) -> Played:
    table = await played_table(ctx)
    await table.finish()
    return table


async def record_of(ctx: Context, table_id: str) -> TableRecord:
    record, _ = table_record(table_id, (await ctx.store.read(TABLES, table_id)).data)
    return record


async def ttl_ms(ctx: Context, table_id: str) -> int:
    return int(await ctx.store._client.pttl(keys.record(TABLES, table_id)))


async def due_ms(ctx: Context, table_id: str) -> int | None:
    key = keys.deadlines(keys.shard_of(table_id))
    due = await ctx.store._client.zscore(key, keys.member(TABLES, table_id))
    return None if due is None else int(due)


async def sent(ctx: Context) -> list[Message]:
    return [message for message in await take(ctx) if isinstance(message, ArchiveTable)]


def files(folder: Path) -> dict[str, bytes]:
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def mount(folder: Path, *, there: bool) -> None:
    if there:
        folder.mkdir()
    else:
        folder.rmdir()


def counted(ctx: Context, name: str) -> float:
    return ctx.meters.registry.get_sample_value(f"rummy_arena_{name}_total") or 0.0


async def test_a_table_expires_only_once_it_is_archived(keeping: Context, folder: Path) -> None:
    table = await finished(keeping)
    assert await ttl_ms(keeping, table.id) == -1
    assert await sent(keeping) == [ArchiveTable(table.id)]
    assert await archive_table(keeping, table.id, FORMS)
    day = "2027/01/15"
    found = files(folder)
    assert set(found) == {f"{day}/{table.id}.{suffix}.gz" for suffix in ("jsonl", "txt")}
    head, *rows = gzip.decompress(found[f"{day}/{table.id}.jsonl.gz"]).splitlines()
    assert json.loads(head)["table"]["id"] == table.id
    assert len(rows) == table.last
    parsed = parse_game(gzip.decompress(found[f"{day}/{table.id}.txt.gz"]).decode())
    _, rules = table_record(table.id, (await keeping.store.read(TABLES, table.id)).data)
    assert verify(rules, parsed.seats, parsed.events).good
    assert (await record_of(keeping, table.id)).archived_ms == keeping.now_ms()
    assert 0 < await ttl_ms(keeping, table.id) <= keeping.retention.tables_ms
    assert await due_ms(keeping, table.id) is None
    assert counted(keeping, "archived") == 1


async def test_it_is_gone_when_its_retention_after_that_has_passed(keeping: Context) -> None:
    short = dataclasses.replace(keeping, retention=Retention(tables_ms=300))
    table = await finished(short)
    await asyncio.sleep(0.5)
    assert (await record_of(short, table.id)).finished_ms
    await archive_table(short, table.id, FORMS)
    await asyncio.sleep(0.5)
    with pytest.raises(NotFound):
        await short.store.read(TABLES, table.id)
    with pytest.raises(NotFound):
        await archive_table(short, table.id, FORMS)


async def test_archived_twice_it_is_the_same_and_counted_once(
    keeping: Context, folder: Path
) -> None:
    table = await finished(keeping)
    done = await asyncio.gather(*(archive_table(keeping, table.id, FORMS) for _ in range(3)))
    assert sorted(done) == [False, False, True]
    assert len(files(folder)) == 2
    assert not await archive_table(keeping, table.id, FORMS)
    assert counted(keeping, "archived") == 1


DIES = """
import asyncio, os, signal, sys
from dataclasses import replace
from pathlib import Path
from services.play.archive_table import archive_table
from services.runtime.archiving import FORMS
from services.runtime.settings import load_settings
from services.runtime.wiring import open_context
from services.state.archive import FolderArchive

class Dies(FolderArchive):
    async def put(self, name, data):
        await super().put(name, data)
        if name.endswith(sys.argv[4]):
            os.kill(os.getpid(), signal.SIGKILL)

async def main():
    ctx = await open_context(load_settings(redis_url=sys.argv[1]))
    await archive_table(replace(ctx, archive=Dies(Path(sys.argv[2]))), sys.argv[3], FORMS)

asyncio.run(main())
"""


@pytest.mark.parametrize(("last", "left"), [(".jsonl.gz", 1), (".txt.gz", 2)])
async def test_a_sigkill_between_the_files_and_the_mark_costs_only_the_work(
    keeping: Context, valkey_url: str, folder: Path, clock: Clock, last: str, left: int
) -> None:
    table = await finished(keeping)
    await take(keeping)
    command = [sys.executable, "-c", DIES, valkey_url, str(folder), table.id, last]
    killed = await asyncio.create_subprocess_exec(*command)
    assert await killed.wait() == -signal.SIGKILL
    first = files(folder)
    assert len(first) == left
    assert not (await record_of(keeping, table.id)).archived_ms
    assert await ttl_ms(keeping, table.id) == -1
    clock.now_ms += FIRST_RETRY_MS
    await sweep(keeping)
    assert await sent(keeping) == [ArchiveTable(table.id)]
    assert await archive_table(keeping, table.id, FORMS)
    assert await ttl_ms(keeping, table.id) > 0
    both = files(folder)
    assert len(both) == 2
    assert first.items() <= both.items()


async def test_an_archive_that_is_away_is_asked_again_and_nothing_expires(
    keeping: Context, folder: Path, clock: Clock
) -> None:
    table = await finished(keeping)
    assert len(await sent(keeping)) == 1
    mount(folder, there=False)
    waits = []
    for _ in range(8):
        with pytest.raises(ArchiveUnavailable):
            await archive_table(keeping, table.id, FORMS)
        due = await due_ms(keeping, table.id)
        assert due is not None
        waits.append(due - clock.now_ms)
        clock.now_ms = due - 1
        await sweep(keeping)
        assert not await sent(keeping)
        clock.now_ms = due
        await sweep(keeping)
        assert await sent(keeping) == [ArchiveTable(table.id)]
        assert await ttl_ms(keeping, table.id) == -1
    assert waits == sorted(waits)
    assert (waits[0], waits[1], waits[-1]) == (FIRST_RETRY_MS, 2 * FIRST_RETRY_MS, LONGEST_RETRY_MS)
    assert counted(keeping, "archive_failed") == 8
    mount(folder, there=True)
    assert await archive_table(keeping, table.id, FORMS)
    assert len(files(folder)) == 2
    assert await ttl_ms(keeping, table.id) > 0


async def test_a_game_cut_short_is_archived_too(keeping: Context, folder: Path) -> None:
    adjudicated, closed = await played_table(keeping), await played_table(keeping)
    await adjudicate_table(keeping, ADMIN, adjudicated.id, Ask("a"), reason="late")
    await close_table(keeping, ADMIN, closed.id, Ask("c"), reason="late")
    for table in (adjudicated, closed):
        assert await ttl_ms(keeping, table.id) == -1
        assert await archive_table(keeping, table.id, FORMS)
        assert await ttl_ms(keeping, table.id) > 0
    assert len(files(folder)) == 4


async def test_a_table_that_nobody_played_at_just_expires(
    keeping: Context, clock: Clock, folder: Path
) -> None:
    called_off, forgotten = keeping.new_id(), keeping.new_id()
    for table_id in (called_off, forgotten):
        await open_table(keeping, ADMIN, NewTable("kalooki-jamaican", 3), table_id=table_id)
    await close_table(keeping, ADMIN, called_off, Ask("c"), reason="rain")
    clock.now_ms += OPEN_MS
    await sweep(keeping)
    for table_id in (called_off, forgotten):
        assert await ttl_ms(keeping, table_id) > 0
        assert await due_ms(keeping, table_id) is None
        assert not await archive_table(keeping, table_id, FORMS)
    assert not await sent(keeping)
    assert not files(folder)


async def test_a_log_that_is_not_whole_is_counted_and_never_expires(
    keeping: Context, folder: Path
) -> None:
    table = await finished(keeping)
    await keeping.store.trim_log(TABLES, table.id, before=table.last)
    with pytest.raises(CursorTooOld):
        await archive_table(keeping, table.id, FORMS)
    assert counted(keeping, "archive_failed") == 1
    assert not files(folder)
    assert await ttl_ms(keeping, table.id) == -1


async def test_a_game_that_goes_on_is_not_archived(keeping: Context, folder: Path) -> None:
    table = await played_table(keeping)
    await table.deal()
    assert not await archive_table(keeping, table.id, FORMS)
    assert not files(folder)


async def test_without_an_archive_a_table_expires_at_its_end(ctx: Context) -> None:
    table = await finished(ctx)
    assert await ttl_ms(ctx, table.id) > 0
    assert await due_ms(ctx, table.id) is None
    assert not await sent(ctx)


async def test_when_the_archive_is_given_up_what_waits_for_it_expires(
    keeping: Context, clock: Clock
) -> None:
    table = await finished(keeping)
    await take(keeping)
    without = dataclasses.replace(keeping, archive=None)
    assert not await archive_table(without, table.id, FORMS)
    clock.now_ms += FIRST_RETRY_MS
    await sweep(without)
    assert await ttl_ms(without, table.id) > 0
    assert await due_ms(without, table.id) is None
    assert not await sent(without)


async def test_a_read_only_folder_is_told_as_such(keeping: Context, folder: Path) -> None:
    table = await finished(keeping)
    with pytest.raises(ArchiveUnavailable, match="cannot write /proc"):
        await archive_table(
            dataclasses.replace(keeping, archive=open_archive("/proc/self")), table.id, FORMS
        )
    assert await ttl_ms(keeping, table.id) == -1
