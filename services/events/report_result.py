"""Count a finished table's result in its tournament, once."""

from __future__ import annotations

from rummy_arena.game.rules import RuleSet
from rummy_arena.game.score_sheet import left_out, sudden_wins
from rummy_arena.game.series import tally
from services.state.codec import TABLE_RESULT
from services.state.context import Context
from services.state.messages import AdvanceTournament, encode_message
from services.state.records import Life, SeatResultRecord, TableRecord, TableResultRecord
from services.state.store import Batch
from services.state.tables import table_game, table_record
from services.state.tournament_log import TableFinished, encode_tournament_events

from .forfeits import with_forfeits
from .ladders.count_result import count_result
from .tournament import TABLES, TOURNAMENTS, WATCHDOG_MS, result_field


async def report_result(ctx: Context, table_id: str) -> bool:
    """Enter the result of a finished table; return whether this call was the one that counted.

    Of an adjudicated game the places are those that were decided on, and the rest is what its
    scored deals say; a table that was closed has no result. Elsewhere a player who did nothing in
    the whole first deal has forfeited and is placed last. The report that completes the round
    sends for the tournament's next step. Raises NotFound.
    """
    snapshot = await ctx.store.read(TABLES, table_id)
    record, rules = table_record(table_id, snapshot.data)
    if record.origin is None or record.life is not Life.FINISHED:
        return False
    origin = record.origin
    result_record = _result_record(table_id, record, rules)
    if origin.ladder_id:
        return await count_result(ctx, origin.ladder_id, origin.number, result_record.seats)
    event = TableFinished(origin.round, result_record)
    now_ms = ctx.now_ms()
    return await ctx.store.report(
        TOURNAMENTS,
        origin.tournament_id,
        result_field(origin.round, origin.number, origin.attempt),
        TABLE_RESULT.encode(result_record),
        events=Batch(1, encode_tournament_events([event]), now_ms),
        message=encode_message(AdvanceTournament(origin.tournament_id)),
        look_ms=now_ms + WATCHDOG_MS,
    )


def _result_record(table_id: str, record: TableRecord, rules: RuleSet) -> TableResultRecord:
    assert record.origin is not None  # noqa: S101  the caller has checked
    game = table_game(table_id, record, rules)
    final, sudden, skipped = tally(game), sudden_wins(game), left_out(game)
    places = record.places or final.places
    deal_points = final.deal_points or ((),) * len(record.seats)  # adjudicated before any deal
    seats = [
        SeatResultRecord(
            entrant=seated.entrant,
            total=final.totals[seat],
            place=places[seat],
            deals_won=final.deals_won[seat],
            down_and_outs=final.down_and_outs[seat],
            calls=final.calls[seat],
            deal_points=list(deal_points[seat]),
            left_out=list(skipped[seat]),
            sudden_wins=sudden[seat],
        )
        for seat, seated in enumerate(record.seats)
    ]
    result = TableResultRecord(
        number=record.origin.number,
        table_id=table_id,
        seats=seats,
        actions=record.actions,
        deals=record.deals,
        finished_ms=record.finished_ms,
        adjudication=record.reason if record.places else "",
        ruled_by=record.ruled_by,
    )
    never_came = {seated.entrant for seated in record.seats if seated.no_show}
    decided_by_hand = record.places and not record.curtailed
    return with_forfeits(result, () if decided_by_hand else never_came)
