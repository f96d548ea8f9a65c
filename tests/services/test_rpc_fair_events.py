"""Commitments and seeds go over the wire whole, and the same to everybody."""

from __future__ import annotations

from rummy_arena.api.v1.table_event_pb2 import TableEvent
from rummy_arena.game.actions import NONE
from rummy_arena.game.events import DealCommitted, DealRevealed
from rummy_arena.game.view import redact
from services.rpc.convert_event import event_message
from tests.game.fair_games import TIMID_RULES, TIMID_SEATS, timid


def test_what_was_committed_to_and_what_was_told_arrive_whole_and_alike() -> None:
    _, log = timid()
    arrived = 0
    for sequence, event in enumerate(log, 1):
        if not isinstance(event, DealCommitted | DealRevealed):
            continue
        arrived += 1
        for viewer in (NONE, *range(TIMID_SEATS)):
            sent = event_message(sequence, redact(event, viewer, TIMID_RULES, TIMID_SEATS))
            message = TableEvent.FromString(sent.SerializeToString())
            if isinstance(event, DealCommitted):
                committed = message.deal_committed
                facts = (committed.number, committed.attempt, committed.commitment)
                assert facts == (event.number, event.attempt, event.commitment)
            else:
                told = message.deal_revealed
                assert (told.number, told.attempt, told.seed) == (
                    event.number,
                    event.attempt,
                    event.seed,
                )
    assert arrived > 4
