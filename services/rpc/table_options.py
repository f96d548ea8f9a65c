"""What somebody wants of a new table, checked field by field."""

from __future__ import annotations

from collections.abc import Iterable

from rummy_arena.api.v1 import table_service_pb2 as pb
from services.play.create_table import NewTable
from services.state.records import Terms
from services.state.terms import MOST_INVITED, TITLE_LENGTH

from .convert_terms import delay_of, time_control_of, visibility_of
from .tournament_options import seed_of
from .violations import Fields


def new_table_of(fields: Fields, request: pb.CreateTableRequest) -> NewTable:
    """Return the table that a request asks for; refuse its fields."""
    options = request.options
    delay = delay_of(fields, "options.spectator_delay", options.spectator_delay)
    title = options.title and fields.text("options.title", options.title, longest=TITLE_LENGTH)
    return NewTable(
        rule_set=fields.id("options.rule_set_id", options.rule_set_id),
        seats=options.seats,
        options=fields.choices("options.rule_set_options", options.rule_set_options),
        terms=Terms(
            clock=time_control_of(fields, "options.time_control", options.time_control),
            visibility=visibility_of(fields, "options.visibility", options.visibility),
            delay_deals=delay.deals,
            delay_ms=delay.ms,
            invited=_invited(fields, options.invited_player_ids),
            title=title,
        ),
        seed=seed_of(fields, request.seed) if request.HasField("seed") else b"",
    )


def _invited(fields: Fields, player_ids: Iterable[str]) -> tuple[str, ...]:
    """Return the players who are invited, each once."""
    field = "options.invited_player_ids"
    invited = tuple(dict.fromkeys(player_ids))
    if len(invited) > MOST_INVITED:
        fields.refuse(field, f"invite at most {MOST_INVITED} players")
        return ()
    return tuple([fields.id(f"{field}[{at}]", player_id) for at, player_id in enumerate(invited)])
