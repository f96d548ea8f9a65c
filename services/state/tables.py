"""A stored table read back: its record, the rules that it is played by, and its game."""

from __future__ import annotations

from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Game
from rummy_arena.rulesets.errors import OptionError, UnknownRuleSet
from rummy_arena.rulesets.registry import get_rule_set

from .codec import TABLE, game_of
from .errors import CorruptRecord
from .records import Life, SeedPolicy, TableRecord
from .table_integrity import check_table


class NotStarted(Exception):
    """The table has no game yet: its players are still gathering, or never did."""

    def __init__(self, table_id: str) -> None:
        super().__init__(f"the game of table {table_id} has not started")
        self.table_id = table_id


def table_record(table_id: str, data: bytes) -> tuple[TableRecord, RuleSet]:
    """Return the record and rules of the table that ``data`` stores; raises CorruptRecord."""
    record = TABLE.decode(data, what=_named(table_id))
    if record.finished_ms and record.life is Life.PLAYING:
        record.life = Life.FINISHED  # stored before tables had a life
    try:
        rules = get_rule_set(record.rule_set, record.options)
        check_table(record, rules)
        return record, rules
    except (UnknownRuleSet, OptionError, ValueError) as error:
        raise CorruptRecord(_named(table_id), str(error)) from error


def table_game(table_id: str, record: TableRecord, rules: RuleSet) -> Game:
    """Return the game of a table's record.

    Raises NotStarted where there is none yet, CorruptRecord for one that cannot have been.
    """
    if record.game is None:
        raise NotStarted(table_id)
    if len(record.seats) != len(record.game.deal.hands):
        reason = f"{len(record.game.deal.hands)} hands for {len(record.seats)} seats"
        raise CorruptRecord(_named(table_id), reason)
    return game_of(rules, record.game, what=_named(table_id))


def is_sealed(record: TableRecord) -> bool:
    """Return whether others still play the table's deals: then its cards are for its seats only."""
    return record.terms.seeds is SeedPolicy.SHARED and not record.unsealed_ms


def _named(table_id: str) -> str:
    return f"table {table_id}"
