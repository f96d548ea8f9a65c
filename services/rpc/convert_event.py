"""Events of a table, redacted already, as messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rummy_arena.api.v1 import table_event_pb2 as pb
from rummy_arena.client.wire import CARD_TEXT, RUN_ENDS, card_texts
from rummy_arena.game import events as ev
from rummy_arena.game.actions import NONE
from services.state.table_log import TableEvent

from .convert_life_event import CONVERSIONS as LIFE_CONVERSIONS
from .convert_table import hand_message, seat_or_none, table_meld_message

_SOURCES = {
    ev.Source.STOCK: pb.DRAW_SOURCE_STOCK,
    ev.Source.DISCARD: pb.DRAW_SOURCE_DISCARD,
}
_ENDS = {
    ev.DealEnd.OUT: pb.DEAL_END_OUT,
    ev.DealEnd.VOID: pb.DEAL_END_VOID,
    ev.DealEnd.CAP: pb.DEAL_END_CAP,
}


def event_message(sequence: int, event: TableEvent) -> pb.TableEvent:
    """Return an event as its viewer may see it: pass in what ``history.seen_by`` returned."""
    name, convert = _CONVERSIONS[type(event)]
    return pb.TableEvent(sequence=sequence, **{name: convert(event)})


def _deal_started(event: ev.DealStarted) -> pb.DealStarted:
    return pb.DealStarted(
        number=event.number,
        attempt=event.attempt,
        dealer=event.dealer,
        up_card=CARD_TEXT[event.up_card],
        hand=card_texts(event.hand),
        contract=event.contract,
        players=event.players,
        hands=map(hand_message, event.hands),
    )


def _drew(event: ev.Drew) -> pb.Drew:
    return pb.Drew(seat=event.seat, source=_SOURCES[event.source], card=CARD_TEXT[event.card])


def _opened(event: ev.Opened) -> pb.Opened:
    return pb.Opened(seat=event.seat, melds=[table_meld_message(meld) for meld in event.melds])


def _melded(event: ev.Melded) -> pb.Melded:
    return pb.Melded(seat=event.seat, meld=table_meld_message(event.meld))


def _laid_off(event: ev.LaidOff) -> pb.LaidOff:
    return pb.LaidOff(
        seat=event.seat,
        card=CARD_TEXT[event.card],
        table_meld=event.target,
        meld=table_meld_message(event.meld),
        end=RUN_ENDS[event.end],
    )


def _joker_moved(event: ev.JokerMoved) -> pb.JokerMoved:
    return pb.JokerMoved(
        seat=event.seat,
        card=CARD_TEXT[event.card],
        table_meld=event.target,
        meld=table_meld_message(event.meld),
        end=RUN_ENDS[event.end],
    )


def _discarded(event: ev.Discarded) -> pb.Discarded:
    return pb.Discarded(seat=event.seat, card=CARD_TEXT[event.card])


def _window_opened(event: ev.WindowOpened) -> pb.WindowOpened:
    return pb.WindowOpened(card=CARD_TEXT[event.card], seats=event.seats)


def _window_closed(event: ev.WindowClosed) -> pb.WindowClosed:
    return pb.WindowClosed(granted_seat=seat_or_none(event.granted))


def _call_granted(event: ev.CallGranted) -> pb.CallGranted:
    return pb.CallGranted(
        seat=event.seat, card=CARD_TEXT[event.card], penalty_card=CARD_TEXT[event.penalty]
    )


def _reshuffled(event: ev.Reshuffled) -> pb.Reshuffled:
    return pb.Reshuffled(count=event.count)


def _deal_ended(event: ev.DealEnded) -> pb.DealEnded:
    return pb.DealEnded(
        end=_ENDS[event.end],
        winner=seat_or_none(event.winner),
        down_and_out=event.down_and_out,
        hands=map(hand_message, event.hands),
        points=event.points,
    )


def _game_ended(event: ev.GameEnded) -> pb.GameEnded:
    return pb.GameEnded(totals=event.totals, places=event.places, ledger=event.ledger)


def _took_and_opened(event: ev.TookAndOpened) -> pb.TookAndOpened:
    return pb.TookAndOpened(
        seat=event.seat,
        card=CARD_TEXT[event.card],
        melds=map(table_meld_message, event.melds),
    )


def _joker_taken(event: ev.JokerTaken) -> pb.JokerTaken:
    return pb.JokerTaken(
        seat=event.seat,
        cards=card_texts(event.cards),
        joker=CARD_TEXT[event.joker],
        table_meld=event.target,
        meld=table_meld_message(event.meld),
        placed=table_meld_message(event.placed),
        placed_table_meld=None if event.onto == NONE else event.onto,
        end=RUN_ENDS[event.end],
    )


def _deal_committed(event: ev.DealCommitted) -> pb.DealCommitted:
    return pb.DealCommitted(number=event.number, attempt=event.attempt, commitment=event.commitment)


def _deal_revealed(event: ev.DealRevealed) -> pb.DealRevealed:
    return pb.DealRevealed(number=event.number, attempt=event.attempt, seed=event.seed)


def _leg_ended(event: ev.LegEnded) -> pb.LegEnded:
    return pb.LegEnded(leg=event.leg, totals=event.totals, places=event.places)


_CONVERSIONS: dict[type[Any], tuple[str, Callable[[Any], Any]]] = {
    **LIFE_CONVERSIONS,
    ev.DealStarted: ("deal_started", _deal_started),
    ev.Drew: ("drew", _drew),
    ev.Opened: ("opened", _opened),
    ev.Melded: ("melded", _melded),
    ev.LaidOff: ("laid_off", _laid_off),
    ev.JokerMoved: ("joker_moved", _joker_moved),
    ev.Discarded: ("discarded", _discarded),
    ev.TurnEnded: ("turn_ended", lambda event: pb.TurnEnded(seat=event.seat)),
    ev.WindowOpened: ("window_opened", _window_opened),
    ev.Called: ("called", lambda event: pb.Called(seat=event.seat)),
    ev.Passed: ("passed", lambda event: pb.Passed(seat=event.seat)),
    ev.Allowed: ("allowed", lambda event: pb.Allowed(seat=event.seat)),
    ev.WindowClosed: ("window_closed", _window_closed),
    ev.CallGranted: ("call_granted", _call_granted),
    ev.Reshuffled: ("reshuffled", _reshuffled),
    ev.DealEnded: ("deal_ended", _deal_ended),
    ev.GameEnded: ("game_ended", _game_ended),
    ev.Forbade: ("forbade", lambda event: pb.Forbade(seat=event.seat)),
    ev.TookAndOpened: ("took_and_opened", _took_and_opened),
    ev.JokerTaken: ("joker_taken", _joker_taken),
    ev.RebuyOffered: ("rebuy_offered", lambda event: pb.RebuyOffered(seats=event.seats)),
    ev.Rebought: ("rebought", lambda event: pb.Rebought(seat=event.seat, total=event.total)),
    ev.Declined: ("declined", lambda event: pb.Declined(seat=event.seat)),
    ev.Eliminated: ("eliminated", lambda event: pb.Eliminated(seats=event.seats)),
    ev.LotsDrawn: ("lots_drawn", lambda event: pb.LotsDrawn(seats=event.seats)),
    ev.LegEnded: ("leg_ended", _leg_ended),
    ev.DealCommitted: ("deal_committed", _deal_committed),
    ev.DealRevealed: ("deal_revealed", _deal_revealed),
}
