"""Tournaments, their brackets and standings as messages."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from rummy_arena.api.v1 import tournament_pb2 as pb
from services.events.create_tournament import LARGEST_FIELD
from services.events.read_bracket import BracketRound
from services.events.read_standings import StandingRow
from services.events.tournament import TournamentSnapshot, table_id
from services.state.records import (
    EntrantRecord,
    RoundRecord,
    Status,
    TableResultRecord,
    TournamentRecord,
)

from .convert_entry import add_schedule, entry_message
from .convert_stages import knockout_message, stage_message
from .convert_terms import delay_message, time_control_message
from .convert_times import timestamp, timestamp_or_none

STATUSES = {
    Status.REGISTERING: pb.TOURNAMENT_STATUS_REGISTERING,
    Status.RUNNING: pb.TOURNAMENT_STATUS_RUNNING,
    Status.FINISHED: pb.TOURNAMENT_STATUS_FINISHED,
    Status.CANCELLED: pb.TOURNAMENT_STATUS_CANCELLED,
    Status.PAUSED: pb.TOURNAMENT_STATUS_PAUSED,
}


def tournament_message(snapshot: TournamentSnapshot, *, id_known: bool = True) -> pb.Tournament:
    """Return a tournament as a message, without its seed."""
    record = snapshot.record
    options = pb.TournamentOptions(
        title=record.title,
        rule_set_id=record.rule_set,
        rule_set_options=record.options,
        knockout=knockout_message(record.stages),
        stages=map(stage_message, record.stages),
        capacity=record.capacity if record.capacity < LARGEST_FIELD else 0,
        time_control=time_control_message(record.terms.clock),
        spectator_delay=delay_message(record.terms),
        entry=entry_message(record.entry),
    )
    add_schedule(options, record.schedule)
    return pb.Tournament(
        id=snapshot.id if id_known else "",
        options=options,
        status=STATUSES[record.status],
        entrant_count=record.entrant_count,
        round=len(record.rounds),
        sequence=snapshot.sequence,
        create_time=timestamp(record.created_ms),
        start_time=timestamp_or_none(record.started_ms),
        finish_time=timestamp_or_none(record.finished_ms),
        cancel_reason=record.reason,
        checked_in_count=record.checked_in,
        active_count=record.active,
        pause_reason=record.pause_reason,
        round_begin_time=timestamp_or_none(_begins_ms(record)),
    )


def _begins_ms(record: TournamentRecord) -> int:
    """Return when the tables of the last round open; 0 where they are open."""
    return record.rounds[-1].begins_ms if record.begun < len(record.rounds) else 0


def entrant_message(number: int, record: EntrantRecord) -> pb.Entrant:
    """Return an entrant as a message."""
    return pb.Entrant(
        number=number,
        player_id=record.player_id,
        name=record.name,
        house_bot=record.bot,
        owner=record.owner,
        seeding=record.seeding,
        state=_entrant_state(record),
    )


def _entrant_state(record: EntrantRecord) -> pb.EntrantState.ValueType:
    if record.disqualified:
        return pb.ENTRANT_STATE_DISQUALIFIED
    if record.stays[-1][1]:
        return pb.ENTRANT_STATE_WITHDRAWN
    return pb.ENTRANT_STATE_CHECKED_IN if record.checked_in_ms else pb.ENTRANT_STATE_ENTERED


def result_message(record: TableResultRecord) -> pb.TableResult:
    """Return how a table ended as a message."""
    return pb.TableResult(
        seats=[
            pb.SeatResult(
                entrant=seat.entrant,
                place=seat.place,
                total=seat.total,
                deals_won=seat.deals_won,
                down_and_outs=seat.down_and_outs,
                calls=seat.calls,
                deal_points=seat.deal_points,
                forfeit=seat.forfeit,
                left_out_deals=seat.left_out,
                sudden_death_wins=seat.sudden_wins,
            )
            for seat in record.seats
        ],
        deals=record.deals,
        actions=record.actions,
        finish_time=timestamp(record.finished_ms),
        adjudication=record.adjudication,
        adjudicated_by=record.ruled_by,
    )


def round_messages(
    tournament_id: str, rounds: Iterable[BracketRound], *, start: int, end: int
) -> list[pb.Round]:
    """Return the tables ``start`` to ``end``, counted through all rounds, under their rounds.

    Byes go with a round's first table only, so that the parts of a round can be put together.
    """
    messages = []
    first = 0  # the position of the round's first table
    for item in rounds:
        count = len(item.round.tables)
        low, high = max(start - first, 0), min(end - first, count)
        if low < high:
            messages.append(_round_message(tournament_id, item, low, high))
        first += count
    return messages


def bare_round_message(tournament_id: str, round_: RoundRecord) -> pb.Round:
    """Return a whole round that has no results."""
    item = BracketRound(round_, (), ())
    return _round_message(tournament_id, item, 0, len(round_.tables))


def _round_message(tournament_id: str, item: BracketRound, low: int, high: int) -> pb.Round:
    round_ = item.round
    results = {result.number: result for result in item.results}
    message = pb.Round(
        number=round_.number,
        stage=round_.stage,
        table_count=len(round_.tables),
        finished_count=len(results),
        start_time=timestamp(round_.started_ms),
        finish_time=timestamp_or_none(round_.finished_ms),
        begin_time=timestamp(round_.begins_ms or round_.started_ms),
        deadline=timestamp_or_none(round_.ends_ms),
        rule_set_options=round_.options,
    )
    if low == 0:
        message.byes.extend(round_.byes)
        message.advancing.extend(item.advancing)
        message.notes.extend(round_.notes)
    for number in range(low + 1, high + 1):
        result = results.get(number)
        message.pairings.add(
            number=number,
            table_id=table_id(tournament_id, round_.number, number, round_.attempts.get(number, 1)),
            entrants=round_.tables[number - 1],
            result=result_message(result) if result else None,
            label=round_.labels[number - 1] if round_.labels else "",
            board=round_.boards[number - 1] if round_.boards else 0,
        )
    return message


def standing_message(item: StandingRow) -> pb.Standing:
    """Return a line of the standings as a message."""
    row = item.row
    return pb.Standing(
        place=row.rank,
        entrant=entrant_message(row.entrant, item.entrant),
        reached_round=row.reached_round,
        eliminated=row.eliminated,
        tables=row.tables,
        total=row.total,
        deals_won=row.deals_won,
        score=decimal(row.score) if row.score else "",
        tie_breaks=[
            pb.TieBreakValue(tie_break_id=name, value=value) for name, value in row.tiebreaks
        ],
        group=row.group,
    )


def decimal(number: Fraction) -> str:
    """Return a number with up to four decimal places."""
    return f"{float(number):.4f}".rstrip("0").rstrip(".")
