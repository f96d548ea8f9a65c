"""Rule sets as messages."""

from __future__ import annotations

from rummy_arena.api.v1 import rule_set_pb2
from rummy_arena.game.rules import Contract, RuleSet


def rule_set_message(rules: RuleSet) -> rule_set_pb2.RuleSet:
    """Return a rule set as a message."""
    values = rules.values
    return rule_set_pb2.RuleSet(
        id=rules.id,
        title=rules.title,
        min_seats=rules.min_seats,
        max_seats=rules.max_seats,
        packs=rules.packs,
        jokers=rules.jokers,
        contracts=[
            contract_message(number, contract)
            for number, contract in enumerate(rules.contracts, start=1)
        ],
        hand_values=rule_set_pb2.HandValues(
            joker=values.joker,
            black_ace=values.black_ace,
            red_ace=values.red_ace,
            court=values.court,
        ),
        set_min_cards=rules.set_min,
        set_min_naturals=rules.set_min_naturals,
        run_min_cards=rules.run_min,
        max_calls=rules.max_calls,
        max_reshuffles=rules.reshuffles,
        max_replays=rules.max_replays,
        max_turns_per_seat=rules.turns_cap_per_seat,
    )


def contract_message(number: int, contract: Contract) -> rule_set_pb2.Contract:
    """Return a contract, the ``number``-th of its game from 1, as a message."""
    return rule_set_pb2.Contract(
        number=number,
        sets=contract.sets,
        runs=contract.runs,
        hand_size=contract.hand_size,
        text=contract.text,
    )
