"""Two API processes on two ports: what one has written the other reads; and how one leaves."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from rummy_arena.api.v1.rule_service_pb2 import ListRuleSetsRequest
from rummy_arena.api.v1.rule_service_pb2_grpc import RuleServiceStub
from rummy_arena.bots.bot import Dice
from rummy_arena.bots.greedy import GreedyBot
from rummy_arena.client import Arena, ArenaError
from rummy_arena.client.views import rules_of, view_of

from .arenas import RunningArena, run_command, running

TWO_PORTS = {"RUMMY_ARENA_API_SHARE_PORT": "false"}
ROUNDS = 20
REVOKED_S = 2.0


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningArena]:
    folder = tmp_path_factory.mktemp("replicas") / "arena"
    with running(folder, "--api-processes", "2", env=TWO_PORTS) as arena:
        yield arena


async def test_what_one_replica_has_written_the_other_reads_at_once(arena: RunningArena) -> None:
    one, other = arena.record["apis"]
    assert one != other
    async with (
        Arena.connect(one, token=arena.token) as first,
        Arena.connect(other, token=arena.token) as second,
    ):
        for number in range(ROUNDS):
            first, second = second, first
            player = await first.players.create(f"player {number}")
            made = await first.tournaments.create(
                f"cup {number}", rule_set="kalooki-jamaican", seats_per_table=4, advance_per_table=1
            )
            assert (await second.tournaments.get(made.id)).options.title == f"cup {number}"
            await first.tournaments.register(made.id, player.id)
            assert (await second.tournaments.get(made.id)).sequence == 1
            token = await first.players.create_token(player.id)
            own = second.as_bearer(token.secret)
            assert (await own.tournaments.get(made.id)).id == made.id
            await first.players.revoke_token(token.token_id)
            await _refused_within(REVOKED_S, own, made.id)


async def _refused_within(seconds: float, arena: Arena, tournament_id: str) -> None:
    """A server remembers a token for a moment; one that is revoked must soon be forgotten."""

    async def ask() -> None:
        until_s = time.monotonic() + seconds
        while time.monotonic() < until_s:
            await arena.tournaments.get(tournament_id)
            await asyncio.sleep(0.01)

    with pytest.raises(ArenaError) as refused:
        await ask()
    assert refused.value.code is grpc.StatusCode.UNAUTHENTICATED


async def test_what_was_acted_through_one_replica_is_at_the_table_of_the_other(
    arena: RunningArena,
) -> None:
    one, other = arena.record["apis"]
    async with (
        Arena.connect(one, token=arena.token) as first,
        Arena.connect(other, token=arena.token) as second,
    ):
        cup = await first.tournaments.create(
            "cup", rule_set="kalooki-jamaican", seats_per_table=4, advance_per_table=1
        )
        secrets = []
        for number in range(4):
            player = await first.players.create(f"actor {number}")
            await first.tournaments.register(cup.id, player.id)
            secrets.append((await first.players.create_token(player.id)).secret)
        await first.tournaments.start(cup.id)
        async for event in second.tournaments.events(cup.id):
            if event.WhichOneof("event") == "round_started":
                break
        rounds = await second.tournaments.bracket(cup.id)
        table_id = rounds[0].pairings[0].table_id
        acted = 0
        while acted < ROUNDS:
            first, second = second, first
            for secret in secrets:
                if await _acts(first.as_bearer(secret), second.as_bearer(secret), table_id):
                    acted += 1


async def _acts(first: Arena, second: Arena, table_id: str) -> bool:
    """Make the standard move through the first, if it is the seat's, and read it from the other."""
    try:
        table = await first.tables.get(table_id)
    except ArenaError as error:
        if error.reason != "TABLE_NOT_OPEN":
            raise
        return False
    view = view_of(table, rules_of(table))
    if view.seat not in table.waiting_seats:
        return False
    answer = await first.tables.act(table_id, GreedyBot().choose(view, Dice(b"", table.sequence)))
    after = await second.tables.get(table_id)
    assert after.sequence >= answer.sequence
    return True


async def test_a_plain_client_meets_nothing_but_answers_or_unavailable(arena: RunningArena) -> None:
    address, told = arena.record["apis"][0], Counter[str]()
    bearer = (("authorization", f"Bearer {arena.token}"),)
    over = False

    async def call() -> None:
        options = [("grpc.enable_retries", 0), ("grpc.use_local_subchannel_pool", 1)]
        async with grpc.aio.insecure_channel(address, options=options) as channel:
            stub = RuleServiceStub(channel)
            while not over:
                try:
                    await stub.ListRuleSets(ListRuleSetsRequest(), timeout=5, metadata=bearer)
                    told["OK"] += 1
                    await asyncio.sleep(0.01)  # or there would be too many calls for its limits
                except grpc.aio.AioRpcError as error:
                    told[error.code().name] += 1
                    await asyncio.sleep(0.02)

    calls = [asyncio.create_task(call()) for _ in range(8)]
    await asyncio.sleep(0.2)
    await _drained(arena, "api-1")
    over = True
    await asyncio.gather(*calls)
    assert told["OK"] > 20
    assert set(told) <= {"OK", "UNAVAILABLE"}


async def test_clients_that_hang_hold_up_a_drain_for_seconds_at_most(arena: RunningArena) -> None:
    address = arena.record["apis"][1]
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port))):  # says nothing, ever
        async with Arena.connect(address, token=arena.token) as deaf:
            made = await deaf.tournaments.create(
                "cup", rule_set="kalooki-jamaican", seats_per_table=4, advance_per_table=1
            )
            updates = deaf.tournaments.watch(made.id)
            await anext(updates)  # and never again
            took_s = await _drained(arena, "api-2")
            assert took_s < 8.0
            await updates.aclose()  # type: ignore[attr-defined]
    status = json.loads(run_command("status", "--json", "--data-dir", str(arena.folder)).stdout)
    assert status["healthy"]
    assert status["processes"]["api-2"]["restarts"] == 1
    assert status["processes"]["api-2"]["last_end"] == "exited with status 0"


async def _drained(arena: RunningArena, name: str) -> float:
    """Stop an API process; return how long it took to end, once another stands in its place."""
    pid = _entry(arena, name)["pid"]
    began_s = time.monotonic()
    os.kill(pid, signal.SIGTERM)
    while _entry(arena, name)["pid"] == pid:
        assert time.monotonic() - began_s < 20, arena.output
        await asyncio.sleep(0.02)
    took_s = time.monotonic() - began_s
    while "address" not in _entry(arena, name):
        assert time.monotonic() - began_s < 40, arena.output
        await asyncio.sleep(0.02)
    return took_s


def _entry(arena: RunningArena, name: str) -> dict[str, Any]:
    entry = json.loads((arena.folder / "run.json").read_text())["processes"][name]
    assert isinstance(entry, dict)
    return entry
