"""A tournament comes to its end without a result."""

from __future__ import annotations

from services.state.context import Context
from services.state.messages import Message
from services.state.records import Status
from services.state.tournament_log import Cancelled, TournamentEvent

from .rounds import open_messages
from .tournament_parts import Draft, read_round, results_so_far

EVERYBODY_LEFT = "everybody who was left has withdrawn"
NOBODY_GOES_ON = "nobody goes on: whoever was left has withdrawn or never came"


async def cancelled(
    ctx: Context, tournament_id: str, draft: Draft, reason: str, by: str = ""
) -> tuple[list[TournamentEvent], list[Message]]:
    """Call the tournament off, and its unfinished tables with it."""
    record = draft.record
    messages: list[Message] = []
    if record.rounds and record.begun == len(record.rounds):
        round_ = await read_round(ctx, tournament_id, record.rounds[-1])
        done = {result.number for result in await results_so_far(ctx, tournament_id, round_)}
        messages = open_messages(tournament_id, round_, done)
    record.status, record.reason, record.finished_ms = Status.CANCELLED, reason, ctx.now_ms()
    return [Cancelled(reason, by)], messages
