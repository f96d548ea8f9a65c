"""Ladders over the wire, as a client meets them."""

from __future__ import annotations

import random
from typing import get_args

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from rummy_arena.api.v1 import ladder_pb2 as pb
from rummy_arena.api.v1 import ladder_service_pb2, player_pb2
from rummy_arena.api.v1.ladder_service_pb2_grpc import LadderServiceStub
from rummy_arena.api.v1.tournament_pb2 import EntryConditions
from rummy_arena.client import Arena
from rummy_arena.client.errors import arena_error
from rummy_arena.tournament import ladder_reasons as reasons
from services.events.ladders.advance_ladder import advance_ladder
from services.events.ladders.explain_ladder import Explained
from services.events.ladders.ladder import read_ladder
from services.rpc.convert_ladder_waits import waiting_message
from services.state.ladder_records import LadderEntrantRecord

from .conftest import Api
from .laddered import tell
from .test_rpc_tournaments import METADATA, refused

RULE_SET = "kalooki-jamaican"
NO_TIME = Duration()


def options(**given: object) -> pb.LadderOptions:
    """Return options of a ladder that pairs at once."""
    pairing = pb.LadderPairing(
        seats_per_table=4,
        repeat_distance=0,
        pause=NO_TIME,
        anchors_after=NO_TIME,
        smaller_after=NO_TIME,
        hold=NO_TIME,
        widen_per_minute=60_000,
    )
    asked = pb.LadderOptions(title="Bots", rule_set_id=RULE_SET, pairing=pairing)
    asked.MergeFrom(pb.LadderOptions(**given))  # type: ignore[arg-type]
    return asked


async def entered(arena: Arena, ladder_id: str, count: int, **given: object) -> list[str]:
    """Enter house bots; return their players."""
    players = []
    for number in range(count):
        player = await arena.players.create(f"Bot {number}", house_bot="random")
        await arena.ladders.enter(ladder_id, player.id, **given)  # type: ignore[arg-type]
        players.append(player.id)
    return players


async def test_a_ladder_from_its_creation_to_its_second_season(api: Api) -> None:
    ladders = api.admin.ladders
    made = await ladders.create(options(ranked_from_games=1))
    assert (made.options.pairing.min_seats, made.options.pairing.reach) == (3, 200)
    assert (made.status, made.arena, made.season) == (pb.LADDER_STATUS_OPEN, False, 1)
    players = await entered(api.admin, made.id, 5)
    house = await api.admin.players.create("House", house_bot="random")
    anchor = await ladders.enter(made.id, house.id, anchor_rating=1300, tables_at_once=9)
    assert (anchor.rating.mean, anchor.rating.low, anchor.anchor) == (1300, 1300, True)
    dice = random.Random(1)
    while (await read_ladder(api.ctx, made.id)).record.results < 20:
        await tell(api.ctx, dice, rounds=1)
        await advance_ladder(api.ctx, made.id)  # reaches have widened meanwhile
    rows = await ladders.standings(made.id)
    assert [row.place for row in rows if row.place] == [1, 2, 3, 4, 5]
    ranked = [row.rating.conservative for row in rows]
    assert ranked == sorted(ranked, reverse=True)
    first = rows[0].entrant if rows[0].place else rows[1].entrant
    steps = await ladders.history(made.id, first.player_id)
    assert [step.after.mean for step in steps][-1] == first.rating.mean
    assert len(steps) == first.games
    matches = await ladders.matches(made.id)
    assert [match.number for match in matches] == list(range(len(matches), 0, -1))
    own = await ladders.matches(made.id, first.player_id, most=3)
    assert [match.number for match in own] == [step.match_number for step in steps[:-4:-1]]
    other = next(player for player in players if player != first.player_id)
    met = await ladders.head_to_head(made.id, first.player_id, other)
    assert met.ahead + met.level + met.behind == met.tables == len(met.latest)
    assert 0 < met.expected_score < 1
    peek = await ladders.end_season(made.id, 1, validate_only=True)
    assert (peek.season, (await ladders.get(made.id)).season) == (2, 1)
    assert (await ladders.end_season(made.id, 1, reason="spring")).season == 2
    assert (await ladders.end_season(made.id, 1)).season == 2
    ended = await ladders.standings(made.id, season=1)
    assert [row.place for row in ended if row.place] == [1, 2, 3, 4, 5]
    checked = await ladders.check_ratings(made.id)
    assert (checked.results, list(checked.differences)) == (len(matches), [])
    left = await ladders.leave(made.id, players[0], reason="rest")
    assert not left.active
    assert (await ladders.enter(made.id, players[0])).active
    closed = await ladders.close(made.id, reason="done")
    assert closed.status in (pb.LADDER_STATUS_CLOSING, pb.LADDER_STATUS_FINISHED)
    error = await refused(ladders.enter(made.id, house.id))
    assert error.reason == "LADDER_OVER"


async def test_an_invitation_code_counts_blanks_and_all(api: Api) -> None:
    made = await api.admin.ladders.create(
        options(entry=EntryConditions(invitation_code=" open sesame "))
    )
    player = await api.admin.players.create("Ali", house_bot="random")
    for wrong in ("open sesame", "x" * 65):
        await refused(api.admin.ladders.enter(made.id, player.id, invitation_code=wrong))
    await api.admin.ladders.enter(made.id, player.id, invitation_code=" open sesame ")


async def test_who_waits_is_told_why_with_facts(api: Api) -> None:
    ladders = api.admin.ladders
    made = await ladders.create(options(pairing=pb.LadderPairing(hold=Duration(seconds=60))))
    players = await entered(api.admin, made.id, 1)
    [told] = await ladders.explain(made.id, players[0])
    assert (told.WhichOneof("reason"), told.entrants.free, told.entrants.needed) == (
        "entrants",
        1,
        3,
    )
    assert told.words == "1 free of 3 that make a table"
    assert not told.HasField("until_time")
    await entered(api.admin, made.id, 2)
    told, *others = await ladders.explain(made.id)
    assert {one.WhichOneof("reason") for one in others} == {"table"}
    far = pb.LadderPairing(smaller_after=Duration(seconds=60))
    other = await ladders.create(options(pairing=far))
    mine = await entered(api.admin, other.id, 3, owner="Ann")
    [told] = await ladders.explain(other.id, mine[0])
    assert told.reach.needed == 3
    assert told.HasField("since_time")


def test_every_reason_has_a_message_of_its_own() -> None:
    samples: tuple[reasons.Reason, ...] = (
        reasons.Pausing(5),
        reasons.TooFew(1, 3),
        reasons.SameOwner("Ann", 2, 0, None),
        reasons.NobodyNear(200, 0, 3, None, 9),
        reasons.Ahead(9, 2, 5, 7),
        reasons.TablesFull(2),
        reasons.NotBegun(8),
    )
    assert {type(reason) for reason in samples} == set(get_args(reasons.Reason))
    entrant = LadderEntrantRecord("p", "Ann", "", "", 0, 0, 1, 2)
    told = [waiting_message("l", Explained(1, entrant, reason, soon=False)) for reason in samples]
    assert [one.words for one in told] == [reason.words() for reason in samples]
    assert [one.HasField("until_time") for one in told] == [
        reason.until_ms is not None for reason in samples
    ]
    assert len({one.WhichOneof("reason") for one in told} - {None, "table"}) == len(samples)


async def test_a_repeated_creation_returns_the_first_and_other_content_is_refused(
    api: Api,
) -> None:
    async with grpc.aio.insecure_channel(api.address) as channel:
        create = LadderServiceStub(channel).CreateLadder
        request = ladder_service_pb2.CreateLadderRequest(request_id="once", options=options())
        first = await create(request, metadata=METADATA)
        assert first == await create(request, metadata=METADATA)
        request.options.pairing.reach = 7
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await create(request, metadata=METADATA)
        assert arena_error(caught.value, "").reason == "REQUEST_ID_REUSED"
    assert [ladder.id async for ladder in api.admin.ladders.list()] == [first.ladder.id]


async def test_validation_alone_creates_nothing(api: Api) -> None:
    arena = options(end_time=Timestamp(seconds=api.ctx.now_ms() // 1000 + 100))
    made = await api.admin.ladders.create(arena, validate_only=True)
    assert (made.id, made.arena) == ("", True)
    assert [ladder async for ladder in api.admin.ladders.list()] == []


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"pairing": pb.LadderPairing(seats_per_table=9)}, "options.pairing.seats_per_table"),
        ({"pairing": pb.LadderPairing(min_seats=5)}, "options.pairing.min_seats"),
        ({"pairing": pb.LadderPairing(widest_reach=9)}, "options.pairing.widest_reach"),
        ({"pairing": pb.LadderPairing(max_tables=999)}, "options.pairing.max_tables"),
        ({"pairing": pb.LadderPairing(hold=Duration(seconds=-1))}, "options.pairing.hold"),
        ({"ratings": pb.RatingRules(floor=0)}, "options.ratings"),
        ({"ratings": pb.RatingRules(start_mean=float("nan"))}, "options.ratings"),
        ({"capacity": 1_000_000}, "options.capacity"),
        ({"season_length": Duration(seconds=1)}, "options.season_length"),
        ({"end_time": Timestamp(seconds=1)}, "options.end_time"),
        ({"start_time": Timestamp(seconds=9_999_999_999)}, "options.start_time"),
        ({"entry": EntryConditions(roles=["spectator"])}, "options.entry.roles"),
    ],
)
async def test_what_cannot_be_used_is_named(api: Api, given: dict[str, object], field: str) -> None:
    error = await refused(api.admin.ladders.create(options(**given)))
    assert [violation.field for violation in error.violations] == [field]


async def test_players_enter_themselves_and_hosts_keep_to_what_is_theirs(api: Api) -> None:
    ladders = api.admin.ladders
    made = await ladders.create(
        options(entry=EntryConditions(invitation_code="come in", max_per_owner=1))
    )
    assert made.options.entry.invitation_code == "********"
    ann = await api.admin.players.create("Ann")
    token = await api.admin.players.create_token(ann.id)
    as_ann = api.admin.as_bearer(token.secret)
    error = await refused(as_ann.ladders.enter(made.id))
    assert (error.reason, error.facts["condition"]) == ("ENTRY_REFUSED", "invitation_code")
    entrant = await as_ann.ladders.enter(made.id, invitation_code="come in", tables_at_once=2)
    assert (entrant.player_id, entrant.tables_at_once) == (ann.id, 2)
    eve = await api.admin.players.create("Eve")
    host = await api.admin.players.create("Hugo", role=player_pb2.ROLE_HOST)
    hosts = await api.admin.players.create_token(host.id)
    as_host = api.admin.as_bearer(hosts.secret)
    for call in (
        as_ann.ladders.enter(made.id, eve.id),
        as_ann.ladders.enter(made.id, owner="Eve"),
        as_ann.ladders.leave(made.id, eve.id),
        as_ann.ladders.create(options()),
        as_ann.ladders.check_ratings(made.id),
        as_host.ladders.enter(made.id, eve.id),
        as_host.ladders.close(made.id),
        as_host.ladders.end_season(made.id, 1),
        as_host.ladders.check_ratings(made.id),
    ):
        assert (await refused(call)).reason == "NOT_ALLOWED"
    await ladders.enter(made.id, eve.id, owner="club", invitation_code="come in")
    bob = await api.admin.players.create("Bob")
    error = await refused(ladders.enter(made.id, bob.id, owner="club", invitation_code="come in"))
    assert error.facts["condition"] == "max_per_owner"
    assert (await refused(ladders.history(made.id, bob.id))).reason == "NOT_ENTERED"
    error = await refused(ladders.head_to_head(made.id, eve.id, eve.id))
    assert [violation.field for violation in error.violations] == ["opponent_id"]
    assert (await refused(ladders.get("nowhere"))).reason == "NOT_FOUND"
    error = await refused(ladders.standings(made.id, season=1))
    assert [violation.field for violation in error.violations] == ["season"]


async def test_a_table_of_a_ladder_opens_in_a_moment(api: Api) -> None:
    made = await api.admin.ladders.create(options())
    await entered(api.admin, made.id, 4)
    await advance_ladder(api.ctx, made.id)
    [told, *_] = await api.admin.ladders.explain(made.id)
    [table] = told.entrant.open_table_ids
    error = await refused(api.admin.tables.get(table))
    assert (error.code, error.reason) == (grpc.StatusCode.UNAVAILABLE, "TABLE_NOT_OPEN")
    assert (await refused(api.admin.tables.get(f"{made.id}-l99"))).reason == "NOT_FOUND"
