"""The whole game of a table that has ended, with every card: who may have it, and what is in it.

Only here is a game seen by nobody's eyes in particular. Hands are secret until a deal is scored,
those of void deals until the game is over (X-15); it is over, whether it was played to its end,
adjudicated or called off. Seeds that such an early end left unrevealed come along too, so that
every deal can be verified.
"""

from __future__ import annotations

from dataclasses import dataclass

from rummy_arena.game.actions import NONE
from rummy_arena.game.rules import RuleSet
from services.state.context import Context
from services.state.event_codec import decode_events
from services.state.records import ENDED, Life, TableRecord
from services.state.table_log import TableEvent, game_events
from services.state.tables import table_game, table_record

from .delayed import LIVES, PastLogs, delay_of
from .errors import WrongLife
from .read_table import TableSnapshot, snapshot_of
from .rights import Person, require_export
from .table import TABLES

BATCHES_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class DatedEvent:
    """An event with its place in the log and when it was committed; 0 where that is not known."""

    sequence: int
    at_ms: int
    event: TableEvent


@dataclass(frozen=True, slots=True)
class UnrevealedSeed:
    """The seed of a deal that the log commits to but, the game having ended early, never tells."""

    number: int
    attempt: int
    seed: bytes


@dataclass(frozen=True, slots=True)
class Export:
    """A table that has ended, and everything that happened at it; no card is hidden."""

    snapshot: TableSnapshot  # as a spectator sees the table now
    rules: RuleSet
    events: tuple[DatedEvent, ...]
    unrevealed: tuple[UnrevealedSeed, ...]


async def export_table(ctx: Context, logs: PastLogs, table_id: str, person: Person) -> Export:
    """Return all of a table that has ended, to whoever may see it.

    To a spectator who follows with a delay it ends when that has passed. Raises NotFound,
    NotInvited, TableSealed, WrongLife before the end, or CursorTooOld when the log is not kept as a
    whole.
    """
    stored = await ctx.store.read(TABLES, table_id)
    record, rules = table_record(table_id, stored.data)
    require_export(table_id, record, person)
    await _require_end(ctx, logs, table_id, record, person)
    return await export_of(ctx, table_id, record, rules, stored.seq)


async def export_of(
    ctx: Context, table_id: str, record: TableRecord, rules: RuleSet, last_sequence: int
) -> Export:
    """Return all of an ended table, for nobody's eyes yet; raises NotFound or CursorTooOld."""
    game = None if record.game is None else table_game(table_id, record, rules)
    revealed_by_end = tuple(UnrevealedSeed(*row) for row in sorted(record.deal_seeds))
    return Export(
        snapshot=snapshot_of(table_id, record, game, NONE, last_sequence),
        rules=rules,
        events=tuple(await _all_events(ctx, table_id)),
        unrevealed=revealed_by_end,
    )


async def _require_end(
    ctx: Context, logs: PastLogs, table_id: str, record: TableRecord, person: Person
) -> None:
    life = record.life
    delay = delay_of(record, person.player_id)
    if delay is not None:
        log = logs.of(table_id)
        await log.extend(ctx)
        past, later = log.parted(log.visible_end(delay, ctx.now_ms()))
        if later:  # what is refused must not tell that it is over
            lives = [LIVES[type(event)] for event in past if type(event) in LIVES]
            dealt_at_once = Life.PLAYING if game_events(past) else Life.OPEN
            life = lives[-1] if lives else dealt_at_once
    if life not in ENDED:
        raise WrongLife(table_id, life, *ENDED)


async def _all_events(ctx: Context, table_id: str) -> list[DatedEvent]:
    events: list[DatedEvent] = []
    earliest_ms = 0
    while True:
        after = events[-1].sequence if events else 0
        batches = await ctx.store.read_log(TABLES, table_id, after=after, limit=BATCHES_AT_ONCE)
        for batch in batches:
            # Clocks of several processes may differ; what came later is never told as earlier.
            earliest_ms = max(earliest_ms, batch.at_ms)
            what = f"the log of table {table_id}"
            decoded = decode_events(batch.data, what=what, first=batch.first)
            events += [
                DatedEvent(sequence, earliest_ms if batch.at_ms else 0, event)
                for sequence, event in enumerate(decoded, start=batch.first)
            ]
        if len(batches) < BATCHES_AT_ONCE:
            return events
