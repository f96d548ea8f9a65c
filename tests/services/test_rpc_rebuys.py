"""Buying back into a game of Kaluki over the wire, and not: answers, silence, and who is out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from rummy_arena.api.v1 import action_pb2, table_pb2
from rummy_arena.client import Arena, ArenaError, rules_of, view_of
from rummy_arena.game import actions, engine
from rummy_arena.game.cards import JOKER_BASE
from rummy_arena.game.state import Phase
from services.play.clocks import EDGE_MS
from services.play.commit import commit_of
from services.play.expire_turn import expire_turn
from services.play.play_bots import play_bots
from services.play.table import TABLES, Table, load_table, new_table
from services.state.records import SeatRecord, TimeControl

from .conftest import Api

WINNER = 1
OUT = (0, 3)  # whose totals the deal lifts above the limit
TOTALS = (145, 100, 20, 140, 10)
REBUY = action_pb2.ACTION_KIND_REBUY
DECLINE = action_pb2.ACTION_KIND_DECLINE


@dataclass
class AboutToEnd:
    """A table of five whose next discard ends a deal and puts two above the limit."""

    api: Api
    id: str
    seats: list[Arena]

    async def end_deal(self) -> None:
        """Let the winner go out."""
        seen = await self.seats[WINNER].tables.get(self.id)
        await self.seats[WINNER].tables.act(self.id, seen.decision.actions[0])

    async def seen(self, seat: int) -> table_pb2.Table:
        """Return the table as the player of a seat sees it."""
        return await self.seats[seat].tables.get(self.id)

    async def stored(self) -> Table:
        """Return the table as it is stored."""
        snapshot = await self.api.ctx.store.read(TABLES, self.id)
        return load_table(self.id, snapshot.data)

    async def expire(self) -> None:
        """Let the time of the present decision run out."""
        due_ms = (await self.stored()).record.deadline_ms + EDGE_MS
        await expire_turn(replace(self.api.ctx, now_ms=lambda: due_ms), self.id)

    async def kinds(self) -> list[str | None]:
        """Return the kinds of the events so far."""
        history = self.seats[0].tables.history(self.id)
        return [event.WhichOneof("event") async for event in history]


@pytest.fixture
async def table(api: Api) -> AboutToEnd:
    records, seats = [], []
    for number in range(5):
        player = await api.admin.players.create(f"P{number}")
        token = await api.admin.players.create_token(player.id)
        records.append(SeatRecord(player.id, player.name, ""))
        seats.append(api.admin.as_bearer(token.secret))
    now_ms, dice = api.ctx.now_ms(), api.ctx.random_bytes
    made, _ = new_table("t1", "kaluki-european", records, bytes(32), now_ms=now_ms, dice=dice)
    lead_up(made)
    commit = commit_of(made, [], (), now_ms=api.ctx.now_ms(), wake=False)
    await api.ctx.store.create(TABLES, made.id, commit.data, deadline_ms=commit.deadline_ms)
    return AboutToEnd(api, made.id, seats)


def lead_up(table: Table) -> None:
    """Make it the last turn of a deal in which nobody but the winner could lay down."""
    game, deal = table.game, table.game.deal
    game.scores, game.winners = [TOTALS], [2]
    game.sum_again()
    deal.number = 2
    while deal.turn != WINNER:
        for _ in range(2):
            move = engine.standard_move(deal, deal.turn)
            engine.apply(deal, deal.turn, move, lambda cards: cards)
    engine.apply(deal, WINNER, actions.DRAW_STOCK, lambda cards: cards)
    hand = deal.hands[WINNER]
    last = next(card for card in hand if card < JOKER_BASE)
    deal.stock[:0] = [card for card in hand if card != last]
    deal.hands[WINNER] = [last]
    deal.opened_turn[WINNER] = 1


async def test_who_is_offered_a_re_buy_is_told_and_may_buy_back(table: AboutToEnd) -> None:
    await table.end_deal()
    first, second = 3, 0  # in turn order after the winner
    seen = await table.seen(first)
    assert seen.view.phase == table_pb2.PHASE_REBUY
    assert (list(seen.waiting_seats), list(seen.decision.kinds)) == ([first], [REBUY, DECLINE])
    assert [a.WhichOneof("action") for a in seen.decision.actions] == ["rebuy", "decline"]
    assert view_of(seen, rules_of(seen)).phase is Phase.REBUY
    assert not (await table.seen(second)).HasField("decision")
    with pytest.raises(ArenaError) as caught:
        await table.seats[second].tables.act(table.id, actions.REBUY)
    assert caught.value.reason == "NOT_YOUR_TURN"
    await table.seats[first].tables.act(table.id, actions.REBUY)
    await table.seats[second].tables.act(table.id, actions.DECLINE)
    sheet = (await table.seen(0)).score_sheet
    best = max(total for seat, total in enumerate(sheet.totals) if seat not in OUT)
    assert sheet.totals[first] == best
    assert list(sheet.rebuys) == [0, 0, 0, 1, 0]
    assert sheet.rebuy_adjustments[first] < 0 == sheet.rebuy_adjustments[second]
    assert list(sheet.eliminated_seats) == [second]
    assert sheet.pot == 6
    assert sum(sheet.ledger) == -sheet.pot
    kinds = [
        "rebuy_offered",
        "rebought",
        "declined",
        "eliminated",
        "deal_committed",
        "deal_started",
    ]
    assert (await table.kinds())[-len(kinds) :] == kinds


async def test_silence_is_no_re_buy_and_each_has_its_own_time(table: AboutToEnd) -> None:
    await table.end_deal()
    before = await table.stored()
    assert before.record.deadline_ms - table.api.ctx.now_ms() <= TimeControl().rebuy_ms == 20_000
    await table.expire()
    between = await table.stored()
    assert between.waiting == (0,)
    began_ms = before.record.deadline_ms + EDGE_MS  # when the arena declined for the first
    assert between.record.deadline_ms == began_ms + TimeControl().rebuy_ms
    assert [seat.missed for seat in between.record.seats] == [0] * 5
    await table.expire()
    after = await table.stored()
    assert sorted(after.game.eliminated) == [0, 3]
    assert after.game.deal.players == (1, 2, 4)


async def test_who_is_out_watches_and_is_never_waited_for(table: AboutToEnd) -> None:
    await table.end_deal()
    for _ in OUT:
        await table.expire()
    for _ in range(30):
        stored = await table.stored()
        assert not set(stored.waiting) & set(OUT)
        await table.expire()
    seen = await table.seen(0)
    assert (seen.view.seat, list(seen.view.players), list(seen.view.hand)) == (0, [1, 2, 4], [])
    assert not seen.HasField("decision")
    with pytest.raises(ArenaError) as caught:
        await table.seats[0].tables.act(table.id, actions.DRAW_STOCK)
    assert caught.value.reason == "NOT_PLAYING"


async def test_absent_people_are_those_who_still_play(table: AboutToEnd) -> None:
    """Who is out and was never absent does not keep a table of absent people slow."""
    await table.end_deal()
    for _ in OUT:
        await table.expire()
    for _ in range(9):
        assert not (await table.stored()).abandoned
        await table.expire()
    assert (await table.stored()).abandoned
    await play_bots(table.api.ctx, table.id, {}, slice_ms=60_000)
    assert (await table.stored()).game.deal.number > 3 or (await table.stored()).game.attempt
