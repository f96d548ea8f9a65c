"""The life of a table over the API: gathered, started, paused, left, decided, told to watchers."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest

from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.api.v1.table_pb2 import (
    TABLE_STATUS_CLOSED,
    TABLE_STATUS_FINISHED,
    TABLE_STATUS_OPEN,
    TABLE_STATUS_PAUSED,
    TABLE_STATUS_PLAYING,
    Table,
)
from rummy_arena.api.v1.terms_pb2 import DEAL_SEEDS_DERIVED, DEAL_SEEDS_SYSTEM
from rummy_arena.client import Arena, spectator_delay, time_control
from services.play.creators import MOST_TABLES
from services.play.expire_turn import expire_turn
from services.play.table import TABLES
from services.rpc.server import ArenaServer
from services.state.context import Context
from tests.workers.carrying import Clock, drain

from .conftest import Api
from .table_life import RULES, SEATS, Guest, Party, ask, party_of, told


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ctx(ctx: Context, clock: Clock) -> Context:
    """The context with a clock that stands still unless a test sets it forward."""
    return clock.of(ctx)


@pytest.fixture
async def party(api: Api) -> Party:
    return await party_of(api)


async def log_of(party: Party, table_id: str) -> list[str]:
    """Return the names of all events of a table's log."""
    return [
        event.WhichOneof("event") or ""
        async for event in party.spectator.arena.tables.history(table_id)
    ]


async def test_a_watcher_is_told_the_whole_life(party: Party) -> None:
    table = await party.creator.arena.tables.create(RULES, SEATS)
    updates = aiter(party.spectator.arena.tables.watch(table.id))
    first = await anext(updates)
    assert first.snapshot.status == TABLE_STATUS_OPEN
    assert not first.snapshot.HasField("view")
    for guest in (party.seated, *party.others):
        await guest.arena.tables.take_seat(table.id)
    await party.seated.arena.tables.ready(table.id)
    await party.seated.arena.tables.ready(table.id, ready=False)
    await party.others[1].arena.tables.leave_seat(table.id)
    await party.elsewhere.arena.tables.take_seat(table.id, seat=2)
    for guest in (*party.others[:1], party.elsewhere, party.seated):
        await guest.arena.tables.ready(table.id)
    await party.creator.arena.tables.pause(table.id, "tea")
    await party.creator.arena.tables.resume(table.id)
    await party.others[0].arena.tables.leave_seat(table.id)
    await party.others[0].arena.tables.take_seat(table.id)
    await party.creator.arena.tables.adjudicate(table.id, "the hall closes", (2, 1, 2))
    events = [update.event async for update in updates if update.HasField("event")]
    seen = [event.WhichOneof("event") or "" for event in events]
    assert seen == [
        *("seat_taken",) * 3,
        *("seat_ready", "seat_ready", "seat_left", "seat_taken"),
        *("seat_ready",) * 3,
        *("table_started", "deal_committed", "deal_started"),
        *("table_paused", "table_resumed", "seat_absent", "seat_returned"),
        "table_adjudicated",
    ]
    assert [event.sequence for event in events] == list(range(2, 2 + len(events)))
    assert await log_of(party, table.id) == ["table_opened", *seen]
    assert events[5].seat_left.player_id == party.others[1].id
    assert (events[6].seat_taken.seat, events[6].seat_taken.name) == (2, "Elsewhere")
    paused, decided = events[13].table_paused, events[-1].table_adjudicated
    assert (paused.by_player_id, paused.reason) == (party.creator.id, "tea")
    assert (list(decided.places), decided.reason) == ([2, 1, 2], "the hall closes")


async def test_a_table_says_its_terms(party: Party) -> None:
    control = time_control(play_time=20.5, bank=0, absent_after=7, stand_in="")
    table = await party.creator.arena.tables.create(
        RULES, SEATS, time_control=control, spectator_delay=spectator_delay(deals=2), title="Mine"
    )
    terms = table.time_control
    assert terms.play_time.ToMilliseconds() == 20_500
    assert terms.bank.ToMilliseconds() == 0
    assert terms.draw_time.seconds == 30  # by default
    assert (terms.absent_after, terms.stand_in) == (7, "")
    assert terms.HasField("stand_in")
    assert (table.spectator_delay.deals, table.title) == (2, "Mine")
    assert (table.created_by, table.deal_seeds) == (party.creator.id, DEAL_SEEDS_SYSTEM)
    assert len(table.seats) == SEATS
    assert not any(seat.player_id for seat in table.seats)
    seeded = await party.host.arena.tables.create(RULES, SEATS, seed="again")
    assert seeded.deal_seeds == DEAL_SEEDS_DERIVED


async def test_a_table_that_is_only_validated_is_not_there(party: Party) -> None:
    table = await party.creator.arena.tables.create(RULES, SEATS, validate_only=True)
    assert (table.id, table.status, table.sequence) == ("", TABLE_STATUS_OPEN, 0)
    assert [table async for table in party.admin.arena.tables.list()] == []


async def test_two_players_race_for_the_last_seat(party: Party) -> None:
    table = await party.open()
    await party.creator.arena.tables.take_seat(table.id, player_id=party.elsewhere.id)
    answers = await asyncio.gather(
        *(told(guest.arena.tables.take_seat(table.id)) for guest in party.others)
    )
    assert sorted(answers) == ["TABLE_FULL", "ok"]
    seats = (await party.admin.arena.tables.get(table.id)).seats
    assert len({seat.player_id for seat in seats}) == SEATS


async def test_a_crowd_at_two_servers_races_for_the_seats(
    api: Api, party: Party, tmp_path: Path
) -> None:
    table = await party.creator.arena.tables.create(RULES, SEATS)
    server = ArenaServer(api.ctx)
    address = await server.start(f"unix:{tmp_path}/second.sock")
    crowd: dict[str, Arena] = {}
    async with contextlib.AsyncExitStack() as connections:
        for number in range(10):
            player = await api.admin.players.create(f"P{number}")
            token = (await api.admin.players.create_token(player.id)).secret
            at = (api.address, address)[number % 2]
            arena = await connections.enter_async_context(Arena.connect(at, token=token))
            crowd[player.id] = arena
        answers = await asyncio.gather(
            *(told(arena.tables.take_seat(table.id)) for arena in crowd.values())
        )
        assert sorted(answers) == ["TABLE_FULL"] * (10 - SEATS) + ["ok"] * SEATS
        seats = (await party.admin.arena.tables.get(table.id)).seats
        assert len({seat.player_id for seat in seats}) == SEATS
        winners = [crowd[seat.player_id] for seat in seats]
        await asyncio.gather(*(arena.tables.ready(table.id) for arena in winners))
        for seat, arena in enumerate(winners):  # each reads what was written at the other
            assert (await arena.tables.get(table.id)).view.seat == seat
    await server.stop(0.1)
    assert (await log_of(party, table.id)).count("table_started") == 1


async def test_the_last_two_who_are_ready_start_one_game(party: Party) -> None:
    table = await party.full()
    guests = (party.seated, *party.others)
    await asyncio.gather(*(guest.arena.tables.ready(table.id) for guest in guests))
    log = await log_of(party, table.id)
    assert log.count("seat_ready") == 3
    assert log[-3:] == ["table_started", "deal_committed", "deal_started"]


async def test_a_seat_that_is_taken_is_refused(party: Party) -> None:
    table = await party.open()
    taken = party.elsewhere.arena.tables.take_seat(table.id, seat=0)
    assert await told(taken) == "SEAT_TAKEN"
    assert await party.elsewhere.arena.tables.take_seat(table.id, seat=2) == 2
    assert await party.elsewhere.arena.tables.take_seat(table.id) == 2
    other = party.elsewhere.arena.tables.take_seat(table.id, seat=1)
    assert await told(other) == "ALREADY_SEATED"


async def test_house_bots_are_seated_and_play_to_the_end(api: Api, party: Party) -> None:
    table = await party.creator.arena.tables.create(RULES, SEATS)
    for number in range(SEATS):
        bot = await api.admin.players.create(f"Bot {number}", house_bot="greedy")
        await party.creator.arena.tables.take_seat(table.id, player_id=bot.id)
    started = await party.creator.arena.tables.get(table.id)
    assert started.status == TABLE_STATUS_PLAYING
    assert all(seat.ready and not seat.HasField("bank") for seat in started.seats)
    await drain(api.ctx)
    ended = await party.creator.arena.tables.get(table.id)
    assert ended.status == TABLE_STATUS_FINISHED
    assert sorted(ended.score_sheet.places)[0] == 1


async def test_a_player_leaves_in_mid_game_and_comes_back(party: Party) -> None:
    table = await party.playing()
    guest = await party.in_turn(table.id)
    seat = (party.seated, *party.others).index(guest)
    await guest.arena.tables.leave_seat(table.id)
    left = await guest.arena.tables.get(table.id)
    assert left.seats[seat].absent
    assert left.seats[seat].player_id == guest.id
    assert left.view.seat == seat  # who is absent still sees the own cards
    assert left.decision.deadline.ToMilliseconds() - left_ms(left) == 1_000
    assert await guest.arena.tables.take_seat(table.id) == seat
    back = await guest.arena.tables.get(table.id)
    assert not back.seats[seat].absent
    assert back.decision.deadline.ToMilliseconds() - left_ms(back) == 30_000
    await guest.arena.tables.leave_seat(table.id)
    await guest.arena.tables.act(table.id, back.decision.actions[0])
    assert not (await guest.arena.tables.get(table.id)).seats[seat].absent
    assert (await log_of(party, table.id)).count("seat_returned") == 2


def left_ms(table: Table) -> int:
    """Return when the table was created: the clock of these tests stands still."""
    return table.create_time.ToMilliseconds()


async def test_a_pause_gives_back_exactly_what_was_left(party: Party, clock: Clock) -> None:
    table = await party.playing()
    guest = await party.in_turn(table.id)
    clock.now_ms += 12_345
    before = (await guest.arena.tables.get(table.id)).decision
    await party.creator.arena.tables.pause(table.id)
    paused = await guest.arena.tables.get(table.id)
    assert paused.status == TABLE_STATUS_PAUSED
    assert not paused.HasField("decision")
    assert not paused.waiting_seats
    assert len(paused.view.hand) == 9
    clock.now_ms += 7_000_000
    await party.creator.arena.tables.resume(table.id)
    after = (await guest.arena.tables.get(table.id)).decision
    stood_ms = after.deadline.ToMilliseconds() - before.deadline.ToMilliseconds()
    assert stood_ms == 7_000_000
    assert after.deadline.ToMilliseconds() - clock.now_ms == 30_000 - 12_345
    assert after.own_time_end.ToMilliseconds() - before.own_time_end.ToMilliseconds() == stood_ms
    assert after.actions == before.actions


async def test_what_a_call_waits_for_in_the_arena_is_not_its_players_time(
    api: Api, party: Party, clock: Clock
) -> None:
    table = await party.playing(time_control=time_control(draw_time=10, bank=100))
    guest = await party.in_turn(table.id)
    seat = (party.seated, *party.others).index(guest)
    actions = (await guest.arena.tables.get(table.id)).decision.actions
    await guest.arena.tables.act(table.id, actions[0])  # from here on the bank may be used
    while (await party.in_turn(table.id)) is not guest or not await draws(guest, table.id):
        mover = await party.in_turn(table.id)
        seen = await mover.arena.tables.get(table.id)
        await mover.arena.tables.act(table.id, seen.decision.actions[-1])
    seen = await guest.arena.tables.get(table.id)
    clock.now_ms += 15_000
    held = await api.ctx.store.acquire(TABLES, table.id, lease_ms=5_000, wait_s=1)
    api.server._gate.shut()  # as if finding out who calls took long
    acting = asyncio.create_task(guest.arena.tables.act(table.id, seen.decision.actions[0]))
    await asyncio.sleep(0.1)
    clock.now_ms += 20_000
    api.server._gate.open()
    await asyncio.sleep(0.1)
    clock.now_ms += 20_000
    await api.ctx.store.release(held)
    await acting
    bank = (await guest.arena.tables.get(table.id)).seats[seat].bank
    assert bank.ToMilliseconds() == 95_000


async def draws(guest: Guest, table_id: str) -> bool:
    """Return whether the guest is to draw."""
    seen = await guest.arena.tables.get(table_id)
    return any(action.HasField("draw_stock") for action in seen.decision.actions)


async def test_an_adjudicated_game_is_over_for_good(party: Party) -> None:
    table = await party.playing()
    guest = await party.in_turn(table.id)
    actions = (await guest.arena.tables.get(table.id)).decision.actions
    await party.creator.arena.tables.adjudicate(table.id, "a tie", (1, 1, 3))
    ended = await guest.arena.tables.get(table.id)
    assert (ended.status, ended.reason) == (TABLE_STATUS_FINISHED, "a tie")
    assert list(ended.score_sheet.places) == list(ended.adjudicated_places) == [1, 1, 3]
    assert ended.HasField("finish_time")
    assert not ended.HasField("decision")
    assert await told(guest.arena.tables.act(table.id, actions[0])) == "WRONG_STATUS"


async def test_without_places_the_scored_deals_decide(party: Party) -> None:
    table = await party.playing()
    await party.creator.arena.tables.adjudicate(table.id, "it is late")
    ended = await party.admin.arena.tables.get(table.id)
    assert list(ended.adjudicated_places) == [1, 1, 1]


async def test_a_table_of_a_tournament_is_adjudicated_by_its_host(api: Api, party: Party) -> None:
    tournaments = party.host.arena.tournaments
    tournament = await tournaments.create(
        "Cup",
        rule_set=RULES,
        seats_per_table=SEATS,
        advance_per_table=1,
        time_control=time_control(play_time=7),
        spectator_delay=spectator_delay(seconds=60),
    )
    assert tournament.options.time_control.play_time.seconds == 7
    assert tournament.options.spectator_delay.time.seconds == 60
    for guest in (party.seated, *party.others):
        await tournaments.register(tournament.id, guest.id)
    await tournaments.start(tournament.id)
    await drain(api.ctx)
    [round_] = await tournaments.bracket(tournament.id)
    table_id, tables = round_.pairings[0].table_id, party.host.arena.tables
    table = await party.seated.arena.tables.get(table_id)
    assert (table.time_control.play_time.seconds, table.created_by) == (7, party.host.id)
    assert table.deal_seeds == DEAL_SEEDS_SYSTEM
    assert await told(tables.close(table_id, "rain")) == "IN_TOURNAMENT"
    assert await told(party.creator.arena.tables.pause(table_id)) == "NOT_DIRECTOR"
    await tables.adjudicate(table_id, "rain", (3, 1, 2))
    await drain(api.ctx)
    [round_] = await tournaments.bracket(tournament.id)
    assert [seat.place for seat in round_.pairings[0].result.seats] == [3, 1, 2]
    assert list(round_.advancing) == [round_.pairings[0].entrants[1]]


async def test_nobody_comes_to_an_open_table(api: Api, party: Party, clock: Clock) -> None:
    table = await party.open()
    clock.now_ms += 3_600_001
    await expire_turn(api.ctx, table.id)
    closed = await party.admin.arena.tables.get(table.id)
    assert (closed.status, closed.reason) == (TABLE_STATUS_CLOSED, "the game did not start in time")
    assert (await log_of(party, table.id))[-1] == "table_closed"


async def test_a_player_cannot_fill_the_arena_with_tables(api: Api, party: Party) -> None:
    tables = party.creator.arena.tables
    request = pb.CreateTableRequest(request_id="first")
    request.options.rule_set_id, request.options.seats = RULES, SEATS
    first = (await ask(party.creator, "CreateTable", request)).table.id
    for _ in range(MOST_TABLES - 1):
        await tables.create(RULES, SEATS)
    for _ in range(2):
        assert await told(tables.create(RULES, SEATS)) == "TOO_MANY_TABLES"
    assert (await ask(party.creator, "CreateTable", request)).table.id == first
    assert await told(party.seated.arena.tables.create(RULES, SEATS)) == "ok"
    for _ in range(MOST_TABLES + 1):
        await party.host.arena.tables.create(RULES, SEATS)
    await tables.close(first, "another instead")
    await tables.create(RULES, SEATS)
    assert await told(tables.create(RULES, SEATS)) == "TOO_MANY_TABLES"


async def test_a_closed_table_tells_why(party: Party) -> None:
    table = await party.playing()
    await party.creator.arena.tables.close(table.id, "fire alarm")
    closed = await party.elsewhere.arena.tables.get(table.id)
    assert (closed.status, closed.reason) == (TABLE_STATUS_CLOSED, "fire alarm")
    assert list(closed.adjudicated_places) == []
    updates = [update async for update in party.spectator.arena.tables.watch(table.id, after=0)]
    assert updates[-1].event.table_closed.by_player_id == party.creator.id


async def test_whoever_creates_a_table_again_is_behind_as_spectators_are(party: Party) -> None:
    request = pb.CreateTableRequest(request_id="mine")
    request.options.rule_set_id, request.options.seats = RULES, SEATS
    request.options.spectator_delay.deals = 1
    created = (await ask(party.creator, "CreateTable", request)).table
    for guest in (party.seated, *party.others):
        await guest.arena.tables.take_seat(created.id)
        await guest.arena.tables.ready(created.id)
    again = (await ask(party.creator, "CreateTable", request)).table
    assert (again.id, again.status) == (created.id, TABLE_STATUS_PLAYING)
    assert not again.HasField("view")
    assert (await party.seated.arena.tables.get(created.id)).HasField("view")
