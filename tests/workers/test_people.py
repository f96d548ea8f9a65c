"""People at a table with house bots: acting, repeating, cheating, and not being there (X-17)."""

from __future__ import annotations

import asyncio
import dataclasses
from random import Random

import pytest

from rummy_arena.bots.bot import Dice
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.game.actions import CALL, DRAW_DISCARD, DRAW_STOCK, END_TURN, PASS, discard
from rummy_arena.game.engine import standard_move
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.replay import actions_in, replay
from rummy_arena.game.state import Phase
from rummy_arena.game.view import view
from rummy_arena.rulesets.registry import get_rule_set
from services.events.principals import Principal
from services.play.act import act
from services.play.clocks import EDGE_MS
from services.play.create_table import create_table
from services.play.delayed import PastLogs
from services.play.errors import HouseBotSeat, NotSeated
from services.play.expire_turn import expire_turn
from services.play.play_bots import play_bots
from services.play.see_table import see_table
from services.play.table import TABLES, load_table
from services.state import keys
from services.state.context import Context
from services.state.messages import PlayTable
from services.state.records import SeatRecord
from services.state.store import RequestReused, Snapshot
from tests.stored_logs import log_of

from .carrying import Clock, drain, sweep, take

RULES = "kalooki-jamaican"
PERSON = "p-1"
SEATS = [
    SeatRecord(PERSON, "Person", ""),
    SeatRecord("b-1", "Greedy", "greedy"),
    SeatRecord("b-2", "Careful", "careful"),
    SeatRecord("b-3", "Random", "random"),
]
SEED = bytes(range(32))
SHARDS = [keys.shard_of("t1"), keys.shard_of("t2")]


class Seat:
    """A person at a table: sees what its seat sees, and acts as a house bot would."""

    def __init__(self, ctx: Context, table_id: str = "t1", bot: str = "greedy") -> None:
        self.ctx = ctx
        self.table_id = table_id
        self.bot = HOUSE_BOTS[bot]
        self.acts = 0

    async def stored(self) -> Snapshot:
        """Return the table as it is stored."""
        return await self.ctx.store.read(TABLES, self.table_id)

    async def turn(self, *, request_id: str = "", times: int = 1) -> bool:
        """Act once if this seat is awaited, ``times`` at once; return whether it was."""
        table = load_table(self.table_id, (await self.stored()).data)
        if 0 not in table.waiting:
            return False
        action = self.bot.choose(view(table.game, 0), Dice(b"person", self.acts))
        request_id = request_id or f"r{self.acts}"
        self.acts += 1
        answers = await asyncio.gather(
            *(
                act(self.ctx, self.table_id, PERSON, action, request_id=request_id)
                for _ in range(times)
            )
        )
        assert len(set(answers)) == 1
        return True


async def seated(ctx: Context, table_id: str = "t1") -> Seat:
    """Return the person at a new table whose bots have played up to it."""
    assert await create_table(ctx, table_id, RULES, SEATS, SEED)
    await play_bots(ctx, table_id, HOUSE_BOTS, slice_ms=60_000)
    return Seat(ctx, table_id)


async def play_out(person: Seat, *, times: int = 1) -> None:
    """Play to the end, the bots through the outbox as in a worker."""
    for _ in range(5_000):
        await drain(person.ctx, shards=SHARDS)
        if not await person.turn(times=times):
            break


async def test_a_person_and_three_bots_play_a_whole_game(ctx: Context) -> None:
    person = await seated(ctx)
    await play_out(person)
    snapshot = (await see_table(ctx, PastLogs(), "t1", Principal(PERSON, "player"))).snapshot
    assert snapshot.play is not None
    assert snapshot.play.sheet.places
    assert snapshot.finished_ms > 0
    log = await log_of(ctx, "t1")
    assert len(log) == snapshot.sequence
    assert actions_in(log) == snapshot.actions  # type: ignore[arg-type]
    name, labels = "rummy_arena_actions_total", {"rule_set": RULES}
    assert ctx.meters.registry.get_sample_value(name, labels) == snapshot.actions
    stored = load_table("t1", (await person.stored()).data)
    assert replay(get_rule_set(RULES), 4, log) == stored.game  # type: ignore[arg-type]
    for shard in range(keys.SHARDS):
        assert await ctx.store._client.zcard(keys.deadlines(shard)) == 0


async def test_every_request_sent_three_times_at_once_acts_once(ctx: Context) -> None:
    once, thrice = await seated(ctx, "t1"), await seated(ctx, "t2")
    await play_out(once)
    await play_out(thrice, times=3)
    assert await log_of(ctx, "t1") == await log_of(ctx, "t2")


async def waiting_person(ctx: Context) -> Seat:
    """Return a person who must draw."""
    person = await seated(ctx)
    for _ in range(200):
        table = load_table("t1", (await person.stored()).data)
        if table.waiting == (0,) and table.game.deal.phase is Phase.DRAW:
            return person
        await person.turn()
        await drain(ctx)
    raise AssertionError("the person is never in turn")


async def test_a_repeat_is_answered_and_a_reused_id_refused(ctx: Context) -> None:
    person = await waiting_person(ctx)
    first = await act(ctx, "t1", PERSON, DRAW_STOCK, request_id="same")
    before = await person.stored()
    assert await act(ctx, "t1", PERSON, DRAW_STOCK, request_id="same") == first
    with pytest.raises(RequestReused):
        await act(ctx, "t1", PERSON, END_TURN, request_id="same")
    assert await person.stored() == before


async def test_refused_actions_change_nothing(ctx: Context) -> None:
    person = await waiting_person(ctx)
    before, log = await person.stored(), await log_of(ctx, "t1")
    await take(ctx)
    dice = Random(1)
    wrong = [END_TURN, CALL, PASS, *(discard(card) for card in dice.sample(range(108), 20))]
    for number, action in enumerate(wrong):
        with pytest.raises(RuleViolation):
            await act(ctx, "t1", PERSON, action, request_id=f"wrong-{number}")
    with pytest.raises(NotSeated):
        await act(ctx, "t1", "stranger", DRAW_STOCK, request_id="w1")
    with pytest.raises(HouseBotSeat):
        await act(ctx, "t1", "b-1", DRAW_STOCK, request_id="w2")
    assert await person.stored() == before
    assert await log_of(ctx, "t1") == log
    assert await take(ctx) == []
    # A refused request leaves its id free, since it did nothing.
    await act(ctx, "t1", PERSON, DRAW_STOCK, request_id="wrong-0")


async def test_an_absent_person_is_moved_for_and_the_game_ends(ctx: Context) -> None:
    clock = Clock()
    clocked = clock.of(ctx)
    await seated(clocked)
    for _ in range(3_000):
        await drain(clocked, shards=SHARDS)
        if load_table("t1", (await ctx.store.read(TABLES, "t1")).data).game.over:
            break
        clock.now_ms += 111_000
        await expire_turn(clocked, "t1")
    assert load_table("t1", (await ctx.store.read(TABLES, "t1")).data).game.over


async def test_before_the_deadline_nobody_is_moved_for(ctx: Context) -> None:
    clock = Clock()
    clocked = clock.of(ctx)
    person = await seated(clocked)
    await drain(clocked)
    before = await log_of(ctx, "t1")
    deadline_ms = load_table("t1", (await person.stored()).data).record.deadline_ms
    assert deadline_ms > clock.now_ms
    clock.now_ms = deadline_ms + EDGE_MS - 1
    for _ in range(3):
        await sweep(clocked)
        await expire_turn(clocked, "t1")
    assert await log_of(ctx, "t1") == before
    assert load_table("t1", (await person.stored()).data).record.deadline_ms == deadline_ms
    clock.now_ms = deadline_ms + EDGE_MS
    await sweep(clocked)
    assert len(await log_of(ctx, "t1")) > len(before)


@pytest.mark.parametrize("seed", range(4))
async def test_an_answer_in_time_wins_over_its_expiry(ctx: Context, seed: int) -> None:
    """Both at once: the person's action stands and nobody moves for it a second time."""
    clock = Clock()
    clocked = clock.of(ctx)
    person = await waiting_person(clocked)
    table = load_table("t1", (await person.stored()).data)
    standard = standard_move(table.game.deal, 0)
    chosen = next(a for a in (DRAW_DISCARD, DRAW_STOCK) if a != standard)
    before = len(await log_of(ctx, "t1"))
    clock.now_ms = table.record.deadline_ms + EDGE_MS
    late = dataclasses.replace(ctx, now_ms=lambda: table.record.deadline_ms - 1)
    calls = [
        act(late, "t1", PERSON, chosen, request_id="in time"),
        expire_turn(clocked, "t1"),
        expire_turn(clocked, "t1"),
    ]
    Random(seed).shuffle(calls)
    done = await asyncio.gather(*calls, return_exceptions=True)
    log = await log_of(ctx, "t1")
    moved = actions_in(log[before:])  # type: ignore[arg-type]
    refused = [end for end in done if isinstance(end, RuleViolation)]
    assert [end for end in done if isinstance(end, BaseException)] == refused
    if refused:  # the whole turn was played for the person, who came after it
        assert load_table("t1", (await person.stored()).data).game.deal.turn != 0
    else:  # the person drew, and has a fresh deadline for the rest of the turn
        assert moved == 1


async def test_a_decision_between_claim_and_expiry_is_not_moved_for(ctx: Context) -> None:
    clock = Clock()
    clocked = clock.of(ctx)
    person = await waiting_person(clocked)
    table = load_table("t1", (await person.stored()).data)
    clock.now_ms = table.record.deadline_ms + EDGE_MS
    shard = keys.shard_of("t1")
    due = await ctx.store.claim_due(shard, now_ms=clock.now_ms, limit=9, hold_ms=5_000)
    assert due == [(TABLES, "t1")]
    await act(clocked, "t1", PERSON, DRAW_STOCK, request_id="late but first")
    before = await log_of(ctx, "t1")
    await expire_turn(clocked, "t1")
    assert await log_of(ctx, "t1") == before  # the next decision has a deadline of its own
    record = load_table("t1", (await person.stored()).data).record
    assert record.deadline_ms > clock.now_ms


async def test_a_caller_that_goes_away_is_still_counted(ctx: Context) -> None:
    person = await waiting_person(ctx)
    before = load_table("t1", (await person.stored()).data).record.actions
    calls = []
    for delay_s in [n / 10_000 for n in range(40)]:
        call = asyncio.create_task(act(ctx, "t1", PERSON, DRAW_STOCK, request_id="gone"))
        await asyncio.sleep(delay_s)
        call.cancel()
        calls.append(call)
    await asyncio.gather(*calls, return_exceptions=True)
    await act(ctx, "t1", PERSON, DRAW_STOCK, request_id="gone")
    record = load_table("t1", (await person.stored()).data).record
    assert record.actions == before + 1
    name, labels = "rummy_arena_actions_total", {"rule_set": RULES}
    assert ctx.meters.registry.get_sample_value(name, labels) == record.actions


async def test_bots_are_sent_for_when_a_person_has_acted(ctx: Context) -> None:
    person = await waiting_person(ctx)
    await take(ctx)
    for _ in range(50):
        if not await person.turn():
            break
        if load_table("t1", (await person.stored()).data).bots_waiting:
            assert PlayTable("t1") in await take(ctx)
            return
    raise AssertionError("the bots' turn never came")
