"""Tables that are played over gRPC as fast as they go, from one process.

The caller knows each table's seed, and so plays the same game beside it: it never has to look what
is to be done, and its calls are all ``Act``.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from rummy_arena.api.v1.table_service_pb2 import ActRequest
from rummy_arena.client.wire import action_message
from rummy_arena.game.actions import Action
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.engine import deciders, standard_move
from rummy_arena.game.series import apply, new_game
from rummy_arena.rulesets.registry import get_rule_set
from services.events.put_token import put_token
from services.play.create_table import create_table
from services.state.context import Context
from services.state.records import SeatRecord, Terms, TimeControl

RULE_SET = "kalooki-jamaican"
SEATS = 4
SLOW = TimeControl(
    draw_ms=10**7, play_ms=10**7, window_ms=10**7, decision_ms=10**7, between_deals_ms=0
)
"""Nobody's time runs out while the bench looks."""
Call = Callable[[ActRequest, tuple[tuple[str, str], ...]], Awaitable[Any]]
Bearer = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a table: what to send, and as whom."""

    request: ActRequest
    bearer: Bearer


class PlayedTable:
    """One table and the game that is played at it."""

    def __init__(self, table_id: str, seed: bytes, bearers: list[Bearer]) -> None:
        self.id = table_id
        self._bearers = bearers
        self._chance = SeededChance(get_rule_set(RULE_SET), seed)
        self._game, _ = new_game(get_rule_set(RULE_SET), SEATS, self._chance)
        self._steps = 0

    def step(self) -> Step:
        """Return the next action, which is from now on taken for done."""
        seat = deciders(self._game.deal)[0]
        action: Action = standard_move(self._game.deal, seat)
        apply(self._game, seat, action, self._chance)
        self._steps += 1
        request = ActRequest(
            request_id=f"{self.id}-{self._steps}",
            table_id=self.id,
            action=action_message(action),
        )
        return Step(request, self._bearers[seat])

    @property
    def over(self) -> bool:
        """Whether its game has ended."""
        return self._game.over


async def seated_tables(ctx: Context, count: int, *, run: str) -> list[PlayedTable]:
    """Create so many tables of four players, each with a token of its own."""
    tables = []
    for number in range(count):
        table_id, seed = f"bench-{run}-{number}", number.to_bytes(32, "big")
        bearers: list[Bearer] = []
        for seat in range(SEATS):
            token = f"{table_id}-{seat}"
            await put_token(ctx, token, player_id=token, role="player", ttl_s=3_600)
            bearers.append((("authorization", f"Bearer {token}"),))
        seats = [SeatRecord(f"{table_id}-{seat}", f"P{seat}", "") for seat in range(SEATS)]
        await create_table(ctx, table_id, RULE_SET, seats, seed, terms=Terms(clock=SLOW))
        tables.append(PlayedTable(table_id, seed, bearers))
    return tables


async def full_load(
    call: Call, tables: list[PlayedTable], seconds: float
) -> tuple[float, list[float]]:
    """Play all tables at once as fast as they go; return calls a second and their times in ms."""
    times: list[float] = []
    began = time.perf_counter()
    end = began + seconds

    async def play(table: PlayedTable) -> None:
        while (before := time.perf_counter()) < end and not table.over:
            step = table.step()
            await call(step.request, step.bearer)
            times.append((time.perf_counter() - before) * 1e3)

    await asyncio.gather(*map(play, tables))
    return len(times) / (time.perf_counter() - began), sorted(times)


async def paced_load(
    call: Call, tables: list[PlayedTable], seconds: float, a_second: float
) -> list[float]:
    """Play so many actions a second, whatever the answers take; return the times in ms.

    A call's time counts from when it was due, so that a stall is not hidden by calls that it
    held back.
    """
    times: list[float] = []
    began = time.perf_counter()
    end = began + seconds
    gap_s = len(tables) / a_second

    async def play(number: int, table: PlayedTable) -> None:
        due = began + gap_s * number / len(tables)
        while due < end and not table.over:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            step = table.step()
            await call(step.request, step.bearer)
            times.append((time.perf_counter() - due) * 1e3)
            due += gap_s

    await asyncio.gather(*(play(*numbered) for numbered in enumerate(tables)))
    return sorted(times)
