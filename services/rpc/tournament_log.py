"""A tournament's log as messages: in pages for whoever asks, in payloads for webhooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rummy_arena.api.v1 import tournament_event_pb2 as event_pb
from rummy_arena.api.v1 import tournament_service_pb2 as pb
from services.events.tournament import TOURNAMENTS, read_tournament
from services.state.context import Context
from services.state.logs import LogBatch
from services.state.tournament_log import decode_tournament_events

from .convert_times import timestamp, timestamp_or_none
from .convert_tournament_event import tournament_event_message
from .violations import Fields
from .watching import LARGEST_SEQUENCE, check_cursor


async def list_events(
    ctx: Context, request: pb.ListTournamentEventsRequest
) -> pb.ListTournamentEventsResponse:
    """Return the events after a cursor; raises CursorAhead, CursorTooOld, NotFound."""
    fields = Fields()
    tournament_id = fields.id("tournament_id", request.tournament_id)
    size = fields.page_size(request.page_size, usual=200, largest=1000)
    after = request.after_sequence
    if after > LARGEST_SEQUENCE:
        fields.refuse("after_sequence", "give the sequence of the last event that you have")
    fields.done()
    end = (await read_tournament(ctx, tournament_id)).sequence
    check_cursor(after, end)
    batches = await ctx.store.read_log(TOURNAMENTS, tournament_id, after=after, limit=size)
    through = min(after + size, batches[-1].last if batches else after)
    return pb.ListTournamentEventsResponse(
        events=logged_events(batches, after=after, through=through),
        last_sequence=max(end, through),
        server_time=timestamp(ctx.now_ms()),
    )


def logged_events(
    batches: Sequence[LogBatch], *, after: int, through: int
) -> Iterator[event_pb.LoggedTournamentEvent]:
    """Yield the events of batches after one sequence and up to another."""
    for batch in batches:
        at = timestamp_or_none(batch.at_ms)
        for sequence, event in enumerate(decode_tournament_events(batch.data), start=batch.first):
            if after < sequence <= through:
                message = tournament_event_message(sequence, event)
                yield event_pb.LoggedTournamentEvent(time=at, event=message)
