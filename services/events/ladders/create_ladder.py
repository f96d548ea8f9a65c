"""A host creates a ladder, or an arena, which is a ladder with an end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rummy_arena.game.chance import SEED_BYTES
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.series import SeatsError
from rummy_arena.tournament.ladder import LONGEST_MS, LadderTerms
from rummy_arena.tournament.ratings import RatingRules
from services.events.create_tournament import TITLE_LENGTH
from services.events.entry import ALLOWED_PART, check_entry, encode_allowed
from services.events.errors import InvalidOption
from services.events.principals import HOSTS, Principal
from services.events.table_rules import rules_without_rebuys, table_terms
from services.state.codec import LADDER
from services.state.context import Context
from services.state.errors import NotFound
from services.state.ladder_records import LadderRecord, PairingRecord
from services.state.records import Entry, TimeControl
from services.state.terms import check_terms

from .change import next_look
from .entry_conditions import check_its_ladder
from .ladder import INDEX, LADDERS, LadderSnapshot, read_ladder, rules_record

LARGEST_LADDER = 5_000
SHORTEST_SEASON_MS = 60_000
LONGEST_SEASON_MS = 400 * 24 * 3_600_000


@dataclass(frozen=True, slots=True)
class LadderOptions:
    """What a host chooses; all times in milliseconds."""

    title: str
    rule_set: str
    pairing: LadderTerms
    ratings: RatingRules = field(default_factory=RatingRules)
    rule_set_options: Mapping[str, str] = field(default_factory=dict)
    clock: TimeControl = field(default_factory=TimeControl)
    delay_deals: int = 0
    delay_ms: int = 0
    capacity: int = 0  # 0 for LARGEST_LADDER
    ranked_from: int = 10
    season_ms: int = 0
    starts_ms: int = 0
    ends_ms: int = 0
    overtime_ms: int = 3_600_000
    seed: bytes = b""
    entry: Entry = field(default_factory=Entry)
    allowed: tuple[str, ...] = ()  # who alone may enter, where ``entry`` says so


def validate_ladder(options: LadderOptions, now_ms: int) -> RuleSet:
    """Return the rules to play by, or raise for the first option that cannot be used.

    UnknownRuleSet, OptionError (of the rule set), SeatsError, InvalidOption or InvalidTerms.
    """
    rules = rules_without_rebuys(options.rule_set, options.rule_set_options)
    for seats in (options.pairing.seats, options.pairing.fewest):
        if not rules.min_seats <= seats <= rules.max_seats:
            raise SeatsError(rules, seats)
    if not 1 <= len(options.title.strip()) <= TITLE_LENGTH:
        raise InvalidOption("title", f"give 1 to {TITLE_LENGTH} characters")
    if options.capacity > LARGEST_LADDER:
        raise InvalidOption("capacity", f"give up to {LARGEST_LADDER}, or 0 for that")
    if options.ranked_from > 10_000:
        raise InvalidOption("ranked_from", "give up to 10000")
    if options.season_ms and not SHORTEST_SEASON_MS <= options.season_ms <= LONGEST_SEASON_MS:
        raise InvalidOption("season_length", "give a minute to 400 days, or nothing")
    if len(options.seed) > SEED_BYTES:
        raise InvalidOption("seed", f"give at most {SEED_BYTES} bytes")
    check_entry(options.entry)
    _check_times(options, now_ms)
    check_terms(table_terms(options))
    return rules


def _check_times(options: LadderOptions, now_ms: int) -> None:
    if options.overtime_ms > LONGEST_MS:
        raise InvalidOption("overtime", "give up to seven days")
    if options.ends_ms and options.ends_ms <= max(now_ms, options.starts_ms):
        raise InvalidOption("end_time", "give a time after the start, and after now")
    if options.ends_ms and options.season_ms:
        raise InvalidOption("season_length", "leave it out: an arena has no seasons")
    if options.starts_ms and not options.ends_ms:
        raise InvalidOption("start_time", "leave it out: a ladder begins at once")
    if max(options.starts_ms, options.ends_ms) > now_ms + LONGEST_SEASON_MS:
        raise InvalidOption("end_time", "give a time within 400 days")


async def create_ladder(
    ctx: Context,
    principal: Principal,
    options: LadderOptions,
    *,
    ladder_id: str,
    validate_only: bool = False,
) -> LadderSnapshot:
    """Create a ladder that pairs whoever enters; a repeat of the id returns the first.

    With ``validate_only`` nothing is stored. Raises NotAllowed, what ``validate_ladder`` does, and
    InvalidOption for a ladder of the entry conditions that is not there.
    """
    principal.require(*HOSTS)
    now_ms = ctx.now_ms()
    try:
        rules = validate_ladder(options, now_ms)
        await check_its_ladder(ctx, options.entry)
    except InvalidOption:
        if validate_only or (made := await _made_before(ctx, ladder_id)) is None:
            raise
        return made  # what could be used then cannot any more
    pairing = options.pairing
    record = LadderRecord(
        title=options.title.strip(),
        rule_set=options.rule_set,
        pairing=PairingRecord(
            **{name: getattr(pairing, name) for name in PairingRecord.__struct_fields__}
        ),
        ratings=rules_record(options.ratings),
        seed=options.seed.rjust(SEED_BYTES, b"\0")
        if options.seed
        else ctx.random_bytes(SEED_BYTES),
        created_by=principal.player_id,
        created_ms=now_ms,
        options=dict(rules.options),
        terms=table_terms(options, principal.player_id),
        capacity=options.capacity or LARGEST_LADDER,
        ranked_from=options.ranked_from,
        season_ms=options.season_ms,
        starts_ms=options.starts_ms,
        ends_ms=options.ends_ms,
        arena=bool(options.ends_ms),
        overtime_ms=options.overtime_ms,
        entry=options.entry,
        season_ends=now_ms + options.season_ms if options.season_ms else 0,
    )
    if validate_only:
        return LadderSnapshot(ladder_id, record, 0)
    # The index first: an id without a record is skipped in a list, a record without an id is lost.
    await ctx.store.index_add(INDEX, ladder_id, now_ms)
    deadline_ms = next_look(record, now_ms)
    parts = {ALLOWED_PART: encode_allowed(options.allowed)} if options.allowed else {}
    if not await ctx.store.create(
        LADDERS, ladder_id, LADDER.encode(record), deadline_ms=deadline_ms, parts=parts
    ):
        return await read_ladder(ctx, ladder_id)
    return LadderSnapshot(ladder_id, record, 0)


async def _made_before(ctx: Context, ladder_id: str) -> LadderSnapshot | None:
    try:
        return await read_ladder(ctx, ladder_id)
    except NotFound:
        return None
