"""Rule sets over the wire: every parameter, every policy, every option."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from rummy_arena.api.v1 import rule_set_pb2
from rummy_arena.game.rules import UNLIMITED, RuleSet
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set, options_of
from services.rpc.convert_rules import PARAMETERS, POLICIES, rule_set_message
from tests.game.plays import VARIANTS, variant_name

ELSEWHERE = {"head", "contracts", "values", "clauses", "options"}


def test_every_parameter_has_its_field() -> None:
    assert set(PARAMETERS) == {field.name for field in fields(RuleSet)} - ELSEWHERE
    others = {"contracts", "hand_values", "source", "clauses", "deviations", "options"}
    named = {field.name for field in rule_set_pb2.RuleSet.DESCRIPTOR.fields}
    assert named == {*PARAMETERS.values(), *others, "rule_set_options"}


@pytest.mark.parametrize(("policy", "prefix"), POLICIES.items(), ids=lambda part: str(part))
def test_policies_agree(policy: Any, prefix: str) -> None:
    wrapper = getattr(rule_set_pb2, "".join(map(str.title, prefix.split("_"))))
    assert set(wrapper.keys()) == {
        f"{prefix}_UNSPECIFIED",
        *(f"{prefix}_{member.name}" for member in policy),
    }


@pytest.mark.parametrize("rules", VARIANTS, ids=variant_name)
def test_every_variant_is_described(rules: RuleSet) -> None:
    message = rule_set_pb2.RuleSet.FromString(rule_set_message(rules).SerializeToString())
    for name, field in PARAMETERS.items():
        value = getattr(rules, name)
        if value == UNLIMITED:
            assert not message.HasField(field), name  # type: ignore[arg-type]  # a name in a variable
        elif isinstance(value, str | int):
            assert getattr(message, field) == value, name
        else:
            assert getattr(message, field) > 0, name
    assert dict(message.rule_set_options) == dict(rules.options)
    assert get_rule_set(message.id, message.rule_set_options) is rules
    for number, contract in enumerate(rules.contracts, start=1):
        told = message.contracts[number - 1]
        assert (told.number, told.text, told.points) == (number, contract.text, contract.points)
        sizes = {size.players: size.cards for size in told.hand_sizes}
        for players in range(rules.min_seats, rules.max_seats + 1):
            assert (told.hand_size or sizes[players]) == contract.cards_each(players)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.id)
def test_every_value_of_every_option_can_be_asked_for(rules: RuleSet) -> None:
    message = rule_set_message(rules)
    assert [option.name for option in message.options] == [o.name for o in options_of(rules.id)]
    for option in message.options:
        assert option.text
        assert option.clause.startswith(message.clauses)
        values = [*option.values] or [str(option.numbers.min), str(option.numbers.max)]
        assert option.default_value in values or option.HasField("numbers")
        for value in values:
            chosen = get_rule_set(message.id, {option.name: value})
            assert (chosen is rules) is (value == option.default_value)
