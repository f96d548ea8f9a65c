"""Sixty-four clients at one table, through two API processes: valid, stale, repeated, false."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import grpc
import pytest

from rummy_arena.api.v1.action_pb2 import Action as ActionMessage
from rummy_arena.api.v1.table_pb2 import Table
from rummy_arena.api.v1.table_service_pb2 import ActRequest, GetTableRequest
from rummy_arena.api.v1.table_service_pb2_grpc import TableServiceStub
from rummy_arena.bots.bot import Dice
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client.errors import arena_error
from rummy_arena.client.views import rules_of, view_of
from rummy_arena.client.wire import action_message
from rummy_arena.game.actions import END_TURN, NONE, Action, ActionKind
from rummy_arena.game.events import Event
from rummy_arena.game.replay import Replay, replay
from rummy_arena.game.state import Answer, Deal, Phase
from rummy_arena.rulesets.registry import get_rule_set
from services.events.put_token import put_token
from services.play.create_table import create_table
from services.play.table import TABLES, load_table
from services.state.context import Context
from services.state.event_codec import decode_events
from services.state.records import SeatRecord, Terms, TimeControl
from services.state.table_log import game_events

from .replicas import replicas

RULES = "kalooki-jamaican"
SEATS, CLIENTS = 4, 64
LONG = 8 * 10**7
CONTROL = TimeControl(
    draw_ms=LONG, play_ms=LONG, window_ms=LONG, decision_ms=LONG, between_deals_ms=0
)
ENOUGH = 90  # accepted actions
HEARD = (ActionKind.CALL, ActionKind.PASS, ActionKind.ALLOW)
"""What is said in call windows, and may add nothing to the log at once."""
LONGEST_S = 120.0
REFUSED = {
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.ABORTED,
}
"""How a call may be refused here: by the rules, for its fields or its caller, or for the crowd."""
BUSY = -1
REFUSALS = (None, BUSY)


@dataclass
class Tally:
    """What all clients together were told."""

    accepted: dict[str, tuple[int, Action, int]] = field(default_factory=dict)
    """By request id: seat, action and the sequence that was answered."""
    refused: Counter[str] = field(default_factory=Counter)
    repeats: int = 0


class Client:
    """One of the crowd: plays for a seat as sixteen others do at the same time."""

    def __init__(self, number: int, address: str, tally: Tally) -> None:
        self.seat = number % SEATS
        self.dice = Random(number)
        self.tally = tally
        self.sent: list[tuple[ActRequest, Action]] = []
        self.channel = grpc.aio.insecure_channel(
            address, options=(("grpc.use_local_subchannel_pool", 1),)
        )
        self.stub = TableServiceStub(self.channel)
        self.bearer = (("authorization", f"Bearer seat-{self.seat}"),)

    async def look(self) -> Table:
        """Return the table as the seat sees it."""
        request = GetTableRequest(table_id="t1")
        return (await self.stub.GetTable(request, metadata=self.bearer)).table

    async def hammer(self) -> None:
        """Act until enough was accepted."""
        while len(self.tally.accepted) < ENOUGH:
            table = await self.look()
            kind = self.dice.random()
            if kind < 0.2 and self.sent:
                await self.repeat()
            elif kind < 0.3 and self.sent:
                await self.send(self.dice.choice(self.sent)[1])  # stale, under a new id
            elif kind < 0.4:
                await self.falsify()
            elif table.HasField("decision"):
                view = view_of(table, rules_of(table))
                await self.send(HOUSE_BOTS["greedy"].choose(view, Dice(b"crowd", len(self.sent))))

    async def send(self, action: Action) -> None:
        """Send an action under a new id."""
        request = ActRequest(
            request_id=secrets.token_hex(8), table_id="t1", action=action_message(action)
        )
        self.sent.append((request, action))
        await self.call(request, action)

    async def repeat(self) -> None:
        """Send an earlier request again; it must be answered as before, if it was accepted."""
        request, action = self.dice.choice(self.sent)
        before = self.tally.accepted.get(request.request_id)
        answer = await self.call(request, action)
        if before is not None and answer != BUSY:
            assert answer == before[2], "a repeat had another answer"
            self.tally.repeats += 1

    async def falsify(self) -> None:
        """Send what can never be right."""
        stranger = (("authorization", "Bearer stranger"),)
        request = ActRequest(
            request_id=secrets.token_hex(8), table_id="t1", action=action_message(END_TURN)
        )
        assert await self.call(request, END_TURN, bearer=stranger) in REFUSALS
        if self.sent:
            used, action = self.dice.choice(self.sent)
            if used.request_id in self.tally.accepted and action != END_TURN:
                other = ActRequest(
                    request_id=used.request_id, table_id="t1", action=action_message(END_TURN)
                )
                assert await self.call(other, END_TURN) in REFUSALS
        nothing = ActRequest(request_id="g", table_id="t1", action=ActionMessage())
        assert await self.call(nothing, END_TURN) in REFUSALS

    async def call(
        self,
        request: ActRequest,
        action: Action,
        *,
        bearer: tuple[tuple[str, str], ...] | None = None,
    ) -> int | None:
        """Return the answer's sequence, BUSY for another time, or None if it was refused."""
        try:
            answer = await self.stub.Act(request, metadata=bearer or self.bearer)
        except grpc.aio.AioRpcError as error:
            if error.code() not in REFUSED:
                raise
            self.tally.refused[arena_error(error, "").reason] += 1
            return BUSY if error.code() is grpc.StatusCode.ABORTED else None
        told = (self.seat, action, answer.sequence)
        first = self.tally.accepted.setdefault(request.request_id, told)
        assert first == told, "one request was answered in two ways"
        return int(answer.sequence)


@pytest.mark.timeout(180)
async def test_sixty_four_clients_at_one_table(
    ctx: Context, valkey_url: str, tmp_path: Path
) -> None:
    for seat in range(SEATS):
        await put_token(ctx, f"seat-{seat}", player_id=f"p{seat}", role="player", ttl_s=600)
    await put_token(ctx, "stranger", player_id="stranger", role="player", ttl_s=600)
    seats = [SeatRecord(f"p{seat}", f"P{seat}", "") for seat in range(SEATS)]
    terms = Terms(clock=CONTROL)
    assert await create_table(ctx, "t1", RULES, seats, bytes(range(32)), terms=terms)
    tally = Tally()
    with replicas(tmp_path, valkey_url, 2) as servers:
        clients = [
            Client(number, servers[number // SEATS % 2].address, tally) for number in range(CLIENTS)
        ]
        async with asyncio.timeout(LONGEST_S):
            await asyncio.gather(*(client.hammer() for client in clients))
        for client in clients:
            await client.channel.close()
    assert tally.repeats > 10
    assert tally.refused["REQUEST_ID_REUSED"] > 2
    assert tally.refused["NOT_SEATED"] > 20
    assert sum(tally.refused.values()) > len(tally.accepted)
    await check_log(ctx, tally)


async def check_log(ctx: Context, tally: Tally) -> None:
    """The log is a legal game, in which each accepted action stands once, and nothing else."""
    stored = load_table("t1", (await ctx.store.read(TABLES, "t1")).data)
    batches = await ctx.store.read_log(TABLES, "t1", after=0, limit=10_000)
    log = game_events([event for batch in batches for event in decode_events(batch.data)])
    accepted = Counter((seat, action.kind, action.card) for seat, action, _ in answered(tally))
    unheard = Counter(answers_of(stored.game.deal))
    assert played(log) + unheard == accepted
    if not unheard:
        assert replay(get_rule_set(RULES), SEATS, log) == stored.game
    ends = Counter(sequence for _, action, sequence in answered(tally) if action.kind not in HEARD)
    assert max(ends.values()) == 1, "two actions were told the same place in the log"
    assert set(ends) <= {batch.last for batch in batches}


def answered(tally: Tally) -> list[tuple[int, Action, int]]:
    return list(tally.accepted.values())


def answers_of(deal: Deal) -> list[tuple[int, ActionKind, int]]:
    """Return the answers that an open window has and the log has not."""
    if deal.phase is not Phase.CALL_WINDOW:
        return []
    kinds = {Answer.CALLED: ActionKind.CALL, Answer.PASSED: ActionKind.PASS}
    given = [
        (seat, kinds[answer], NONE) for seat, answer in enumerate(deal.answers) if answer in kinds
    ]
    return given + [(deal.turn, ActionKind.ALLOW, NONE)] * deal.waived


def played(log: list[Event]) -> Counter[tuple[int, ActionKind, int]]:
    """Return every action of the log with its seat."""
    found: Counter[tuple[int, ActionKind, int]] = Counter()
    stepping = Replay(get_rule_set(RULES), SEATS, log)
    while not stepping.over:
        seat, action = stepping.next_action()
        found[seat, action.kind, action.card] += 1
        stepping.step()
    return found
