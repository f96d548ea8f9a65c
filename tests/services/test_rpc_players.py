"""Tokens: what they are good for, how they end, and what a lost answer does."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest

from rummy_arena.api.v1 import player_pb2
from rummy_arena.api.v1 import player_service_pb2 as pb
from rummy_arena.api.v1.player_service_pb2_grpc import PlayerServiceStub
from rummy_arena.client import Arena, ArenaError
from services.rpc import bearers
from services.rpc.access import NEEDS
from services.rpc.server import SERVICES, ArenaServer
from services.state import keys
from services.state.errors import StoreUnavailable
from services.state.store import Store

from .conftest import ADMIN_TOKEN, Api

WATCH, PLAY = player_pb2.SCOPE_WATCH, player_pb2.SCOPE_PLAY


async def refused(call: Any) -> str:
    """Return the reason for which a call is refused."""
    with pytest.raises(ArenaError) as caught:
        await call
    return caught.value.reason


async def arena_of(api: Api, name: str, **how: Any) -> tuple[str, Arena, Any]:
    """Return a new player, its arena and its token."""
    player = await api.admin.players.create(name)
    token = await api.admin.players.create_token(player.id, **how)
    return player.id, api.admin.as_bearer(token.secret), token


async def look(arena: Arena) -> None:
    """Make a call for which SCOPE_WATCH is enough."""
    async for _ in arena.tournaments.list():
        break


def raw(arena: Arena) -> tuple[Any, Any]:
    """Return the stub and metadata with which a test repeats a request."""
    caller = arena._caller
    return PlayerServiceStub(caller.channel), caller._metadata


@pytest.fixture
async def replica(api: Api, tmp_path: Path) -> AsyncIterator[str]:
    """A second server on the same store."""
    server = ArenaServer(api.ctx)
    yield await server.start(f"unix:{tmp_path}/replica.sock")
    await server.stop(0.2)


def test_every_call_has_its_need() -> None:
    from google.protobuf.descriptor_pool import Default

    methods = {
        f"/{service}/{method.name}"
        for service in SERVICES
        for method in Default().FindServiceByName(service).methods
    }
    assert methods == set(NEEDS)


async def test_a_token_tells_its_id_and_keeps_its_secret(api: Api) -> None:
    player_id, arena, token = await arena_of(api, "Ann")
    prefix, token_id, secret = token.secret.split("_", 2)
    assert (prefix, token_id) == ("ra", token.token_id)
    [listed] = await arena.players.tokens()
    assert (listed.id, listed.player_id) == (token_id, player_id)
    assert listed.expire_time == token.expire_time
    assert secret not in str(await api.admin.players.tokens(player_id))
    stored = await api.ctx.store._client.get(keys.token(token_id))
    assert secret.encode() not in stored


async def test_a_scope_that_is_missing_is_named(api: Api) -> None:
    _, arena, token = await arena_of(api, "Ann", scopes=[WATCH])
    assert list(token.scopes) == [WATCH]
    await look(arena)
    with pytest.raises(ArenaError) as caught:
        await arena.tournaments.register("some")
    assert (caught.value.code, caught.value.reason, caught.value.facts) == (
        grpc.StatusCode.PERMISSION_DENIED,
        "SCOPE_MISSING",
        {"scope": "ENTER", "held": "WATCH"},
    )


async def test_a_role_never_has_more_than_its_scopes(api: Api) -> None:
    player = await api.admin.players.create("Eve", role=player_pb2.ROLE_SPECTATOR)
    wanted = api.admin.players.create_token(player.id, scopes=[PLAY])
    assert await refused(wanted) == "NOT_ALLOWED"
    token = await api.admin.players.create_token(player.id)
    assert list(token.scopes) == [WATCH]
    spectator = api.admin.as_bearer(token.secret)
    assert await refused(spectator.players.create("Bob")) == "NOT_ALLOWED"


async def test_a_token_gives_neither_more_nor_longer_than_it_has(api: Api) -> None:
    player_id, arena, token = await arena_of(api, "Ann", scopes=[WATCH], ttl_s=600)
    with pytest.raises(ArenaError) as caught:
        await arena.players.create_token(player_id, scopes=[WATCH, PLAY])
    assert [violation.field for violation in caught.value.violations] == ["scopes"]
    with pytest.raises(ArenaError) as caught:
        await arena.players.create_token(player_id, ttl_s=700)
    assert [violation.field for violation in caught.value.violations] == ["ttl"]
    child = await arena.players.create_token(player_id)
    assert list(child.scopes) == [WATCH]
    assert child.expire_time == token.expire_time
    others = api.admin.players.create("Bob")
    assert await refused(arena.players.create_token((await others).id)) == "NOT_ALLOWED"


async def test_a_hosts_token_without_players_issues_only_for_itself(api: Api) -> None:
    host = await api.admin.players.create("Hope", role=player_pb2.ROLE_HOST)
    limited = await api.admin.players.create_token(host.id, scopes=[WATCH])
    arena = api.admin.as_bearer(limited.secret)
    assert await refused(arena.players.create("Bob")) == "SCOPE_MISSING"
    assert await refused(arena.players.create_token(host.id, scopes=[PLAY])) == "INVALID_REQUEST"


async def test_a_lost_answer_comes_again_with_the_same_secret(api: Api) -> None:
    player_id, arena, _ = await arena_of(api, "Ann")
    stub, metadata = raw(arena)
    request = pb.CreateTokenRequest(request_id="once", player_id=player_id)
    answers = await asyncio.gather(
        *(stub.CreateToken(request, metadata=metadata) for _ in range(8))
    )
    assert len({(answer.secret, answer.expire_time.seconds) for answer in answers}) == 1
    assert len(await arena.players.tokens()) == 2
    await look(arena.as_bearer(answers[0].secret))


async def test_a_request_id_with_other_content_or_of_another_token_is_refused(api: Api) -> None:
    player_id, arena, _ = await arena_of(api, "Ann")
    stub, metadata = raw(arena)
    request = pb.CreateTokenRequest(request_id="once", player_id=player_id)
    second = await stub.CreateToken(request, metadata=metadata)
    as_second = arena.as_bearer(second.secret)
    assert await refused(as_second._caller.call(stub.CreateToken, request)) == "REQUEST_ID_REUSED"
    request.scopes.append(WATCH)
    assert await refused(arena._caller.call(stub.CreateToken, request)) == "REQUEST_ID_REUSED"


async def test_a_revoked_token_is_refused_on_the_next_call(api: Api, replica: str) -> None:
    _, arena, token = await arena_of(api, "Ann")
    async with Arena.connect(replica, token=token.secret) as elsewhere:
        await look(arena)
        await look(elsewhere)
        assert await api.admin.players.revoke_token(token.token_id) == 1
        assert await refused(look(arena)) == "NOT_AUTHENTICATED"
        await asyncio.sleep(0.1)
        assert await refused(look(elsewhere)) == "NOT_AUTHENTICATED"
    assert await api.admin.players.revoke_token(token.token_id) == 0


async def test_a_revocation_that_no_bell_told_of_works_within_a_second(
    api: Api, replica: str
) -> None:
    _, _, token = await arena_of(api, "Ann")
    async with Arena.connect(replica, token=token.secret) as elsewhere:
        await look(elsewhere)
        await api.ctx.store.drop_token(token.token_id)
        await look(elsewhere)  # remembered
        await asyncio.sleep(bearers.LIFE_S + 0.05)
        assert await refused(look(elsewhere)) == "NOT_AUTHENTICATED"


async def test_all_tokens_of_a_player_end_at_once(api: Api) -> None:
    player_id, arena, _ = await arena_of(api, "Ann")
    for _ in range(3):
        await arena.players.create_token(player_id)
    weak = arena.as_bearer((await arena.players.create_token(player_id, scopes=[WATCH])).secret)
    assert await refused(weak.players.revoke_all_tokens(player_id)) == "SCOPE_MISSING"
    assert await arena.players.revoke_all_tokens(player_id) == 5
    assert await refused(look(arena)) == "NOT_AUTHENTICATED"
    assert list(await api.admin.players.tokens(player_id)) == []


async def test_a_weaker_token_does_not_revoke_a_stronger_one(api: Api) -> None:
    player_id, arena, token = await arena_of(api, "Ann")
    weak = await arena.players.create_token(player_id, scopes=[WATCH])
    as_weak = arena.as_bearer(weak.secret)
    assert await refused(as_weak.players.revoke_token(token.token_id)) == "SCOPE_MISSING"
    assert await refused(as_weak.players.rotate_token(token.token_id)) == "SCOPE_MISSING"
    assert await as_weak.players.revoke_token(weak.token_id) == 1


async def test_others_tokens_are_not_ones_own(api: Api) -> None:
    _, ann, token = await arena_of(api, "Ann")
    player_id, bob, _ = await arena_of(api, "Bob")
    assert await refused(bob.players.revoke_token(token.token_id)) == "NOT_ALLOWED"
    assert await refused(bob.players.rotate_token(token.token_id)) == "NOT_ALLOWED"
    assert await refused(ann.players.tokens(player_id)) == "NOT_ALLOWED"
    assert await refused(ann.players.revoke_all_tokens(player_id)) == "NOT_ALLOWED"


async def test_a_rotated_token_hands_over(api: Api) -> None:
    _, arena, token = await arena_of(api, "Ann", scopes=[WATCH])
    rotated = await arena.players.rotate_token()
    assert list(rotated.scopes) == [WATCH]
    assert rotated.expire_time == token.expire_time
    assert await refused(look(arena)) == "NOT_AUTHENTICATED"
    successor = arena.as_bearer(rotated.secret)
    assert [listed.id for listed in await successor.players.tokens()] == [rotated.token_id]


async def test_a_token_lives_for_the_grace_of_its_rotation(api: Api) -> None:
    _, arena, token = await arena_of(api, "Ann")
    await arena.players.rotate_token(grace_s=0.5)
    await look(arena)
    assert await refused(arena.players.rotate_token(token.token_id)) == "TOKEN_REPLACED"
    await asyncio.sleep(0.55)
    assert await refused(look(arena)) == "NOT_AUTHENTICATED"


async def test_a_rotation_whose_answer_was_lost_comes_again(api: Api) -> None:
    _, arena, _ = await arena_of(api, "Ann")
    stub, metadata = raw(arena)
    request = pb.RotateTokenRequest(request_id="once")
    first = await stub.RotateToken(request, metadata=metadata)
    assert (await stub.RotateToken(request, metadata=metadata)).secret == first.secret
    assert await refused(look(arena)) == "NOT_AUTHENTICATED"
    assert await refused(arena.players.rotate_token()) == "TOKEN_REPLACED"
    successor = arena.as_bearer(first.secret)
    assert await successor.players.revoke_token(first.token_id) == 1
    assert await refused(arena._caller.call(stub.RotateToken, request)) == "NOT_FOUND"


async def test_the_operators_token_is_not_for_others_to_end(api: Api) -> None:
    assert await refused(api.admin.players.rotate_token()) == "OPERATORS_TOKEN"
    assert ADMIN_TOKEN not in str(await api.admin.players.tokens())


async def test_tokens_of_a_player_are_bounded(api: Api) -> None:
    player_id, arena, _ = await arena_of(api, "Ann")
    for _ in range(99):
        await arena.players.create_token(player_id)
    assert await refused(arena.players.create_token(player_id)) == "TOO_MANY_TOKENS"
    [first, *_] = await arena.players.tokens()
    await arena.players.revoke_token(first.id)
    await api.admin.players.create_token(player_id)


async def watching(api: Api, arena: Arena) -> asyncio.Task[str]:
    """Return a task that ends with the reason for which the server ended a stream."""
    tournament = await api.admin.tournaments.create(
        "Cup", rule_set="kalooki-jamaican", seats_per_table=4, advance_per_table=2
    )
    updates = arena.tournaments.watch(tournament.id)
    await anext(updates)
    return asyncio.create_task(refused(anext(updates)))


async def test_a_stream_ends_with_its_token(api: Api, replica: str) -> None:
    _, _, token = await arena_of(api, "Ann")
    async with Arena.connect(replica, token=token.secret) as elsewhere:
        stream = await watching(api, elsewhere)
        await asyncio.sleep(0.1)
        assert not stream.done()
        began = time.monotonic()
        await api.admin.players.revoke_token(token.token_id)
        assert await asyncio.wait_for(stream, 3) == "NOT_AUTHENTICATED"
        assert time.monotonic() - began < 1


async def test_a_stream_ends_when_its_tokens_time_is_over(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bearers, "RECHECK_S", 0.3)
    _, arena, _ = await arena_of(api, "Ann", ttl_s=1)
    stream = await watching(api, arena)
    assert await asyncio.wait_for(stream, 3) == "NOT_AUTHENTICATED"


async def test_a_stream_whose_token_lives_goes_on_past_the_rechecks(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bearers, "RECHECK_S", 0.05)
    _, arena, _ = await arena_of(api, "Ann")
    stream = await watching(api, arena)
    await asyncio.sleep(0.4)
    assert not stream.done()
    stream.cancel()


async def test_no_token_survives_that_was_issued_while_all_were_revoked(api: Api) -> None:
    player_id, arena, _ = await arena_of(api, "Ann")
    for _ in range(15):
        token = await api.admin.players.create_token(player_id)
        arena = api.admin.as_bearer(token.secret)
        await arena.players.tokens()
        issuing = [arena.players.create_token(player_id) for _ in range(4)]
        revoking = api.admin.players.revoke_all_tokens(player_id)
        *issued, _ = await asyncio.gather(*issuing, revoking, return_exceptions=True)
        assert list(await api.admin.players.tokens(player_id)) == []
        for answer in issued:
            if isinstance(answer, pb.CreateTokenResponse):
                assert await refused(look(arena.as_bearer(answer.secret))) == "NOT_AUTHENTICATED"


async def test_a_token_issued_between_the_look_at_all_and_their_end_is_revoked_too(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    player_id, arena, _ = await arena_of(api, "Ann")
    drop = api.ctx.store.drop_tokens
    late: list[pb.CreateTokenResponse] = []

    async def drop_after_another(player: str, token_ids: Sequence[str]) -> int:
        if not late:
            late.append(await arena.players.create_token(player_id))
        return await drop(player, token_ids)

    monkeypatch.setattr(Store, "drop_tokens", staticmethod(drop_after_another))
    assert await api.admin.players.revoke_all_tokens(player_id) == 2
    assert await refused(look(arena.as_bearer(late[0].secret))) == "NOT_AUTHENTICATED"
    assert list(await api.admin.players.tokens(player_id)) == []


async def test_a_token_of_an_earlier_version_is_still_good(api: Api) -> None:
    """Then tokens had no id, and were stored under their hash with three fields."""
    token, ends_ms = "ra_" + "x" * 43, api.ctx.now_ms() + 60_000
    data = msgspec.msgpack.encode(["ann", "bot", ends_ms])
    await api.ctx.store.put_token(hashlib.sha256(token.encode()).hexdigest(), data, ttl_ms=60_000)
    await look(api.admin.as_bearer(token))
    assert await refused(look(api.admin.as_bearer(token + "x"))) == "NOT_AUTHENTICATED"


async def test_the_id_of_a_token_is_no_secret(api: Api) -> None:
    _, _, token = await arena_of(api, "Ann")
    secret = token.secret
    for guess in (token.token_id, f"ra_{token.token_id}_", f"ra_{token.token_id}_{'A' * 43}"):
        assert await refused(look(api.admin.as_bearer(guess))) == "NOT_AUTHENTICATED"
    other = "B" if secret[-1] != "B" else "C"
    assert await refused(look(api.admin.as_bearer(secret[:-1] + other))) == "NOT_AUTHENTICATED"


async def test_streams_go_on_while_the_store_is_away_and_end_with_their_tokens_time(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bearers, "RECHECK_S", 0.1)
    _, lasting, _ = await arena_of(api, "Ann")
    _, ending, _ = await arena_of(api, "Bob", ttl_s=1)
    on, off = await watching(api, lasting), await watching(api, ending)

    async def away(*_: object) -> None:
        raise StoreUnavailable("away")

    monkeypatch.setattr(type(api.ctx.store), "get_tokens", away)
    assert await asyncio.wait_for(off, 3) == "NOT_AUTHENTICATED"
    assert not on.done()
    on.cancel()


async def test_a_stream_lives_through_the_grace_of_a_rotation_and_no_longer(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bearers, "RECHECK_S", 0.1)
    _, arena, _ = await arena_of(api, "Ann")
    stream = await watching(api, arena)
    await arena.players.rotate_token(grace_s=0.6)
    await asyncio.sleep(0.3)
    assert not stream.done()
    assert await asyncio.wait_for(stream, 3) == "NOT_AUTHENTICATED"


async def test_calls_in_a_row_look_the_token_up_once(api: Api) -> None:
    _, arena, _ = await arena_of(api, "Ann")

    async def gets() -> int:
        stats = await api.ctx.store._client.info("commandstats")
        return int(stats["cmdstat_get"]["calls"])

    await look(arena)
    before = await gets()
    for _ in range(50):
        await look(arena)
    assert await gets() - before <= 3


async def test_a_connection_shows_no_token(api: Api) -> None:
    assert ADMIN_TOKEN not in repr(api.admin._caller)
