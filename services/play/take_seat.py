"""Somebody takes a seat, or comes back to it."""

from __future__ import annotations

from dataclasses import dataclass

from rummy_arena.game.actions import NONE
from rummy_arena.game.rules import RuleSet
from services.state.context import Context
from services.state.records import Life, SeatRecord, TableRecord
from services.state.table_log import SeatReturned, SeatTaken

from .change import Alteration, Ask, Changed, change, gathered, require_life
from .clocks import is_absent
from .commit import commit_of
from .errors import AlreadySeated, CannotSit, NoSuchSeat, SeatOccupied, TableFull
from .rights import HOLDERS, Person, require_director, require_sight, seat_held
from .table import table_of


@dataclass(frozen=True, slots=True)
class Sitter:
    """The player who is to sit; ``bot`` names the house bot that plays for it."""

    player_id: str
    name: str
    role: str
    bot: str = ""


async def take_seat(
    ctx: Context, person: Person, table_id: str, sitter: Sitter, ask: Ask, *, seat: int = NONE
) -> Changed:
    """Seat a player before the game begins, at ``seat`` or the first free one; return where.

    Players seat themselves; a director seats anybody. A player who sits there already keeps the
    seat, and one who was absent plays it again. The game begins when every seat is taken and ready,
    which a house bot is at once.

    Raises NotFound, WrongLife, CannotSit, NotInvited, NotDirector, AlreadySeated, SeatOccupied,
    NoSuchSeat, TableFull, Busy or RequestReused.
    """

    def alter(record: TableRecord, rules: RuleSet) -> Alteration:
        held = seat_held(record, sitter.player_id)
        if person.player_id == sitter.player_id:
            require_sight(table_id, record, person)
        else:
            require_director(table_id, record, person)
        if held != NONE and seat in (NONE, held):
            return _kept(ctx, table_id, record, rules, held)
        require_life(table_id, record, Life.OPEN)
        if held != NONE:
            raise AlreadySeated(table_id, held)
        return _seated(ctx, table_id, record, rules, sitter, _free(table_id, record, seat))

    content = ("take seat", person.player_id, table_id, sitter.player_id, seat)
    return await change(ctx, table_id, ask, content, alter)


def _free(table_id: str, record: TableRecord, wanted: int) -> int:
    if wanted == NONE:
        free = [seat for seat, seated in enumerate(record.seats) if not seated.player_id]
        if not free:
            raise TableFull(table_id, len(record.seats))
        return free[0]
    if not 0 <= wanted < len(record.seats):
        raise NoSuchSeat(table_id, wanted, len(record.seats))
    if record.seats[wanted].player_id:
        raise SeatOccupied(table_id, wanted)
    return wanted


def _seated(
    ctx: Context, table_id: str, record: TableRecord, rules: RuleSet, sitter: Sitter, seat: int
) -> Alteration:
    if sitter.role not in HOLDERS:
        raise CannotSit(sitter.player_id, sitter.role)
    record.seats[seat] = SeatRecord(
        sitter.player_id, sitter.name, sitter.bot, ready=bool(sitter.bot)
    )
    taken = SeatTaken(seat, sitter.player_id, sitter.name, sitter.bot)
    return Alteration(gathered(ctx, table_id, record, rules, [taken]), seat)


def _kept(
    ctx: Context, table_id: str, record: TableRecord, rules: RuleSet, seat: int
) -> Alteration:
    """The player sits there: nothing changes, except that who was absent is back."""
    if record.life not in (Life.PLAYING, Life.PAUSED) or not is_absent(record, seat):
        return Alteration(None, seat)
    table = table_of(table_id, record, rules, ctx.random_bytes)
    record.seats[seat].missed = 0
    if table.in_turn(seat):
        record.deadline_ms = 0  # its clock starts anew
    commit = commit_of(
        table,
        [SeatReturned(seat)],
        table.decision(),
        now_ms=ctx.now_ms(),
        wake=table.bots_waiting,
    )
    return Alteration(commit, seat)
