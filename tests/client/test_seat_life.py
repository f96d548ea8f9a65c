"""A bot at a table of its own: it waits for the game, bears with pauses, and learns of the end."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from rummy_arena.bots.bot import Dice
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client import Arena, NotSeated, TableClosed, play_seat, time_control
from rummy_arena.game.actions import Action
from rummy_arena.game.view import View
from services.play.expire_turn import expire_turn
from tests.services.conftest import Api

from .test_seat import RULES, Asked, house, player


async def gathered(api: Api, *, ready: bool = True) -> tuple[str, Arena]:
    """Return a table at which one player and two house bots sit, and the player's connection."""
    player_id, arena = await player(api)
    table = await api.admin.tables.create(RULES, 3, time_control=time_control(between_deals=0))
    await api.admin.tables.take_seat(table.id, player_id=player_id)
    for number in range(2):
        bot = await api.admin.players.create(f"B{number}", house_bot="greedy")
        await api.admin.tables.take_seat(table.id, player_id=bot.id)
    if ready:
        await arena.tables.ready(table.id)
    return table.id, arena


async def test_a_bot_waits_until_the_game_starts(api: Api) -> None:
    table_id, arena = await gathered(api, ready=False)
    playing = asyncio.create_task(play_seat(arena, table_id, Asked()))
    await asyncio.sleep(0.1)
    assert not playing.done()
    await api.admin.tables.start(table_id)
    async with house(api, table_id):
        result = await asyncio.wait_for(playing, 20)
    assert (result.seat, result.too_late) == (0, 0)
    assert sorted(result.places)[0] == 1


@pytest.mark.parametrize("started", [False, True])
async def test_a_bot_is_told_that_the_table_was_closed(api: Api, started: bool) -> None:
    table_id, arena = await gathered(api, ready=started)
    playing = asyncio.create_task(play_seat(arena, table_id, Asked()))
    await asyncio.sleep(0.05)
    await api.admin.tables.close(table_id, "fire alarm")
    with pytest.raises(TableClosed, match="fire alarm") as caught:
        await asyncio.wait_for(playing, 5)
    assert caught.value.table_id == table_id
    with pytest.raises(TableClosed):
        await play_seat(arena, table_id, Asked())


async def test_a_bot_is_given_the_places_of_an_adjudicated_game(api: Api) -> None:
    table_id, arena = await gathered(api)
    playing = asyncio.create_task(play_seat(arena, table_id, Asked()))
    await asyncio.sleep(0.05)
    await api.admin.tables.adjudicate(table_id, "late", (2, 1, 3))
    result = await asyncio.wait_for(playing, 5)
    assert (result.place, result.places) == (2, (2, 1, 3))
    assert len(result.deal_points) == 3


async def test_a_bot_bears_with_pauses_at_any_moment(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pause may come between a choice and its call, and may be over when the refusal comes."""
    table_id, arena = await gathered(api)
    bot, act, paused = Asked(), arena.tables.act, 0

    async def interrupted(table_id: str, action: Any) -> Any:
        nonlocal paused
        if bot.count % 5:
            return await act(table_id, action)
        paused += 1
        await api.admin.tables.pause(table_id)
        if paused % 2:
            later = asyncio.create_task(resumed())
            try:
                return await act(table_id, action)
            finally:
                await later
        try:
            return await act(table_id, action)
        finally:
            await api.admin.tables.resume(table_id)

    async def resumed() -> None:
        await asyncio.sleep(0.05)
        await api.admin.tables.resume(table_id)

    monkeypatch.setattr(arena.tables, "act", interrupted)
    async with house(api, table_id):
        result = await asyncio.wait_for(play_seat(arena, table_id, bot), 30)
    assert paused > 3
    assert result.too_late == 0
    assert bot.count - result.decisions == paused


async def test_a_bot_that_left_is_back_when_it_acts(api: Api) -> None:
    table_id, arena = await gathered(api)
    await arena.tables.leave_seat(table_id)
    async with house(api, table_id):
        result = await asyncio.wait_for(play_seat(arena, table_id, HOUSE_BOTS["greedy"]), 20)
    assert result.decisions > 0
    log = [event.WhichOneof("event") async for event in arena.tables.history(table_id)]
    assert "seat_absent" in log
    assert "seat_returned" in log


async def test_whoever_has_no_seat_is_told_so_once_the_game_starts(api: Api) -> None:
    table_id, _ = await gathered(api, ready=False)
    _, outside = await player(api)
    playing = asyncio.create_task(play_seat(outside, table_id, Asked()))
    await asyncio.sleep(0.05)
    await api.admin.tables.start(table_id)
    with pytest.raises(NotSeated):
        await asyncio.wait_for(playing, 5)


class Slow(Asked):
    """Thinks beyond the time of its first decisions, and then at once."""

    def choose(self, view: View, dice: Dice) -> Action:
        if self.slow > 0:
            self.slow -= 1
            time.sleep(0.4)
        return super().choose(view, dice)

    slow = 2


async def test_a_bot_that_answers_too_late_plays_on_with_what_the_arena_did(api: Api) -> None:
    player_id, arena = await player(api)
    control = time_control(
        draw_time=0.2, play_time=0.2, call_window=0.2, decision_time=0.2, bank=0, between_deals=0
    )
    table = await api.admin.tables.create(RULES, 3, time_control=control)
    await api.admin.tables.take_seat(table.id, player_id=player_id)
    for number in range(2):
        bot = await api.admin.players.create(f"B{number}", house_bot="greedy")
        await api.admin.tables.take_seat(table.id, player_id=bot.id)
    await arena.tables.ready(table.id)

    async def sweep() -> None:
        while True:
            await asyncio.sleep(0.1)
            await expire_turn(api.ctx, table.id)

    sweeping = asyncio.create_task(sweep())
    async with house(api, table.id):
        result = await asyncio.wait_for(play_seat(arena, table.id, Slow()), 60)
    sweeping.cancel()
    assert result.too_late > 0
    assert result.decisions > 10
