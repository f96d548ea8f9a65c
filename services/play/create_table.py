"""Create a table: one that waits for its players, or one that is dealt at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from rummy_arena.bots.registry import HOUSE_BOTS
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
    TimeControl,
    Visibility,
)
from services.state.table_log import TableOpened

from .change import OPEN_MS, plain
from .commit import commit_of
from .errors import InvalidTerms, NotDirector
from .rights import CREATORS, Person
from .table import SEED_BYTES, TABLES, new_table

INDEX = "tables"
"""Public tables that are no tournament's, by the time of their creation."""
TITLE_LENGTH = 120
MOST_INVITED = 200
LONGEST_MS = 24 * 3_600_000
_SEEDERS = ("admin", "host")


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

    A repeat of the id changes nothing. Raises UnknownRuleSet, OptionError, SeatsError,
    InvalidTerms, or NotDirector for a role that may not create tables, or not with a seed.
    """
    if person.role not in CREATORS or (new.seed and person.role not in _SEEDERS):
        raise NotDirector(table_id)
    rules = checked(new)
    terms = msgspec.structs.replace(
        new.terms,
        created_by=person.player_id,
        seeds=SeedPolicy.DERIVED if new.seed else SeedPolicy.SYSTEM,
    )
    now_ms = ctx.now_ms()
    record = TableRecord(
        rule_set=new.rule_set,
        seats=[SeatRecord("", "", "") for _ in range(new.seats)],
        seed=new.seed.rjust(SEED_BYTES, b"\0") if new.seed else ctx.random_bytes(SEED_BYTES),
        game=None,
        created_ms=now_ms,
        options=dict(rules.options),
        terms=terms,
        life=Life.OPEN,
    )
    if terms.visibility is Visibility.PUBLIC:
        # The index first: an id without a record is passed over in a list.
        await ctx.store.index_add(INDEX, table_id, now_ms)
    commit = plain(record, [TableOpened(person.player_id)], now_ms)
    created = await ctx.store.create(
        TABLES,
        table_id,
        TABLE.encode(record),
        events=commit.events,
        deadline_ms=now_ms + OPEN_MS,
    )
    if created:
        ctx.meters.count_table(new.rule_set, "opened")
    return created


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


def check_terms(terms: Terms) -> None:
    """Raise InvalidTerms for the first term that cannot be used."""
    if len(terms.title) > TITLE_LENGTH:
        raise InvalidTerms("title", f"give at most {TITLE_LENGTH} characters")
    if len(terms.invited) > MOST_INVITED:
        raise InvalidTerms("invited", f"invite at most {MOST_INVITED} players")
    if terms.delay_deals and terms.delay_ms:
        raise InvalidTerms("spectator_delay", "give deals or a time, not both")
    if not 0 <= terms.delay_deals <= 10 or not 0 <= terms.delay_ms <= LONGEST_MS:
        raise InvalidTerms("spectator_delay", "give up to 10 deals, or up to 24 hours")
    check_clock(terms.clock)


def check_clock(clock: TimeControl) -> None:
    """Raise InvalidTerms for the first time that cannot be used."""
    own = ("draw_ms", "play_ms", "window_ms", "decision_ms", "rebuy_ms", "absent_ms")
    more = ("bank_ms", "increment_ms", "grace_ms", "between_deals_ms")
    for name, least_ms in (*((name, 100) for name in own), *((name, 0) for name in more)):
        if not least_ms <= getattr(clock, name) <= LONGEST_MS:
            raise InvalidTerms(name.removesuffix("_ms"), f"give {least_ms / 1000:g} s to 24 hours")
    if not 1 <= clock.absent_after <= 255:
        raise InvalidTerms("absent_after", "give 1 to 255 turns")
    if clock.stand_in and clock.stand_in not in HOUSE_BOTS:
        raise InvalidTerms("stand_in", f"give one of {', '.join(HOUSE_BOTS)}, or nothing")


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
