"""Domain objects to stored bytes and back. Encoding then decoding is identity."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from rummy_arena.game.events import DealEnd
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Answer, Deal, Game, Outcome, Phase, following

from .errors import CorruptRecord
from .integrity import check_game
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

    def decode(self, data: bytes, *, what: str = "") -> R:
        """Return the record, or raise CorruptRecord, which calls it ``what``."""
        try:
            return self._decoder.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise CorruptRecord(what or self._name, str(error)) from error


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
            None if outcome is None else (outcome.end, outcome.winner, outcome.down_and_out),
            deal.contract_number,
            deal.players,
            deal.discarder,
            deal.progress,
            deal.offers,
        ),
        game.attempt,
        game.scores,
        game.winners,
        game.down_and_outs,
        game.calls,
        game.over,
        game.adjustments,
        game.rebuys,
        game.ledger,
        game.pot,
        game.eliminated,
        game.playoff,
        game.playoff_ranks,
        game.legs,
        game.leg_start,
    )


def game_of(rules: RuleSet, record: GameRecord, *, what: str = "a table's game") -> Game:
    """Return the game that ``record`` stores, played by ``rules``.

    Raises CorruptRecord, which calls it ``what``, for a game that these rules cannot have led to.
    """
    try:
        check_game(rules, record)
        return _game_of(rules, record)
    except ValueError as error:
        raise CorruptRecord(what, str(error)) from error


def _game_of(rules: RuleSet, record: GameRecord) -> Game:
    stored = record.deal
    outcome, players = stored.outcome, stored.players
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
        outcome=outcome and Outcome(DealEnd(outcome[0]), outcome[1], outcome[2]),
        contract_number=stored.contract_number,
        players=players,
        after=following(len(stored.hands), players, rules.clockwise),
        discarder=stored.discarder,
        progress=stored.progress,
        offers=stored.offers,
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
        adjustments=record.adjustments,
        rebuys=record.rebuys,
        eliminated=record.eliminated,
        playoff=record.playoff,
        playoff_ranks=record.playoff_ranks,
        legs=record.legs,
        leg_start=record.leg_start,
        ledger=record.ledger,
        pot=record.pot,
    )
