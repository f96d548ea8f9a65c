"""The rules by which tables are played whose players others wait for."""

from __future__ import annotations

from collections.abc import Mapping

from rummy_arena.game.rules import RuleSet
from rummy_arena.rulesets.registry import get_rule_set, options_of

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
