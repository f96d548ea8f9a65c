"""Pulling a tournament's log by cursor."""

from __future__ import annotations

from typing import get_args

import grpc
import pytest

from rummy_arena.api.v1 import tournament_service_pb2 as pb
from rummy_arena.api.v1.tournament_service_pb2_grpc import TournamentServiceStub
from services.rpc.convert_tournament_event import _CONVERSIONS
from services.rpc.webhook_payload import EVENT_KINDS
from services.state.tournament_log import TournamentEvent

from .conftest import ADMIN_TOKEN, Api
from .logged import with_log

METADATA = (("authorization", f"Bearer {ADMIN_TOKEN}"),)


async def test_the_whole_log_comes_by_cursor_in_pages_of_any_size(api: Api) -> None:
    tournament_id = await with_log(api.ctx, 1, 3, 1, 5)
    async with grpc.aio.insecure_channel(api.address) as channel:
        stub = TournamentServiceStub(channel)
        for size in (1, 2, 4, 0):
            seen: list[int] = []
            while True:
                answer: pb.ListTournamentEventsResponse = await stub.ListTournamentEvents(
                    pb.ListTournamentEventsRequest(
                        tournament_id=tournament_id,
                        after_sequence=seen[-1] if seen else 0,
                        page_size=size,
                    ),
                    metadata=METADATA,
                )
                assert answer.last_sequence == 10
                assert len(answer.events) <= (size or 10)
                seen += [item.event.sequence for item in answer.events]
                assert all(item.time.seconds > 1_700_000_000 for item in answer.events)
                if seen[-1] == answer.last_sequence:
                    break
            assert seen == list(range(1, 11))


async def test_a_cursor_at_the_end_gets_nothing_and_one_beyond_is_refused(api: Api) -> None:
    tournament_id = await with_log(api.ctx, 2)
    async with grpc.aio.insecure_channel(api.address) as channel:
        stub = TournamentServiceStub(channel)
        request = pb.ListTournamentEventsRequest(tournament_id=tournament_id, after_sequence=2)
        answer = await stub.ListTournamentEvents(request, metadata=METADATA)
        assert (list(answer.events), answer.last_sequence) == ([], 2)
        request.after_sequence = 3
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.ListTournamentEvents(request, metadata=METADATA)
        assert refused.value.code() is grpc.StatusCode.OUT_OF_RANGE


def test_every_event_of_the_log_has_a_message() -> None:
    """One that had none would hold up its tournament's webhook, and whoever pulls the log."""
    kinds = {kind for kind, _ in _CONVERSIONS.values()}
    assert set(_CONVERSIONS) == set(get_args(TournamentEvent))
    assert kinds == set(EVENT_KINDS)
