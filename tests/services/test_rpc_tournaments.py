"""Players and tournaments over the wire, as a client meets them."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from rummy_arena.api.v1 import player_pb2, player_service_pb2, tournament_pb2
from rummy_arena.api.v1 import tournament_service_pb2 as tpb
from rummy_arena.api.v1.format_pb2 import Stage
from rummy_arena.api.v1.player_service_pb2_grpc import PlayerServiceStub
from rummy_arena.api.v1.tournament_service_pb2_grpc import TournamentServiceStub
from rummy_arena.client import Arena, ArenaError
from rummy_arena.client.errors import arena_error
from services.rpc.pages import page_token

from .conftest import ADMIN_TOKEN, Api

METADATA = (("authorization", f"Bearer {ADMIN_TOKEN}"),)


async def new_tournament(arena: Arena, *, capacity: int = 0, seed: str | None = None) -> str:
    tournament = await arena.tournaments.create(
        "Cup",
        rule_set="kalooki-jamaican",
        seats_per_table=4,
        advance_per_table=2,
        capacity=capacity,
        seed=seed,
    )
    return tournament.id


async def refused(call: object) -> ArenaError:
    with pytest.raises(ArenaError) as caught:
        await call  # type: ignore[misc]  # some awaitable
    return caught.value


async def test_tournament_from_creation_to_its_first_round(api: Api) -> None:
    arena = api.admin
    tournament_id = await new_tournament(arena)
    for number in range(1, 9):
        player = await arena.players.create(f"Bot {number}", house_bot="random")
        assert player.role == player_pb2.ROLE_BOT
        entrant = await arena.tournaments.register(tournament_id, player.id)
        assert (entrant.number, entrant.name, entrant.house_bot) == (
            number,
            f"Bot {number}",
            "random",
        )
    started = await arena.tournaments.start(tournament_id)
    assert started.status == tournament_pb2.TOURNAMENT_STATUS_RUNNING
    assert started.entrant_count == 8
    [round_] = await arena.tournaments.bracket(tournament_id)
    assert [len(pairing.entrants) for pairing in round_.pairings] == [4, 4]
    rows = await arena.tournaments.standings(tournament_id)
    assert sorted(row.entrant.number for row in rows) == list(range(1, 9))
    events = arena.tournaments.events(tournament_id)
    kinds = [(await anext(events)).WhichOneof("event") for _ in range(10)]
    assert kinds == ["entrant_registered"] * 8 + ["tournament_started", "round_started"]
    assert (await arena.tournaments.get(tournament_id)).sequence == 10


async def test_watcher_sees_a_snapshot_then_what_comes(api: Api) -> None:
    tournament_id = await new_tournament(api.admin)
    player = await api.admin.players.create("Ann")
    updates = api.admin.tournaments.watch(tournament_id)
    assert (await anext(updates)).snapshot.id == tournament_id
    coming = asyncio.ensure_future(anext(updates))
    await asyncio.sleep(0.05)
    await api.admin.tournaments.register(tournament_id, player.id)
    update = await asyncio.wait_for(coming, 5)
    assert update.event.sequence == 1
    assert update.event.entrant_registered.entrant.player_id == player.id


async def test_cursor_beyond_the_log_is_refused(api: Api) -> None:
    tournament_id = await new_tournament(api.admin)
    error = await refused(anext(api.admin.tournaments.watch(tournament_id, after=5)))
    assert error.reason == "CURSOR_AHEAD"
    assert error.facts == {"after_sequence": "5", "last_sequence": "0"}


async def test_repeated_creation_returns_the_first(api: Api) -> None:
    async with grpc.aio.insecure_channel(api.address) as channel:
        create = TournamentServiceStub(channel).CreateTournament
        options = tournament_pb2.TournamentOptions(
            title="Cup",
            rule_set_id="kalooki-jamaican",
            knockout=tournament_pb2.Knockout(seats_per_table=4, advance_per_table=2),
        )
        request = tpb.CreateTournamentRequest(request_id="once", options=options)
        first = await create(request, metadata=METADATA)
        second = await create(request, metadata=METADATA)
        assert first == second
        request.options.title = "Other cup"
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await create(request, metadata=METADATA)
        assert arena_error(caught.value, "").reason == "REQUEST_ID_REUSED"


async def test_repeated_player_returns_the_first(api: Api) -> None:
    async with grpc.aio.insecure_channel(api.address) as channel:
        create = PlayerServiceStub(channel).CreatePlayer
        request = player_service_pb2.CreatePlayerRequest(
            request_id="once", name="Ann", role=player_pb2.ROLE_PLAYER
        )
        first = await create(request, metadata=METADATA)
        assert first == await create(request, metadata=METADATA)
        request.name = "Eve"
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await create(request, metadata=METADATA)
        assert arena_error(caught.value, "").reason == "REQUEST_ID_REUSED"


async def test_a_request_id_of_an_entry_stands_for_no_other_of_its_caller(api: Api) -> None:
    tournament_id = await new_tournament(api.admin)
    host = await api.admin.players.create("Hanna", role=player_pb2.ROLE_HOST)
    token = await api.admin.players.create_token(host.id)
    ann, bob = [await api.admin.players.create(name) for name in ("Ann", "Bob")]
    async with grpc.aio.insecure_channel(api.address) as channel:
        stub = TournamentServiceStub(channel)
        request = tpb.RegisterRequest(
            request_id="once", tournament_id=tournament_id, player_id=ann.id
        )
        first = await stub.Register(request, metadata=METADATA)
        assert first == await stub.Register(request, metadata=METADATA)
        request.player_id = bob.id
        start = tpb.StartTournamentRequest(request_id="once", tournament_id=tournament_id)
        for call in (
            stub.Register(request, metadata=METADATA),
            stub.StartTournament(start, metadata=METADATA),
        ):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call
            assert arena_error(caught.value, "").reason == "REQUEST_ID_REUSED"
        with pytest.raises(grpc.aio.AioRpcError) as caught:  # another's id is not this one's
            await stub.Register(request, metadata=(("authorization", f"Bearer {token.secret}"),))
        assert arena_error(caught.value, "").reason == "NOT_ALLOWED"


async def test_validation_alone_creates_nothing(api: Api) -> None:
    before = [t.id async for t in api.admin.tournaments.list()]
    tournament = await api.admin.tournaments.create(
        "Cup",
        rule_set="kalooki-jamaican",
        seats_per_table=4,
        advance_per_table=1,
        validate_only=True,
    )
    assert tournament.id == ""
    assert [t.id async for t in api.admin.tournaments.list()] == before


async def test_all_wrong_fields_are_named_at_once(api: Api) -> None:
    error = await refused(
        api.admin.tournaments.create("", rule_set="", seats_per_table=4, advance_per_table=2)
    )
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert {field for field, _ in error.violations} == {"options.title", "options.rule_set_id"}


@pytest.mark.parametrize(
    ("seats", "advance", "field"),
    [
        (9, 2, "options.knockout.seats_per_table"),
        (0, 2, "options.knockout.seats_per_table"),
        (4, 4, "options.knockout.advance_per_table"),
        (4, 0, "options.knockout.advance_per_table"),
    ],
)
async def test_table_sizes_out_of_range(api: Api, seats: int, advance: int, field: str) -> None:
    error = await refused(
        api.admin.tournaments.create(
            "Cup", rule_set="kalooki-jamaican", seats_per_table=seats, advance_per_table=advance
        )
    )
    assert [violation.field for violation in error.violations] == [field]


async def test_unknown_things_are_not_found(api: Api) -> None:
    assert (await refused(api.admin.rules.get("bridge"))).reason == "UNKNOWN_RULE_SET"
    error = await refused(api.admin.tournaments.get("nowhere"))
    assert (error.reason, error.facts) == ("NOT_FOUND", {"what": "tournament", "id": "nowhere"})
    cup = tournament_pb2.TournamentOptions(
        title="Cup",
        rule_set_id="kalooki-jamaican",
        stages=[Stage(format_id="swis", seats_per_table=4)],
    )
    error = await refused(api.admin.tournaments.open(cup))
    assert (error.reason, error.facts["format_id"]) == ("UNKNOWN_FORMAT", "swis")
    assert "swiss" in error.facts["known"].split(", ")
    error = await refused(api.admin.players.create("Ann", house_bot="genius"))
    assert [violation.field for violation in error.violations] == ["house_bot"]


async def test_full_tournament_says_so(api: Api) -> None:
    tournament_id = await new_tournament(api.admin, capacity=3)
    players = [await api.admin.players.create(f"P{n}") for n in range(4)]
    outcomes = await asyncio.gather(
        *(api.admin.tournaments.register(tournament_id, player.id) for player in players),
        return_exceptions=True,
    )
    errors = [outcome for outcome in outcomes if isinstance(outcome, ArenaError)]
    assert [error.reason for error in errors] == ["TOURNAMENT_FULL"]
    assert errors[0].facts["capacity"] == "3"


async def test_field_that_cannot_be_seated(api: Api) -> None:
    tournament_id = await new_tournament(api.admin)
    error = await refused(api.admin.tournaments.start(tournament_id))
    assert error.reason == "FIELD_CANNOT_BE_SEATED"
    assert error.facts["entrants"] == "0"


async def test_roles_are_kept_apart(api: Api) -> None:
    tournament_id = await new_tournament(api.admin)
    ann = await api.admin.players.create("Ann")
    eve = await api.admin.players.create("Eve")
    token = await api.admin.players.create_token(ann.id, ttl_s=60)
    as_ann = api.admin.as_bearer(token.secret)
    assert (await as_ann.tournaments.register(tournament_id)).player_id == ann.id
    for call in (
        as_ann.tournaments.register(tournament_id, eve.id),
        as_ann.tournaments.start(tournament_id),
        new_tournament(as_ann),
        as_ann.players.create("Bob"),
        as_ann.players.create_token(eve.id),
    ):
        assert (await refused(call)).reason == "NOT_ALLOWED"
    error = await refused(api.admin.as_bearer("made-up").tournaments.get(tournament_id))
    assert (error.code, error.reason) == (grpc.StatusCode.UNAUTHENTICATED, "NOT_AUTHENTICATED")


async def test_hosts_create_no_hosts(api: Api) -> None:
    host = await api.admin.players.create("Host", role=player_pb2.ROLE_HOST)
    token = await api.admin.players.create_token(host.id)
    as_host = api.admin.as_bearer(token.secret)
    error = await refused(as_host.players.create("Other", role=player_pb2.ROLE_ADMIN))
    assert error.facts["needed"] == "admin"


async def test_spectators_take_no_seat(api: Api) -> None:
    tournament_id = await new_tournament(api.admin)
    watcher = await api.admin.players.create("Eve", role=player_pb2.ROLE_SPECTATOR)
    token = await api.admin.players.create_token(watcher.id)
    error = await refused(
        api.admin.as_bearer(token.secret).tournaments.register(tournament_id, watcher.id)
    )
    assert (error.reason, error.facts["role"]) == ("NOT_ALLOWED", "spectator")
    error = await refused(api.admin.tournaments.register(tournament_id, watcher.id))
    assert [violation.field for violation in error.violations] == ["player_id"]
    assert (await api.admin.tournaments.get(tournament_id)).entrant_count == 0


@pytest.mark.parametrize("position", ["x", "-1", "9" * 16, "9" * 5000, "\u0663"])
async def test_forged_page_tokens_are_refused(api: Api, position: str) -> None:
    async with grpc.aio.insecure_channel(api.address) as channel:
        stub = TournamentServiceStub(channel)
        request = tpb.GetStandingsRequest(
            tournament_id="any", page_token=page_token("standings any", position)
        )
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.GetStandings(request, metadata=METADATA)
        assert [v.field for v in arena_error(caught.value, "").violations] == ["page_token"]


async def test_pages_hold_everything_once(api: Api) -> None:
    tournament_id = await new_tournament(api.admin, seed="pages")
    for number in range(12):
        player = await api.admin.players.create(f"B{number}", house_bot="random")
        await api.admin.tournaments.register(tournament_id, player.id)
    await api.admin.tournaments.start(tournament_id)
    async with grpc.aio.insecure_channel(api.address) as channel:
        stub = TournamentServiceStub(channel)
        request = tpb.GetBracketRequest(tournament_id=tournament_id, page_size=2)
        first = await stub.GetBracket(request, metadata=METADATA)
        request.page_token = first.next_page_token
        second = await stub.GetBracket(request, metadata=METADATA)
        numbers = [
            pairing.number
            for page in (first, second)
            for r in page.rounds
            for pairing in r.pairings
        ]
        assert numbers == [1, 2, 3]
        assert second.next_page_token == ""
        other = tpb.GetStandingsRequest(
            tournament_id=tournament_id, page_token=first.next_page_token
        )
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.GetStandings(other, metadata=METADATA)
        [violation] = arena_error(caught.value, "").violations
        assert violation.field == "page_token"


async def test_a_paired_table_opens_in_a_moment(api: Api) -> None:
    tournament_id = await new_tournament(api.admin)
    for number in range(4):
        player = await api.admin.players.create(f"Bot {number}", house_bot="random")
        await api.admin.tournaments.register(tournament_id, player.id)
    await api.admin.tournaments.start(tournament_id)
    [round_] = await api.admin.tournaments.bracket(tournament_id)
    paired = round_.pairings[0].table_id  # no worker runs here, so nobody opens it
    error = await refused(api.admin.tables.get(paired))
    assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, "TABLE_NOT_OPEN")
    for unknown in (f"{tournament_id}-r1-t2", f"{tournament_id}-r2-t1", "none-r1-t1"):
        assert (await refused(api.admin.tables.get(unknown))).reason == "NOT_FOUND"


async def test_hosts_keep_to_what_is_theirs(api: Api) -> None:
    hosts = []
    for name in ("Hanna", "Hugo"):
        player = await api.admin.players.create(name, role=player_pb2.ROLE_HOST)
        token = await api.admin.players.create_token(player.id)
        hosts.append(api.admin.as_bearer(token.secret))
    hanna, hugo = hosts
    ann = await hanna.players.create("Ann")
    tournament_id = await new_tournament(hanna)
    for call in (
        hugo.players.create_token(ann.id),  # whoever has it sees Ann's cards
        hugo.tournaments.register(tournament_id, ann.id),
        hugo.tournaments.start(tournament_id),
    ):
        error = await refused(call)
        assert error.reason == "NOT_ALLOWED"
        assert "the host of this" in error.facts["needed"]
    assert (await hanna.players.create_token(ann.id)).secret
    assert (await hanna.tournaments.register(tournament_id, ann.id)).player_id == ann.id
    assert (await api.admin.players.create_token(ann.id)).secret


async def test_who_is_no_player_says_whom_to_enter(api: Api) -> None:
    tournament_id = await new_tournament(api.admin)
    error = await refused(api.admin.tournaments.register(tournament_id))
    assert [violation.field for violation in error.violations] == ["player_id"]


@pytest.mark.parametrize("position", ["gone", "tables:1:gone", "tournaments:x:gone"])
async def test_a_page_of_no_such_list_is_refused_as_a_page(api: Api, position: str) -> None:
    request = tpb.ListTournamentsRequest(page_token=page_token("tournaments", position))
    async with grpc.aio.insecure_channel(api.address) as channel:
        stub = TournamentServiceStub(channel)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.ListTournaments(request, metadata=METADATA)
    error = arena_error(caught.value, "")
    assert [violation.field for violation in error.violations] == ["page_token"]
