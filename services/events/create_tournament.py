"""A host creates a tournament."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from rummy_arena.game.chance import SEED_BYTES
from rummy_arena.game.rules import RuleSet
from rummy_arena.tournament.errors import UnevenField
from rummy_arena.tournament.stages import plan
from services.state.codec import TOURNAMENT
from services.state.context import Context
from services.state.records import (
    Entry,
    Schedule,
    StageRecord,
    Status,
    TimeControl,
    TournamentRecord,
)
from services.state.store import NotFound
from services.state.terms import check_terms

from .commit_tournament import next_look_ms
from .entry import ALLOWED_PART, check_entry, encode_allowed
from .errors import InvalidOption
from .ladders.entry_conditions import check_its_ladder
from .pairing import stage_record
from .principals import HOSTS, Principal
from .schedule import check_schedule
from .stage_choices import StageChoice, settled_stages
from .table_rules import rules_without_rebuys, table_terms
from .tournament import INDEX, TOURNAMENTS, TournamentSnapshot, read_tournament

TITLE_LENGTH = 120
LARGEST_FIELD = 20_000


@dataclass(frozen=True, slots=True)
class TournamentOptions:
    """What a host chooses; ``capacity`` 0 means the largest field, ``seed`` empty a fresh one."""

    title: str
    rule_set: str
    stages: tuple[StageChoice, ...]
    capacity: int = 0
    seed: bytes = b""
    rule_set_options: Mapping[str, str] = field(default_factory=dict)
    clock: TimeControl = field(default_factory=TimeControl)
    delay_deals: int = 0  # behind which spectators follow, in deals ...
    delay_ms: int = 0  # ... or in time
    entry: Entry = field(default_factory=Entry)
    allowed: tuple[str, ...] = ()  # who alone may enter
    schedule: Schedule = field(default_factory=Schedule)


def rules_of(options: TournamentOptions) -> RuleSet:
    """Return the rules of the tournament's tables; raises UnknownRuleSet or OptionError."""
    return rules_without_rebuys(options.rule_set, options.rule_set_options)


def validate(options: TournamentOptions, now_ms: int) -> tuple[RuleSet, list[StageRecord]]:
    """Return the rules and the stages, or raise for the first option that cannot be used.

    UnknownRuleSet, OptionError (of the rule set), SeatsError, UnknownFormat, InvalidOption or
    InvalidTerms.
    """
    rules = rules_of(options)
    if not 1 <= len(options.title.strip()) <= TITLE_LENGTH:
        raise InvalidOption("title", f"give 1 to {TITLE_LENGTH} characters")
    stages = stages_asked(options)
    if options.capacity and not rules.min_seats <= options.capacity <= LARGEST_FIELD:
        raise InvalidOption("capacity", f"give {rules.min_seats} to {LARGEST_FIELD}, or 0")
    if len(options.seed) > SEED_BYTES:
        raise InvalidOption("seed", f"give at most {SEED_BYTES} bytes")
    check_entry(options.entry)
    check_schedule(options.schedule, options.capacity, now_ms)
    _check_late_entry(rules, options)
    check_terms(table_terms(options))
    return rules, stages


def _check_late_entry(rules: RuleSet, options: TournamentOptions) -> None:
    first = settled_stages(rules, options.stages)[0]
    last = first.format.last_entry(first.terms)
    if options.schedule.late_rounds > (last if last > 1 else 0):
        when = f"after round {last}" if last > 1 else "after the start"
        own = [name for name in ("last_entry", "reentry_rounds") if name in first.terms.options]
        hint = f"its option {own[0]} says more" if own else "give 0"
        reason = f"{first.format.title} seats nobody who enters {when}; {hint}"
        raise InvalidOption("late_entry_rounds", reason)


async def _check_full_field(rules: RuleSet, options: TournamentOptions) -> None:
    """Raise InvalidOption where the field that starts the event by itself cannot be seated."""
    if not options.schedule.when_full:
        return
    try:  # a long schedule takes long to make
        await asyncio.to_thread(plan, settled_stages(rules, options.stages), options.capacity)
    except UnevenField as error:
        raise InvalidOption("capacity", f"a full field starts it, and {error}") from error


def stages_asked(options: TournamentOptions) -> list[StageRecord]:
    """Return the stages with everything decided; raises as ``settled_stages`` does."""
    return [stage_record(stage) for stage in settled_stages(rules_of(options), options.stages)]


async def create_tournament(
    ctx: Context,
    principal: Principal,
    options: TournamentOptions,
    *,
    tournament_id: str,
    validate_only: bool = False,
) -> TournamentSnapshot:
    """Create a tournament that takes registrations; a repeat of the id returns the first.

    With ``validate_only`` nothing is stored. Raises NotAllowed, and what ``validate`` raises.
    """
    principal.require(*HOSTS)
    if not validate_only:
        with contextlib.suppress(NotFound):  # a repeat may come when the time to start has passed
            return await read_tournament(ctx, tournament_id)
    rules, stages = validate(options, ctx.now_ms())
    await _check_full_field(rules, options)
    await check_its_ladder(ctx, options.entry)
    record = TournamentRecord(
        title=options.title.strip(),
        rule_set=options.rule_set,
        stages=stages,
        capacity=options.capacity or LARGEST_FIELD,
        seed=options.seed.rjust(SEED_BYTES, b"\0")
        if options.seed
        else ctx.random_bytes(SEED_BYTES),
        status=Status.REGISTERING,
        created_by=principal.player_id,
        created_ms=ctx.now_ms(),
        options=dict(rules.options),
        terms=table_terms(options, principal.player_id),
        entry=options.entry,
        schedule=options.schedule,
    )
    if validate_only:
        return TournamentSnapshot(tournament_id, record, 0)
    # The index first: an id without a record is skipped in a list, a record without an id is lost.
    await ctx.store.index_add(INDEX, tournament_id, record.created_ms)
    parts = {ALLOWED_PART: encode_allowed(options.allowed)} if options.allowed else {}
    made = await ctx.store.create(
        TOURNAMENTS,
        tournament_id,
        TOURNAMENT.encode(record),
        deadline_ms=next_look_ms(record, record.created_ms),
        parts=parts,
    )
    if not made:
        return await read_tournament(ctx, tournament_id)
    ctx.meters.count_tournament(record.rule_set, "created")
    return TournamentSnapshot(tournament_id, record, 0)
