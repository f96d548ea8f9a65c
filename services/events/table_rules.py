"""Rules and terms of tables that belong to an event: a tournament or a ladder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from rummy_arena.game.rules import RuleSet
from rummy_arena.rulesets.registry import get_rule_set, options_of
from services.state.records import SeedPolicy, Terms, TimeControl

REBUYS = "rebuys"
"""The option that says how often a player may buy back into a game (E-17)."""


def rules_without_rebuys(rule_set: str, options: Mapping[str, str]) -> RuleSet:
    """Return the rules; nobody buys back into a game unless the options say so.

    Others would wait for a table where somebody did (E-18). Raises UnknownRuleSet or OptionError.
    """
    chosen = dict(options)
    if any(option.name == REBUYS for option in options_of(rule_set)):
        chosen.setdefault(REBUYS, "0")
    return get_rule_set(rule_set, chosen)


class TableChoices(Protocol):
    """What a host chooses for all tables of an event."""

    @property
    def clock(self) -> TimeControl:
        """Return how long players may take."""
        ...

    @property
    def delay_deals(self) -> int:
        """Return behind how many deals spectators follow."""
        ...

    @property
    def delay_ms(self) -> int:
        """Return behind how much time they do."""
        ...

    @property
    def seed(self) -> bytes:
        """Return the seed that the host gave; none for the operating system's."""
        ...


def table_terms(options: TableChoices, created_by: str = "") -> Terms:
    """Return the terms of the event's tables, which its host directs.

    Where the host gave a seed every card follows from it; otherwise each deal has its own luck.
    """
    return Terms(
        created_by=created_by,
        clock=options.clock,
        delay_deals=options.delay_deals,
        delay_ms=options.delay_ms,
        seeds=SeedPolicy.DERIVED if options.seed else SeedPolicy.SYSTEM,
    )
