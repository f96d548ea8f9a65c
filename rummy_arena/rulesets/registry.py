"""The rule sets that can be played, by id."""

from __future__ import annotations

from rummy_arena.game.rules import RuleSet

from .kalooki_jamaican import KALOOKI_JAMAICAN

RULE_SETS: dict[str, RuleSet] = {rules.id: rules for rules in (KALOOKI_JAMAICAN,)}


class UnknownRuleSet(LookupError):
    """No rule set has this id; ``known`` lists those that exist."""

    def __init__(self, rule_set: str) -> None:
        self.rule_set = rule_set
        self.known = tuple(RULE_SETS)
        super().__init__(f"unknown rule set {rule_set!r}; known: {', '.join(self.known)}")


def get_rule_set(rule_set: str) -> RuleSet:
    """Return the rule set with this id, or raise UnknownRuleSet."""
    try:
        return RULE_SETS[rule_set]
    except KeyError:
        raise UnknownRuleSet(rule_set) from None
