"""No card of a running game gets into the logs, whatever fails (X-15)."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import structlog

from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.bots.bot import Dice
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client.wire import CARD_TEXT, action_message
from rummy_arena.game import actions, engine
from rummy_arena.game.actions import Action
from rummy_arena.game.state import Phase
from rummy_arena.game.view import View
from services.play import play_bots as play_bots_module
from services.play import stand_in as stand_in_module
from services.play.expire_turn import expire_turn
from services.play.play_bots import play_bots
from services.runtime.log_faults import LEFT_OUT, fault_text
from services.runtime.logs import configure_logs
from services.state.records import SeatRecord, TimeControl
from tests.state.whole_games import SAMPLES

from .sides import Side, Stored, both, two_sides
from .twins import Moment, moments, twin_of

VIEWER = 0


@pytest.fixture
async def sides(valkey_url: str, tmp_path: Path) -> AsyncIterator[tuple[Side, Side]]:
    async with two_sides(valkey_url, tmp_path) as both_sides:
        yield both_sides


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What the processes of an arena would write to their logs, everything at all levels."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    written = io.StringIO()
    monkeypatch.setattr("sys.stderr", written)
    configure_logs("api", "debug")
    for module in (play_bots_module, stand_in_module):
        monkeypatch.setattr(module, "log", structlog.get_logger(module.__name__))
    yield written
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines(logged: io.StringIO) -> list[dict[str, Any]]:
    """Return what was logged since the last time, without the times."""
    found = [json.loads(line) for line in logged.getvalue().splitlines()]
    logged.seek(0)
    logged.truncate()
    for line in found:
        line.pop("timestamp")
    return found


class Talkative:
    """A bot that gives up, and says with which cards."""

    name, title = "greedy", "Talkative"

    def choose(self, view: View, dice: Dice) -> Action:
        """Raise."""
        raise LookupError(f"what to do with {view.hand}, {[CARD_TEXT[c] for c in view.hand]}?")


class Clumsy:
    """A bot that wants to throw a card that it does not hold, or holds but must not throw."""

    name, title = "greedy", "Clumsy"

    def choose(self, view: View, dice: Dice) -> Action:
        """Return what is refused, with the card in the refusal."""
        return actions.discard(max(set(range(104)) - {*view.hand}))


def bots_elsewhere(seats: list[SeatRecord]) -> None:
    """Let house bots play all seats but the viewer's."""
    for seat, seated in enumerate(seats):
        seated.bot = "" if seat == VIEWER else "greedy"


def absent_elsewhere(seats: list[SeatRecord]) -> None:
    """Let everybody be absent but the viewer."""
    for seat, seated in enumerate(seats):
        seated.missed = 0 if seat == VIEWER else TimeControl().absent_after


def others_turn() -> Moment:
    """Return a moment at which another seat than the viewer's is in turn."""
    for moment in moments(SAMPLES[0]):
        deal = moment.game.deal
        if deal.turn_number > 5 and deal.phase is Phase.PLAY and deal.turn != VIEWER:
            return moment
    raise AssertionError("no such moment")


@pytest.mark.parametrize("bot", [Talkative(), Clumsy()], ids=["it raises", "it breaks the rules"])
async def test_a_house_bot_s_fault_is_logged_without_its_cards(
    sides: tuple[Side, Side], logged: io.StringIO, bot: Talkative | Clumsy
) -> None:
    moment = others_turn()
    told = []
    for at, one in zip(
        sides, (moment, twin_of(moment, VIEWER, Random(1), keep=set())), strict=True
    ):
        await at.store("t1", one, Stored(bytes(32), seated=bots_elsewhere))
        lines(logged)
        await play_bots(at.ctx, "t1", {"greedy": bot}, slice_ms=0)
        told.append([line for line in lines(logged) if line["event"] == "house bot failed"])
    assert told[0] == told[1]
    assert told[0]
    assert all(LEFT_OUT in line["exception"] for line in told[0])
    assert "choose" in told[0][0]["exception"] or bot.title == "Clumsy"  # where it was is there


async def test_a_stand_in_s_fault_is_logged_without_its_cards(
    sides: tuple[Side, Side], logged: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = others_turn()
    monkeypatch.setitem(HOUSE_BOTS, "greedy", Talkative())
    told = []
    for at, one in zip(
        sides, (moment, twin_of(moment, VIEWER, Random(1), keep=set())), strict=True
    ):
        await at.store("t1", one, Stored(bytes(32), seated=absent_elsewhere))
        lines(logged)
        turn = one.game.deal.turn
        at.now_ms += 60_000
        await expire_turn(at.ctx, "t1")
        failed = [line for line in lines(logged) if line["event"] == "stand-in failed"]
        assert turn in {line["seat"] for line in failed}
        told.append({line["exception"] for line in failed})
    assert told[0] == told[1]


async def test_a_fault_in_the_rules_is_logged_and_told_without_its_cards(
    sides: tuple[Side, Side], logged: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(deal: Any, seat: int, action: Action, shuffle: object) -> None:
        raise KeyError(*deal.hands, *deal.stock)

    moment = others_turn()
    twin = twin_of(moment, VIEWER, Random(1), keep=set())
    monkeypatch.setattr(engine, "apply", broken)
    for at, one in zip(sides, (moment, twin), strict=True):
        await at.store("t1", one, Stored(bytes(32)))
    request = pb.ActRequest(
        request_id="r1", table_id="t1", action=action_message(actions.DRAW_STOCK)
    )
    lines(logged)
    told = await both(sides, f"p{moment.game.deal.turn}", "Act", request)
    assert "INTERNAL" in str(told[1])
    ours, theirs = [line for line in lines(logged) if "incident" in line["event"]]
    assert ours == theirs


def test_a_fault_tells_all_that_cannot_be_a_card() -> None:
    try:
        try:
            raise ConnectionResetError("by the store")
        except ConnectionResetError as lost:
            raise RuntimeError("not written") from lost
    except RuntimeError as error:
        text = fault_text(error)
    assert "ConnectionResetError: by the store" in text
    assert text.endswith("RuntimeError: not written")
    assert text.index("by the store") < text.index("not written")
