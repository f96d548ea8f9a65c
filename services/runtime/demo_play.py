"""The demo's tournament, played by an ordinary client of the API."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rummy_arena.api.v1.player_pb2 import ROLE_HOST
from rummy_arena.api.v1.table_pb2 import Table
from rummy_arena.api.v1.tournament_event_pb2 import TournamentEvent
from rummy_arena.api.v1.tournament_pb2 import Round, Standing, Tournament
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client import Arena
from rummy_arena.rulesets.errors import OptionError, UnknownRuleSet
from rummy_arena.rulesets.registry import get_rule_set

CREATED_AT_ONCE = 32


@dataclass(frozen=True)
class Plan:
    """What to play and how to show it."""

    entrants: int = 256
    rule_set: str = "kalooki-jamaican"
    options: Mapping[str, str] = field(default_factory=dict)  # of the rule set
    seats: int = 4
    advance: int = 2
    seed: str | None = None
    keep: bool = False
    as_json: bool = False


def usual_seats(rule_set: str, options: Mapping[str, str]) -> int:
    """Return the seats of a table when nobody says: as many as usual, if the rules allow it."""
    seats = Plan().seats
    try:
        rules = get_rule_set(rule_set, options)
    except (UnknownRuleSet, OptionError):
        return seats  # the demo's check says what is wrong with them
    return min(max(seats, rules.min_seats), rules.max_seats)


@dataclass
class RoundProgress:
    """How far one round is."""

    number: int
    entrants: int
    tables: int
    finished: int = 0

    @property
    def title(self) -> str:
        """The round's name."""
        return "final" if self.tables == 1 else f"round {self.number}"


@dataclass
class Progress:
    """How far the tournament is, from its events."""

    entered: int = 0
    rounds: list[RoundProgress] = field(default_factory=list)
    tables: int = 0
    deals: int = 0
    actions: int = 0
    started_s: float = 0.0  # monotonic

    def take(self, event: TournamentEvent) -> None:
        """Count one event."""
        match event.WhichOneof("event"):
            case "tournament_started":
                self.started_s = time.monotonic()
            case "round_started":
                told = event.round_started
                self.rounds.append(RoundProgress(told.round, told.entrant_count, told.table_count))
            case "table_finished":
                result = event.table_finished.result
                self.tables += 1
                self.deals += result.deals
                self.actions += result.actions
                for row in self.rounds:
                    row.finished += row.number == event.table_finished.round


@dataclass(frozen=True)
class Outcome:
    """How the tournament ended, as the API tells it."""

    tournament: Tournament
    rounds: list[Round]
    final_table: Table
    standings: list[Standing]
    play_s: float


async def play(
    arena: Arena, plan: Plan, seed: str, show: Callable[[Progress], None], *, stall_s: float
) -> Outcome:
    """Create, fill, start and follow one tournament; raises ArenaError when a call is refused.

    TimeoutError says that nothing happened in the tournament for ``stall_s`` seconds.
    """
    host_player = await arena.players.create("demo host", role=ROLE_HOST)
    token = await arena.players.create_token(host_player.id)
    host = arena.as_bearer(token.secret)
    tournament = await host.tournaments.create(
        f"Demo of {plan.entrants} house bots",
        rule_set=plan.rule_set,
        options=plan.options,
        seats_per_table=plan.seats,
        advance_per_table=plan.advance,
        capacity=plan.entrants,
        seed=seed,
    )
    progress = Progress()

    def entered(number: int) -> None:
        progress.entered = number
        show(progress)

    await enter_house_bots(host, tournament.id, plan.entrants, entered)
    started_s = progress.started_s = time.monotonic()
    await host.tournaments.start(tournament.id)
    async with asyncio.timeout(stall_s) as patience:
        async for event in host.tournaments.events(tournament.id):
            patience.reschedule(asyncio.get_running_loop().time() + stall_s)
            progress.take(event)
            show(progress)
    play_s = time.monotonic() - started_s
    return await read_outcome(host, tournament.id, play_s)


async def enter_house_bots(
    host: Arena, tournament_id: str, count: int, entered: Callable[[int], None] = lambda _: None
) -> None:
    """Create ``count`` house bots and enter them; ``entered`` is told how many are in.

    They are created many at once but entered one after another: entrant numbers follow the order
    of registration, and everything that is drawn follows the numbers.
    """
    kinds = sorted(HOUSE_BOTS)
    gate = asyncio.Semaphore(CREATED_AT_ONCE)

    async def create(number: int) -> str:
        bot = kinds[number % len(kinds)]
        async with gate:
            return (await host.players.create(f"{bot}-{number + 1:03}", house_bot=bot)).id

    for player_id in await asyncio.gather(*map(create, range(count))):
        entered((await host.tournaments.register(tournament_id, player_id)).number)


async def read_outcome(arena: Arena, tournament_id: str, play_s: float) -> Outcome:
    """Return what the arena knows of a finished tournament."""
    tournament = await arena.tournaments.get(tournament_id)
    rounds = await arena.tournaments.bracket(tournament_id)
    return Outcome(
        tournament=tournament,
        rounds=rounds,
        final_table=await arena.tables.get(rounds[-1].pairings[0].table_id),
        standings=await arena.tournaments.standings(tournament_id),
        play_s=play_s,
    )
