"""Tables, as their viewer may see them, as messages."""

from __future__ import annotations

from collections.abc import Iterable

from rummy_arena.api.v1 import action_pb2, card_pb2, table_pb2
from rummy_arena.client.wire import CARD_TEXT, MELD_KINDS, RUN_ENDS, action_message, card_texts
from rummy_arena.game.actions import NONE, ActionKind
from rummy_arena.game.cards import Card
from rummy_arena.game.melds import TableMeld
from rummy_arena.game.state import Phase, Progress
from rummy_arena.game.view import View
from services.play.read_table import Play, TableSnapshot
from services.state.records import Life, SeatRecord

from .convert_rules import contract_message
from .convert_terms import (
    deal_seeds_message,
    delay_message,
    duration,
    time_control_message,
    visibility_message,
)
from .convert_times import timestamp, timestamp_or_none

_PHASES = {
    Phase.DRAW: table_pb2.PHASE_DRAW,
    Phase.PLAY: table_pb2.PHASE_PLAY,
    Phase.CALL_WINDOW: table_pb2.PHASE_CALL_WINDOW,
    Phase.CALL_DECISION: table_pb2.PHASE_CALL_DECISION,
    Phase.OVER: table_pb2.PHASE_OVER,
    Phase.REBUY: table_pb2.PHASE_REBUY,
}
STATUSES = {
    Life.OPEN: table_pb2.TABLE_STATUS_OPEN,
    Life.PLAYING: table_pb2.TABLE_STATUS_PLAYING,
    Life.PAUSED: table_pb2.TABLE_STATUS_PAUSED,
    Life.FINISHED: table_pb2.TABLE_STATUS_FINISHED,
    Life.CLOSED: table_pb2.TABLE_STATUS_CLOSED,
}
"""Where a table is in its life, as a message says it."""
LIVES = {status: life for life, status in STATUSES.items()}
_KINDS = {kind: action_pb2.ActionKind.Value(f"ACTION_KIND_{kind.name}") for kind in ActionKind}


def seat_or_none(seat: int) -> int | None:
    """Return a seat, or None, which leaves the field absent, for no seat."""
    return None if seat == NONE else seat


def table_meld_message(meld: TableMeld) -> card_pb2.TableMeld:
    """Return a meld on the table as a message."""
    return card_pb2.TableMeld(
        owner=meld.owner,
        kind=MELD_KINDS[meld.kind],
        cards=card_texts(meld.cards),
        low=meld.low + 1,
    )


def hand_message(cards: Iterable[Card]) -> card_pb2.Hand:
    """Return a hand that may be seen as a message."""
    return card_pb2.Hand(cards=card_texts(cards))


def table_message(snapshot: TableSnapshot) -> table_pb2.Table:
    """Return a table as its viewer may see it; nothing is taken from the stored game's cards."""
    origin, terms, play = snapshot.origin, snapshot.terms, snapshot.play
    return table_pb2.Table(
        id=snapshot.table_id,
        rule_set_id=snapshot.rule_set,
        rule_set_options=snapshot.options,
        tournament_id=origin.tournament_id if origin else "",
        round=origin.round if origin else 0,
        number=origin.number if origin else 0,
        ladder_id=origin.ladder_id if origin else "",
        status=STATUSES[snapshot.life],
        seats=[_seat_message(snapshot, seat, seated) for seat, seated in enumerate(snapshot.seats)],
        sequence=snapshot.sequence,
        view=view_message(play.view) if play else None,
        decision=_decision(snapshot, play) if play else None,
        waiting_seats=play.waiting if play else (),
        score_sheet=_score_sheet(snapshot, play) if play else None,
        actions=snapshot.actions,
        create_time=timestamp(snapshot.created_ms),
        finish_time=timestamp_or_none(snapshot.finished_ms),
        time_control=time_control_message(terms.clock),
        visibility=visibility_message(terms.visibility),
        spectator_delay=delay_message(terms),
        deal_seeds=deal_seeds_message(terms.seeds),
        title=terms.title,
        created_by=terms.created_by,
        reason=snapshot.reason,
        adjudicated_places=snapshot.places,
    )


def _seat_message(snapshot: TableSnapshot, seat: int, seated: SeatRecord) -> table_pb2.TableSeat:
    absent_after = snapshot.terms.clock.absent_after
    return table_pb2.TableSeat(
        seat=seat,
        player_id=seated.player_id,
        name=seated.name,
        entrant=seated.entrant,
        house_bot=seated.bot,
        ready=seated.ready,
        absent=not seated.bot and seated.missed >= absent_after,
        bank=duration(seated.bank_ms) if snapshot.play and not seated.bot else None,
    )


def view_message(view: View) -> table_pb2.TableView:
    """Return a view as a message."""
    rows = zip(view.hand_counts, view.opened_turn, view.calls, view.totals, strict=True)
    return table_pb2.TableView(
        seat=seat_or_none(view.seat),
        contract=contract_message(view.contract_number, view.contract, len(view.players)),
        dealer=view.dealer,
        phase=_PHASES[view.phase],
        turn=view.turn,
        turn_number=view.turn_number,
        hand=card_texts(view.hand),
        melds=[table_meld_message(meld) for meld in view.melds],
        top_discard=CARD_TEXT[view.top],
        stock_count=view.stock_count,
        seats=[
            table_pb2.SeatView(hand_count=count, opened_turn=opened, calls=calls, total=total)
            for count, opened, calls, total in rows
        ],
        deal_number=view.number,
        players=view.players,
        progress=_progress(view.progress),
        caller=seat_or_none(view.caller),
        hands=map(hand_message, view.hands),
        attempt=view.attempt,
    )


def _progress(progress: Progress) -> table_pb2.TurnProgress:
    return table_pb2.TurnProgress(
        taken=CARD_TEXT[progress.taken],
        melds_before=progress.melds_before,
        laid_off=progress.laid_off,
        built=[
            table_pb2.BuiltEnd(table_meld=target, end=RUN_ENDS[end], cards=cards)
            for target, end, cards in progress.built
        ],
    )


def _decision(snapshot: TableSnapshot, play: Play) -> table_pb2.Decision | None:
    view, clock = play.view, play.clock
    if not view.kinds or snapshot.life is not Life.PLAYING:
        return None
    return table_pb2.Decision(
        seat=view.seat,
        kinds=[_KINDS[kind] for kind in view.kinds],
        actions=[action_message(action) for action in play.legal],
        deadline=timestamp(clock.deadline_ms) if clock else None,
        own_time_end=timestamp(clock.own_time_end_ms) if clock else None,
    )


def _score_sheet(snapshot: TableSnapshot, play: Play) -> table_pb2.ScoreSheet:
    sheet, contracts = play.sheet, play.view.rules.contracts
    return table_pb2.ScoreSheet(
        deals=[
            table_pb2.DealScore(
                contract=contract_message(
                    deal.contract_number, contracts[deal.contract_number - 1]
                ),
                points=deal.points,
                winner=seat_or_none(deal.winner),
                number=deal.number,
                leg=deal.leg,
                sudden_death=deal.sudden_death,
            )
            for deal in sheet.deals
        ],
        totals=sheet.totals,
        places=snapshot.places or sheet.places,
        eliminated_seats=sheet.eliminated,
        rebuys=sheet.rebuys,
        rebuy_adjustments=sheet.adjustments,
        ledger=sheet.ledger,
        pot=sheet.pot,
        legs=[
            table_pb2.LegScore(leg=number, totals=leg.totals, places=leg.places)
            for number, leg in enumerate(sheet.legs, start=1)
        ],
    )
