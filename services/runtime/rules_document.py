"""What a rule set says of itself as one document: head, parameters, options, clauses."""

from __future__ import annotations

from dataclasses import asdict, fields
from enum import Enum
from typing import Any

from rummy_arena.game.rules import UNLIMITED, Option, RuleSet
from rummy_arena.rulesets.registry import RULE_SETS, options_of
from rummy_arena.rulesets.rulebook import Clause, clauses_of

Document = dict[str, Any]

PARAMETERS = {
    "packs": "packs of 52 cards",
    "jokers": "jokers in all",
    "clockwise": "the turn goes clockwise",
    "set_min": "cards of a set at least",
    "set_max": "cards of a set at most",
    "set_min_naturals": "naturals of a set at least",
    "set_spare_jokers": "how many more jokers than naturals a set may hold",
    "set_suits_differ": "no two naturals of a set share a suit",
    "run_min": "cards of a run at least",
    "run_max": "cards of a run at most",
    "ace_low": "an ace also stands below the two",
    "jokers_adjacent": "jokers may stand side by side in a run",
    "own_melds_differ": "no two own sets of a rank, no two own runs of a suit",
    "opening_exact": "an opening has melds of the least length and a turn of its own",
    "opening_jokers": "jokers in one meld of an opening at most",
    "new_melds": "when an opened player lays down further melds",
    "run_ends": "where a run on the table grows",
    "build_per_end": "cards laid off on one end of a run in one turn at most",
    "joker_exchange": "what a natural does to the joker whose place it takes",
    "joker_owner_only": "only the owner of a run moves its jokers",
    "joker_later_turn": "and only in a turn after it came to the table",
    "exchange_naturals": "cards that a set's joker costs, each of a suit that the set lacks",
    "pile": "who draws the top discard",
    "throw_back": "the card taken from the pile may be discarded in that turn",
    "joker_discard": "jokers may be discarded",
    "final_discard": "going out needs a discard",
    "max_calls": "calls that a player may be granted in a deal",
    "call_authority": "who decides about a call",
    "call_priority": "which of several callers is heard",
    "open_hands": "all hands are seen",
    "reshuffles": "how often a deal renews its stock",
    "max_replays": "how often a void deal is dealt again",
    "turns_cap_per_seat": "turns for each player after which a deal is void",
    "down_and_out_factor": "times the others pay when the winner opened in that turn",
    "down_and_out_extra": "points they pay beside that",
    "out_points": "points of who goes out",
    "unopened_points": "points for not having opened, beside the hand",
    "limit": "a higher total puts a player out of the game; 0: none does",
    "rebuys": "how often a player may buy back into the game",
    "deals_cap": "scored deals after which the lowest total wins",
    "tie_for_first": "what equal lowest totals mean",
    "best_of": "whole games of which the majority wins",
    "buy_in": "units into the pot at the start and for buying back",
    "deal_stake": "units from each loser of a deal to its winner",
    "stake_doubling": "when those are doubled",
}
"""What each parameter of a rule set means, under the name of its field."""
_ELSEWHERE = frozenset(
    ("id", "title", "head", "min_seats", "max_seats", "contracts", "values", "clauses", "options")
)


def summaries() -> list[Document]:
    """Return one line of facts for each rule set."""
    return [summary(rules) for rules in RULE_SETS.values()]


def summary(rules: RuleSet) -> Document:
    """Return what tells a rule set from the others; ``deals`` is null where it is open."""
    return {
        "id": rules.id,
        "title": rules.title,
        "min_seats": rules.min_seats,
        "max_seats": rules.max_seats,
        "deals": None if rules.by_elimination else len(rules.contracts),
        "source": rules.head.source,
    }


def rule_set_document(rules: RuleSet) -> Document:
    """Return everything about a rule set as it would be played, down to its clauses."""
    letter = rules.head.clauses
    return {
        **summary(rules),
        "deviations": list(rules.head.deviations),
        "chosen": dict(rules.options),
        "parameters": parameters(rules),
        "contracts": [
            {"number": number, "text": contract.text, "hand_sizes": hand_sizes(rules, number)}
            for number, contract in enumerate(rules.contracts, start=1)
        ],
        "hand_values": asdict(rules.values),
        "options": [_option(option) for option in options_of(rules.id)],
        "clauses": [clause_document(clause) for clause in (*clauses_of(letter), *clauses_of("X"))],
    }


def parameters(rules: RuleSet) -> Document:
    """Return the plain fields of a rule set by name; null where nothing limits them."""
    found = {}
    for field in fields(rules):
        if field.name in _ELSEWHERE:
            continue
        value = getattr(rules, field.name)
        if isinstance(value, Enum):
            value = value.value
        found[field.name] = None if value == UNLIMITED else value
    return found


def hand_sizes(rules: RuleSet, number: int) -> dict[str, int]:
    """Return how many cards each player gets in a deal of this contract, by number of players."""
    contract = rules.contracts[number - 1]
    players = range(rules.min_seats, rules.max_seats + 1)
    return {str(count): contract.cards_each(count) for count in players}


def clause_document(clause: Clause) -> Document:
    """Return a clause of the rule book; ``code`` lists places as ``file:name``."""
    return {
        "id": clause.id,
        "title": clause.title,
        "tag": clause.tag,
        "text": clause.text,
        "code": [f"rummy_arena/{file}:{name}" for file, name in clause.code],
        "unbreakable": clause.unbreakable,
    }


def _option(option: Option) -> Document:
    return {
        "name": option.name,
        "values": option.allowed(),
        "default": option.default,
        "clause": option.clause,
        "text": option.text,
    }
