"""Events of the fuzzed arena at every stage of their life, and calls that hit them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.message import Message

from rummy_arena.api.v1 import director_service_pb2 as dpb
from rummy_arena.api.v1 import tournament_service_pb2 as pb
from rummy_arena.api.v1.tournament_pb2 import Knockout, TournamentOptions
from services.events.seat_table import seat_table
from workers.tasks.tables import create_seated

if TYPE_CHECKING:
    from .fuzz_world import World

HOUR_S = 3_600
FIELD = ("Ann", "Bob", "Cid", "elsewhere", "robot", "victim")


async def add_events(world: World, rule_set: str) -> None:
    """Make the events, and keep a right call of each kind."""
    for name in ("gathering", "resting", "called off", "boards"):
        options = _options(name, rule_set)
        if name == "gathering":
            options.start_time.FromMilliseconds(world.ctx.now_ms() + HOUR_S * 1_000)
            options.check_in_time.FromSeconds(2 * HOUR_S)
        elif name == "boards":
            options.ClearField("knockout")
            options.stages.add(format_id="duplicate", seats_per_table=3)
        elif name == "resting":
            options.break_between_rounds.FromSeconds(HOUR_S)
        world.tournaments[name] = (await world.admin.tournaments.open(options)).id
    for name in ("gathering", "resting", "boards"):
        for player in FIELD:
            await world.admin.tournaments.register(world.tournaments[name], world.players[player])
    for name in ("resting", "boards"):
        await world.admin.tournaments.start(world.tournaments[name])
    sealed = await seat_table(world.ctx, world.tournaments["boards"], 1, 1)
    assert sealed is not None
    await create_seated(world.ctx, sealed)
    world.tables["sealed"] = sealed.table_id
    cups = world.tournaments
    running, resting, entering = cups["running"], cups["resting"], cups["entering"]
    spare = world.players["spare"]
    for who, request in (
        *_directed(running, resting, cups["called off"], spare),
        ("Ann", pb.CheckInRequest(request_id="right", tournament_id=cups["gathering"])),
        ("Ann", pb.WithdrawRequest(request_id="out", tournament_id=entering, reason="ill")),
        ("Ann", pb.ReturnToTournamentRequest(request_id="back", tournament_id=entering)),
        *[("spectator", request) for request in _looks(running)],
    ):
        world.keep(type(request).__name__.removesuffix("Request"), who, request)


def _looks(running: str) -> list[Message]:
    return [
        pb.ExplainTournamentRequest(tournament_id=running),
        pb.GetTournamentRequest(tournament_id=running),
        pb.GetBracketRequest(tournament_id=running),
        pb.GetStandingsRequest(tournament_id=running),
        pb.WatchTournamentRequest(tournament_id=running),
        pb.ListTournamentsRequest(),
    ]


def _directed(running: str, resting: str, off: str, spare: str) -> list[tuple[str, Message]]:
    requests: list[Message] = [
        dpb.PauseTournamentRequest(tournament_id=running),
        dpb.ResumeTournamentRequest(tournament_id=running),
        dpb.CancelTournamentRequest(tournament_id=off),
        dpb.ReplayTableRequest(tournament_id=running, number=2),
        dpb.ReplaceEntrantRequest(tournament_id=resting, entrant=6, player_id=spare),
        dpb.DisqualifyEntrantRequest(tournament_id=resting, entrant=5),
        dpb.RepairRoundRequest(tournament_id=resting, round=1),
    ]
    for number, request in enumerate(requests):
        request.request_id = f"directed-{number}"  # type: ignore[attr-defined]
        if "reason" in request.DESCRIPTOR.fields_by_name:
            request.reason = "rain"  # type: ignore[attr-defined]
    return [("admin", request) for request in requests]


def _options(title: str, rule_set: str) -> TournamentOptions:
    knockout = Knockout(seats_per_table=3, advance_per_table=1)
    return TournamentOptions(title=title, rule_set_id=rule_set, knockout=knockout)
