"""A table in the hands of a use case: the record, the game it stores, and what a commit owes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rummy_arena.game.chance import SeededChance
from rummy_arena.game.engine import deciders
from rummy_arena.game.events import DealEnded, Event
from rummy_arena.game.replay import actions_in
from rummy_arena.game.series import new_game
from rummy_arena.game.state import Game, Phase
from rummy_arena.rulesets.registry import get_rule_set
from services.state.codec import TABLE, game_record
from services.state.event_codec import encode_events
from services.state.messages import Message, PlayTable, ReportResult
from services.state.records import Origin, SeatRecord, TableRecord
from services.state.store import Batch
from services.state.tables import table_game, table_record

TABLES = "table"
"""The aggregate's name in the store."""
CLOCK_MS = {
    Phase.DRAW: 30_000,
    Phase.PLAY: 60_000,
    Phase.CALL_WINDOW: 5_000,
    Phase.CALL_DECISION: 5_000,
    Phase.REBUY: 20_000,  # E-17
}
"""How long a player has to draw, to finish the turn, to call, to allow, to buy back."""
ABSENT_AFTER = 3
"""A player who let so many turns in a row expire is absent ..."""
ABSENT_MS = 1_000
"""... and waited for only so long until it acts again."""
BOT_WATCHDOG_MS = 10_000
"""A house bot's table that nothing was heard of for so long is taken up again by the sweep."""


@dataclass(slots=True)
class Table:
    """One table, its game ready to be played."""

    id: str
    record: TableRecord
    game: Game
    chance: SeededChance

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose decision is awaited."""
        return () if self.game.over else deciders(self.game.deal)

    @property
    def bots_waiting(self) -> bool:
        """Whether a house bot must decide."""
        return any(self.record.seats[seat].bot for seat in self.waiting)

    @property
    def players_waiting(self) -> bool:
        """Whether a player must decide."""
        return any(not self.record.seats[seat].bot for seat in self.waiting)

    @property
    def abandoned(self) -> bool:
        """Whether players are dealt in and every one of them is absent; who is out is neither."""
        seated = [self.record.seats[seat] for seat in self.game.deal.players]
        players = [seat for seat in seated if not seat.bot]
        return bool(players) and all(seat.missed >= ABSENT_AFTER for seat in players)

    def decision(self) -> tuple[int, ...]:
        """Return what tells one awaited decision of this table from the next.

        Each re-buy is offered with a clock of its own, while the callers in a window share one.
        """
        deal = self.game.deal
        return (deal.number, self.game.attempt, deal.turn_number, deal.phase, len(deal.offers))


def load_table(table_id: str, data: bytes) -> Table:
    """Return the table that ``data`` stores; raises CorruptRecord."""
    record, rules = table_record(table_id, data)
    game = table_game(table_id, record, rules)
    return Table(table_id, record, game, SeededChance(rules, record.seed))


def new_table(
    table_id: str,
    rule_set: str,
    seats: list[SeatRecord],
    seed: bytes,
    *,
    now_ms: int,
    options: Mapping[str, str] | None = None,
    origin: Origin | None = None,
) -> tuple[Table, list[Event]]:
    """Return a table whose first deal is dealt.

    Raises UnknownRuleSet, OptionError, or SeatsError for a wrong number of seats.
    """
    rules = get_rule_set(rule_set, options)
    chance = SeededChance(rules, seed)
    game, events = new_game(rules, len(seats), chance)
    record = TableRecord(
        rule_set=rule_set,
        seats=seats,
        seed=seed,
        game=game_record(game),
        created_ms=now_ms,
        origin=origin,
        options=dict(rules.options),
    )
    return Table(table_id, record, game, chance), events


@dataclass(frozen=True, slots=True)
class Commit:
    """What one commit of a table writes."""

    data: bytes
    events: Batch
    messages: tuple[Message, ...]
    deadline_ms: int | None
    actions: int
    deals: tuple[DealEnded, ...]


def commit_of(
    table: Table, events: Sequence[Event], before: tuple[int, ...], *, now_ms: int, wake: bool
) -> Commit:
    """Return the commit that stores the table after ``events``.

    ``before`` is ``table.decision()`` before them. With ``wake`` a worker is sent for; either way
    the deadline brings the table back if nobody acts.
    """
    record = table.record
    deals = tuple(event for event in events if isinstance(event, DealEnded))
    actions = actions_in(events)
    record.game = game_record(table.game)
    record.actions += actions
    record.deals += len(deals)
    messages: list[Message] = []
    if table.game.over:
        record.finished_ms = record.finished_ms or now_ms
        record.deadline_ms = 0
        if record.origin is not None:
            messages.append(ReportResult(table.id))
        deadline_ms = None
    else:
        deadline_ms = _deadline(table, before, now_ms)
        if wake:
            messages.append(PlayTable(table.id))
    batch = Batch(len(events), encode_events(events) if events else b"", now_ms)
    return Commit(TABLE.encode(record), batch, tuple(messages), deadline_ms, actions, deals)


def _deadline(table: Table, before: tuple[int, ...], now_ms: int) -> int:
    """Set the players' deadline, kept while the same decision is awaited; return the next due."""
    record = table.record
    if not table.players_waiting:
        record.deadline_ms = 0
        return now_ms + BOT_WATCHDOG_MS
    if table.decision() != before or not record.deadline_ms:
        record.deadline_ms = now_ms + _clock_ms(table)
    if table.bots_waiting:
        return min(record.deadline_ms, now_ms + BOT_WATCHDOG_MS)
    return record.deadline_ms


def _clock_ms(table: Table) -> int:
    """Return how long the players who must decide now have, the slowest of them counting."""
    seats = [table.record.seats[seat] for seat in table.waiting]
    if all(seat.missed >= ABSENT_AFTER for seat in seats if not seat.bot):
        return ABSENT_MS
    return CLOCK_MS[table.game.deal.phase]
