"""A table in the hands of a use case: its record, and the game that it stores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from rummy_arena.game.chance import SEED_BYTES, DealtChance, deal_seed
from rummy_arena.game.engine import deciders
from rummy_arena.game.events import Event
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.series import new_game
from rummy_arena.game.state import Game
from rummy_arena.rulesets.registry import get_rule_set
from services.state.codec import game_record
from services.state.records import Life, Origin, SeatRecord, SeedPolicy, TableRecord, Terms
from services.state.tables import table_game, table_record

from .clocks import TURN_PHASES, fill, is_absent

TABLES = "table"
"""The aggregate's name in the store."""
LEASE_MS = 5_000
"""How long a use case that decides once may hold a table ..."""
WAIT_S = 2.0
"""... and how long it waits for one that others hold, at the most."""
Dice = Callable[[int], bytes]
"""Gives so many bytes of chance from the operating system."""


@dataclass(slots=True)
class Table:
    """One table, its game ready to be played."""

    id: str
    record: TableRecord
    game: Game
    chance: DealtChance

    @property
    def playing(self) -> bool:
        """Whether decisions are awaited: neither paused nor over."""
        return self.record.life is Life.PLAYING and not self.game.over

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose decision is awaited."""
        return deciders(self.game.deal) if self.playing else ()

    def in_turn(self, seat: int) -> bool:
        """Return whether the seat must draw or play, now or once the table is resumed."""
        deal = self.game.deal
        return not self.game.over and deal.phase in TURN_PHASES and deal.turn == seat

    @property
    def bots_waiting(self) -> bool:
        """Whether a house bot must decide."""
        return any(self.record.seats[seat].bot for seat in self.waiting)

    @property
    def abandoned(self) -> bool:
        """Whether players are dealt in and every one of them is absent; who is out is neither."""
        players = [seat for seat in self.game.deal.players if not self.record.seats[seat].bot]
        return bool(players) and all(is_absent(self.record, seat) for seat in players)

    def decision(self) -> tuple[int, ...]:
        """Return what tells one awaited decision of this table from the next.

        Each re-buy is offered with a clock of its own, while the callers in a window share one.
        """
        deal = self.game.deal
        return (deal.number, self.game.attempt, deal.turn_number, deal.phase, len(deal.offers))


def no_dice(count: int) -> bytes:
    """Stand for the operating system's chance where a table is only looked at."""
    raise AssertionError("a table that is only read deals no cards")


def load_table(table_id: str, data: bytes, dice: Dice = no_dice) -> Table:
    """Return the table that ``data`` stores, whose further deals take their seeds from ``dice``.

    Raises NotStarted while it has no game, CorruptRecord.
    """
    return table_of(table_id, *table_record(table_id, data), dice)


def table_of(table_id: str, record: TableRecord, rules: RuleSet, dice: Dice) -> Table:
    """Return the table of a record that was read already; raises as ``load_table``."""
    game = table_game(table_id, record, rules)
    return Table(table_id, record, game, _chance(record, rules, dice))


def new_table(
    table_id: str,
    rule_set: str,
    seats: Sequence[SeatRecord],
    seed: bytes,
    *,
    now_ms: int,
    dice: Dice,
    options: Mapping[str, str] | None = None,
    origin: Origin | None = None,
    terms: Terms | None = None,
) -> tuple[Table, list[Event]]:
    """Return a table whose first deal is dealt.

    Raises UnknownRuleSet, OptionError, or SeatsError for a wrong number of seats.
    """
    rules = get_rule_set(rule_set, options)
    record = TableRecord(
        rule_set=rule_set,
        seats=[msgspec.structs.replace(seat) for seat in seats],
        seed=seed,
        game=None,
        created_ms=now_ms,
        origin=origin,
        options=dict(rules.options),
        terms=terms or Terms(),
    )
    return dealt(table_id, record, rules, dice)


def dealt(
    table_id: str, record: TableRecord, rules: RuleSet, dice: Dice
) -> tuple[Table, list[Event]]:
    """Start the game of a table that has its players; return it with its first deal's events."""
    chance = _chance(record, rules, dice)
    game, events = new_game(rules, len(record.seats), chance)
    record.life = Life.PLAYING
    record.game = game_record(game)
    fill(record)
    return Table(table_id, record, game, chance), events


def _chance(record: TableRecord, rules: RuleSet, dice: Dice) -> DealtChance:
    """Return the chance of a table: the seeds that it keeps, and where further ones come from."""
    seeds = {(number, attempt): seed for number, attempt, seed in record.deal_seeds}

    def new_seed(number: int, attempt: int) -> bytes:
        if record.terms.seeds is SeedPolicy.SYSTEM:
            return dice(SEED_BYTES)
        return deal_seed(record.seed, number, attempt)

    shared = record.terms.seeds is SeedPolicy.SHARED
    return DealtChance(rules, seeds, new_seed, reveals=not shared)
