"""The bridge from a stored tournament to the pure rules: what they say of it."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_arena.rulesets.registry import get_rule_set
from rummy_arena.tournament.field import Entrant, Field
from rummy_arena.tournament.registry import stage_of
from rummy_arena.tournament.rounds import PlayedRound, Round
from rummy_arena.tournament.stages import Course, Stage
from services.state.records import EntrantRecord, RoundRecord, StageRecord, TournamentRecord

from .stage_choices import game_facts, limits_of
from .tournament import table_result


def stages_of(record: TournamentRecord) -> tuple[Stage, ...]:
    """Return the stages of a tournament as the pure rules take them."""
    rules = get_rule_set(record.rule_set, record.options)
    facts = game_facts(rules)
    return tuple(
        stage_of(
            stage.format,
            limits_of(rules, stage.seats, stage.smallest),
            stage.options,
            take=stage.take,
            chain=tuple(stage.chain),
            **facts,
        )
        for stage in record.stages
    )


def course_of(
    record: TournamentRecord, entrants: Sequence[EntrantRecord], rounds: Sequence[RoundRecord]
) -> Course:
    """Return a tournament as the pure rules take it; a round without results is being played."""
    playing = [round_ for round_ in rounds if not round_.results]
    return Course(
        stages=stages_of(record),
        field=_field(entrants),
        rounds=tuple(played_round(round_) for round_ in rounds if round_.results),
        seed=record.seed,
        pending=paired_round(playing[0]) if playing else None,
    )


def _field(entrants: Sequence[EntrantRecord]) -> Field:
    return tuple(
        Entrant(
            number=number,
            seeding=entrant.seeding,
            owner=entrant.owner,
            stays=tuple((first, end or None) for first, end in entrant.stays),
            disqualified=entrant.disqualified,
        )
        for number, entrant in enumerate(entrants, start=1)
    )


def paired_round(round_: RoundRecord) -> Round:
    """Return a round as it was paired."""
    return Round(
        number=round_.number,
        tables=tuple(map(tuple, round_.tables)),
        byes=tuple(round_.byes),
        stage=round_.stage,
        labels=tuple(round_.labels),
        boards=tuple(round_.boards),
        options=tuple(round_.options.items()),
        notes=tuple(round_.notes),
    )


def played_round(round_: RoundRecord) -> PlayedRound:
    """Return a round whose results are all in."""
    return paired_round(round_).played(map(table_result, round_.results))


def round_record(
    paired: Round, started_ms: int, *, break_ms: int = 0, round_ms: int = 0
) -> RoundRecord:
    """Return a paired round as it is stored.

    Its tables open when the break is over, and have ``round_ms`` from then on; 0 for no end.
    """
    return RoundRecord(
        number=paired.number,
        tables=[list(table) for table in paired.tables],
        started_ms=started_ms,
        byes=list(paired.byes),
        stage=paired.stage,
        labels=list(paired.labels),
        boards=list(paired.boards),
        options=dict(paired.options),
        notes=list(paired.notes),
        begins_ms=started_ms + break_ms,
        ends_ms=started_ms + break_ms + round_ms if round_ms else 0,
    )


def stage_record(stage: Stage) -> StageRecord:
    """Return a stage as it is stored."""
    limits = stage.terms.limits
    return StageRecord(
        stage.format.id,
        limits.seats,
        limits.min_seats,
        dict(stage.terms.options),
        stage.take,
        list(stage.terms.chain),
    )
