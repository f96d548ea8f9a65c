"""An arena with an archive: every game ends up there, and can be had and verified from both."""

from __future__ import annotations

import asyncio
import gzip
import json
import time
from pathlib import Path

from google.protobuf.json_format import ParseDict

from rummy_arena.api.v1.table_export_pb2 import TableExportEvent, TableExportHeader
from rummy_arena.client import Arena
from services.runtime.demo_play import enter_house_bots, read_outcome

from .arenas import run_command, running

ENTRANTS = 12


async def test_every_game_is_archived_exported_and_verified(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.mkdir()
    env = {"RUMMY_ARENA_ARCHIVE_URL": f"file://{archive}"}
    home = tmp_path / "arena"
    with running(home, "--workers", "2", env=env) as arena:
        async with Arena.connect(arena.api, token=arena.token) as client:
            tables = await _played(client)
            files = await _archived(archive, tables)
            logs = {
                table_id: [event async for event in client.tables.history(table_id)]
                for table_id in tables
            }
        table_id = tables[0]
        text = run_command("export", table_id, "--data-dir", str(home))
        assert text.stdout.encode() == gzip.decompress(files[f"{table_id}.txt.gz"].read_bytes())
        verified = run_command("verify", "-", stdin=text.stdout)
        assert verified.returncode == 0, verified.stdout
        assert verified.stdout.splitlines()[-1].startswith("good: ")
        out = tmp_path / "game.jsonl"
        token = ("--server", arena.api, "--token", arena.token)
        done = run_command("export", table_id, "--format=json-lines", "-o", str(out), *token)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert out.read_bytes() == gzip.decompress(files[f"{table_id}.jsonl.gz"].read_bytes())
        wrong = run_command("export", "nothing", *token, "-o", str(tmp_path / "none"))
        assert wrong.returncode == 2
        assert "NOT_FOUND" in wrong.stderr or "table" in wrong.stderr
        assert len(wrong.stderr.splitlines()) == 1
        assert not (tmp_path / "none").exists()
    for table_id in tables:
        lines = gzip.decompress(files[f"{table_id}.jsonl.gz"].read_bytes()).splitlines()
        head, *rows = map(json.loads, lines)
        assert ParseDict(head, TableExportHeader()).table.id == table_id
        events = [ParseDict(row, TableExportEvent()).event for row in rows]
        assert [event.sequence for event in events] == [event.sequence for event in logs[table_id]]


def test_an_archive_that_cannot_be_opened_is_one_line_before_anything_starts(
    tmp_path: Path,
) -> None:
    env = {"RUMMY_ARENA_ARCHIVE_URL": "archive"}
    done = run_command("up", "--data-dir", str(tmp_path / "arena"), "--port", "0", env=env)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "rummy-arena: RUMMY_ARENA_ARCHIVE_URL: give the folder's absolute path, as in /srv/archive"
    ]


def files_by_name(archive: Path) -> dict[str, Path]:
    return {path.name: path for path in archive.glob("????/??/??/*.gz")}


async def _played(client: Arena) -> list[str]:
    """Play a tournament of house bots; return its tables."""
    tournament = await client.tournaments.create(
        "test",
        rule_set="kalooki-jamaican",
        seats_per_table=4,
        advance_per_table=2,
        capacity=ENTRANTS,
        seed="archive",
    )
    await enter_house_bots(client, tournament.id, ENTRANTS)
    await client.tournaments.start(tournament.id)
    async for update in client.tournaments.watch(tournament.id, after=0):
        if update.event.WhichOneof("event") == "tournament_finished":
            break
    await read_outcome(client, tournament.id, 1.0)
    rows = await client.tournaments.bracket(tournament.id)
    return [pairing.table_id for row in rows for pairing in row.pairings]


async def _archived(archive: Path, tables: list[str]) -> dict[str, Path]:
    """Wait until every table is in the archive; return its files by name."""
    until = time.monotonic() + 30
    while True:
        found = files_by_name(archive)
        if len(found) == 2 * len(tables):
            return found
        assert time.monotonic() < until, found
        await asyncio.sleep(0.1)
