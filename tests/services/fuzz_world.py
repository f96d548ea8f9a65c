"""A small arena with everything that a caller may meet: for requests that are nearly right."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.message import Message

from rummy_arena.api.v1 import player_service_pb2 as ppb
from rummy_arena.api.v1 import table_service_pb2 as pb
from rummy_arena.api.v1 import tournament_service_pb2 as tpb
from rummy_arena.api.v1.player_pb2 import Role, Scope
from rummy_arena.api.v1.table_export_pb2 import ExportTableRequest
from rummy_arena.api.v1.terms_pb2 import (
    VISIBILITY_PRIVATE,
    VISIBILITY_UNLISTED,
    TableOptions,
)
from rummy_arena.api.v1.tournament_pb2 import Knockout, TournamentOptions
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client import Arena
from rummy_arena.client.terms import spectator_delay
from rummy_arena.client.wire import CARD_TEXT, action_message
from rummy_arena.game import actions
from rummy_arena.rulesets.registry import RULE_SETS
from services.events.seat_table import seat_table
from services.events.tournament import INDEX
from services.play.list_tables import LIVE
from services.play.listing import ENDED_INDEX, LIVE_INDEX
from services.rpc.pages import page_token
from services.state.context import Context
from services.state.records import ENDED
from workers.tasks.tables import create_seated

from .fuzz_events import add_events
from .fuzz_ladders import add_ladders
from .fuzz_webhooks import add_webhooks
from .played import RULE_SET as RULES
from .played import played_table


@dataclass
class World:
    """What there is, by kind; ``tokens`` are those of callers, good and bad."""

    ctx: Context
    admin: Arena
    tokens: dict[str, str] = field(default_factory=dict)
    players: dict[str, str] = field(default_factory=dict)
    token_ids: list[str] = field(default_factory=list)
    tables: dict[str, str] = field(default_factory=dict)
    tournaments: dict[str, str] = field(default_factory=dict)
    ladders: dict[str, str] = field(default_factory=dict)
    right: dict[str, list[tuple[str, bytes]]] = field(default_factory=dict)
    """Calls that are hard to hit, by method: whose token, and the request."""
    turns: list[tuple[str, dict[str, Sequence[Any]]]] = field(default_factory=list)
    """Who plays at a table, and what an action of theirs may hold: that table, and their cards."""

    def words(self) -> dict[str, Sequence[Any]]:
        """Return what fields may hold, by their name."""
        tables, tournaments = [*self.tables.values()], [*self.tournaments.values()]
        players = [*self.players.values()]
        return {
            "table_id": tables,
            "tournament_id": tournaments,
            "ladder_id": [*self.ladders.values()],
            "opponent_id": players,
            "season": [1, 2],
            "number": [1, 2],
            "round": [1, 2],
            "entrant": [1, 2, 6],
            "other": [3, 6],
            "tables_at_once": [0, 1, 9],
            "player_id": players,
            "all_of_player_id": [self.players["victim"]],
            "invited_player_ids": players,
            "token_id": self.token_ids,
            "request_id": [f"r{number}" for number in range(200)],
            "rule_set_id": [*[RULES] * 6, *RULE_SETS],
            "house_bot": ["", *HOUSE_BOTS],
            "stand_in": [*HOUSE_BOTS],
            "key": ["calls", "best_of", "stakes"],
            "value": ["on", "off", "3"],
            "name": ["Ann", "Bob"],
            "title": ["Cup"],
            "reason": ["rain"],
            "seed": ["seed"],
            "card": [text for text in CARD_TEXT.values() if text],
            "cards": [text for text in CARD_TEXT.values() if text],
            "seat": [0, 1, 2],
            "seats": [3, 4],
            "seats_per_table": [3, 4],
            "advance_per_table": [1],
            "capacity": [0, 8],
            "places": [1, 2, 3],
            "deals": [1],
            "absent_after": [1, 3],
            "page_size": [0, 1, 50],
            "after_sequence": [0, 1, 5],
            "page_token": [*[""] * 6, *_page_tokens((*tables, *tournaments))],
        }

    async def player(self, name: str, role: Role.ValueType, **options: Any) -> None:
        """Add a player with a token."""
        made = await self.admin.players.create(name, role=role, **options)
        token = await self.admin.players.create_token(made.id)
        self.players[name], self.tokens[name] = made.id, token.secret
        self.token_ids.append(token.token_id)

    def keep(self, method: str, who: str, request: Message) -> None:
        """Keep a call that is hard to hit."""
        self.right.setdefault(method, []).append((who, request.SerializeToString()))

    def of(self, name: str) -> Arena:
        """Return a player's connection."""
        return self.admin.as_bearer(self.tokens[name])


def _page_tokens(ids: Sequence[str]) -> list[str]:
    """Return tokens that pass for the lists' own, and some that cannot."""
    lists = ["tournaments", "rule sets"]
    lists += [f"{kind} {name}" for kind in ("history", "bracket", "standings") for name in ids[:4]]
    lists += [f"tables {rules} {sorted(lives)}" for rules in ("", RULES) for lives in (LIVE, ENDED)]
    positions = ["1", "0", "999999999999999", "-1", "1e3", "\0", "nobody", *ids[:2]]
    for index, score in itertools.product(
        (LIVE_INDEX, ENDED_INDEX, INDEX), ("0", "1", "999999999999999", "-1")
    ):
        positions += [f"{index}:{score}:{entity}" for entity in ("nobody", "\0", *ids[:1])]
    tokens = [page_token(of, position) for of, position in itertools.product(lists, positions)]
    return [*tokens, "x", "=", "AAAA", "AAAAAA==", "/+//", "é"]


async def world_of(ctx: Context, admin: Arena, admin_token: str) -> World:
    """Return a new world in an empty store, but for the administrator."""
    world = World(ctx, admin, tokens={"admin": admin_token, "none": "", "unknown": "x" * 60})
    for name in ("Ann", "Bob", "Cid", "elsewhere", "spare", "victim"):
        await world.player(name, Role.ROLE_PLAYER)
    await world.player("host", Role.ROLE_HOST)
    await world.player("robot", Role.ROLE_BOT, house_bot="greedy")
    await world.player("spectator", Role.ROLE_SPECTATOR)
    await _tokens(world)
    await _tables(world)
    await _tournaments(world)
    await add_events(world, RULES)
    await add_ladders(world, RULES)
    await add_webhooks(world)
    return world


async def _tokens(world: World) -> None:
    """Ann's tokens of each scope alone; one that was rotated out, and one that was revoked."""
    players, ann = world.admin.players, world.players["Ann"]
    for scope in Scope.values()[1:]:
        if scope != Scope.SCOPE_PLAYERS:
            token = await players.create_token(ann, scopes=[scope])
            world.tokens[Scope.Name(scope)] = token.secret
    rotated = await players.create_token(world.players["victim"])
    world.tokens["rotated"] = rotated.secret
    await players.rotate_token(rotated.token_id)
    revoked = await players.create_token(world.players["victim"])
    world.tokens["revoked"] = revoked.secret
    await players.revoke_token(revoked.token_id)
    world.token_ids += [rotated.token_id, revoked.token_id]
    spare = (await players.create_token(ann)).token_id
    for request in (
        ppb.CreatePlayerRequest(request_id="new", name="Dee", role=Role.ROLE_PLAYER),
        ppb.CreateTokenRequest(request_id="token", player_id=ann),
        ppb.ListTokensRequest(player_id=ann),
        ppb.RotateTokenRequest(request_id="rotate", token_id=spare),
        ppb.RevokeTokenRequest(request_id="revoke", token_id=revoked.token_id),
    ):
        world.keep(type(request).__name__.removesuffix("Request"), "admin", request)


LIVES = ("open", "full", "playing", "moving", "paused", "adjudicated", "closed", "never dealt")
TERMS: dict[str, dict[str, Any]] = {
    "delayed": {"spectator_delay": spectator_delay(deals=1)},
    "private": {"visibility": VISIBILITY_PRIVATE},
    "unlisted": {"visibility": VISIBILITY_UNLISTED},
}


async def _tables(world: World) -> None:
    for life in LIVES:
        world.tables[life] = await _table(world, life)
    for name, terms in TERMS.items():
        world.tables[name] = await _table(world, "playing", **terms)
    world.tables["nobody's"] = "nobodys-table"
    played = await played_table(world.ctx)
    await played.finish()
    world.tables["finished"] = finished = played.id
    for rules in RULE_SETS:
        world.tables[rules] = await _table(world, "playing", rules=rules)
    for life in ("playing", "moving", "delayed", "private", *RULE_SETS):
        await _act(world, world.tables[life])
    for method, life, kind in (
        ("TakeSeat", "open", pb.TakeSeatRequest),
        ("LeaveSeat", "open", pb.LeaveSeatRequest),
        ("SetReady", "full", pb.SetReadyRequest),
        ("StartTable", "full", pb.StartTableRequest),
    ):
        who = "Bob" if method == "TakeSeat" else "Ann"
        world.keep(method, who, kind(request_id=method, table_id=world.tables[life]))
    for read in (
        pb.GetTableRequest(table_id=finished),
        pb.GetHistoryRequest(table_id=finished),
        pb.WatchTableRequest(table_id=finished),
        ExportTableRequest(table_id=finished),
        pb.ListTablesRequest(),
    ):
        world.keep(type(read).__name__.removesuffix("Request"), "spectator", read)
    options = TableOptions(rule_set_id=RULES, seats=3)
    world.keep("CreateTable", "Ann", pb.CreateTableRequest(request_id="right", options=options))
    first, *_, last = RULE_SETS
    pause = pb.PauseTableRequest(request_id="pause", table_id=world.tables[first])
    world.keep("PauseTable", "Ann", pause)
    resume = pb.ResumeTableRequest(request_id="resume", table_id=world.tables[first])
    world.keep("ResumeTable", "Ann", resume)
    close = pb.CloseTableRequest(request_id="close", table_id=world.tables[last], reason="rain")
    world.keep("CloseTable", "Ann", close)
    for life in ("paused", "unlisted"):
        request = pb.AdjudicateTableRequest(
            request_id="right", table_id=world.tables[life], places=(1, 2, 3), reason="late"
        )
        world.keep("AdjudicateTable", "Ann", request)


async def _act(world: World, table_id: str) -> None:
    """Keep the action with which whoever is in turn may begin."""
    table = await world.of("Ann").tables.get(table_id)
    name = ("Ann", "Bob", "Cid")[table.waiting_seats[0]]
    act = action_message(actions.DRAW_STOCK)
    world.keep("Act", name, pb.ActRequest(request_id="right", table_id=table_id, action=act))
    for name in ("Ann", "Bob", "Cid"):
        hand = (await world.of(name).tables.get(table_id)).view.hand
        world.turns.append((name, {"table_id": [table_id], "card": hand, "cards": hand}))


async def _table(world: World, life: str, rules: str = RULES, **terms: Any) -> str:
    tables = world.of("Ann").tables
    table = await tables.create(rules, 3, **terms)
    await tables.take_seat(table.id)
    if life in ("open", "never dealt"):
        if life == "never dealt":
            await tables.close(table.id, "rain")
        return table.id
    for name in ("Bob", "Cid"):
        await tables.take_seat(table.id, player_id=world.players[name])
    if life == "full":
        return table.id
    await tables.start(table.id)
    if life == "paused":
        await tables.pause(table.id)
    elif life == "adjudicated":
        await tables.adjudicate(table.id, "late", (1, 2, 3))
    elif life == "closed":
        await tables.close(table.id, "rain")
    return table.id


async def _tournaments(world: World) -> None:
    """One that can be entered, and one that is played, with a table that has yet to open."""
    ctx, tournaments = world.ctx, world.admin.tournaments
    knockout = Knockout(seats_per_table=3, advance_per_table=1)
    options = TournamentOptions(title="Cup", rule_set_id=RULES, knockout=knockout)
    for request_id in ("right", "also-right"):
        request = tpb.CreateTournamentRequest(request_id=request_id, options=options)
        world.keep("CreateTournament", "host", request)
    for name in ("entering", "running"):
        made = await tournaments.create(
            name, rule_set=RULES, seats_per_table=3, advance_per_table=1
        )
        world.tournaments[name] = made.id
    entering, running = world.tournaments["entering"], world.tournaments["running"]
    for name in ("Ann", "Bob", "Cid", "elsewhere", "robot", "victim"):
        await tournaments.register(running, world.players[name])
    await tournaments.start(running)
    started = tpb.StartTournamentRequest(request_id="right", tournament_id=running)
    world.keep("StartTournament", "admin", started)
    entered = tpb.RegisterRequest(request_id="right", tournament_id=entering)
    world.keep("Register", "Ann", entered)
    world.tournaments["nobody's"] = "nobodys-cup"
    seating = await seat_table(ctx, running, 1, 1)
    assert seating is not None
    await create_seated(ctx, seating)
    world.tables["tournament's"] = seating.table_id
    [first] = await tournaments.bracket(running)
    world.tables["not open"] = first.pairings[1].table_id
