"""A ladder of house bots, and an arena beside it, through the real system."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from rummy_arena.api.v1 import ladder_pb2 as pb
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client import Arena

from .arenas import RunningArena, running

GAMES = 30
GIVEN_UP_S = 90


def pairing(seats: int) -> pb.LadderPairing:
    return pb.LadderPairing(
        seats_per_table=seats,
        reach=2_000,
        repeat_distance=10,
        hold=Duration(seconds=1),
        pause=Duration(),
        anchors_after=Duration(),
        smaller_after=Duration(seconds=2),
    )


async def of_bots(client: Arena, options: pb.LadderOptions, anchors: dict[str, float]) -> str:
    """Return a ladder of six house bots and these anchors."""
    ladder = await client.ladders.create(options)
    for number in range(6):
        bot = tuple(HOUSE_BOTS)[number % len(HOUSE_BOTS)]
        player = await client.players.create(f"{bot} {number}", house_bot=bot)
        await client.ladders.enter(ladder.id, player.id)
    for bot, rating in anchors.items():
        player = await client.players.create(f"anchor {bot}", house_bot=bot)
        await client.ladders.enter(ladder.id, player.id, anchor_rating=rating, tables_at_once=8)
    return ladder.id


async def until(client: Arena, ladder_id: str, *, results: int = 0) -> pb.Ladder:
    """Wait for so many results, or for the end."""
    given_up = time.monotonic() + GIVEN_UP_S
    while True:
        ladder = await client.ladders.get(ladder_id)
        over = ladder.status == pb.LADDER_STATUS_FINISHED
        if over or (results and ladder.result_count >= results):
            return ladder
        assert time.monotonic() < given_up, ladder
        await asyncio.sleep(0.1)


async def played(arena: RunningArena) -> None:
    async with Arena.connect(arena.api, token=arena.token) as client:
        options = pb.LadderOptions(
            title="Bots",
            rule_set_id="kalooki-jamaican",
            rule_set_options={"contract": "2"},
            pairing=pairing(4),
            ranked_from_games=1,
        )
        ladder_id = await of_bots(client, options, {"random": 1200, "careful": 1700})
        end = Timestamp()
        end.FromMilliseconds(int(time.time() * 1000) + 5_000)
        short = pb.LadderOptions(
            title="Five seconds",
            rule_set_id="carioca-argentine",
            rule_set_options={"contract": "1"},
            pairing=pairing(2),
            end_time=end,
        )
        arena_id = await of_bots(client, short, {})
        await until(client, ladder_id, results=GAMES)
        await client.ladders.close(ladder_id, reason="enough")
        await check(client, await until(client, ladder_id))
        over = await until(client, arena_id)
        assert over.arena
        await check(client, over)
        points = [row.entrant.points for row in await client.ladders.standings(arena_id)]
        assert points == sorted(points, reverse=True)
        assert abs(sum(points) - 6 * over.result_count) < 1e-6


async def check(client: Arena, ladder: pb.Ladder) -> None:
    """Every table was rated once, and the ratings are what the results give."""
    matches = await client.ladders.matches(ladder.id, most=1_000)
    assert [match.number for match in matches] == list(range(ladder.result_count, 0, -1))
    assert len({match.table_id for match in matches}) == len(matches) == ladder.table_count
    for match in matches[:3]:
        table = await client.tables.get(match.table_id)
        places = list(table.score_sheet.places)
        assert [seat.place for seat in match.seats] == places
    checked = await client.ladders.check_ratings(ladder.id)
    assert (checked.results, list(checked.differences)) == (len(matches), [])
    rows = await client.ladders.standings(ladder.id)
    assert sum(row.entrant.games for row in rows) == sum(len(m.seats) for m in matches)
    games = [row.entrant.games for row in rows if not row.entrant.anchor]
    assert max(games) - min(games) <= 8
    assert {row.entrant.rating.mean for row in rows if row.entrant.anchor} <= {1200, 1700}


def test_a_ladder_and_an_arena_of_house_bots(tmp_path: Path) -> None:
    with running(tmp_path / "arena", "--workers", "2") as arena:
        asyncio.run(played(arena))
