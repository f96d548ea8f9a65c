"""Webhooks: have a server of yours told what happens in a tournament."""

from __future__ import annotations

from collections.abc import Sequence

from google.protobuf.duration_pb2 import Duration

from rummy_arena.api.v1.webhook_pb2 import Webhook
from rummy_arena.api.v1.webhook_service_pb2 import (
    DeleteWebhookRequest,
    GetWebhookRequest,
    RotateWebhookSecretRequest,
    SetWebhookRequest,
    SetWebhookResponse,
    TestWebhookRequest,
)
from rummy_arena.api.v1.webhook_service_pb2_grpc import WebhookServiceStub

from .caller import Caller, new_request_id


class Webhooks:
    """Calls of the webhook service."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._stub = WebhookServiceStub(caller.channel)

    async def set(
        self,
        tournament_id: str,
        url: str,
        *,
        event_kinds: Sequence[str] = (),
        after_sequence: int | None = None,
    ) -> SetWebhookResponse:
        """Make or change a tournament's webhook; the answer has the ``secret`` of a new one, once.

        What follows ``after_sequence`` is sent: 0 for the whole log, None for what happens from now
        on, or, in a change, for what is still to be sent.
        """
        request = SetWebhookRequest(
            request_id=new_request_id(),
            tournament_id=tournament_id,
            url=url,
            event_kinds=event_kinds,
            after_sequence=after_sequence,
        )
        return await self._caller.call(self._stub.SetWebhook, request)

    async def get(self, tournament_id: str) -> Webhook:
        """Return a tournament's webhook, with how deliveries fare."""
        request = GetWebhookRequest(tournament_id=tournament_id)
        return (await self._caller.call(self._stub.GetWebhook, request)).webhook

    async def rotate_secret(self, tournament_id: str, *, grace_s: int = 24 * 3600) -> str:
        """Return a new secret; payloads bear a signature by the old one for ``grace_s`` as well."""
        request = RotateWebhookSecretRequest(
            request_id=new_request_id(),
            tournament_id=tournament_id,
            grace=Duration(seconds=grace_s),
        )
        return (await self._caller.call(self._stub.RotateWebhookSecret, request)).secret

    async def test(self, tournament_id: str) -> str | None:
        """Send a ping; return what failed, "" if it arrived, None if it has not ended yet."""
        request = TestWebhookRequest(request_id=new_request_id(), tournament_id=tournament_id)
        answer = await self._caller.call(self._stub.TestWebhook, request)
        return answer.webhook.last_ping.error if answer.ended else None

    async def delete(self, tournament_id: str) -> None:
        """Remove a tournament's webhook, if there is one."""
        request = DeleteWebhookRequest(request_id=new_request_id(), tournament_id=tournament_id)
        await self._caller.call(self._stub.DeleteWebhook, request)
