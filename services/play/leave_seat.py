"""Somebody leaves a seat."""

from __future__ import annotations

from rummy_arena.game.actions import NONE
from rummy_arena.game.rules import RuleSet
from services.state.context import Context
from services.state.records import Life, SeatRecord, TableRecord
from services.state.table_log import SeatAbsent, SeatLeft

from .change import Alteration, Ask, Changed, change, gathered, require_life
from .clocks import is_absent
from .commit import commit_of
from .errors import NotSeated
from .rights import Person, require_director, seat_held, seat_of
from .stand_in import answer_for_absent
from .table import table_of


async def leave_seat(
    ctx: Context, person: Person, table_id: str, player_id: str, ask: Ask
) -> Changed:
    """Free a player's seat; once the game has begun the seat stays and a stand-in plays it (X-17).

    Players leave by themselves; before the game a director may take anybody out. Who left a game
    comes back by acting, or by taking the seat again.

    Raises NotFound, WrongLife, NotSeated, NotDirector, HouseBotSeat, Busy or RequestReused.
    """

    def alter(record: TableRecord, rules: RuleSet) -> Alteration:
        if person.player_id != player_id:
            require_director(table_id, record, person)
            require_life(table_id, record, Life.OPEN)
        elif seat_held(record, player_id) == NONE:
            raise NotSeated(table_id, player_id)
        require_life(table_id, record, Life.OPEN, Life.PLAYING, Life.PAUSED)
        if record.life is Life.OPEN:
            return _freed(ctx, table_id, record, rules, player_id)
        return _absent(ctx, table_id, record, rules, player_id)

    content = ("leave seat", person.player_id, table_id, player_id)
    return await change(ctx, table_id, ask, content, alter)


def _freed(
    ctx: Context, table_id: str, record: TableRecord, rules: RuleSet, player_id: str
) -> Alteration:
    seat = seat_held(record, player_id)
    if seat < 0:
        raise NotSeated(table_id, player_id)
    record.seats[seat] = SeatRecord("", "", "")
    left = SeatLeft(seat, player_id)
    return Alteration(gathered(ctx, table_id, record, rules, [left]), seat)


def _absent(
    ctx: Context, table_id: str, record: TableRecord, rules: RuleSet, player_id: str
) -> Alteration:
    seat = seat_of(table_id, record, player_id)
    if is_absent(record, seat):
        return Alteration(None, seat)
    table = table_of(table_id, record, rules, ctx.random_bytes)
    before = table.decision()
    record.seats[seat].missed = record.terms.clock.absent_after
    # In an open window it would tell who has not answered yet; there the seat answers at once.
    if table.in_turn(seat):
        record.deadline_ms = 0  # nobody waits for who has left
    events = [SeatAbsent(seat, record.terms.clock.stand_in), *answer_for_absent(table)]
    commit = commit_of(table, events, before, now_ms=ctx.now_ms(), wake=table.bots_waiting)
    return Alteration(commit, seat)
