"""No byte that leaves for a seat or a spectator depends on a card that it may not see (X-15).

Of many moments of whole games two twins are stored, which differ in whatever one viewer may not
see; then both are asked the very same, and every byte must be the same.

``RUMMY_ARENA_LEAK_MOMENTS`` sets how many moments of each game are looked at.
"""

from __future__ import annotations

import asyncio
import copy
import os
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

from rummy_arena.api.v1 import action_pb2, table_export_pb2
from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.client.wire import action_message
from rummy_arena.game import series
from rummy_arena.game.actions import DRAW_DISCARD, DRAW_STOCK, HIGH, LOW, NONE, Action, ActionKind
from rummy_arena.game.checks import prepare
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.events import DealEnded, DealStarted, Event, Reshuffled
from rummy_arena.game.melds import Meld, MeldKind
from rummy_arena.game.state import Phase
from services.rpc.errors import status_of, told
from services.state.records import SeedPolicy, Terms, Visibility
from tests.state.whole_games import SAMPLES, Sample

from .sides import Side, Stored, both, history, two_sides
from .twins import (
    PINNED,
    Moment,
    SealedChance,
    chosen,
    moments,
    seen,
    twin_of,
    with_other_answers,
)

MOMENTS = int(os.environ.get("RUMMY_ARENA_LEAK_MOMENTS", "10"))
SEED = bytes(range(32))
WRONG = 10
"""Actions that are refused over the wire at each moment; many more are in this process."""
MORE = (
    Sample("carioca-argentine", 3, 5),
    Sample("kalooki-jamaican", 6, 8),
    Sample("kaluki-american", 2, 4),
)
GAMES = (*SAMPLES, *MORE) if MOMENTS > 10 else SAMPLES


@pytest.fixture
async def sides(valkey_url: str, tmp_path: Path) -> AsyncIterator[tuple[Side, Side]]:
    async with two_sides(valkey_url, tmp_path) as both_sides:
        yield both_sides


@dataclass(frozen=True)
class Twins:
    """Two moments that a viewer cannot tell apart."""

    one: Moment
    other: Moment
    viewer: int


def twins_of(moment: Moment, viewer: int, dice: Random) -> Twins:
    """Return twins as different as can be."""
    other = twin_of(moment, viewer, dice, keep=set())
    return Twins(moment, with_other_answers(other, viewer, dice), viewer)


def lasting_twins_of(moment: Moment, viewer: int, dice: Random) -> Twins | None:
    """Return twins that are twins still after the next action, if there can be such."""
    deal, action = moment.game.deal, moment.action
    if action is None:
        return None
    keep = {action.card, action.also, *[c for meld in action.melds for c in meld.cards]}
    if moment.seat == viewer or deal.phase in (Phase.CALL_WINDOW, Phase.CALL_DECISION):
        keep |= {*deal.stock[-PINNED:]}
    other = twin_of(moment, viewer, dice, keep=keep)
    hands = twin_of(moment, viewer, dice, keep=keep.union(*deal.hands))
    for candidate in (with_other_answers(other, viewer, dice), other, hands):
        if alike_after(moment, candidate, viewer):
            return Twins(moment, as_told(moment, candidate), viewer)
    return None


def alike_after(one: Moment, other: Moment, viewer: int) -> bool:
    """Return whether the next action is legal for both and tells the viewer the same."""
    try:
        ours, theirs = [
            [seen(event, viewer, at.rules, at.game.seats) for event in applied(at)]
            for at in (one, other)
        ]
    except RuleViolation:
        return False
    return ours == theirs


def applied(moment: Moment) -> list[Event]:
    """Return what the next action of a moment leads to; the moment stays as it is."""
    game = copy.deepcopy(moment.game, {id(moment.rules): moment.rules})
    assert moment.action is not None
    chance = SealedChance(moment.rules, game.seats, "any")
    return series.apply(game, moment.seat, moment.action, chance)


def as_told(one: Moment, other: Moment) -> Moment:
    """Return the other moment with the seeds of the first, where the next action needs them.

    They are told at the end of a deal, and decide what is drawn from a pile that is shuffled anew.
    """
    needed = any(isinstance(event, DealEnded | Reshuffled) for event in applied(one))
    return replace(other, seeds=one.seeds) if needed else other


def wrong_actions(twins: Twins, dice: Random, count: int) -> list[Action]:
    """Return actions of the viewer that are refused, named cards and all, of every kind."""
    deal, other = twins.one.game.deal, twins.other.game.deal
    pack = twins.one.rules.pack
    hidden = [c for hands in (deal.hands, other.hands) for hand in hands for c in hand] or [*pack]
    melds = len(deal.melds)

    def card() -> int:
        return dice.choice(hidden if dice.random() < 0.7 else pack)

    def meld() -> Meld:
        kind = dice.choice((MeldKind.SET, MeldKind.RUN))
        return Meld(kind, tuple([card() for _ in range(dice.choice((3, 3, 4)))]))

    found: list[Action] = []
    while len(found) < count:
        kind = dice.choice(list(ActionKind))
        action = Action(kind)
        match kind:
            case ActionKind.DISCARD:
                action = Action(kind, card())
            case ActionKind.LAY_OFF | ActionKind.MOVE_JOKER:
                end = dice.choice((NONE, LOW, HIGH))
                action = Action(kind, card(), dice.randrange(melds + 1), end=end)
            case ActionKind.TAKE_JOKER:
                action = Action(
                    kind, card(), dice.randrange(melds + 1), onto=dice.randrange(melds + 1)
                )
            case ActionKind.OPEN:
                action = Action(kind, melds=(meld(), meld()))
            case ActionKind.MELD:
                action = Action(kind, melds=(meld(),))
            case ActionKind.DRAW_AND_OPEN:
                action = Action(kind, deal.top, melds=(meld(), meld()))
        found.append(action)
    return found


def refusal(moment: Moment, viewer: int, action: Action) -> bytes:
    """Return the status with which an action is refused, b"" where it is not."""
    try:
        prepare(moment.game.deal, viewer, action)
    except RuleViolation as violation:
        answer = told(violation)
        assert answer is not None
        status: bytes = status_of(answer).SerializeToString()
        return status
    return b""


def asked_of(moment: Moment, dice: Random) -> tuple[int, int]:
    """Return two cursors: the beginning or somewhere of the running deal."""
    starts = [n for n, event in enumerate(moment.log) if isinstance(event, DealStarted)]
    first = 0 if dice.random() < 0.2 else starts[-1]
    return first, dice.randrange(starts[-1], len(moment.log) + 1)


async def store(sides: Sequence[Side], twins: Twins, table_id: str, stored: Stored) -> None:
    """Store each twin on its side, with a seed of its own and the same chance to come."""
    for at, one, seed in zip(sides, (twins.one, twins.other), (SEED, SEED[::-1]), strict=True):
        at.dice.seed(table_id)
        await at.store(table_id, one, replace(stored, seed=seed))


async def look(sides: Sequence[Side], twins: Twins, table_id: str, dice: Random) -> None:
    """Ask everything that can be asked of a table without changing it."""
    who = f"p{twins.viewer}" if twins.viewer >= 0 else "watcher"
    length = len(twins.one.log)
    over = twins.one.game.over
    await both(sides, who, "GetTable", pb.GetTableRequest(table_id=table_id))
    assert await history(sides, who, table_id, dice.choice((90, 500, 1000)))
    listed = await both(sides, who, "ListTables", pb.ListTablesRequest(page_size=2))
    assert listed[0] == "ok"
    for cursor in asked_of(twins.one, dice):
        request = pb.WatchTableRequest(table_id=table_id, after_sequence=cursor)
        one, other = [at.open(who, "WatchTable", request) for at in sides]
        ours, theirs = [await at.read(length - cursor + over) for at in (one, other)]
        assert ours == theirs
        assert len(ours) == length - cursor + over
        one.close()
        other.close()
    ahead = pb.WatchTableRequest(table_id=table_id, after_sequence=length + 1)
    one, other = [at.open(who, "WatchTable", ahead) for at in sides]
    assert await one.read(1) == await other.read(1)
    if not over:
        export = table_export_pb2.ExportTableRequest(table_id=table_id)
        one, other = [at.open(who, "ExportTable", export) for at in sides]
        ours = await one.read(1)
        assert ours == await other.read(1)
        assert ours[0][0] == "refused"


async def try_wrong(sides: Sequence[Side], twins: Twins, table_id: str, dice: Random) -> None:
    """Try what is refused, over the wire and, far more of it, in this process."""
    viewer = twins.viewer
    seat = max(viewer, 0)
    tried = wrong_actions(twins, dice, 200)
    answers = [(refusal(twins.one, seat, a), refusal(twins.other, seat, a)) for a in tried]
    if viewer >= 0:
        assert all(ours == theirs for ours, theirs in answers)
    wrong = [a for a, (ours, theirs) in zip(tried, answers, strict=True) if ours and theirs]
    for action in wrong[:WRONG]:
        try:
            message = action_message(action)
        except (KeyError, ValueError):
            continue
        request = pb.ActRequest(request_id="wrong", table_id=table_id, action=message)
        who = f"p{viewer}" if viewer >= 0 else "watcher"
        assert (await both(sides, who, "Act", request))[0] == "refused"


async def go_on(sides: Sequence[Side], twins: Twins, table_id: str) -> None:
    """Let the next action happen while the viewer watches, and look again."""
    who = f"p{twins.viewer}" if twins.viewer >= 0 else "watcher"
    watch = pb.WatchTableRequest(table_id=table_id)
    streams = [at.open(who, "WatchTable", watch) for at in sides]
    ours, theirs = [await stream.read(1) for stream in streams]
    assert ours == theirs
    assert twins.one.action is not None
    message = action_message(twins.one.action)
    request = pb.ActRequest(request_id="next", table_id=table_id, action=message)
    actor = f"p{twins.one.seat}"
    answer = await both(sides, actor, "Act", request)
    assert answer[0] == "ok", answer
    news = pb.ActResponse.FromString(answer[1]).sequence - len(twins.one.log)
    ours, theirs = [await stream.read(news) for stream in streams]
    assert ours == theirs
    assert len(ours) == news
    for stream in streams:
        stream.close()
    await both(sides, who, "GetTable", pb.GetTableRequest(table_id=table_id))
    assert await both(sides, actor, "Act", request) == answer
    other = DRAW_DISCARD if twins.one.action == DRAW_STOCK else DRAW_STOCK
    await both(sides, actor, "Act", replaced(request, action_message(other)))
    await history(sides, who, table_id, 1000)


def replaced(request: pb.ActRequest, action: action_pb2.Action) -> pb.ActRequest:
    """Return the request with the same id and another action."""
    return pb.ActRequest(request_id=request.request_id, table_id=request.table_id, action=action)


async def counted(sides: tuple[Side, Side]) -> None:
    """Compare the metrics; a call is counted a moment after its caller has the answer."""
    for _ in range(50):
        if sides[0].metrics() == sides[1].metrics():
            return
        await asyncio.sleep(0.02)
    assert sides[0].metrics() == sides[1].metrics()


@pytest.mark.parametrize("sample", GAMES, ids=str)
async def test_twins_are_told_apart_by_nobody_who_may_not(
    sides: tuple[Side, Side], sample: Sample
) -> None:
    dice = Random(sample.seed)
    found = moments(sample)
    viewers = range(NONE, sample.seats)
    went_on = 0
    for number, moment in enumerate(chosen(found, MOMENTS, dice)):
        viewer = moment.seat if number % 2 else viewers[number // 2 % len(viewers)]
        cuts = tuple(dice.sample(range(1, len(moment.log) + 1), k=1))
        public = Visibility.PUBLIC if number % 4 == 0 else Visibility.UNLISTED
        stored = Stored(SEED, Terms(seeds=SeedPolicy.SYSTEM, visibility=public), cuts=cuts)
        twins = twins_of(moment, viewer, dice)
        await store(sides, twins, f"table{number}", stored)
        await look(sides, twins, f"table{number}", dice)
        await try_wrong(sides, twins, f"table{number}", dice)
        if (lasting := lasting_twins_of(moment, viewer, dice)) is not None:
            await store(sides, lasting, f"next{number}", stored)
            await go_on(sides, lasting, f"next{number}")
            went_on += 1
    assert went_on > MOMENTS // 2
    await counted(sides)


@pytest.mark.parametrize("sample", GAMES, ids=str)
def test_refusals_of_the_player_in_turn_say_nothing_of_other_cards(sample: Sample) -> None:
    dice = Random(sample.seed)
    found = moments(sample)
    playing = [at for at in found if at.game.deal.phase is Phase.PLAY]
    refused = 0
    picked = dice.sample(playing, min(MOMENTS, len(playing)))
    for moment in (*picked, *chosen(found, MOMENTS // 2, dice)):
        viewer = max(moment.seat, 0)
        twins = twins_of(moment, viewer, dice)
        for action in wrong_actions(twins, dice, 150):
            ours = refusal(twins.one, viewer, action)
            assert ours == refusal(twins.other, viewer, action), action
            refused += bool(ours)
    assert refused > 50 * len(picked)


@pytest.mark.parametrize("how", ["AdjudicateTable", "CloseTable"])
@pytest.mark.parametrize("sample", GAMES[::3], ids=str)
async def test_a_game_that_is_cut_short_keeps_the_secrets_of_its_running_deal(
    sides: tuple[Side, Side], sample: Sample, how: str
) -> None:
    """Only its export shows every card, to whoever may have it."""
    dice = Random(sample.seed)
    found = chosen(moments(sample)[:-1], MOMENTS // 4, dice)
    # Unless many are asked for, of the kinds of moments one half is adjudicated, the other closed.
    picked = found if MOMENTS > 10 else found[how == "CloseTable" :: 2]
    for number, moment in enumerate(picked):
        viewer = range(NONE, sample.seats)[number % (sample.seats + 1)]
        twins = twins_of(moment, viewer, dice)
        table_id = f"cut{number}"
        await store(sides, twins, table_id, Stored(SEED))
        kind = pb.AdjudicateTableRequest if how == "AdjudicateTable" else pb.CloseTableRequest
        cut = kind(request_id="cut", table_id=table_id, reason="it is late")
        assert (await both(sides, "admin", how, cut))[0] == "ok"
        who = f"p{viewer}" if viewer >= 0 else "watcher"
        await both(sides, who, "GetTable", pb.GetTableRequest(table_id=table_id))
        await history(sides, who, table_id, 1000)
        request = pb.WatchTableRequest(table_id=table_id, after_sequence=0)
        ours, theirs = [await at.open(who, "WatchTable", request).read(9_999) for at in sides]
        assert ours == theirs
        assert ours[-1] == "end"
        assert len(ours) == len(moment.log) + 2
        await both(sides, who, "Act", pb.ActRequest(request_id="r", table_id=table_id))
        act = action_message(moment.action or DRAW_STOCK)
        for seat in range(sample.seats):
            late = pb.ActRequest(request_id=f"late{seat}", table_id=table_id, action=act)
            assert (await both(sides, f"p{seat}", "Act", late))[0] == "refused"
