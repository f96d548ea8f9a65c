"""A host creates a tournament."""

from __future__ import annotations

from dataclasses import dataclass

from rummy_arena.rulesets.registry import get_rule_set
from services.state.codec import TOURNAMENT
from services.state.context import Context
from services.state.records import Status, TournamentRecord

from .errors import InvalidOption
from .principals import HOSTS, Principal
from .tournament import INDEX, TOURNAMENTS, TournamentSnapshot, read_tournament

TITLE_LENGTH = 120
LARGEST_FIELD = 20_000
SEED_BYTES = 32


@dataclass(frozen=True, slots=True)
class TournamentOptions:
    """What a host chooses; ``capacity`` 0 means the largest field, ``seed`` empty a fresh one."""

    title: str
    rule_set: str
    seats: int
    advance: int
    capacity: int = 0
    seed: bytes = b""
    format: str = "knockout"


def validate(options: TournamentOptions) -> None:
    """Raise UnknownRuleSet or InvalidOption for the first option that cannot be used."""
    rules = get_rule_set(options.rule_set)
    if not 1 <= len(options.title.strip()) <= TITLE_LENGTH:
        raise InvalidOption("title", f"give 1 to {TITLE_LENGTH} characters")
    if not rules.min_seats <= options.seats <= rules.max_seats:
        raise InvalidOption(
            "seats_per_table",
            f"{rules.title} seats {rules.min_seats} to {rules.max_seats}, not {options.seats}",
        )
    if not 1 <= options.advance < options.seats:
        raise InvalidOption("advance_per_table", f"give 1 to {options.seats - 1}")
    if options.capacity and not rules.min_seats <= options.capacity <= LARGEST_FIELD:
        raise InvalidOption("capacity", f"give {rules.min_seats} to {LARGEST_FIELD}, or 0")
    if len(options.seed) > SEED_BYTES:
        raise InvalidOption("seed", f"give at most {SEED_BYTES} bytes")


async def create_tournament(
    ctx: Context,
    principal: Principal,
    options: TournamentOptions,
    *,
    tournament_id: str,
    validate_only: bool = False,
) -> TournamentSnapshot:
    """Create a tournament that takes registrations; a repeat of the id returns the first.

    With ``validate_only`` nothing is stored. Raises NotAllowed, UnknownRuleSet, InvalidOption.
    """
    principal.require(*HOSTS)
    validate(options)
    record = TournamentRecord(
        title=options.title.strip(),
        rule_set=options.rule_set,
        format=options.format,
        seats=options.seats,
        advance=options.advance,
        capacity=options.capacity or LARGEST_FIELD,
        seed=options.seed.rjust(SEED_BYTES, b"\0")
        if options.seed
        else ctx.random_bytes(SEED_BYTES),
        status=Status.REGISTERING,
        created_by=principal.player_id,
        created_ms=ctx.now_ms(),
    )
    if validate_only:
        return TournamentSnapshot(tournament_id, record, 0)
    # The index first: an id without a record is skipped in a list, a record without an id is lost.
    await ctx.store.index_add(INDEX, tournament_id, record.created_ms)
    if not await ctx.store.create(TOURNAMENTS, tournament_id, TOURNAMENT.encode(record)):
        return await read_tournament(ctx, tournament_id)
    ctx.meters.count_tournament(record.rule_set, "created")
    return TournamentSnapshot(tournament_id, record, 0)
