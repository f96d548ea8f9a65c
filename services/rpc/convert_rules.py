"""Rule sets, their options and contracts as messages."""

from __future__ import annotations

from enum import Enum
from typing import Any

from rummy_arena.api.v1 import rule_set_pb2 as pb
from rummy_arena.game.rules import (
    UNLIMITED,
    CallAuthority,
    CallPriority,
    Contract,
    JokerExchange,
    NewMelds,
    Option,
    PilePolicy,
    RuleSet,
    RunEnds,
    StakeDoubling,
    TieForFirst,
)
from rummy_arena.rulesets.registry import options_of

POLICIES: dict[type[Enum], str] = {
    PilePolicy: "PILE_POLICY",
    RunEnds: "RUN_GROWTH",
    JokerExchange: "JOKER_EXCHANGE",
    NewMelds: "FURTHER_MELDS",
    CallAuthority: "CALL_AUTHORITY",
    CallPriority: "CALL_PRIORITY",
    TieForFirst: "TIE_FOR_FIRST",
    StakeDoubling: "STAKE_DOUBLING",
}
"""What the members of each policy begin with in the API; the rest of the names agree."""

PARAMETERS = {
    name: name
    for name in (
        "id",
        "title",
        "min_seats",
        "max_seats",
        "packs",
        "jokers",
        "clockwise",
        "set_min_naturals",
        "set_spare_jokers",
        "set_suits_differ",
        "ace_low",
        "jokers_adjacent",
        "own_melds_differ",
        "opening_exact",
        "joker_exchange",
        "joker_owner_only",
        "joker_later_turn",
        "exchange_naturals",
        "pile",
        "throw_back",
        "joker_discard",
        "final_discard",
        "max_calls",
        "call_authority",
        "call_priority",
        "open_hands",
        "max_replays",
        "down_and_out_factor",
        "down_and_out_extra",
        "out_points",
        "unopened_points",
        "limit",
        "tie_for_first",
        "best_of",
        "buy_in",
        "deal_stake",
        "stake_doubling",
    )
} | {
    "set_min": "set_min_cards",
    "set_max": "set_max_cards",
    "run_min": "run_min_cards",
    "run_max": "run_max_cards",
    "opening_jokers": "opening_max_jokers",
    "new_melds": "further_melds",
    "run_ends": "run_growth",
    "build_per_end": "max_lay_offs_per_end",
    "reshuffles": "max_reshuffles",
    "turns_cap_per_seat": "max_turns_per_seat",
    "rebuys": "max_rebuys",
    "deals_cap": "max_deals",
}
"""The plain parameters of a rule set, and what the API calls them."""


def rule_set_message(rules: RuleSet) -> pb.RuleSet:
    """Return a rule set as a message."""
    values = rules.values
    plain = {PARAMETERS[name]: _plain(getattr(rules, name)) for name in PARAMETERS}
    return pb.RuleSet(
        **plain,
        contracts=[
            contract_message(number, contract)
            for number, contract in enumerate(rules.contracts, start=1)
        ],
        hand_values=pb.HandValues(
            joker=values.joker,
            black_ace=values.black_ace,
            red_ace=values.red_ace,
            court=values.court,
        ),
        source=rules.head.source,
        clauses=rules.head.clauses,
        deviations=rules.head.deviations,
        options=map(_option_message, options_of(rules.id)),
        rule_set_options=dict(rules.options),
    )


def _plain(value: Any) -> Any:
    """Return a parameter as its field takes it; None, which leaves it absent, for no limit."""
    if isinstance(value, Enum):
        return f"{POLICIES[type(value)]}_{value.name}"  # protobuf takes the names of its enums
    return None if value == UNLIMITED else value


def _option_message(option: Option) -> pb.RuleSetOption:
    numbers = option.numbers
    return pb.RuleSetOption(
        name=option.name,
        clause=option.clause,
        default_value=option.default,
        text=option.text,
        values=option.choices,
        numbers=pb.NumberRange(min=numbers[0], max=numbers[1]) if numbers else None,
    )


def contract_message(number: int, contract: Contract, players: int = 0) -> pb.Contract:
    """Return a contract, the ``number``-th of its game from 1, as a message.

    With so many ``players`` the cards that each is dealt are known.
    """
    sizes = contract.hand_sizes
    size = 0 if sizes else contract.hand_size
    return pb.Contract(
        number=number,
        sets=contract.sets,
        runs=contract.runs,
        hand_size=contract.cards_each(players) if players else size,
        text=contract.text,
        points=contract.points,
        hand_sizes=[
            pb.HandSize(players=count, cards=cards) for count, cards in enumerate(sizes) if cards
        ],
    )
