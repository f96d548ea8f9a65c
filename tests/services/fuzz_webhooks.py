"""Webhooks of the fuzzed arena, and calls that hit them. Nobody sends what they owe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rummy_arena.api.v1 import tournament_service_pb2 as tpb
from rummy_arena.api.v1 import webhook_service_pb2 as pb

if TYPE_CHECKING:
    from .fuzz_world import World

URL = "https://hooks.example/arena"


async def add_webhooks(world: World) -> None:
    """Make one, and keep a right call of each kind."""
    running, entering = world.tournaments["running"], world.tournaments["entering"]
    await world.admin.webhooks.set(running, URL, after_sequence=0)
    log = tpb.ListTournamentEventsRequest(tournament_id=running, after_sequence=1)
    world.keep("ListTournamentEvents", "spectator", log)
    for request in (
        pb.SetWebhookRequest(request_id="right", tournament_id=entering, url=URL),
        pb.GetWebhookRequest(tournament_id=running),
        pb.RotateWebhookSecretRequest(request_id="right", tournament_id=running),
        pb.TestWebhookRequest(request_id="ping", tournament_id=running),
        pb.DeleteWebhookRequest(request_id="right", tournament_id=entering),
    ):
        world.keep(type(request).__name__.removesuffix("Request"), "admin", request)
