"""Ladders of the fuzzed arena: one that is played, one that is over, and calls that hit them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from rummy_arena.api.v1 import ladder_service_pb2 as pb
from rummy_arena.api.v1.ladder_pb2 import LadderOptions, LadderPairing

from .laddered import tell

if TYPE_CHECKING:
    from .fuzz_world import World

PLAYERS = ("Ann", "Bob", "Cid", "elsewhere", "robot")


async def add_ladders(world: World, rule_set: str) -> None:
    """Make the ladders, and keep a right call of each kind."""
    pairing = LadderPairing(seats_per_table=3)
    options = LadderOptions(title="Ladder", rule_set_id=rule_set, pairing=pairing)
    options.pairing.pause.SetInParent()  # none
    for name in ("ladder", "over"):
        world.ladders[name] = (await world.admin.ladders.create(options)).id
    played, over = world.ladders["ladder"], world.ladders["over"]
    for name in PLAYERS:
        await world.admin.ladders.enter(played, world.players[name])
    await tell(world.ctx, random.Random(1), rounds=4)
    await world.admin.ladders.end_season(played, 1)
    await world.admin.ladders.close(over, reason="rain")
    world.ladders["nobody's"] = "nobodys-ladder"
    ann, bob = world.players["Ann"], world.players["Bob"]
    for who, request in (
        ("host", pb.CreateLadderRequest(request_id="right", options=options)),
        ("Ann", pb.EnterLadderRequest(request_id="right", ladder_id=played)),
        ("Bob", pb.LeaveLadderRequest(request_id="right", ladder_id=played)),
        ("admin", pb.CloseLadderRequest(request_id="right", ladder_id=over)),
        ("admin", pb.EndLadderSeasonRequest(request_id="right", ladder_id=played, season=1)),
        ("spectator", pb.GetLadderRequest(ladder_id=played)),
        ("Ann", pb.GetLadderEntrantRequest(ladder_id=played)),
        ("spectator", pb.ListLaddersRequest()),
        ("spectator", pb.GetLadderStandingsRequest(ladder_id=played, season=1)),
        ("spectator", pb.ListLadderMatchesRequest(ladder_id=played, player_id=ann)),
        (
            "spectator",
            pb.GetHeadToHeadRequest(ladder_id=played, player_id=ann, opponent_id=bob),
        ),
        ("spectator", pb.GetRatingHistoryRequest(ladder_id=played, player_id=ann)),
        ("spectator", pb.ExplainLadderRequest(ladder_id=played)),
        ("admin", pb.CheckLadderRatingsRequest(ladder_id=played)),
    ):
        world.keep(type(request).__name__.removesuffix("Request"), who, request)
