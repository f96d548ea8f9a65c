"""What the host of a ladder asks for, checked field by field."""

from __future__ import annotations

from dataclasses import fields as fields_of
from typing import Any

from google.protobuf.duration_pb2 import Duration

from rummy_arena.api.v1 import ladder_pb2, tournament_pb2
from rummy_arena.api.v1 import ladder_service_pb2 as pb
from rummy_arena.rulesets.errors import OptionError, UnknownRuleSet
from rummy_arena.tournament.errors import InvalidFormat
from rummy_arena.tournament.ladder import LadderTerms
from rummy_arena.tournament.ratings import InvalidRating, RatingRules
from services.events.create_tournament import TITLE_LENGTH
from services.events.ladders.create_ladder import LARGEST_LADDER, LadderOptions
from services.events.ladders.ladder import pairing_terms, rules_record
from services.events.table_rules import rules_without_rebuys, table_terms
from services.state.ladder_records import LadderRecord, LadderStatus

from .convert_entry import allowed_of, entry_of, time_ms
from .convert_terms import delay_of, duration_ms, time_control_of
from .tournament_options import seed_of
from .violations import Fields

_NUMBERS = {
    "reach": "reach",
    "widen_per_minute": "widen",
    "repeat_distance": "again",
    "games_lead": "lead",
}
_TIMES = {
    "hold": "hold_ms",
    "pause": "pause_ms",
    "smaller_after": "fewer_ms",
    "anchors_after": "anchors_ms",
    "patience": "patience_ms",
}
_OTHERS = {
    "seats_per_table": "seats",
    "min_seats": "fewest",
    "widest_reach": "widest",
    "max_tables": "tables",
}
_NAMES = {ours: name for table in (_NUMBERS, _TIMES, _OTHERS) for name, ours in table.items()}
"""What the options of pairing are called in requests."""


def ladder_options_of(fields: Fields, request: pb.CreateLadderRequest) -> LadderOptions:
    """Return the options of a request; refuse its fields."""
    options = request.options
    delay = delay_of(fields, "options.spectator_delay", options.spectator_delay)
    rule_set = fields.id("options.rule_set_id", options.rule_set_id)
    choices = fields.choices("options.rule_set_options", options.rule_set_options)
    entry = tournament_pb2.TournamentOptions(entry=options.entry)
    given: dict[str, Any] = {}
    if options.HasField("ranked_from_games"):
        given["ranked_from"] = options.ranked_from_games
    if options.HasField("overtime"):
        given["overtime_ms"] = duration_ms(fields, "options.overtime", options.overtime)
    for field, ours in (("start_time", "starts_ms"), ("end_time", "ends_ms")):
        if options.HasField(field):  # type: ignore[arg-type]  # the names are those of its fields
            given[ours] = time_ms(fields, f"options.{field}", getattr(options, field))
    return LadderOptions(
        title=fields.text("options.title", options.title, longest=TITLE_LENGTH),
        rule_set=rule_set,
        pairing=_pairing(fields, options.pairing, _fewest(rule_set, choices)),
        ratings=_ratings(fields, options.ratings),
        rule_set_options=choices,
        clock=time_control_of(fields, "options.time_control", options.time_control),
        delay_deals=delay.deals,
        delay_ms=delay.ms,
        capacity=options.capacity,
        season_ms=duration_ms(fields, "options.season_length", options.season_length),
        seed=seed_of(fields, request.seed) if request.HasField("seed") else b"",
        entry=entry_of(fields, entry),
        allowed=allowed_of(fields, entry),
        **given,
    )


def _fewest(rule_set: str, choices: dict[str, str]) -> int:
    """Return the fewest seats of a rule set; that it cannot be used is told by the use case."""
    try:
        return rules_without_rebuys(rule_set, choices).min_seats
    except (UnknownRuleSet, OptionError):
        return 2


def _pairing(fields: Fields, asked: ladder_pb2.LadderPairing, fewest: int) -> LadderTerms:
    given: dict[str, Any] = {}
    for field, ours in _NUMBERS.items():
        if asked.HasField(field):  # type: ignore[arg-type]  # likewise
            given[ours] = getattr(asked, field)
    for field, ours in _TIMES.items():
        if asked.HasField(field):  # type: ignore[arg-type]  # likewise
            duration: Duration = getattr(asked, field)
            given[ours] = duration_ms(fields, f"options.pairing.{field}", duration)
    if asked.max_tables:
        given["tables"] = asked.max_tables
    try:
        return LadderTerms(
            seats=asked.seats_per_table,
            fewest=asked.min_seats or min(fewest, asked.seats_per_table),
            widest=asked.widest_reach,
            owners_apart=not asked.owners_may_meet,
            **given,
        )
    except InvalidFormat as wrong:
        fields.refuse(f"options.pairing.{_NAMES[wrong.option]}", wrong.reason)
        return LadderTerms(2)


def _ratings(fields: Fields, asked: ladder_pb2.RatingRules) -> RatingRules:
    names = [field.name for field in fields_of(RatingRules)]
    given = {name: getattr(asked, name) for name in names if asked.HasField(name)}  # type: ignore[arg-type]  # likewise
    try:
        rules = RatingRules(**given)
    except InvalidRating as wrong:
        fields.refuse("options.ratings", str(wrong))
        return RatingRules()
    stored = rules_record(rules)  # to a millionth of a point
    if not stored.floor:
        fields.refuse("options.ratings.floor", "give a millionth of a point or more")
    return rules


def is_as_asked(options: LadderOptions, record: LadderRecord) -> bool:
    """Return whether a ladder is what these options ask for."""
    return (
        record.title == options.title
        and record.rule_set == options.rule_set
        and record.options
        == dict(rules_without_rebuys(options.rule_set, options.rule_set_options).options)
        and pairing_terms(record.pairing) == options.pairing
        and record.ratings == rules_record(options.ratings)
        and record.capacity == (options.capacity or LARGEST_LADDER)
        and record.ranked_from == options.ranked_from
        and record.season_ms == options.season_ms
        and record.starts_ms == options.starts_ms
        and (record.ends_ms == options.ends_ms or record.status is not LadderStatus.OPEN)
        and record.overtime_ms == options.overtime_ms
        and record.entry == options.entry
        and record.terms == table_terms(options, record.created_by)
        and (not options.seed or record.seed == options.seed)
    )
