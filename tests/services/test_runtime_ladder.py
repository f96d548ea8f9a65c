"""``rummy-arena ladder`` on a real server."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import sys
from pathlib import Path

import pytest

from rummy_arena.api.v1.ladder_pb2 import (
    LADDER_STATUS_OPEN,
    Ladder,
    LadderEntrant,
    LadderOptions,
    LadderStanding,
    LadderWaiting,
)
from services.events.ladders.change import hold_ladder
from services.runtime import ladder_view
from services.runtime.cli import run
from tests.workers.carrying import Clock

from .conftest import ADMIN_TOKEN, Api
from .laddered import anchor, bots, entrants_of, ladder, tell_on


async def command(api: Api, *arguments: str) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.runtime.cli", "ladder"),
        *(*arguments, "--server", api.address, "--token", ADMIN_TOKEN),
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    return process.returncode, out.decode()


async def test_a_ladder_in_the_terminal(api: Api) -> None:
    clock = Clock(api.ctx.now_ms())
    ctx = clock.of(api.ctx)
    ladder_id = await ladder(ctx, ranked_from=1)
    await bots(ctx, ladder_id, 5)
    await anchor(ctx, ladder_id, 1250)
    await tell_on(ctx, clock, ladder_id, 8)
    (shown, standings), (_, waiting), (sound, checked) = await asyncio.gather(
        *(
            command(api, verb, ladder_id, "--width", "100")
            for verb in ("standings", "waiting", "check")
        )
    )
    lines = standings.splitlines()
    assert lines[0].startswith("Bots: ladder, open; 6 take part, ")
    assert lines[2].split() == ["name", "rating", "±", "sure", "of", "games", "won", "points"]
    assert [line.split()[0] for line in lines[3:] if "anchor" not in line] == [
        "1",
        "2",
        "3",
        "4",
        "5",
    ]
    [house] = [line for line in lines if line.endswith("anchor")]
    assert house.split()[:3] == ["-", "anchor-1250", "1250"]
    assert "waits because" in waiting
    assert (shown, sound) == (0, 0)
    assert checked.endswith("Every rating is what the results give.\n")
    entrant = (await entrants_of(ctx, ladder_id))[2]
    entrant.mean += 1
    async with hold_ladder(ctx, ladder_id) as change:
        change.put(2, entrant)
        await change.commit()
    sound, checked = await command(api, "check", ladder_id)
    assert sound == 1
    assert "Entrant 2 is kept at" in checked


async def test_a_ladder_is_exported(api: Api, tmp_path: Path) -> None:
    clock = Clock(api.ctx.now_ms())
    ctx = clock.of(api.ctx)
    ladder_id = await ladder(ctx, ranked_from=1)
    await bots(ctx, ladder_id, 4, {2: "=1+1"})
    await tell_on(ctx, clock, ladder_id, 3)
    bare = tmp_path / "bare.csv"
    (_, standings), (_, nothing), (_, results) = await asyncio.gather(
        command(api, "export", ladder_id),
        command(api, "export", ladder_id, "--plain", "--out", str(bare)),
        command(api, "export", ladder_id, "--what", "results", "--format", "json"),
    )
    rows = list(csv.DictReader(io.StringIO(standings)))
    assert sorted(row["entrant"] for row in rows) == ["1", "2", "3", "4"]
    assert {row["owner"] for row in rows} == {"", "'=1+1"}
    assert nothing == ""
    assert bare.read_bytes().decode() == standings.replace("'=1+1", "=1+1")
    entrants = await entrants_of(ctx, ladder_id)
    for row in rows:
        assert float(row["mean"]) * 1_000_000 == pytest.approx(entrants[int(row["entrant"])].mean)
    told = json.loads(results)
    assert [line["number"] for line in told[::4]] == [*range(1, len(told) // 4 + 1)]
    assert {line["entrant"] for line in told} == {1, 2, 3, 4}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--server", "127.0.0.1:1"), "give the token as well"),
        (("--server", "127.0.0.1:1", "--token", "t", "--ca", "/no/where"), "cannot use /no/where"),
        (("--data-dir", "/no/where"), "nothing runs in /no/where"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    arguments: tuple[str, ...],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("RUMMY_ARENA_TOKEN", raising=False)
    assert run(["ladder", "standings", "l", *arguments]) == 2
    errors = capsys.readouterr().err
    assert said in errors
    assert errors.count("\n") == 1


def test_names_cannot_move_the_cursor_or_break_the_lines() -> None:
    entrant = LadderEntrant(name="a\x1b[2Jb\u202e")
    made = Ladder(options=LadderOptions(title="Cup\r\n"), status=LADDER_STATUS_OPEN)
    for lines in (
        ladder_view.standings(made, [LadderStanding(entrant=entrant)], 100),
        ladder_view.waiting(made, [LadderWaiting(entrant=entrant, words="of \x1b[2J")], 100),
    ):
        assert not {"\x1b", "\n", "\r", "\u202e"} & set("".join(lines))
