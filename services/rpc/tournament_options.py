"""What a host asks for, checked field by field."""

from __future__ import annotations

import hashlib

from rummy_arena.api.v1 import tournament_service_pb2 as pb
from services.events.create_tournament import (
    LARGEST_FIELD,
    TITLE_LENGTH,
    TournamentOptions,
    rules_of,
    stages_asked,
)
from services.events.table_rules import table_terms
from services.state.records import TournamentRecord

from .convert_entry import allowed_of, entry_of, schedule_of
from .convert_stages import stages_of
from .convert_terms import delay_of, time_control_of
from .violations import Fields

SEED_LENGTH = 128


def options_of(fields: Fields, request: pb.CreateTournamentRequest) -> TournamentOptions:
    """Return the options of a request; refuse its fields."""
    options = request.options
    delay = delay_of(fields, "options.spectator_delay", options.spectator_delay)
    return TournamentOptions(
        title=fields.text("options.title", options.title, longest=TITLE_LENGTH),
        rule_set=fields.id("options.rule_set_id", options.rule_set_id),
        stages=stages_of(fields, options),
        capacity=options.capacity,
        seed=seed_of(fields, request.seed) if request.HasField("seed") else b"",
        rule_set_options=fields.choices("options.rule_set_options", options.rule_set_options),
        clock=time_control_of(fields, "options.time_control", options.time_control),
        delay_deals=delay.deals,
        delay_ms=delay.ms,
        entry=entry_of(fields, options),
        allowed=allowed_of(fields, options),
        schedule=schedule_of(fields, options),
    )


def matches(options: TournamentOptions, record: TournamentRecord) -> bool:
    """Return whether a tournament is what these options ask for."""
    return (
        record.title == options.title
        and record.rule_set == options.rule_set
        and record.options == dict(rules_of(options).options)
        and record.stages == stages_asked(options)
        and record.capacity == (options.capacity or LARGEST_FIELD)
        and record.entry == options.entry
        and record.schedule == options.schedule
        and record.terms == table_terms(options, record.created_by)
        and (not options.seed or record.seed == options.seed)
    )


def seed_of(fields: Fields, text: str) -> bytes:
    """Return the 32 bytes that a seed text stands for: its SHA-256, so that every text will do."""
    if not 1 <= len(text) <= SEED_LENGTH:
        fields.refuse("seed", f"give 1 to {SEED_LENGTH} characters, or leave it out")
    return hashlib.sha256(text.encode()).digest()
