"""Domain objects to stored bytes and back. Encoding then decoding is identity."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from rummy_arena.game.events import DealEnd
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Answer, Deal, Game, Outcome, Phase, following

from .errors import CorruptRecord
from .integrity import check_game
from .ladder_records import (
    LadderEntrantRecord,
    LadderRecord,
    LadderResultRecord,
    RatingStepRecord,
    SeasonRecord,
)
from .records import (
    DealRecord,
    EntrantRecord,
    GameRecord,
    PlayerRecord,
    RoundRecord,
    TableRecord,
    TableResultRecord,
    TokenRecord,
    TournamentRecord,
)
from .standing_records import StandingRecord

R = TypeVar("R")
# Members of an enum are slow to make of their numbers.
_PHASES = {int(phase): phase for phase in Phase}
_ANSWERS = {int(answer): answer for answer in Answer}
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
ENTRANT = Codec(EntrantRecord)
ROUND = Codec(RoundRecord)
PLAYER = Codec(PlayerRecord)
LADDER = Codec(LadderRecord)
LADDER_ENTRANT = Codec(LadderEntrantRecord)
LADDER_RESULTS = Codec(list[LadderResultRecord])
LADDER_HISTORY = Codec(list[RatingStepRecord])
LADDER_SEASON = Codec(SeasonRecord)
LADDER_NUMBERS = Codec(list[int])
TOKEN = Codec(TokenRecord)
TABLE_RESULT = Codec(TableResultRecord)
STANDINGS = Codec(list[StandingRecord])


def game_record(game: Game) -> GameRecord:
    """Return the game as it is stored."""
    deal = game.deal
    outcome = deal.outcome
    return GameRecord(
        DealRecord(
            deal.number,
            deal.dealer,
            list(map(bytes, deal.hands)),
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
        game.withheld,
    )


def game_of(rules: RuleSet, record: GameRecord, *, what: str = "a table's game") -> Game:
    """Return the game that ``record`` stores, played by ``rules``.

    Raises CorruptRecord, which calls it ``what``, for a game that these rules cannot have led to.
    """
    try:
        check_game(rules, record)
        return _game_of(rules, record)
    except (ValueError, LookupError) as error:
        raise CorruptRecord(what, str(error)) from error


def _game_of(rules: RuleSet, record: GameRecord) -> Game:
    stored = record.deal
    outcome, players = stored.outcome, stored.players
    deal = Deal(  # by place, as keywords take as long again; the fields' order is the class's
        rules,
        stored.number,
        stored.dealer,
        list(map(sorted, stored.hands)),
        list(stored.stock),
        list(stored.discards),
        stored.contract_number,
        players,
        following(len(stored.hands), players, rules.clockwise),
        stored.melds,
        stored.opened_turn,
        stored.calls,
        _PHASES[stored.phase],
        stored.turn,
        stored.turn_number,
        stored.reshuffles,
        [_ANSWERS[answer] for answer in stored.answers],
        stored.waived,
        stored.stock_only,
        stored.drawn,
        outcome and Outcome(DealEnd(outcome[0]), outcome[1], outcome[2]),
        stored.discarder,
        stored.progress,
        stored.offers,
    )
    return Game(
        rules,
        len(stored.hands),
        deal,
        record.attempt,
        record.scores,
        record.winners,
        record.down_and_outs,
        record.calls,
        record.over,
        record.adjustments,
        record.rebuys,
        record.eliminated,
        record.playoff,
        record.playoff_ranks,
        record.legs,
        record.leg_start,
        record.ledger,
        record.pot,
        record.withheld,
    )
