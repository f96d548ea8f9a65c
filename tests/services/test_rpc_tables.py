"""Tables over the wire: who sees what, who may act, and that no action is taken twice."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass

import grpc
import pytest

from rummy_arena.api.v1 import table_pb2, table_service_pb2
from rummy_arena.api.v1.action_pb2 import Action, Discard, DrawStock, LayOff, Open
from rummy_arena.api.v1.card_pb2 import Meld
from rummy_arena.api.v1.table_service_pb2_grpc import TableServiceStub
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client import Arena, ArenaError
from rummy_arena.client.errors import arena_error
from rummy_arena.game import actions
from rummy_arena.rulesets.registry import RULE_SETS
from services.play.create_table import create_table
from services.play.play_bots import play_bots
from services.play.table import TABLES
from services.state import codec
from services.state.errors import CorruptRecord
from services.state.logs import NO_EVENTS
from services.state.records import SeatRecord

from .conftest import Api

SEATS = 3
CARDS = [f"{rank}{suit}{pack}" for rank in "A23456789TJQK" for suit in "CDHS" for pack in "12"]


@dataclass
class Seated:
    """A table whose every seat a client plays."""

    id: str
    seats: list[Arena]
    outside: Arena


@pytest.fixture
async def table(api: Api) -> Seated:
    return await seated(api, "kalooki-jamaican")


async def seated(api: Api, rule_set: str) -> Seated:
    """Return a new table of a rule set whose every seat a client plays."""
    records, seats = [], []
    for number in range(SEATS):
        player = await api.admin.players.create(f"P{number}")
        token = await api.admin.players.create_token(player.id)
        records.append(SeatRecord(player.id, player.name, ""))
        seats.append(api.admin.as_bearer(token.secret))
    table_id = api.ctx.new_id()
    await create_table(api.ctx, table_id, rule_set, records, bytes(32))
    return Seated(table_id, seats, api.admin)


async def decider(table: Seated) -> tuple[Arena, table_pb2.Table]:
    """Return a seat that must decide now, and the table as it sees it."""
    seen = await table.outside.tables.get(table.id)
    arena = table.seats[seen.waiting_seats[0]]
    return arena, await arena.tables.get(table.id)


async def play_some(table: Seated, count: int) -> None:
    """Play ``count`` of the listed actions, the first of each list."""
    for _ in range(count):
        arena, seen = await decider(table)
        await arena.tables.act(table.id, seen.decision.actions[0])


async def test_each_viewer_sees_its_own_cards_only(table: Seated) -> None:
    hands = []
    for seat, arena in enumerate(table.seats):
        seen = await arena.tables.get(table.id)
        assert seen.view.seat == seat
        assert len(seen.view.hand) == seen.view.seats[seat].hand_count == 9
        hands.append(set(seen.view.hand))
    assert not hands[0] & hands[1]
    seen = await table.outside.tables.get(table.id)
    assert not seen.view.HasField("seat")
    assert not seen.view.hand
    assert not seen.HasField("decision")


async def test_listed_actions_are_accepted_and_logged_once(table: Seated) -> None:
    await play_some(table, 30)
    seen = await table.outside.tables.get(table.id)
    log = [event async for event in table.outside.tables.history(table.id)]
    assert [event.sequence for event in log] == list(range(1, seen.sequence + 1))
    assert seen.actions == 30
    for event in log:
        if event.WhichOneof("event") == "drew" and event.drew.source == 1:
            assert event.drew.card == ""


@pytest.mark.parametrize("rule_set", RULE_SETS)
async def test_listed_actions_of_every_game_are_accepted(api: Api, rule_set: str) -> None:
    table, dice = await seated(api, rule_set), random.Random(rule_set)
    for _ in range(60):
        arena, seen = await decider(table)
        await arena.tables.act(table.id, dice.choice(seen.decision.actions))
    assert (await table.outside.tables.get(table.id)).actions == 60


async def test_a_damaged_table_is_an_incident_and_stays_as_it_is(api: Api, table: Seated) -> None:
    """A record whose checksum is right, and whose cards cannot be those of any game."""
    arena, _ = await decider(table)
    held = await api.ctx.store.acquire(TABLES, table.id, lease_ms=5_000, wait_s=1)
    record = codec.TABLE.decode(held.data)
    assert record.game is not None
    record.game.deal.stock = record.game.deal.stock[1:] + record.game.deal.discards
    await api.ctx.store.commit(held, codec.TABLE.encode(record), events=NO_EVENTS)
    before = await api.ctx.store.read(TABLES, table.id)
    for call in (arena.tables.get(table.id), arena.tables.act(table.id, actions.DRAW_STOCK)):
        with pytest.raises(ArenaError) as caught:
            await call
        assert caught.value.reason == "INTERNAL"
        assert set(caught.value.facts) == {"incident"}
    with pytest.raises(CorruptRecord, match=f"table {table.id} is damaged: .*twice there are"):
        await play_bots(api.ctx, table.id, HOUSE_BOTS, slice_ms=1_000)
    assert await api.ctx.store.read(TABLES, table.id) == before


async def test_log_is_the_same_in_pages_and_streams(table: Seated) -> None:
    await play_some(table, 12)
    arena = table.seats[1]
    log = [event async for event in arena.tables.history(table.id)]
    stream = arena.tables.events(table.id, after=2)
    assert [await anext(stream) for _ in range(len(log) - 2)] == log[2:]


async def test_watcher_sees_what_its_seat_may_see(table: Seated) -> None:
    arena, seen = await decider(table)
    updates = arena.tables.watch(table.id)
    assert (await anext(updates)).snapshot == seen
    coming = asyncio.ensure_future(anext(updates))
    await arena.tables.act(table.id, actions.DRAW_STOCK)
    update = await asyncio.wait_for(coming, 5)
    assert update.event.sequence == seen.sequence + 1
    assert update.event.drew.card
    after = await arena.tables.get(table.id)
    assert update.event.drew.card in after.view.hand


async def test_repeat_is_answered_as_before_and_changes_nothing(api: Api, table: Seated) -> None:
    arena, seen = await decider(table)
    request = table_service_pb2.ActRequest(
        request_id="once", table_id=table.id, action=Action(draw_stock=DrawStock())
    )
    metadata = arena._caller._metadata
    async with grpc.aio.insecure_channel(api.address) as channel:
        act = TableServiceStub(channel).Act
        answers = await asyncio.gather(*(act(request, metadata=metadata) for _ in range(8)))
        assert {answer.sequence for answer in answers} == {seen.sequence + 1}
        assert (await arena.tables.get(table.id)).actions == 1
        request.action.CopyFrom(Action(discard=Discard(card="KS1")))
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await act(request, metadata=metadata)
        assert arena_error(caught.value, "").reason == "REQUEST_ID_REUSED"


async def test_refusals_say_why(table: Seated) -> None:
    arena, seen = await decider(table)
    waiting = seen.waiting_seats[0]
    other = table.seats[(waiting + 1) % SEATS]

    async def reason(who: Arena, action: Action | actions.Action) -> ArenaError:
        with pytest.raises(ArenaError) as caught:
            await who.tables.act(table.id, action)
        return caught.value

    error = await reason(other, actions.DRAW_STOCK)
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_TURN")
    assert error.facts["turn"] == str(waiting)
    assert (await reason(table.outside, actions.DRAW_STOCK)).reason == "NOT_SEATED"
    await arena.tables.act(table.id, actions.DRAW_STOCK)
    hand = (await arena.tables.get(table.id)).view.hand
    missing = next(card for card in CARDS if card not in hand)
    error = await reason(arena, Action(discard=Discard(card=missing)))
    assert (error.reason, error.facts["card"]) == ("CARD_NOT_HELD", missing)
    assert (await reason(arena, Action())).reason == "INVALID_REQUEST"


async def test_house_bots_seat_is_its_own(api: Api) -> None:
    player = await api.admin.players.create("P")
    token = await api.admin.players.create_token(player.id)
    records = [
        SeatRecord(player.id, "P", "random"),
        SeatRecord("b", "B", ""),
        SeatRecord("c", "C", ""),
    ]
    table_id = api.ctx.new_id()
    await create_table(api.ctx, table_id, "kalooki-jamaican", records, bytes(32))
    with pytest.raises(ArenaError) as caught:
        await api.admin.as_bearer(token.secret).tables.act(table_id, actions.DRAW_STOCK)
    assert caught.value.reason == "HOUSE_BOT_SEAT"


def wild_action(dice: random.Random) -> Action:
    def cards() -> list[str]:
        return dice.choices([*CARDS, "*1", "*9", "KS4", "?"], k=dice.choice((0, 1, 3, 4, 9, 20)))

    def melds() -> list[Meld]:
        return [Meld(kind=dice.choice((0, 1, 2)), cards=cards()) for _ in range(dice.randrange(5))]  # type: ignore[arg-type]  # numbers

    place = dice.choice((0, 1, 7, 2**32 - 1))
    card = dice.choice([*CARDS, "*1", ""])
    return dice.choice(
        (
            Action(draw_stock=DrawStock()),
            Action(open=Open(melds=melds())),
            Action(lay_off=LayOff(card=card, table_meld=place)),
            Action(discard=Discard(card=card)),
        )
    )


async def test_wild_actions_never_break_a_table(table: Seated) -> None:
    dice = random.Random(5)
    codes = set()
    for _ in range(300):
        arena = dice.choice(table.seats)
        try:
            await arena.tables.act(table.id, wild_action(dice))
        except ArenaError as error:
            codes.add(error.code)
    assert codes == {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.FAILED_PRECONDITION}
    await play_some(table, 5)
