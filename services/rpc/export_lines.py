"""A table that has ended as JSON lines: a header, then every event with every card."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from rummy_arena.api.v1 import table_event_pb2, table_export_pb2, table_pb2
from rummy_arena.game.engine import deal_of
from rummy_arena.game.events import DealStarted
from rummy_arena.game.rules import RuleSet
from services.play.export_table import DatedEvent, Export
from services.state.table_log import TableEvent

from .convert_event import event_message
from .convert_table import table_message
from .convert_times import timestamp_or_none

FORMAT = "rummy-arena table log 1"
CHUNK_BYTES = 1 << 16


def json_lines(export: Export) -> Iterator[bytes]:
    """Yield the lines as UTF-8, in pieces; the same export is always the same bytes."""
    piece: list[str] = []
    size = 0
    for line in _lines(export):
        piece.append(line)
        size += len(line)
        if size >= CHUNK_BYTES:
            yield "".join(piece).encode()
            piece, size = [], 0
    if piece:
        yield "".join(piece).encode()


def _lines(export: Export) -> Iterator[str]:
    yield _line(_header(export))
    seats = len(export.snapshot.seats)
    for dated in export.events:
        yield _line(_event(dated, export.rules, seats))


def _header(export: Export) -> table_export_pb2.TableExportHeader:
    table: table_pb2.Table = table_message(export.snapshot)
    table.ClearField("view")
    return table_export_pb2.TableExportHeader(
        format=FORMAT,
        table=table,
        untold_seeds=[
            table_event_pb2.DealRevealed(number=one.number, attempt=one.attempt, seed=one.seed)
            for one in export.unrevealed
        ],
    )


def _event(dated: DatedEvent, rules: RuleSet, seats: int) -> table_export_pb2.TableExportEvent:
    return table_export_pb2.TableExportEvent(
        time=timestamp_or_none(dated.at_ms),
        event=event_message(dated.sequence, _with_hands(dated.event, rules, seats)),
    )


def _with_hands(event: TableEvent, rules: RuleSet, seats: int) -> TableEvent:
    """Return the event with what the log leaves to be worked out: the hands that are dealt."""
    if not isinstance(event, DealStarted):
        return event
    deal = deal_of(rules, seats, event)
    return replace(event, hands=tuple(map(bytes, deal.hands)))


def _line(message: Message) -> str:
    fields = MessageToDict(
        message,
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=True,
    )
    return json.dumps(_in_order(fields), ensure_ascii=False, separators=(",", ":")) + "\n"


def _in_order(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields with the one map among them in order, for a map has none of its own."""
    table = fields.get("table")
    if table:
        table["rule_set_options"] = dict(sorted(table["rule_set_options"].items()))
    return fields
