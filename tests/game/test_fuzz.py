"""A small share of ``make fuzz``."""

from __future__ import annotations

from rummy_arena.rulesets.registry import RULE_SETS

from .fuzzing import fuzz
from .plays import VARIANTS


def test_random_deals_of_every_variant_find_nothing() -> None:
    tally = fuzz(0, 6 * len(VARIANTS))
    assert tally.deals == 6 * len(VARIANTS)
    assert tally.refused > tally.deals
    assert {rule_set for rule_set, _, _ in tally.ends} == set(RULE_SETS)
