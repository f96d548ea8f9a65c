"""Formats and stages as messages, and what hosts ask for as stages."""

from __future__ import annotations

from rummy_arena.api.v1 import format_pb2, tournament_pb2
from rummy_arena.tournament.event import Format
from rummy_arena.tournament.tiebreaks import chain_of, rows_of
from services.events.stage_choices import KNOCKOUT, StageChoice
from services.state.records import StageRecord

from .violations import Fields

MOST_STAGES = 8


def format_message(format_: Format) -> format_pb2.Format:
    """Return a format as a message."""
    return format_pb2.Format(
        id=format_.id,
        title=format_.title,
        description=format_.text,
        options=[
            format_pb2.FormatOption(
                name=option.name,
                default_value=option.default,
                description=option.text,
                allowed=option.allowed(),
                choices=option.choices,
            )
            for option in format_.options
        ],
        tie_breaks=[
            format_pb2.TieBreak(id=row.id, definition=row.definition)
            for row in rows_of(format_.ranks)
        ],
        default_tie_breaks=[row.id for row in chain_of(format_.chain, format_.ranks)],
    )


def stage_message(stage: StageRecord) -> format_pb2.Stage:
    """Return a stage as a message."""
    return format_pb2.Stage(
        format_id=stage.format,
        seats_per_table=stage.seats,
        smallest_table=stage.smallest,
        options=stage.options,
        take=stage.take,
        tie_breaks=stage.chain,
    )


def knockout_message(stages: list[StageRecord]) -> tournament_pb2.Knockout | None:
    """Return the one stage of a plain knockout in the short form; None where it is another."""
    if len(stages) != 1 or stages[0].format != KNOCKOUT:
        return None
    return tournament_pb2.Knockout(
        seats_per_table=stages[0].seats, advance_per_table=int(stages[0].options["advance"])
    )


def stages_of(fields: Fields, options: tournament_pb2.TournamentOptions) -> tuple[StageChoice, ...]:
    """Return the stages that a host asks for; refuse none, both forms, or too many."""
    if options.WhichOneof("format") is not None:
        if options.stages:
            fields.refuse("options.stages", "give these or knockout, not both")
        short = options.knockout
        most = short.seats_per_table - 1
        if most > 0 and not 1 <= short.advance_per_table <= most:
            fields.refuse("options.knockout.advance_per_table", f"give 1 to {most}")
        return (
            StageChoice(KNOCKOUT, short.seats_per_table, {"advance": str(short.advance_per_table)}),
        )
    if not 1 <= len(options.stages) <= MOST_STAGES:
        fields.refuse("options.stages", f"give 1 to {MOST_STAGES} stages, or knockout")
    return tuple(
        StageChoice(
            format=fields.id(f"options.stages[{place}].format_id", stage.format_id),
            seats=stage.seats_per_table,
            options=fields.choices(f"options.stages[{place}].options", stage.options),
            smallest=stage.smallest_table,
            take=stage.take,
            chain=tuple(stage.tie_breaks),
        )
        for place, stage in enumerate(options.stages)
    )


def seats_field(options: tournament_pb2.TournamentOptions, seats: int) -> str:
    """Return where a request asks for a number of seats that cannot be."""
    for place, stage in enumerate(options.stages):
        if stage.seats_per_table == seats:
            return f"options.stages[{place}].seats_per_table"
    return "options.knockout.seats_per_table"
