"""Outside bots at their seats: they play as house bots do, bear with trouble, and are told why."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import grpc
import pytest

from rummy_arena.bots.bot import Bot, Dice
from rummy_arena.bots.drive import drive
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client import (
    Arena,
    ArenaError,
    BotError,
    BotFailed,
    IllegalChoice,
    NotSeated,
    Result,
    play_seat,
    seat,
)
from rummy_arena.game import actions, series
from rummy_arena.game.actions import Action, ActionKind
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.melds import Meld, MeldKind
from rummy_arena.game.view import View
from rummy_arena.rulesets.registry import get_rule_set
from services.play.create_table import create_table
from services.play.expire_turn import expire_turn
from services.play.play_bots import play_bots
from services.rpc.server import ArenaServer
from services.state.records import SeatRecord
from tests.services.conftest import Api
from tests.workers.carrying import drain

RULES = "kalooki-jamaican"
SHORT = {"contract": "4"}
"""A game of one deal, where more would tell no more."""
SEED = bytes(range(32))


class Asked:
    """Plays as a house bot, does something before each choice, and keeps count."""

    name = "asked"

    def __init__(
        self, before: Callable[[int], None] = lambda _: None, like: Bot = HOUSE_BOTS["greedy"]
    ) -> None:
        self.count = 0
        self._before = before
        self._like = like

    def choose(self, view: View, dice: Dice) -> Action:
        self.count += 1
        self._before(self.count)
        return self._like.choose(view, dice)


class EnoughSeen(Exception):
    """Ends a game that a test need not see to its end."""


class Recorded:
    """Plays at random, writes it down, and ends after some choices."""

    name = "recorded"

    def __init__(self, most: int) -> None:
        self.chosen: list[Action] = []
        self._most = most

    def choose(self, view: View, dice: Dice) -> Action:
        if len(self.chosen) == self._most:
            raise EnoughSeen
        self.chosen.append(HOUSE_BOTS["random"].choose(view, dice))
        return self.chosen[-1]


class Says:
    """Chooses the same whatever it sees, once it is the phase for it."""

    name = "says"

    def __init__(self, choice: Any, kind: ActionKind = ActionKind.DRAW_STOCK) -> None:
        self._choice = choice
        self._kind = kind

    def choose(self, view: View, dice: Dice) -> Action:
        if self._kind in view.kinds:
            return self._choice  # type: ignore[no-any-return]  # whatever a bot may say
        return HOUSE_BOTS["greedy"].choose(view, dice)


async def player(api: Api) -> tuple[str, Arena]:
    """Return a new player and its connection."""
    made = await api.admin.players.create("Outside")
    token = await api.admin.players.create_token(made.id)
    return made.id, api.admin.as_bearer(token.secret)


async def seated(
    api: Api, *bots: str, rule_set: str = RULES, options: dict[str, str] | None = None
) -> tuple[str, list[Arena]]:
    """Return a table whose seats house bots play, or, where no bot is named, players."""
    records, arenas = [], []
    for number, bot in enumerate(bots):
        player_id = f"house-{number}"
        if not bot:
            player_id, arena = await player(api)
            arenas.append(arena)
        records.append(SeatRecord(player_id, bot or f"P{number}", bot))
    table_id = api.ctx.new_id()
    await create_table(api.ctx, table_id, rule_set, records, SEED, options=options)
    return table_id, arenas


@asynccontextmanager
async def house(api: Api, table_id: str) -> AsyncIterator[None]:
    """Let the house bots of a table play as workers do."""

    closing = False

    async def work() -> None:
        await play_bots(api.ctx, table_id, HOUSE_BOTS, slice_ms=500)
        while not closing:
            await drain(api.ctx)
            await asyncio.sleep(0.002)

    working = asyncio.create_task(work())
    try:
        yield
    finally:
        closing = True
        await working


def at_home(
    *bots: str, rule_set: str = RULES, options: dict[str, str] | None = None
) -> series.GameResult:
    """Return how house bots alone play the same game."""
    rules = get_rule_set(rule_set, options)
    chance = SeededChance(rules, SEED)
    game, _ = series.new_game(rules, len(bots), chance)
    cast = {number: HOUSE_BOTS[bot] for number, bot in enumerate(bots)}
    drive(game, chance, cast, SEED)
    return series.result(game)


def chosen_at_home(most: int) -> list[Action]:
    """Return how seat 0 begins at a random table whose other seats go on until it must decide."""
    chance, recorded = SeededChance(get_rule_set(RULES), SEED), Recorded(most)
    game, _ = series.new_game(get_rule_set(RULES), 3, chance)
    others = {1: HOUSE_BOTS["random"], 2: HOUSE_BOTS["random"]}
    while len(recorded.chosen) < most:
        for cast in (others, {0: recorded}):
            stop = None if cast is others else lambda _: True
            drive(game, chance, cast, SEED, stop=stop)
    return recorded.chosen


def same_game(result: Result, home: series.GameResult) -> bool:
    mine = (result.totals, result.places, result.deals_won, result.deal_points)
    return mine == (home.totals, home.places, home.deals_won, home.deal_points)


@pytest.mark.parametrize(("bot", "at", "options"), [("greedy", 0, {}), ("careful", 2, SHORT)])
async def test_an_outside_bot_plays_as_the_house_bot_does(
    api: Api, bot: str, at: int, options: dict[str, str]
) -> None:
    bots = ["greedy", "careful", "greedy"]
    bots[at] = bot
    table_id, (arena,) = await seated(api, *bots[:at], "", *bots[at + 1 :], options=options)
    asked = Asked(like=HOUSE_BOTS[bot])
    async with house(api, table_id):
        result = await play_seat(arena, table_id, asked, seed=SEED)
    assert same_game(result, at_home(*bots, options=options))
    assert (result.seat, result.round) == (at, 0)
    assert (result.total, result.place) == (result.totals[at], result.places[at])
    assert (result.decisions, result.too_late) == (asked.count, 0)


@pytest.mark.parametrize(
    ("rule_set", "options"),
    [
        ("kalooki-bonus", {"short_form": "on", "stakes": "4"}),
        ("carioca-argentine", {}),
        ("kaluki-european", {"rebuys": "2", "deals": "5"}),
        ("kaluki-american", {"ace": "high_or_low"}),
    ],
)
async def test_an_outside_bot_plays_every_game(
    api: Api, rule_set: str, options: dict[str, str]
) -> None:
    bots = ("greedy", "careful", "greedy")
    table_id, (arena,) = await seated(api, "", *bots[1:], rule_set=rule_set, options=options)
    async with house(api, table_id):
        result = await play_seat(arena, table_id, Asked(), seed=SEED)
    home = at_home(*bots, rule_set=rule_set, options=options)
    assert same_game(result, home)
    assert result.ledger in ((), home.ledger)
    assert bool(result.ledger) is any(home.ledger)


async def test_every_seat_may_be_an_outside_bot(api: Api) -> None:
    table_id, arenas = await seated(api, "", "", "", options=SHORT)
    bots = [Asked() for _ in arenas]
    results = await asyncio.gather(
        *(play_seat(arena, table_id, bot) for arena, bot in zip(arenas, bots, strict=True))
    )
    assert [result.seat for result in results] == [0, 1, 2]
    home = at_home("greedy", "greedy", "greedy", options=SHORT)
    assert all(same_game(result, home) for result in results)
    assert [result.decisions for result in results] == [bot.count for bot in bots]


async def test_dice_are_those_of_the_seed_and_the_place(api: Api) -> None:
    table_id, (arena,) = await seated(api, "", "random", "random")
    bot = Recorded(150)
    async with house(api, table_id):
        with pytest.raises(BotFailed):
            await play_seat(arena, table_id, bot, seed=SEED)
    assert bot.chosen == chosen_at_home(150)


async def test_a_finished_table_is_only_told_of(api: Api) -> None:
    table_id, (arena,) = await seated(api, "", "greedy", "greedy", options=SHORT)
    async with house(api, table_id):
        first = await play_seat(arena, table_id, HOUSE_BOTS["greedy"])
    bot = Asked()
    again = await play_seat(arena, table_id, bot)
    assert again == replace(first, decisions=0)
    assert bot.count == 0


async def test_it_plays_on_when_the_server_is_replaced(api: Api) -> None:
    table_id, (arena,) = await seated(api, "greedy", "", "greedy")
    server = ArenaServer(api.ctx)
    address = await server.start("127.0.0.1:0")
    due, moves = asyncio.Event(), 0

    async def move() -> None:
        nonlocal server, moves
        while True:
            await due.wait()
            due.clear()
            await server.stop(0.05)
            server = ArenaServer(api.ctx)
            await server.start(address)
            moves += 1

    def before(count: int) -> None:
        if count in (5, 40, 90):
            due.set()

    moving = asyncio.create_task(move())
    try:
        async with house(api, table_id), Arena.connect(address, token=arena._caller.token) as mine:
            result = await play_seat(mine, table_id, Asked(before))
    finally:
        moving.cancel()
        await server.stop(0.1)
    assert moves == 3
    assert same_game(result, at_home("greedy", "greedy", "greedy"))
    assert result.too_late == 0


async def test_a_decision_that_passed_meanwhile_is_borne(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id, (arena,) = await seated(api, "greedy", "", "greedy")
    late = replace(api.ctx, now_ms=lambda: api.ctx.now_ms() + 3_600_000)
    bot, act = Asked(), arena.tables.act

    async def slow_act(table_id: str, action: Any) -> Any:
        if bot.count % 7 == 0:
            await expire_turn(late, table_id)
        return await act(table_id, action)

    monkeypatch.setattr(arena.tables, "act", slow_act)
    async with house(api, table_id):
        result = await play_seat(arena, table_id, bot)
    assert result.too_late > 5  # an expiry that meets the house bots at the table does nothing
    assert result.decisions + result.too_late == bot.count


async def test_it_does_not_poll(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """While others think nothing is asked, and after a burst of theirs the table only once."""
    table_id, (arena, first) = await seated(api, "", "", "greedy", options=SHORT)
    reads, get = 0, arena.tables.get

    async def counted(table_id: str) -> Any:
        nonlocal reads
        reads += 1
        return await get(table_id)

    monkeypatch.setattr(arena.tables, "get", counted)
    bot = Asked()
    playing = asyncio.create_task(play_seat(arena, table_id, bot))
    try:
        await asyncio.sleep(0.5)
        assert (reads, bot.count) == (0, 0)
        async with house(api, table_id):
            other = asyncio.create_task(play_seat(first, table_id, HOUSE_BOTS["greedy"]))
            result = await playing
            await other
    finally:
        playing.cancel()
    assert result.decisions < reads < 4 * result.decisions


async def failure(api: Api, bot: Bot) -> BotError:
    """Return what the author of a bot at seat 0 is told."""
    table_id, (arena,) = await seated(api, "", "greedy", "greedy")
    async with house(api, table_id):
        with pytest.raises(BotError) as caught:
            await asyncio.wait_for(play_seat(arena, table_id, bot), 20)
    error = caught.value
    assert (error.bot, error.table_id) == (bot.name, table_id)
    assert error.view.seat == 0
    for told in (bot.name, table_id, f"event {error.sequence}", error.view.kinds[0].name):
        assert told in str(error)
    return error


async def test_a_bot_that_raises_is_named(api: Api) -> None:
    def before(count: int) -> None:
        if count == 3:
            raise ZeroDivisionError("no odds")

    error = await failure(api, Asked(before))
    assert isinstance(error, BotFailed)
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert "ZeroDivisionError: no odds" in str(error)


@pytest.mark.parametrize(
    ("choice", "kind", "problem"),
    [
        (None, ActionKind.DRAW_STOCK, "None"),
        (actions.ALLOW, ActionKind.DRAW_STOCK, "ALLOW"),
        (actions.CALL, ActionKind.DISCARD, "CALL"),
        (actions.discard(250), ActionKind.DISCARD, "250"),
        (actions.discard(207), ActionKind.DISCARD, "CARD_NOT_HELD"),
        (actions.lay_off(0, -1), ActionKind.LAY_OFF, "target=-1"),
        (actions.lay_off(207, 99), ActionKind.LAY_OFF, "UNKNOWN_MELD"),
        (actions.open_with(), ActionKind.OPEN, "action.open.melds"),
        (actions.open_with(Meld(MeldKind.SET, (0, 0, 0))), ActionKind.OPEN, "REPEATED_CARD"),
    ],
)
async def test_an_illegal_choice_is_named(
    api: Api, choice: Any, kind: ActionKind, problem: str
) -> None:
    error = await failure(api, Says(choice, kind))
    assert isinstance(error, IllegalChoice)
    assert problem in error.problem
    assert kind in error.view.kinds


async def test_whoever_has_no_seat_is_told_so(api: Api) -> None:
    table_id, _ = await seated(api, "greedy", "greedy", "greedy")
    _, outside = await player(api)
    with pytest.raises(NotSeated, match=table_id):
        await play_seat(outside, table_id, Asked())


async def test_a_wrong_table_is_refused_at_once(api: Api) -> None:
    with pytest.raises(ArenaError) as caught:
        await asyncio.wait_for(play_seat(api.admin, "nowhere", Asked()), 5)
    assert caught.value.reason == "NOT_FOUND"


async def test_lasting_trouble_reaches_the_caller(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id, (arena, *_) = await seated(api, "", "", "")
    calls = 0

    async def act(table_id: str, action: Any) -> Any:
        nonlocal calls
        calls += 1
        raise ArenaError(grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE", "no store")

    async def first_seat() -> Arena:
        waiting = (await arena.tables.get(table_id)).waiting_seats[0]
        return (arena, *_)[waiting]

    monkeypatch.setattr(seat, "PATIENCE_S", 0.5)
    arena = await first_seat()
    monkeypatch.setattr(arena.tables, "act", act)
    with pytest.raises(ArenaError) as caught:
        await asyncio.wait_for(play_seat(arena, table_id, Asked()), 10)
    assert caught.value.reason == "STORE_UNAVAILABLE"
    assert 3 < calls < 20
