"""Create a table: one that waits for its players, or one that is dealt at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from rummy_arena.game.chance import SEED_BYTES
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.series import SeatsError
from rummy_arena.rulesets.registry import get_rule_set
from services.state.codec import TABLE
from services.state.context import Context
from services.state.records import (
    Life,
    Origin,
    SeatRecord,
    SeedPolicy,
    TableRecord,
    Terms,
)
from services.state.store import RequestReused
from services.state.table_log import TableOpened
from services.state.tables import table_record
from services.state.terms import InvalidTerms, check_terms

from .change import OPEN_MS, plain
from .commit import commit_of
from .creators import note_creation
from .errors import NotDirector
from .listing import LIVE_INDEX, is_listed
from .rights import CREATORS, SEEDERS, Person
from .table import TABLES, new_table


@dataclass(frozen=True, slots=True)
class NewTable:
    """What somebody wants of a table; a ``seed`` makes it one that can be played again exactly."""

    rule_set: str
    seats: int
    options: Mapping[str, str] = field(default_factory=dict)
    terms: Terms = field(default_factory=Terms)
    seed: bytes = b""


async def open_table(ctx: Context, person: Person, new: NewTable, *, table_id: str) -> bool:
    """Create a table that waits for its players; return whether this call did.

    A repeat of the id changes nothing. Raises what ``planned`` does, TooManyTables, and
    RequestReused where the table was created before with other content.
    """
    record = planned(ctx, person, new)
    await note_creation(ctx, person, table_id)
    if is_listed(record):
        # The index first: an id without a record is passed over in a list.
        await ctx.store.index_add(LIVE_INDEX, table_id, record.created_ms)
    commit = plain(record, [TableOpened(person.player_id)], record.created_ms)
    created = await ctx.store.create(
        TABLES,
        table_id,
        TABLE.encode(record),
        events=commit.events,
        deadline_ms=record.created_ms + OPEN_MS,
    )
    if created:
        ctx.meters.count_table(new.rule_set, "opened")
        return True
    stored, _ = table_record(table_id, (await ctx.store.read(TABLES, table_id)).data)
    if _asked(stored) != _asked(record) or (new.seed and stored.seed != record.seed):
        raise RequestReused(table_id)
    return False


def planned(ctx: Context, person: Person, new: NewTable) -> TableRecord:
    """Return the record of a table that could be opened; nothing is stored.

    Raises UnknownRuleSet, OptionError, SeatsError, InvalidTerms, or NotDirector for a role that may
    not create tables, or not with a seed.
    """
    if person.role not in CREATORS or (new.seed and person.role not in SEEDERS):
        raise NotDirector("")
    rules = checked(new)
    terms = msgspec.structs.replace(
        new.terms,
        created_by=person.player_id,
        seeds=SeedPolicy.DERIVED if new.seed else SeedPolicy.SYSTEM,
    )
    return TableRecord(
        rule_set=new.rule_set,
        seats=[SeatRecord("", "", "") for _ in range(new.seats)],
        seed=new.seed.rjust(SEED_BYTES, b"\0") if new.seed else ctx.random_bytes(SEED_BYTES),
        game=None,
        created_ms=ctx.now_ms(),
        options=dict(rules.options),
        terms=terms,
        life=Life.OPEN,
    )


def _asked(record: TableRecord) -> tuple[str, dict[str, str], int, Terms]:
    return record.rule_set, record.options, len(record.seats), record.terms


def checked(new: NewTable) -> RuleSet:
    """Return the rules of a table that can be created.

    Raises UnknownRuleSet, OptionError, SeatsError or InvalidTerms.
    """
    rules = get_rule_set(new.rule_set, new.options)
    if not rules.min_seats <= new.seats <= rules.max_seats:
        raise SeatsError(rules, new.seats)
    if len(new.seed) > SEED_BYTES:
        raise InvalidTerms("seed", f"give at most {SEED_BYTES} bytes")
    check_terms(new.terms)
    return rules


async def create_table(
    ctx: Context,
    table_id: str,
    rule_set: str,
    seats: Sequence[SeatRecord],
    seed: bytes,
    *,
    options: Mapping[str, str] | None = None,
    origin: Origin | None = None,
    terms: Terms | None = None,
) -> bool:
    """Create a table whose players are known, and deal, unless it exists; say whether this did.

    ``seed`` is 32 bytes and decides every card, unless the terms' policy says otherwise;
    ``options`` are the rule set's. Raises UnknownRuleSet, OptionError, or SeatsError for a wrong
    number of seats.
    """
    now_ms = ctx.now_ms()
    table, events = new_table(
        table_id,
        rule_set,
        seats,
        seed,
        now_ms=now_ms,
        dice=ctx.random_bytes,
        options=options,
        origin=origin,
        terms=terms,
    )
    commit = commit_of(table, events, (), now_ms=now_ms, wake=False)
    created = await ctx.store.create(
        TABLES, table_id, commit.data, events=commit.events, deadline_ms=commit.deadline_ms
    )
    if created:
        ctx.meters.count_table(rule_set, "started")
    return created
