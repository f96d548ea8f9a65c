"""An event as it is exported: one JSON document, or tables of it with named columns.

The document has the messages of the API as their proto files define them, in the JSON form of
protobuf with the names of the fields as keys: a new field of a message is a new key, and no key
ever changes. ParseDict makes messages of it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from rummy_arena.api.v1 import tournament_event_pb2 as event_pb
from rummy_arena.api.v1 import tournament_pb2 as pb

from .sheets import Cell, Sheet

FORMAT = "rummy-arena event 1"
_NUMBER = re.compile(r"-?\d{1,15}(\.\d+)?", re.ASCII)


@dataclass(frozen=True)
class Told:
    """An event as the API tells it."""

    tournament: pb.Tournament
    rounds: Sequence[pb.Round]
    standings: Sequence[pb.Standing]
    log: Sequence[event_pb.LoggedTournamentEvent] = ()

    @property
    def final(self) -> bool:
        """Whether the standings are final."""
        return self.tournament.status == pb.TOURNAMENT_STATUS_FINISHED

    @property
    def entrants(self) -> list[pb.Entrant]:
        """Everybody who ever entered, by number, as they are now."""
        found: dict[int, pb.Entrant] = {}
        for logged in self.log:
            _take(found, logged.event)
        found |= {row.entrant.number: row.entrant for row in self.standings}
        return [found[number] for number in sorted(found)]


_STATES = {
    "entrant_checked_in": pb.ENTRANT_STATE_CHECKED_IN,
    "entrant_withdrawn": pb.ENTRANT_STATE_WITHDRAWN,
    "entrant_returned": pb.ENTRANT_STATE_ENTERED,
    "entrant_disqualified": pb.ENTRANT_STATE_DISQUALIFIED,
}


def _take(found: dict[int, pb.Entrant], event: event_pb.TournamentEvent) -> None:
    """Bring entrants up to date with an event of the log."""
    kind = event.WhichOneof("event")
    if kind == "entrant_registered":
        entrant = event.entrant_registered.entrant
        found[entrant.number] = entrant
    elif kind == "entrant_replaced":
        entrant = event.entrant_replaced.entrant
        found[entrant.number] = entrant
    elif kind in _STATES:
        numbered = getattr(event, kind).entrant
        if numbered in found:
            changed = pb.Entrant()
            changed.CopyFrom(found[numbered])
            changed.state = _STATES[kind]
            found[numbered] = changed


def document(told: Told) -> dict[str, Any]:
    """Return everything that is known of an event, ready for JSON."""
    return {
        "format": FORMAT,
        "tournament": _plain(told.tournament),
        "entrants": list(map(_plain, told.entrants)),
        "rounds": list(map(_plain, told.rounds)),
        "standings": {"final": told.final, "rows": list(map(_plain, told.standings))},
        "log": list(map(_plain, told.log)),
    }


def _plain(message: Message) -> dict[str, Any]:
    plain = MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    _sort_maps(message.DESCRIPTOR, plain)
    return plain


def _sort_maps(descriptor: Any, plain: dict[str, Any]) -> None:
    """Put the entries of maps in order: protobuf has them in any."""
    for field in descriptor.fields:
        value = plain.get(field.name)
        if field.message_type is None or not isinstance(value, dict | list):
            continue
        if field.message_type.GetOptions().map_entry:
            plain[field.name] = dict(sorted(plain[field.name].items()))
            continue
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict):
                _sort_maps(field.message_type, one)


def entrants_sheet(told: Told) -> Sheet:
    """Return the entrants by number."""
    rows: list[list[Cell]] = [
        [
            entrant.number,
            entrant.player_id,
            entrant.name,
            entrant.house_bot,
            entrant.owner,
            entrant.seeding or None,
            _word(pb.EntrantState.Name(entrant.state), "ENTRANT_STATE_"),
        ]
        for entrant in told.entrants
    ]
    columns = ("entrant", "player_id", "name", "house_bot", "owner", "seeding", "state")
    return Sheet(columns, rows)


def standings_sheet(told: Told) -> Sheet:
    """Return the standings, with a column for each tie-break."""
    ties = list(dict.fromkeys(one.tie_break_id for row in told.standings for one in row.tie_breaks))
    rows: list[list[Cell]] = []
    for row in told.standings:
        values = {one.tie_break_id: one.value for one in row.tie_breaks}
        rows.append(
            [
                row.place,
                row.group,
                row.entrant.number,
                row.entrant.player_id,
                row.entrant.name,
                row.reached_round,
                row.eliminated,
                row.tables,
                row.total,
                row.deals_won,
                number(row.score),
                *(number(values.get(tie, "")) for tie in ties),
            ]
        )
    columns = (
        "place",
        "group",
        "entrant",
        "player_id",
        "name",
        "reached_round",
        "eliminated",
        "tables",
        "penalties",
        "deals_won",
        "score",
        *(f"tie_break_{tie}" for tie in ties),
    )
    return Sheet(columns, rows)


def rounds_sheet(told: Told) -> Sheet:
    """Return a row for each round; several entrants or notes are in one cell."""
    rows: list[list[Cell]] = [
        [
            round_.number,
            round_.stage,
            round_.table_count,
            round_.finished_count,
            tuple(round_.byes),
            tuple(round_.advancing),
            _time(round_, "start_time"),
            _time(round_, "finish_time"),
            "; ".join(round_.notes),
        ]
        for round_ in told.rounds
    ]
    columns = (
        "round",
        "stage",
        "tables",
        "finished_tables",
        "byes",
        "advancing",
        "start_time",
        "finish_time",
        "notes",
    )
    return Sheet(columns, rows)


def results_sheet(told: Told) -> Sheet:
    """Return a row for each seat of each table, and one for each bye."""
    people = {entrant.number: entrant for entrant in told.entrants}
    columns = (
        "round",
        "stage",
        "table",
        "label",
        "table_id",
        "status",
        "seat",
        "entrant",
        "player_id",
        "name",
        "place",
        "penalties",
        "deals_won",
        "down_and_outs",
        "calls",
        "deal_points",
        "forfeit",
        "goes_on",
        "finish_time",
    )
    return Sheet(columns, [row for round_ in told.rounds for row in _round_rows(round_, people)])


def _round_rows(round_: pb.Round, people: dict[int, pb.Entrant]) -> Iterator[list[Cell]]:
    over, through = round_.HasField("finish_time"), set(round_.advancing)
    place = [round_.number, round_.stage]

    def who(entrant: int) -> list[Cell]:
        known = people.get(entrant, pb.Entrant())
        return [entrant, known.player_id, known.name]

    def goes_on(entrant: int) -> bool | None:
        return entrant in through if over else None

    for pairing in round_.pairings:
        table: list[Cell] = [*place, pairing.number, pairing.label, pairing.table_id]
        if not pairing.HasField("result"):
            for seat, entrant in enumerate(pairing.entrants):
                yield [*table, "playing", seat, *who(entrant), *([None] * 9)]
            continue
        for seat, result in enumerate(pairing.result.seats):
            yield [
                *table,
                "finished",
                seat,
                *who(result.entrant),
                result.place,
                result.total,
                result.deals_won,
                result.down_and_outs,
                result.calls,
                tuple(result.deal_points),
                result.forfeit,
                goes_on(result.entrant),
                _time(pairing.result, "finish_time"),
            ]
    for entrant in round_.byes:
        yield [
            *place,
            None,
            "",
            "",
            "bye",
            None,
            *who(entrant),
            *([None] * 7),
            goes_on(entrant),
            None,
        ]


def number(text: str) -> Cell:
    """Return a number that is written in a text as one, and other texts as they are."""
    if not _NUMBER.fullmatch(text):
        return text
    return float(text) if "." in text else int(text)


def _time(message: pb.Round | pb.TableResult, name: str) -> str:
    return getattr(message, name).ToJsonString() if message.HasField(name) else ""  # type: ignore[arg-type]


def _word(name: str, prefix: str) -> str:
    word = name.removeprefix(prefix).lower()
    return "" if word == "unspecified" else word
