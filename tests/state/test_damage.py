"""What cannot have been is called damaged when it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rummy_arena.game.actions import NONE
from rummy_arena.game.melds import MeldKind
from rummy_arena.game.state import Answer, Game, Leg, Phase, Progress
from services.play.table import load_table
from services.state import codec
from services.state.errors import CorruptRecord
from services.state.records import DealRecord, GameRecord

from .stored_tables import THREE_LEGS, Wanted, begun, met, stored
from .whole_games import SAMPLES, Sample


def with_melds(game: Game) -> bool:
    """A meld of each kind lies on the table, and it has a second turn at least."""
    kinds = {meld.kind for meld in game.deal.melds}
    return len(kinds) == 2 and game.deal.phase is Phase.DRAW


def in_window(game: Game) -> bool:
    return game.deal.phase is Phase.CALL_WINDOW


def in_decision(game: Game) -> bool:
    return game.deal.phase is Phase.CALL_DECISION


def asked_to_buy_back(game: Game) -> bool:
    return game.deal.phase is Phase.REBUY


def thinned_out(game: Game) -> bool:
    return bool(game.eliminated)


def in_later_leg(game: Game) -> bool:
    return len(game.legs) == 2 and len(game.scores) > game.leg_start


def _of_kind(deal: DealRecord, kind: MeldKind) -> int:
    return next(at for at, meld in enumerate(deal.melds) if meld.kind is kind)


def _meld(kind: MeldKind, /, **changed: Any) -> Callable[[GameRecord], None]:
    def damage(game: GameRecord) -> None:
        at = _of_kind(game.deal, kind)
        game.deal.melds[at] = game.deal.melds[at]._replace(**changed)

    return damage


def _deal(**changed: Any) -> Callable[[GameRecord], None]:
    def damage(game: GameRecord) -> None:
        for name, value in changed.items():
            setattr(game.deal, name, value)

    return damage


def _game(**changed: Any) -> Callable[[GameRecord], None]:
    def damage(game: GameRecord) -> None:
        for name, value in changed.items():
            setattr(game, name, value)

    return damage


def _lost_card(game: GameRecord) -> None:
    game.deal.hands[0] = game.deal.hands[0][1:]


def _doubled_card(game: GameRecord) -> None:
    game.deal.stock = game.deal.stock[1:] + game.deal.hands[0][:1]


def _missing_seat(game: GameRecord) -> None:
    game.deal.stock += game.deal.hands.pop()


def _no_hand(game: GameRecord) -> None:
    game.deal.stock += game.deal.hands[0]
    game.deal.hands[0] = b""


def _short_score(game: GameRecord) -> None:
    game.scores, game.winners = [(1, 2)], [0]


def _turned_run(game: GameRecord) -> None:
    at = _of_kind(game.deal, MeldKind.RUN)
    run = game.deal.melds[at]
    game.deal.melds[at] = run._replace(cards=run.cards[::-1])


def _nobody_waits(game: GameRecord) -> None:
    game.deal.answers = game.deal.answers.replace(b"\1", b"\3")


def _next_player_called(game: GameRecord) -> None:
    answers = bytearray(game.deal.answers)
    answers[game.deal.turn] = Answer.CALLED
    game.deal.answers = bytes(answers)


def _spent_stock(game: GameRecord) -> None:
    deal = game.deal
    deal.hands[0] += deal.stock + deal.discards[:-1]
    deal.stock, deal.discards = b"", deal.discards[-1:]


def _lost_leg(game: GameRecord) -> None:
    game.legs.pop()


def _third_leg(game: GameRecord) -> None:
    game.legs.append(game.legs[-1])


def _other_totals(game: GameRecord) -> None:
    game.legs[0] = Leg(tuple([total + 1 for total in game.legs[0].totals]), game.legs[0].places)


def _other_places(game: GameRecord) -> None:
    game.legs[0] = Leg(game.legs[0].totals, (0, *game.legs[0].places[1:]))


def _nobody_within(game: GameRecord) -> None:
    game.adjustments = [units + 1000 for units in game.adjustments]


JAMAICAN, _, _, _, CARIOCA, KALUKI, AMERICAN = SAMPLES
_SET, _RUN = MeldKind
DAMAGES = [
    (JAMAICAN, begun, _lost_card, "missing are .*1"),
    (JAMAICAN, begun, _doubled_card, "twice there are .*1"),
    (JAMAICAN, begun, _deal(discards=bytes([255])), "not of the pack are"),
    (JAMAICAN, begun, _missing_seat, "3 hands for 4 seats"),
    (JAMAICAN, begun, _no_hand, r"seats \(1, 2, 3\) hold cards"),
    (JAMAICAN, begun, _game(rebuys=[0]), "not 4 long"),
    (JAMAICAN, begun, _short_score, "a score of 2 seats"),
    (JAMAICAN, begun, _game(winners=[0]), "1 winners of 0"),
    (JAMAICAN, begun, _game(playoff_ranks=(1,)), "1 ranks"),
    (JAMAICAN, begun, _game(playoff=(0, 1)), "sudden death of"),
    (JAMAICAN, begun, _game(eliminated=[9]), "eliminated"),
    (JAMAICAN, begun, _deal(players=()), "dealt in"),
    (JAMAICAN, begun, _deal(players=(0, 1, 4)), "dealt in"),
    (JAMAICAN, begun, _deal(contract_number=10), "contract 10"),
    (JAMAICAN, begun, _deal(number=2), "deal 2 after 0"),
    (JAMAICAN, begun, _deal(turn=7), "seat 7"),
    (JAMAICAN, begun, _deal(dealer=7), "seat 7"),
    (JAMAICAN, begun, _deal(phase=9), "9"),
    (JAMAICAN, begun, _deal(answers=bytes([9] * 4)), "9"),
    (JAMAICAN, begun, _deal(waived=True), "phase"),
    (JAMAICAN, begun, _deal(outcome=(0, 1, False)), "outcome"),
    (JAMAICAN, begun, _deal(phase=Phase.OVER), "not over"),
    (JAMAICAN, begun, _game(over=True), "PLAYING with no game that goes on"),
    (JAMAICAN, begun, _deal(phase=Phase.REBUY), "deal 1"),
    (JAMAICAN, begun, _deal(phase=Phase.CALL_WINDOW), "discard of seat -1"),
    (JAMAICAN, begun, _deal(phase=Phase.CALL_DECISION), "discard of seat -1"),
    (JAMAICAN, begun, _game(attempt=3), "replay 3"),
    (JAMAICAN, begun, _game(attempt=-1), "attempt|>= 0"),
    (JAMAICAN, begun, _deal(reshuffles=2), "2 reshuffles"),
    (CARIOCA, begun, _deal(reshuffles=256), "<= 255"),
    (JAMAICAN, begun, _deal(turn_number=0), "turn number 0"),
    (JAMAICAN, begun, _deal(turn_number=241), "turn number 241"),
    (JAMAICAN, begun, _deal(opened_turn=[0, 0, 9, 0]), "openings in turns"),
    (JAMAICAN, begun, _deal(progress=Progress(taken=255)), "card 255 was taken"),
    (JAMAICAN, begun, _deal(progress=Progress(melds_before=1)), "1 melds when"),
    (JAMAICAN, begun, _deal(progress=Progress(built=((0, 0, 1),))), "end 0 of meld 0"),
    (JAMAICAN, begun, _game(legs=[Leg((0,) * 4, (1,) * 4)]), "1 legs of 1"),
    (JAMAICAN, begun, _game(leg_start=1), "in a leg after 1"),
    (JAMAICAN, with_melds, _meld(_RUN, low=-1), "lies as"),
    (JAMAICAN, with_melds, _meld(_RUN, suit=4), "lies as"),
    (JAMAICAN, with_melds, _meld(_RUN, kind=_SET), "SET_RANKS_DIFFER"),
    (JAMAICAN, with_melds, _meld(_SET, low=13), "lies as"),
    (JAMAICAN, with_melds, _meld(_SET, suit=0), "lies as"),
    (JAMAICAN, with_melds, _meld(_SET, owner=4), "a meld of seat 4"),
    (JAMAICAN, with_melds, _meld(_SET, owner=-1), "a meld of seat -1"),
    (JAMAICAN, with_melds, _meld(_SET, cards=(-1, 0, 1)), "range"),
    (JAMAICAN, with_melds, _turned_run, "RUN_NOT_CONSECUTIVE"),
    (JAMAICAN, with_melds, _deal(opened_turn=[0] * 4), "with openings in turns"),
    (JAMAICAN, in_window, _nobody_waits, "phase 2 with answers"),
    (JAMAICAN, in_window, _next_player_called, "cannot call"),
    (JAMAICAN, in_window, _deal(discarder=NONE), "discard of seat -1"),
    (JAMAICAN, in_window, _deal(calls=[9] * 4), "cannot call"),
    (JAMAICAN, in_window, _spent_stock, "0 cards in the stock"),
    (JAMAICAN, in_decision, _deal(answers=bytes(4)), "phase 3 with answers"),
    (JAMAICAN, in_decision, _deal(waived=True), "waived"),
    (KALUKI, asked_to_buy_back, _deal(offers=()), "re-buys offered to"),
    (KALUKI, asked_to_buy_back, _deal(outcome=None), "without an outcome"),
    (KALUKI, asked_to_buy_back, _deal(outcome=(0, -1, False)), "outcome"),
    (KALUKI, asked_to_buy_back, _nobody_within, "re-buys offered to"),
    (AMERICAN, thinned_out, _game(eliminated=[]), "eliminated"),
    (THREE_LEGS, in_later_leg, _lost_leg, "legs from"),
    (THREE_LEGS, in_later_leg, _third_leg, "totals of a leg"),
    (THREE_LEGS, in_later_leg, _game(legs=[]), "0 legs"),
    (THREE_LEGS, in_later_leg, _other_totals, "totals of a leg"),
    (THREE_LEGS, in_later_leg, _other_places, "places of a leg"),
]


@pytest.mark.parametrize(
    ("sample", "wanted", "damage", "told"), DAMAGES, ids=[str(nth) for nth in range(len(DAMAGES))]
)
def test_what_cannot_have_been_is_not_played(
    sample: Sample, wanted: Wanted, damage: Callable[[GameRecord], None], told: str
) -> None:
    record = codec.TABLE.decode(met(sample, wanted))
    assert record.game is not None
    damage(record.game)
    with pytest.raises(CorruptRecord, match=f"table t is damaged: .*({told})"):
        load_table("t", codec.TABLE.encode(record))


def test_a_hand_out_of_order_is_put_in_order() -> None:
    record = codec.TABLE.decode(met(JAMAICAN, begun))
    assert record.game is not None
    record.game.deal.hands = [hand[::-1] for hand in record.game.deal.hands]
    table = load_table("t", codec.TABLE.encode(record))
    assert stored(table.game) == met(JAMAICAN, begun)
