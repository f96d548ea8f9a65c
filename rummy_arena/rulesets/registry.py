"""The rule sets that can be played, by id, and their options.

>>> rules = get_rule_set("kalooki-bonus", {"packs": "3", "stakes": "5"})
>>> rules.max_seats, rules.deal_stake, rules is get_rule_set("kalooki-bonus", dict(rules.options))
(8, 5, True)
>>> [option.name for option in options_of("kaluki-american")]
['rebuys', 'build_per_end', 'deals', 'ace']
>>> get_rule_set("kaluki-european", {"rebuys": "3"})
Traceback (most recent call last):
    ...
rummy_arena.rulesets.errors.InvalidOption: option rebuys of kaluki-european is '3', must be ...
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

from rummy_arena.game.rules import Option, RuleSet, TieForFirst

from . import carioca_argentine, kalooki_bonus, kalooki_jamaican, kaluki
from .errors import InvalidOption, UnknownOption, UnknownRuleSet

RULE_SETS: dict[str, RuleSet] = {
    rules.id: rules
    for rules in (
        kalooki_jamaican.KALOOKI_JAMAICAN,
        kalooki_bonus.KALOOKI_BONUS,
        carioca_argentine.CARIOCA_ARGENTINE,
        kaluki.KALUKI_EUROPEAN,
        kaluki.KALUKI_AMERICAN,
    )
}
"""Each rule set with its options at their defaults."""

OPTIONS: dict[str, tuple[Option, ...]] = {
    "kalooki-jamaican": kalooki_jamaican.OPTIONS,
    "kalooki-bonus": kalooki_bonus.OPTIONS,
    "carioca-argentine": carioca_argentine.OPTIONS,
    "kaluki-european": kaluki.EUROPEAN_OPTIONS,
    "kaluki-american": kaluki.AMERICAN_OPTIONS,
}
"""The options of each rule set, by its id."""

SHORT_DEALS = 7
"""Deals of the short form (B-23)."""

_MOST_MADE = 256
_made: dict[tuple[str, tuple[tuple[str, str], ...]], RuleSet] = {}


def get_rule_set(rule_set: str, options: Mapping[str, str] | None = None) -> RuleSet:
    """Return the rule set with this id and these options.

    The same choice gives the same object, while it is among some hundreds of choices in use.
    Options that are not named keep their defaults. Raises UnknownRuleSet, UnknownOption or
    InvalidOption, whose texts list what is known or allowed.
    """
    rules = RULE_SETS.get(rule_set)
    if rules is None:
        raise UnknownRuleSet(rule_set, tuple(RULE_SETS))
    if not options:
        return rules
    chosen = _chosen(rules, options)
    if not chosen:
        return rules
    found = _made.get((rule_set, chosen))
    if found is None:
        if len(_made) >= _MOST_MADE:
            _made.clear()
        found = _made[rule_set, chosen] = _with_options(rules, chosen)
    return found


def options_of(rule_set: str) -> tuple[Option, ...]:
    """Return the options of the rule set with this id, or raise UnknownRuleSet."""
    if rule_set not in RULE_SETS:
        raise UnknownRuleSet(rule_set, tuple(RULE_SETS))
    return OPTIONS[rule_set]


def _chosen(rules: RuleSet, options: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the options that differ from their defaults, in the order of their names."""
    known = {option.name: option for option in OPTIONS[rules.id]}
    chosen = []
    for name in sorted(options):
        option = known.get(name)
        if option is None:
            raise UnknownOption(rules.id, name, tuple(known))
        value = _valid(rules, option, options[name])
        if value != option.default:
            chosen.append((name, value))
    _agree(rules, dict(chosen), known)
    return tuple(chosen)


def _valid(rules: RuleSet, option: Option, value: str) -> str:
    """Return the value as it is written, or raise InvalidOption."""
    if option.numbers is None:
        if value in option.choices:
            return value
    elif isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 9:
        number = int(value)
        if option.numbers[0] <= number <= option.numbers[1]:
            return str(number)
    text = "" if isinstance(value, str) else "text: "
    reason = f"is {value!r}, must be {text}{option.allowed()}"
    raise InvalidOption(rules.id, option.name, option.clause, value, reason, option.allowed())


def _agree(rules: RuleSet, chosen: Mapping[str, str], known: Mapping[str, Option]) -> None:
    """Refuse options that have no effect beside others."""
    silent = {"call_authority", "call_priority"} if chosen.get("calls") == "off" else set()
    for name in sorted(silent & set(chosen)):
        _refuse(rules, known[name], chosen, "has no effect with calls=off; leave one of them out")
    if "contract" not in chosen:
        return
    if "best_of" in chosen:
        _refuse(rules, known["contract"], chosen, "goes with whole games only: drop best_of")
    if chosen.get("short_form") == "on" and int(chosen["contract"]) > SHORT_DEALS:
        reason = f"is not played in the short form, which has {SHORT_DEALS} deals"
        _refuse(rules, known["contract"], chosen, reason)


def _refuse(rules: RuleSet, option: Option, chosen: Mapping[str, str], reason: str) -> NoReturn:
    value = chosen[option.name]
    raise InvalidOption(rules.id, option.name, option.clause, value, reason, option.allowed())


def _with_options(rules: RuleSet, chosen: tuple[tuple[str, str], ...]) -> RuleSet:
    fields: dict[str, Any] = {"options": chosen}
    for option in OPTIONS[rules.id]:
        value = dict(chosen).get(option.name)
        if value is None:
            continue
        if option.sets_number:
            fields[option.sets_number] = int(value)
        else:
            fields.update(option.sets.get(value, {}))
    for option in OPTIONS[rules.id]:
        if option.one_contract and option.name in dict(chosen):
            contracts = fields.get("contracts", rules.contracts)
            fields["contracts"] = (contracts[int(dict(chosen)[option.name]) - 1],)
            fields["tie_for_first"] = TieForFirst.SHARED  # one deal, and no other (B-19)
    return replace(rules, **fields)
