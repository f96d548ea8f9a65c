"""What a tournament waits for: thing by thing, table by table, deadline by deadline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from rummy_arena.game.state import Game, Phase
from services.state.context import Context
from services.state.errors import NotFound
from services.state.records import Life, RoundRecord, Status, TableRecord, TournamentRecord
from services.state.tables import is_sealed, table_game, table_record

from .commit_tournament import next_look_ms
from .fewest import fewest_entrants
from .principals import Principal
from .schedule import check_in_opens_ms
from .tournament import TABLES, TournamentSnapshot, read_tournament, table_id
from .tournament_parts import read_round, results_so_far

TURN_PHASES = (Phase.DRAW, Phase.PLAY)


class Reason(Enum):
    """What a tournament waits for."""

    HOST_TO_START = "its host starts it"
    START_TIME = "its time to start"
    FULL_FIELD = "more entrants, until every place is taken"
    MIN_ENTRANTS = "more entrants, without whom it will be called off"
    CHECK_INS = "entrants to check in, or they will not play"
    HOST_TO_RESUME = "a director lets it go on"
    ROUND_BEGIN = "the break before the round to end"
    TABLES = "tables to finish"
    NEXT_STEP = "a worker to take the next step, which has been sent for"


class TableReason(Enum):
    """What a table of a tournament waits for."""

    NOT_OPEN = "a worker to open it, which has been sent for"
    PLAYERS = "players to decide"
    HOUSE_BOTS = "house bots to play on"
    PAUSED = "a director lets it go on"
    RESULT_ON_ITS_WAY = "its result to be counted"


@dataclass(frozen=True, slots=True)
class Awaited:
    """One thing that a tournament waits for; ``deadline_ms`` 0 is without end."""

    reason: Reason
    deadline_ms: int = 0
    missing: int = 0


@dataclass(frozen=True, slots=True)
class AwaitedTable:
    """A table that a tournament waits for; what is going on there is for directors only."""

    number: int
    table_id: str
    reason: TableReason
    deal: int = 0
    entrants: tuple[int, ...] = ()
    deadline_ms: int = 0


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a tournament waits for, and a page of the tables that have not finished."""

    snapshot: TournamentSnapshot
    awaited: tuple[Awaited, ...]
    tables: tuple[AwaitedTable, ...]
    more: bool  # whether further tables have not finished


async def explain_tournament(
    ctx: Context, principal: Principal, tournament_id: str, *, after: int, limit: int
) -> Explanation:
    """Return what a tournament waits for, with up to ``limit`` tables of higher number.

    Raises NotFound.
    """
    snapshot = await read_tournament(ctx, tournament_id)
    record, now_ms = snapshot.record, ctx.now_ms()
    if record.status is Status.REGISTERING:
        return Explanation(snapshot, tuple(_before_the_start(record, now_ms)), (), False)
    if record.status not in (Status.RUNNING, Status.PAUSED):
        return Explanation(snapshot, (), (), False)
    round_ = await read_round(ctx, tournament_id, record.rounds[-1])
    done = {result.number for result in await results_so_far(ctx, tournament_id, round_)}
    unfinished = [number for number in range(1, len(round_.tables) + 1) if number not in done]
    shown = [number for number in unfinished if number > after][:limit]
    told = principal.is_host_of(record.created_by)
    begun = record.begun >= round_.number
    tables = [
        await _table(ctx, tournament_id, round_, number, told=told)
        for number in (shown if begun else [])
    ]
    awaited = tuple(_in_play(record, round_, unfinished, now_ms))
    more = begun and bool(shown) and unfinished[-1] > shown[-1]
    return Explanation(snapshot, awaited, tuple(tables), more)


def _before_the_start(record: TournamentRecord, now_ms: int) -> list[Awaited]:
    schedule = record.schedule
    full = schedule.when_full and record.active >= record.capacity
    if full or (schedule.start_ms and now_ms >= schedule.start_ms):
        return [Awaited(Reason.NEXT_STEP, next_look_ms(record, now_ms) or 0)]
    awaited = []
    opens_ms = check_in_opens_ms(schedule)
    fewest = fewest_entrants(record)
    missing = record.active - record.checked_in
    if opens_ms and opens_ms <= now_ms and missing:
        awaited.append(Awaited(Reason.CHECK_INS, schedule.start_ms, missing))
    if schedule.start_ms and record.active < fewest:
        awaited.append(Awaited(Reason.MIN_ENTRANTS, schedule.start_ms, fewest - record.active))
    if schedule.when_full:
        awaited.append(Awaited(Reason.FULL_FIELD, 0, record.capacity - record.active))
    if schedule.start_ms:
        awaited.append(Awaited(Reason.START_TIME, schedule.start_ms))
    return awaited or [Awaited(Reason.HOST_TO_START)]


def _in_play(
    record: TournamentRecord, round_: RoundRecord, unfinished: Sequence[int], now_ms: int
) -> list[Awaited]:
    if record.status is Status.PAUSED:
        return [Awaited(Reason.HOST_TO_RESUME)]
    if record.begun < round_.number:
        return [Awaited(Reason.ROUND_BEGIN, round_.begins_ms)]
    if unfinished:
        return [Awaited(Reason.TABLES, round_.ends_ms, len(unfinished))]
    return [Awaited(Reason.NEXT_STEP, next_look_ms(record, now_ms) or 0)]


async def _table(
    ctx: Context, tournament_id: str, round_: RoundRecord, number: int, *, told: bool
) -> AwaitedTable:
    id_ = table_id(tournament_id, round_.number, number, round_.attempts.get(number, 1))
    try:
        snapshot = await ctx.store.read(TABLES, id_)
    except NotFound:
        return AwaitedTable(number, id_, TableReason.NOT_OPEN)
    record, rules = table_record(id_, snapshot.data)
    if not told or is_sealed(record):
        return _unsaid(number, id_, record)
    reason = _reason(record)
    if record.game is None:
        return AwaitedTable(number, id_, reason)
    game = table_game(id_, record, rules)
    deadline_ms = record.deadline_ms if reason is TableReason.PLAYERS else 0
    return AwaitedTable(
        number, id_, reason, game.deal.number, _to_decide(record, game, reason), deadline_ms
    )


def _unsaid(number: int, id_: str, record: TableRecord) -> AwaitedTable:
    """Tell no more than where the table is in its life.

    Spectators may be behind, a call window may be open, or others still play the same deals.
    """
    reason = _reason(record)
    if reason in (TableReason.PLAYERS, TableReason.HOUSE_BOTS):  # whose turn it is depends on cards
        bots_alone = all(seat.bot for seat in record.seats)
        reason = TableReason.HOUSE_BOTS if bots_alone else TableReason.PLAYERS
    return AwaitedTable(number, id_, reason)


def _reason(record: TableRecord) -> TableReason:
    if record.life is Life.PAUSED:
        return TableReason.PAUSED
    if record.life is not Life.PLAYING:
        return TableReason.RESULT_ON_ITS_WAY
    return TableReason.PLAYERS if record.deadline_ms else TableReason.HOUSE_BOTS


def _to_decide(record: TableRecord, game: Game, reason: TableReason) -> tuple[int, ...]:
    """Return whose turn it is. Who has yet to answer in an open window is told to nobody."""
    if reason is not TableReason.PLAYERS or game.deal.phase not in TURN_PHASES:
        return ()
    return (record.seats[game.deal.turn].entrant,)
