"""A tournament comes to its end without a result."""

from __future__ import annotations

from services.state.context import Context
from services.state.messages import Message
from services.state.records import Status
from services.state.tournament_log import Cancelled, TournamentEvent

from .rounds import open_messages, replaced_messages
from .tournament_parts import Draft, read_round, results_so_far

EVERYBODY_LEFT = "everybody who was left has withdrawn"
NOBODY_GOES_ON = "nobody goes on: whoever was left has withdrawn or never came"


async def cancelled(
    ctx: Context, tournament_id: str, draft: Draft, reason: str, by: str = ""
) -> tuple[list[TournamentEvent], list[Message]]:
    """Call the tournament off, and its unfinished tables with it: they are sent for twice."""
    record = draft.record
    messages = await _open_tables(ctx, tournament_id, draft)
    record.stalls = 0 if messages else 1
    record.status, record.reason, record.finished_ms = Status.CANCELLED, reason, ctx.now_ms()
    return [Cancelled(reason, by)], messages


async def called_off_again(ctx: Context, tournament_id: str, draft: Draft) -> list[Message]:
    """Send for the tables of a tournament that was called off once more, in case some play on."""
    draft.record.stalls = 1
    return await _open_tables(ctx, tournament_id, draft)


async def _open_tables(ctx: Context, tournament_id: str, draft: Draft) -> list[Message]:
    """Return what sends for every table without a result of the round that is being played."""
    record = draft.record
    if not record.rounds or record.begun < len(record.rounds):
        return []
    round_ = await read_round(ctx, tournament_id, record.rounds[-1])
    done = {result.number for result in await results_so_far(ctx, tournament_id, round_)}
    return open_messages(tournament_id, round_, done) + replaced_messages(tournament_id, round_)
