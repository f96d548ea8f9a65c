"""Domain objects to stored bytes and back. Encoding then decoding is identity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, Generic, TypeVar

import msgspec

from rummy_arena.game import events as ev
from rummy_arena.game.melds import MeldKind, TableMeld
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Answer, Deal, Game, Outcome, Phase

from .errors import CorruptRecord
from .records import (
    DealRecord,
    GameRecord,
    PlayerRecord,
    TableRecord,
    TableResultRecord,
    TokenRecord,
    TournamentRecord,
)

R = TypeVar("R")
_encoder = msgspec.msgpack.Encoder()


class Codec(Generic[R]):
    """Encodes and decodes one record type."""

    def __init__(self, record: type[R]) -> None:
        self._name = record.__name__
        self._decoder = msgspec.msgpack.Decoder(record)

    def encode(self, record: R) -> bytes:
        """Return the record as MessagePack."""
        return _encoder.encode(record)

    def decode(self, data: bytes) -> R:
        """Return the record, or raise CorruptRecord."""
        try:
            return self._decoder.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise CorruptRecord(self._name, str(error)) from error


TABLE = Codec(TableRecord)
TOURNAMENT = Codec(TournamentRecord)
PLAYER = Codec(PlayerRecord)
TOKEN = Codec(TokenRecord)
TABLE_RESULT = Codec(TableResultRecord)


def game_record(game: Game) -> GameRecord:
    """Return the game as it is stored."""
    deal = game.deal
    outcome = deal.outcome
    return GameRecord(
        DealRecord(
            deal.number,
            deal.dealer,
            [bytes(hand) for hand in deal.hands],
            bytes(deal.stock),
            bytes(deal.discards),
            deal.melds,
            deal.opened_turn,
            deal.calls,
            deal.phase,
            deal.turn,
            deal.turn_number,
            deal.reshuffles,
            bytes(deal.answers),
            deal.waived,
            deal.stock_only,
            deal.drawn,
            None if outcome is None else (outcome.end, outcome.winner, outcome.doubled),
        ),
        game.attempt,
        game.scores,
        game.winners,
        game.down_and_outs,
        game.calls,
        game.over,
    )


def game_of(rules: RuleSet, record: GameRecord) -> Game:
    """Return the game that ``record`` stores, played by ``rules``; raises CorruptRecord."""
    try:
        return _game_of(rules, record)
    except ValueError as error:
        raise CorruptRecord("a table's game", str(error)) from error


def _game_of(rules: RuleSet, record: GameRecord) -> Game:
    stored = record.deal
    outcome = stored.outcome
    deal = Deal(
        rules=rules,
        number=stored.number,
        dealer=stored.dealer,
        hands=[list(hand) for hand in stored.hands],
        stock=list(stored.stock),
        discards=list(stored.discards),
        melds=stored.melds,
        opened_turn=stored.opened_turn,
        calls=stored.calls,
        phase=Phase(stored.phase),
        turn=stored.turn,
        turn_number=stored.turn_number,
        reshuffles=stored.reshuffles,
        answers=[Answer(answer) for answer in stored.answers],
        waived=stored.waived,
        stock_only=stored.stock_only,
        drawn=stored.drawn,
        outcome=outcome and Outcome(ev.DealEnd(outcome[0]), outcome[1], outcome[2]),
    )
    return Game(
        rules=rules,
        seats=len(stored.hands),
        deal=deal,
        attempt=record.attempt,
        scores=record.scores,
        winners=record.winners,
        down_and_outs=record.down_and_outs,
        calls=record.calls,
        over=record.over,
    )


# --- table events ------------------------------------------------------------------------------

_TAGS = {event_type: tag for tag, event_type in enumerate(ev.EVENT_TYPES)}


def _fields(event_type: type[ev.Event]) -> Callable[[Any], tuple[Any, ...]]:
    names = tuple(event_type.__dataclass_fields__)
    if len(names) == 1:
        one = attrgetter(names[0])
        return lambda event: (one(event),)
    return attrgetter(*names)


_FIELDS = {event_type: _fields(event_type) for event_type in ev.EVENT_TYPES}


def encode_events(events: Iterable[ev.Event]) -> bytes:
    """Return a batch of table events: a list of [tag, field, ...]."""
    return _encoder.encode([(_TAGS[type(e)], *_FIELDS[type(e)](e)) for e in events])


def decode_events(data: bytes) -> list[ev.Event]:
    """Return the events of a batch, or raise CorruptRecord."""
    try:
        return [_event(row[0], row[1:]) for row in msgspec.msgpack.decode(data)]
    except (msgspec.MsgspecError, TypeError, ValueError, IndexError, KeyError) as error:
        raise CorruptRecord("a table's log", str(error)) from error


def _event(tag: int, fields: Sequence[Any]) -> ev.Event:
    event_type = ev.EVENT_TYPES[tag]
    special = _SPECIAL.get(event_type)
    return special(*fields) if special else event_type(*fields)


def _meld(owner: int, kind: int, low: int, suit: int, cards: Sequence[int]) -> TableMeld:
    return TableMeld(owner, MeldKind(kind), low, suit, tuple(cards))


_SPECIAL: dict[type[ev.Event], Callable[..., ev.Event]] = {
    ev.Drew: lambda seat, source, card: ev.Drew(seat, ev.Source(source), card),
    ev.Opened: lambda seat, melds: ev.Opened(seat, tuple(_meld(*meld) for meld in melds)),
    ev.Melded: lambda seat, meld: ev.Melded(seat, _meld(*meld)),
    ev.LaidOff: lambda seat, card, target, meld: ev.LaidOff(seat, card, target, _meld(*meld)),
    ev.JokerMoved: lambda seat, card, target, meld: ev.JokerMoved(seat, card, target, _meld(*meld)),
    ev.WindowOpened: lambda card, seats: ev.WindowOpened(card, tuple(seats)),
    ev.DealEnded: lambda end, winner, doubled, hands, points: ev.DealEnded(
        ev.DealEnd(end), winner, doubled, tuple(hands), tuple(points)
    ),
    ev.GameEnded: lambda totals, places: ev.GameEnded(tuple(totals), tuple(places)),
}
