"""Directors of events that run by dice, and write down what they did."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from rummy_arena.rulesets.registry import get_rule_set
from rummy_arena.tournament.errors import UnevenField
from rummy_arena.tournament.registry import stage_of
from rummy_arena.tournament.tables import TableLimits
from services.events.check_in import check_in
from services.events.create_player import create_player
from services.events.create_tournament import TournamentOptions, create_tournament
from services.events.errors import InvalidOption, NotNow, TournamentFull, WrongStatus
from services.events.hold_tournament import cancel_tournament, pause_tournament, resume_tournament
from services.events.leave_tournament import return_to_tournament, withdraw
from services.events.principals import Principal
from services.events.register import Claim, register
from services.events.repair_round import repair_round
from services.events.replace_entrant import disqualify_entrant, replace_entrant
from services.events.replay_table import replay_table
from services.events.stage_choices import StageChoice
from services.events.start_tournament import start_tournament
from services.events.tournament import read_tournament
from services.events.tournament_parts import read_round, results_so_far
from services.play.adjudicate_table import adjudicate_table
from services.play.change import Ask
from services.play.errors import WrongLife
from services.state.context import Context
from services.state.records import Schedule, Status, TournamentRecord
from services.state.store import NotFound
from tests.workers.carrying import Clock, drain, sweep

from .event_reader import Deed, Reader

HOST, ADMIN = Principal("host", "host"), Principal("boss", "admin")
BREAK_MS, STEP_MS, START_MS = 30_000, 11_000, 60_000
BUSY_STEPS, MOST_STEPS = 10, 120
SEED_BYTES = 32


@dataclass(frozen=True)
class Kind:
    """What is played."""

    rule_set: str
    stages: tuple[StageChoice, ...]
    late: int = 0  # the last round in which somebody may enter
    rules: Mapping[str, str] = field(default_factory=lambda: {"contract": "1"})


def _stage(format_id: str, seats: int, take: int = 0, **options: str) -> StageChoice:
    smallest = min(3, seats)
    return StageChoice(format_id, seats, options, smallest=smallest, take=take)


JAMAICAN, CARIOCA = "kalooki-jamaican", "carioca-argentine"
KINDS = {
    "knockout": Kind(JAMAICAN, (_stage("knockout", 4, advance="2", third_place="yes"),)),
    "groups": Kind(
        JAMAICAN,
        (_stage("groups", 3, groups="2", wildcards="1"), _stage("knockout", 4, advance="1")),
    ),
    "swiss": Kind(CARIOCA, (_stage("swiss", 2, rounds="3", last_entry="2", late="3"),), late=2),
    "swiss of four": Kind(
        JAMAICAN, (_stage("swiss", 4, rounds="3", last_entry="2", late="2"),), late=2
    ),
    "double elimination": Kind(CARIOCA, (_stage("double-elimination", 2),)),
    "lobby, then final": Kind(
        JAMAICAN,
        (_stage("lobby", 4, take=4, rounds="2"), _stage("knockout", 4, advance="1")),
    ),
    "danish": Kind(JAMAICAN, (_stage("danish", 3, rounds="3"),)),
    "round robin": Kind(CARIOCA, (_stage("round-robin", 2, rounds="4"),)),
    "duplicate": Kind(JAMAICAN, (_stage("duplicate", 3, rounds="3"),)),
    "shrinking": Kind(
        JAMAICAN,
        (_stage("shrinking", 4, cut="25", reentries="1", reentry_rounds="3", rounds="5"),),
        late=2,
        rules={},
    ),
}


@dataclass
class Director:
    """Runs one event by its dice, and writes down what was done."""

    ctx: Context
    clock: Clock
    kind: Kind
    dice: random.Random
    id: str = ""
    people: dict[int, str] = field(default_factory=dict)  # who has the place of an entrant
    away: list[int] = field(default_factory=list)  # who has withdrawn, and perhaps is back
    deeds: list[Deed] = field(default_factory=list)
    last: int = 0

    async def record(self) -> TournamentRecord:
        """Return the tournament as it is."""
        return (await read_tournament(self.ctx, self.id)).record

    async def create(self) -> None:
        """Create the event."""
        dice = self.dice
        self.timed = dice.random() < 0.4
        self.checked = self.timed and dice.random() < 0.5
        schedule = Schedule(
            break_ms=BREAK_MS if dice.random() < 0.7 else 0,
            start_ms=self.clock.now_ms + START_MS if self.timed else 0,
            check_in_ms=START_MS if self.checked else 0,
            late_rounds=self.kind.late,
        )
        self.breaks = bool(schedule.break_ms)
        options = TournamentOptions(
            "Oracle",
            self.kind.rule_set,
            self.kind.stages,
            capacity=40,
            seed=dice.randbytes(8),
            rule_set_options=self.kind.rules,
            schedule=schedule,
        )
        self.seed = options.seed.rjust(SEED_BYTES, b"\0")
        self.id = self.ctx.new_id()
        await create_tournament(self.ctx, HOST, options, tournament_id=self.id)

    async def player(self) -> str:
        """Return a new player: a house bot, or sometimes a person."""
        bot = "random" if self.dice.random() < 0.85 else ""
        self.last += 1
        player_id, _ = await create_player(
            self.ctx,
            HOST,
            name=f"p{self.last}",
            role="bot" if bot else "player",
            bot=bot,
            player_id=f"{self.id}-p{self.last}",
        )
        return player_id

    def who(self) -> Principal:
        """Return somebody who may direct."""
        return self.dice.choice((HOST, ADMIN))

    def reason(self) -> str:
        """Return a reason."""
        return f"because {self.dice.randrange(1000)}"

    async def do(self, deed: Deed, call: Awaitable[object]) -> bool:
        """Write the deed down unless it is refused; return whether it was not."""
        before = (await read_tournament(self.ctx, self.id)).sequence
        try:
            await call
        except (NotNow, WrongStatus, InvalidOption, TournamentFull, UnevenField, NotFound):
            return False
        if (await read_tournament(self.ctx, self.id)).sequence > before:
            self.deeds.append(deed)
        return True

    async def enter(self) -> None:
        """Somebody enters, or is entered by the host."""
        player_id = await self.player()
        principal, claim = Principal(player_id, "player"), Claim()
        if self.dice.random() < 0.6:
            owner = self.dice.choice(("", "ann", "bob"))
            principal, claim = HOST, Claim(owner=owner, seeding=self.dice.randrange(9))
        deed = (principal.player_id, "register", player_id, claim.owner, claim.seeding)
        call = register(
            self.ctx, principal, tournament_id=self.id, player_id=player_id, claim=claim
        )
        if await self.do(deed, call):
            self.people[len(self.people) + 1] = player_id

    async def leave(self, number: int) -> None:
        """An entrant withdraws, by itself or not."""
        player_id, reason = self.people[number], self.dice.choice(("", self.reason()))
        principal = self.dice.choice((HOST, Principal(player_id, "player")))
        call = withdraw(self.ctx, principal, self.id, player_id, reason=reason)
        if await self.do((principal.player_id, "withdraw", number, reason), call):
            self.away.append(number)

    async def come_back(self, number: int) -> None:
        """An entrant comes back."""
        principal, player_id = self.who(), self.people[number]
        call = return_to_tournament(self.ctx, principal, self.id, player_id)
        await self.do((principal.player_id, "return", number), call)

    async def check_in(self, number: int) -> None:
        """An entrant checks in."""
        player_id = self.people[number]
        call = check_in(self.ctx, Principal(player_id, "player"), self.id, player_id)
        await self.do((player_id, "check in", number), call)

    async def disqualify(self, number: int) -> None:
        """An entrant is taken out."""
        principal, reason = self.who(), self.reason()
        call = disqualify_entrant(self.ctx, principal, self.id, number, reason=reason)
        await self.do((principal.player_id, "disqualify", number, reason), call)

    async def replace(self, number: int) -> None:
        """Another player gets an entrant's place."""
        principal, reason, player_id = self.who(), self.reason(), await self.player()
        call = replace_entrant(self.ctx, principal, self.id, number, player_id, reason=reason)
        if await self.do((principal.player_id, "replace", number, player_id, reason), call):
            self.people[number] = player_id

    async def pause(self) -> None:
        """The event is held."""
        principal, reason = self.who(), self.reason()
        call = pause_tournament(self.ctx, principal, self.id, reason=reason)
        await self.do((principal.player_id, "pause", reason), call)

    async def resume(self) -> None:
        """It goes on."""
        principal = self.who()
        call = resume_tournament(self.ctx, principal, self.id)
        await self.do((principal.player_id, "resume"), call)

    async def replay(self) -> None:
        """A table is played again."""
        record = await self.record()
        if not record.rounds:
            return
        number, round_number = self.dice.randint(1, record.rounds[-1].tables), len(record.rounds)
        principal, reason = self.who(), self.reason()
        call = replay_table(self.ctx, principal, self.id, number, reason=reason)
        await self.do((principal.player_id, "replay", round_number, number, reason), call)

    async def repair(self) -> None:
        """A round is paired again, or two change places."""
        number = len((await self.record()).rounds)
        principal, reason = self.who(), self.reason()
        two = self.dice.sample(sorted(self.people), 2)
        exchanges = [(two[0], two[1])] if self.dice.random() < 0.5 else []
        call = repair_round(
            self.ctx, principal, self.id, number, exchanges=exchanges, reason=reason
        )
        await self.do((principal.player_id, "repair", number, reason), call)

    async def adjudicate(self) -> None:
        """A table that is not over is decided, and so written down with its result."""
        record = await self.record()
        if not record.rounds or record.begun < len(record.rounds):
            return
        round_ = await read_round(self.ctx, self.id, record.rounds[-1])
        done = {result.number for result in await results_so_far(self.ctx, self.id, round_)}
        awaited = [n for n in range(1, len(round_.tables) + 1) if n not in done]
        if not awaited:
            return
        number = self.dice.choice(awaited)
        again = round_.attempts.get(number, 1)
        table_id = f"{self.id}-r{round_.number}-t{number}" + (f"-a{again}" if again > 1 else "")
        marks = [self.dice.randrange(3) for _ in round_.tables[number - 1]]
        places = [1 + sum(one < mark for one in marks) for mark in marks]
        principal, reason = self.who(), self.reason()
        try:
            await adjudicate_table(
                self.ctx, principal, table_id, Ask(""), reason=reason, places=places
            )
        except (NotFound, WrongLife):
            return
        self.deeds.append((principal.player_id, "adjudicate", table_id, reason))

    async def act(self) -> None:
        """Do something, whatever the dice say."""
        one = self.dice.choice(sorted(self.people))
        away = self.dice.choice(self.away or [one])
        plans: list[tuple[int, Callable[[], Awaitable[None]]]] = [
            (4, lambda: self.leave(one)),
            (3, lambda: self.come_back(away)),
            (1, lambda: self.disqualify(one)),
            (2, lambda: self.replace(one)),
            (1, self.pause),
            (3, self.resume),
            (3, self.replay),
            (5, self.repair),
            (4, self.adjudicate),
            (3, self.enter),
        ]
        weights, acts = zip(*plans, strict=True)
        (chosen,) = self.dice.choices(acts, weights)
        await chosen()

    async def begin(self) -> None:
        """Create the event, fill it, do this and that, and start it unless its time does."""
        await self.create()
        for _ in range(self.dice.randint(6, 10)):
            await self.enter()
        for _ in range(3):
            await self.act()
        if self.checked:
            for number in sorted(self.people):
                if self.dice.random() < 0.9:
                    await self.check_in(number)
        if not self.timed:
            call = start_tournament(self.ctx, HOST, tournament_id=self.id)
            await self.do((HOST.player_id, "start"), call)

    async def run(self) -> None:
        """Run the event from its creation to its end."""
        await self.begin()
        cancelled_at = BUSY_STEPS if self.dice.random() < 0.1 else MOST_STEPS - 2
        for step in range(MOST_STEPS):
            status = (await self.record()).status
            if status in (Status.FINISHED, Status.CANCELLED):
                break
            unseated = status is Status.REGISTERING and step == BUSY_STEPS  # so many cannot be
            if step == cancelled_at or unseated:
                reason = self.reason()
                call = cancel_tournament(self.ctx, HOST, self.id, reason=reason)
                await self.do((HOST.player_id, "cancel", reason), call)
            elif step < BUSY_STEPS:
                for _ in range(self.dice.randrange(3)):
                    await self.act()
            else:
                await self.resume()
                for _ in range(3):
                    await self.adjudicate()
            await drain(self.ctx)
            self.clock.now_ms += STEP_MS
            await sweep(self.ctx)
        await drain(self.ctx)

    def reader(self) -> Reader:
        """Return a reader that knows what was announced of the event."""
        rules = get_rule_set(self.kind.rule_set, self.kind.rules)
        stages = tuple(
            stage_of(
                choice.format,
                # A table of two is never a table of three.
                TableLimits(
                    choice.seats, choice.smallest, 2 if choice.seats == 2 else rules.max_seats
                ),
                choice.options,
                take=choice.take,
                contracts=len(rules.contracts),
            )
            for choice in self.kind.stages
        )
        return Reader(stages, self.seed, self.id, self.breaks)
