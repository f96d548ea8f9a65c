"""WebhookService at the edge."""

# ruff: noqa: N802  methods bear the names of their RPCs

from __future__ import annotations

from typing import Any

from rummy_arena.api.v1 import webhook_pb2
from rummy_arena.api.v1 import webhook_service_pb2 as pb
from rummy_arena.api.v1.webhook_service_pb2_grpc import WebhookServiceServicer
from services.events.delete_webhook import delete_webhook
from services.events.ping_webhook import LONGEST_WAIT_S, ping_webhook
from services.events.rotate_webhook_secret import LONGEST_GRACE_MS, rotate_webhook_secret
from services.events.set_webhook import WebhookWish, set_webhook
from services.events.webhook import DAY_MS, WebhookSnapshot, read_webhook
from services.state.context import Context
from services.state.webhooks import WebhookRecord

from .convert_times import timestamp, timestamp_or_none
from .derived_ids import own_request
from .interceptors import caller
from .unfinished import Unfinished
from .violations import Fields
from .watching import LARGEST_SEQUENCE
from .webhook_payload import EVENT_KINDS

USUAL_GRACE_MS = DAY_MS
SHARE = 0.8
"""Of the time that a caller has, how much is waited for a ping."""


class WebhookService(WebhookServiceServicer):
    """Keeps webhooks; what they send, workers send."""

    def __init__(self, ctx: Context, unfinished: Unfinished) -> None:
        self._ctx = ctx
        self._unfinished = unfinished

    async def SetWebhook(
        self, request: pb.SetWebhookRequest, context: Any
    ) -> pb.SetWebhookResponse:
        """Make or change a webhook."""
        fields = Fields()
        request_id = fields.request_id(request.request_id)
        tournament_id = fields.id("tournament_id", request.tournament_id)
        wish = _wish(fields, request)
        fields.done()
        snapshot, secret = await self._unfinished.finish(
            set_webhook(
                self._ctx,
                caller(),
                wish,
                tournament_id=tournament_id,
                request_id=own_request(request_id),
            )
        )
        return pb.SetWebhookResponse(webhook=webhook_message(snapshot), secret=secret)

    async def GetWebhook(
        self, request: pb.GetWebhookRequest, context: Any
    ) -> pb.GetWebhookResponse:
        """Return a webhook."""
        fields = Fields()
        tournament_id = fields.id("tournament_id", request.tournament_id)
        fields.done()
        snapshot = await read_webhook(self._ctx, caller(), tournament_id)
        return pb.GetWebhookResponse(webhook=webhook_message(snapshot))

    async def RotateWebhookSecret(
        self, request: pb.RotateWebhookSecretRequest, context: Any
    ) -> pb.RotateWebhookSecretResponse:
        """Make a new secret."""
        fields = Fields()
        request_id = fields.request_id(request.request_id)
        tournament_id = fields.id("tournament_id", request.tournament_id)
        grace_ms = _grace_ms(fields, request)
        fields.done()
        snapshot, secret = await self._unfinished.finish(
            rotate_webhook_secret(
                self._ctx,
                caller(),
                tournament_id=tournament_id,
                grace_ms=grace_ms,
                request_id=own_request(request_id),
            )
        )
        return pb.RotateWebhookSecretResponse(webhook=webhook_message(snapshot), secret=secret)

    async def TestWebhook(
        self, request: pb.TestWebhookRequest, context: Any
    ) -> pb.TestWebhookResponse:
        """Send a ping, and wait a while for its end."""
        fields = Fields()
        request_id = fields.request_id(request.request_id)
        tournament_id = fields.id("tournament_id", request.tournament_id)
        fields.done()
        left_s = context.time_remaining()
        snapshot, ended = await ping_webhook(
            self._ctx,
            caller(),
            tournament_id=tournament_id,
            request_id=own_request(request_id),
            wait_s=LONGEST_WAIT_S if left_s is None else min(LONGEST_WAIT_S, left_s * SHARE),
        )
        return pb.TestWebhookResponse(webhook=webhook_message(snapshot), ended=ended)

    async def DeleteWebhook(
        self, request: pb.DeleteWebhookRequest, context: Any
    ) -> pb.DeleteWebhookResponse:
        """Remove a webhook."""
        fields = Fields()
        fields.request_id(request.request_id)
        tournament_id = fields.id("tournament_id", request.tournament_id)
        fields.done()
        await self._unfinished.finish(
            delete_webhook(self._ctx, caller(), tournament_id=tournament_id)
        )
        return pb.DeleteWebhookResponse()


def webhook_message(snapshot: WebhookSnapshot) -> webhook_pb2.Webhook:
    """Return a webhook as a message, without its secrets."""
    record = snapshot.record
    ping = webhook_pb2.WebhookPing(time=timestamp(record.pinged_ms), error=record.ping_error)
    return webhook_pb2.Webhook(
        tournament_id=snapshot.id,
        url=record.url,
        event_kinds=record.kinds,
        state=_state(record),
        delivered_sequence=record.delivered,
        last_sequence=max(snapshot.last_sequence, record.delivered),
        create_time=timestamp(record.created_ms),
        last_success_time=timestamp_or_none(record.succeeded_ms),
        failing_since_time=timestamp_or_none(record.failing_since_ms),
        failed_tries=record.failed_tries,
        last_error=record.last_error,
        next_try_time=None if record.disabled_ms else timestamp_or_none(record.next_try_ms),
        old_secret_end_time=timestamp_or_none(record.old_secret_end_ms),
        last_ping=ping if record.pinged else None,
    )


def _state(record: WebhookRecord) -> webhook_pb2.Webhook.State.ValueType:
    if record.disabled_ms:
        return webhook_pb2.Webhook.STATE_DISABLED
    if record.failing_since_ms:
        return webhook_pb2.Webhook.STATE_FAILING
    return webhook_pb2.Webhook.STATE_ACTIVE


def _wish(fields: Fields, request: pb.SetWebhookRequest) -> WebhookWish:
    kinds = sorted(set(request.event_kinds))
    if not set(kinds) <= set(EVENT_KINDS):
        fields.refuse("event_kinds", f"give some of {', '.join(EVENT_KINDS)}, or none for all")
    if request.after_sequence > LARGEST_SEQUENCE:
        fields.refuse("after_sequence", "give the sequence of the last event that you have")
    after = request.after_sequence if request.HasField("after_sequence") else None
    return WebhookWish(request.url, kinds, after)


def _grace_ms(fields: Fields, request: pb.RotateWebhookSecretRequest) -> int:
    if not request.HasField("grace"):
        return USUAL_GRACE_MS
    grace = request.grace
    grace_ms = grace.seconds * 1000 + grace.nanos // 1_000_000
    if not 0 <= grace_ms <= LONGEST_GRACE_MS or not 0 <= grace.nanos < 1_000_000_000:
        fields.refuse("grace", f"give 0 to {LONGEST_GRACE_MS // 1000} seconds, or leave it out")
    return grace_ms
