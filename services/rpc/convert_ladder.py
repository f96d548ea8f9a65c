"""Ladders, their entrants, standings and results as messages."""

from __future__ import annotations

from rummy_arena.api.v1 import ladder_pb2 as pb
from rummy_arena.tournament.ladder_standings import PARTS
from rummy_arena.tournament.ratings import Rating
from services.events.ladders.create_ladder import LARGEST_LADDER
from services.events.ladders.ladder import (
    LadderSnapshot,
    pairing_terms,
    rating_of,
    rules_of,
    table_id,
)
from services.events.ladders.read_ladder_standings import LadderRow, SeasonRow
from services.state.ladder_records import (
    MILLION,
    LadderEntrantRecord,
    LadderRecord,
    LadderResultRecord,
    LadderStatus,
    RatingStepRecord,
)

from .convert_entry import entry_message
from .convert_terms import delay_message, duration, time_control_message
from .convert_times import timestamp, timestamp_or_none

STATUSES = {
    LadderStatus.OPEN: pb.LADDER_STATUS_OPEN,
    LadderStatus.CLOSING: pb.LADDER_STATUS_CLOSING,
    LadderStatus.FINISHED: pb.LADDER_STATUS_FINISHED,
}


def ladder_message(snapshot: LadderSnapshot, *, id_known: bool = True) -> pb.Ladder:
    """Return a ladder as a message, without its seed."""
    record = snapshot.record
    return pb.Ladder(
        id=snapshot.id if id_known else "",
        options=_options_message(record),
        status=STATUSES[record.status],
        arena=record.arena,
        entrant_count=record.entrants,
        active_count=record.active,
        open_table_count=len(record.open),
        table_count=record.tables,
        result_count=record.results,
        season=record.season,
        season_end_time=timestamp_or_none(record.season_ends),
        create_time=timestamp(record.created_ms),
        finish_time=timestamp_or_none(record.finished_ms),
        close_reason=record.reason,
    )


def _options_message(record: LadderRecord) -> pb.LadderOptions:
    return pb.LadderOptions(
        title=record.title,
        rule_set_id=record.rule_set,
        rule_set_options=record.options,
        time_control=time_control_message(record.terms.clock),
        spectator_delay=delay_message(record.terms),
        pairing=_pairing_message(record),
        ratings=_rules_message(record),
        capacity=record.capacity if record.capacity < LARGEST_LADDER else 0,
        ranked_from_games=record.ranked_from,
        season_length=duration(record.season_ms) if record.season_ms else None,
        start_time=timestamp_or_none(record.starts_ms),
        end_time=timestamp_or_none(record.ends_ms),
        overtime=duration(record.overtime_ms),
        entry=entry_message(record.entry),
    )


def _pairing_message(record: LadderRecord) -> pb.LadderPairing:
    terms = pairing_terms(record.pairing)
    return pb.LadderPairing(
        seats_per_table=terms.seats,
        min_seats=terms.fewest,
        reach=terms.reach,
        widen_per_minute=terms.widen,
        widest_reach=terms.widest,
        repeat_distance=terms.again,
        games_lead=terms.lead,
        hold=duration(terms.hold_ms),
        pause=duration(terms.pause_ms),
        smaller_after=duration(terms.fewer_ms),
        anchors_after=duration(terms.anchors_ms),
        patience=duration(terms.patience_ms),
        owners_may_meet=not terms.owners_apart,
        max_tables=terms.tables,
    )


def _rules_message(record: LadderRecord) -> pb.RatingRules:
    rules = rules_of(record)
    return pb.RatingRules(
        start_mean=rules.start_mean,
        start_deviation=rules.start_deviation,
        floor=rules.floor,
        season_drift=rules.season_drift,
    )


def rating_message(rating: Rating) -> pb.Rating:
    """Return a rating with its interval as a message."""
    low, high = rating.interval
    return pb.Rating(
        mean=rating.mean,
        deviation=rating.deviation,
        low=low,
        high=high,
        conservative=rating.conservative,
    )


def entrant_message(ladder_id: str, number: int, entrant: LadderEntrantRecord) -> pb.LadderEntrant:
    """Return an entrant as a message."""
    return pb.LadderEntrant(
        number=number,
        player_id=entrant.player_id,
        name=entrant.name,
        house_bot=entrant.bot,
        owner=entrant.owner,
        rating=rating_message(rating_of(entrant)),
        games=entrant.games,
        season_games=entrant.season_games,
        wins=entrant.wins,
        points=entrant.points / PARTS,
        tables_at_once=entrant.at_once,
        anchor=entrant.anchor,
        active=not entrant.gone,
        open_table_ids=[table_id(ladder_id, table) for table in entrant.playing],
        enter_time=timestamp(entrant.entered_ms),
        leave_time=timestamp_or_none(entrant.left_ms),
    )


def standing_message(ladder_id: str, row: LadderRow) -> pb.LadderStanding:
    """Return a line of the standings of now as a message."""
    tally = row.standing.tally
    return pb.LadderStanding(
        place=row.standing.rank,
        entrant=entrant_message(ladder_id, tally.entrant, row.entrant),
        rating=rating_message(tally.rating),
    )


def season_message(ladder_id: str, row: SeasonRow) -> pb.LadderStanding:
    """Return a line of the standings of a season that has ended as a message."""
    return pb.LadderStanding(
        place=row.rank,
        entrant=entrant_message(ladder_id, row.number, row.entrant),
        rating=rating_message(row.rating),
    )


def match_message(
    ladder_id: str, result: LadderResultRecord, entrants: dict[int, LadderEntrantRecord]
) -> pb.LadderMatch:
    """Return a rated result as a message."""
    return pb.LadderMatch(
        number=result.number,
        table_id=table_id(ladder_id, result.table),
        season=result.season,
        rate_time=timestamp(result.at_ms),
        seats=[
            pb.LadderMatchSeat(
                entrant=entrant,
                player_id=entrants[entrant].player_id,
                name=entrants[entrant].name,
                place=place,
                total=total,
            )
            for entrant, place, total in result.seats
        ],
    )


def step_message(ladder_id: str, step: RatingStepRecord) -> pb.RatingStep:
    """Return what one result did to one rating as a message."""
    before = Rating(step.mean_before / MILLION, step.deviation_before / MILLION)
    return pb.RatingStep(
        match_number=step.result,
        table_id=table_id(ladder_id, step.table),
        season=step.season,
        rate_time=timestamp(step.at_ms),
        place=step.place,
        seats=step.seats,
        before=rating_message(before),
        after=rating_message(Rating(step.mean / MILLION, step.deviation / MILLION)),
    )
