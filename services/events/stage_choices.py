"""What a host chooses for the stages of a tournament, checked against the rules to be played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rummy_arena.game.rules import RuleSet
from rummy_arena.game.series import SeatsError
from rummy_arena.rulesets.registry import get_rule_set
from rummy_arena.tournament.errors import InvalidFormat, UnevenField
from rummy_arena.tournament.event import Event
from rummy_arena.tournament.field import entrants
from rummy_arena.tournament.registry import stage_of
from rummy_arena.tournament.stages import Stage, plan
from rummy_arena.tournament.tables import TableLimits
from rummy_arena.tournament.tiebreaks import LOT, TIE_BREAKS

from .errors import InvalidOption

KNOCKOUT = "knockout"
DUEL = 2
SMALLEST = 3
"""Tables of fewer are not played unless full tables are as small, or the host says so."""


@dataclass(frozen=True, slots=True)
class StageChoice:
    """One stage; ``smallest`` 0 for the usual, ``take`` 0 for as many as the format says."""

    format: str
    seats: int
    options: Mapping[str, str] = field(default_factory=dict)
    smallest: int = 0
    take: int = 0
    chain: tuple[str, ...] = ()


def knockout(seats: int, advance: int) -> tuple[StageChoice, ...]:
    """Return the one stage of a plain knockout."""
    return (StageChoice(KNOCKOUT, seats, {"advance": str(advance)}),)


def game_facts(rules: RuleSet) -> dict[str, int]:
    """Return what a stage knows of the rule set's games, by the names that ``stage_of`` takes."""
    if rules.by_elimination:
        return {"contracts": 0, "limit": rules.limit}
    return {"contracts": len(rules.contracts), "limit": 0}


def settled_stages(rules: RuleSet, choices: Sequence[StageChoice]) -> tuple[Stage, ...]:
    """Return the stages with everything decided.

    Raises SeatsError, UnknownFormat, and InvalidOption with the option's place
    (``stages[0].options.advance``, ``stages[0].tie_breaks``); what ``get_rule_set`` raises for
    rounds that cannot be played with the rule set's options.
    """
    decisive = [*map(_decisive, choices[:-1]), *choices[-1:]]
    stages = tuple(_stage(rules, place, choice) for place, choice in enumerate(decisive))
    count = stages[0].terms.limits.seats ** 2
    for place, stage in enumerate(stages):
        try:
            plan((stage,), count)
        except InvalidFormat as error:
            raise _told(place, error) from error
        except UnevenField:
            continue  # of another number of entrants it may be right
        _check_round_options(rules, stage, count)
    return stages


def _check_round_options(rules: RuleSet, stage: Stage, count: int) -> None:
    """Raise as ``get_rule_set`` does where a round's options exclude those of the event."""
    first = stage.format.pair(Event(stage.terms, entrants(count), (), b""))
    if first is not None:
        get_rule_set(rules.id, dict([*rules.options, *first.options]))


def _decisive(choice: StageChoice) -> StageChoice:
    """Return a stage from which somebody must go on: a lot decides what nothing else does."""
    if not choice.chain or LOT.id in choice.chain:
        return choice
    return replace(choice, chain=(*choice.chain, LOT.id))


def _stage(rules: RuleSet, place: int, choice: StageChoice) -> Stage:
    if not rules.min_seats <= choice.seats <= rules.max_seats:
        raise SeatsError(rules, choice.seats)
    usual = max(rules.min_seats, min(SMALLEST, choice.seats))
    smallest = choice.smallest or usual
    if not rules.min_seats <= smallest <= choice.seats:
        raise InvalidOption(
            f"stages[{place}].smallest_table", f"give {rules.min_seats} to {choice.seats}"
        )
    limits = limits_of(rules, choice.seats, smallest)
    try:
        return stage_of(
            choice.format,
            limits,
            choice.options,
            take=choice.take,
            chain=choice.chain,
            **game_facts(rules),
        )
    except InvalidFormat as error:
        raise _told(place, error) from error


def limits_of(rules: RuleSet, seats: int, smallest: int) -> TableLimits:
    """Return the sizes that tables may have.

    A field that does not fill full tables may need a larger one, but who asks for tables of two
    wants duels: there, somebody sits out instead.
    """
    return TableLimits(seats, smallest, DUEL if seats == DUEL else rules.max_seats)


def _told(place: int, error: InvalidFormat) -> InvalidOption:
    option = error.option if error.option == TIE_BREAKS else f"options.{error.option}"
    return InvalidOption(f"stages[{place}].{option}", error.reason)
