"""What webhooks send: JSON of the API's own messages."""

from __future__ import annotations

from collections.abc import Sequence

from google.protobuf.json_format import MessageToJson

from rummy_arena.api.v1 import tournament_event_pb2, webhook_pb2
from services.state.logs import LogBatch

from .convert_times import timestamp
from .tournament_log import logged_events

EVENT_KINDS: tuple[str, ...] = tuple(
    field.name
    for field in tournament_event_pb2.TournamentEvent.DESCRIPTOR.oneofs_by_name["event"].fields
)
"""Kinds of events of a tournament, by which a host chooses."""
TOURNAMENT_EVENTS = "tournament.events"
PING = "ping"


def tournament_payload(
    entity: str,
    batches: Sequence[LogBatch],
    *,
    after: int,
    through: int,
    kinds: Sequence[str],
) -> bytes | None:
    """Return a piece of a tournament's log as a payload; None if no event is of those kinds."""
    events = [
        logged
        for logged in logged_events(batches, after=after, through=through)
        if not kinds or logged.event.WhichOneof("event") in kinds
    ]
    if not events:
        return None
    data = webhook_pb2.TournamentEvents(
        tournament_id=entity, after_sequence=after, through_sequence=through, events=events
    )
    return _json(
        webhook_pb2.WebhookPayload(type=TOURNAMENT_EVENTS, timestamp=events[-1].time, data=data)
    )


def ping_payload(now_ms: int) -> bytes:
    """Return the payload of a ping."""
    return _json(webhook_pb2.WebhookPayload(type=PING, timestamp=timestamp(now_ms)))


def _json(payload: webhook_pb2.WebhookPayload) -> bytes:
    return MessageToJson(
        payload, preserving_proto_field_name=True, indent=None, ensure_ascii=False
    ).encode()
