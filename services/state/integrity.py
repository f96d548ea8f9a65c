"""What must be true of a stored game before it is played on, whatever its checksum says."""

from __future__ import annotations

from rummy_arena.game.rules import RuleSet
from rummy_arena.game.score_sheet import deals_of
from rummy_arena.game.state import Leg, Phase

from .deal_integrity import check_deal
from .records import GameRecord

_OVER, _REBUY = int(Phase.OVER), int(Phase.REBUY)


def check_game(rules: RuleSet, record: GameRecord) -> None:
    """Raise ValueError, whose text says what is wrong, unless the game can be one of ``rules``.

    What a game is never asked for is not looked at: points, say, need not be those of the hands.
    """
    deal = record.deal
    seats = len(deal.hands)
    if not rules.min_seats <= seats <= rules.max_seats:
        raise ValueError(f"{seats} hands at a table of {rules.id}")
    _check_by_seat(record, seats)
    _check_series(rules, record)
    check_deal(rules, deal, seats)
    if record.eliminated or record.playoff or len(deal.players) != seats:
        _check_players(rules, record, seats)
    if deal.offers:
        _check_offers(rules, record)


def _check_by_seat(record: GameRecord, seats: int) -> None:
    deal = record.deal
    same = (
        len(deal.opened_turn)
        == len(deal.calls)
        == len(deal.answers)
        == len(record.down_and_outs)
        == len(record.calls)
        == len(record.adjustments)
        == len(record.rebuys)
        == len(record.ledger)
        == seats
    )
    if not same:
        raise ValueError(f"a list by seat is not {seats} long")
    for row in record.scores:
        if len(row) != seats:
            raise ValueError(f"a score of {len(row)} seats at a table of {seats}")
    if len(record.winners) != len(record.scores):
        raise ValueError(f"{len(record.winners)} winners of {len(record.scores)} scored deals")
    if record.winners and max(record.winners) >= seats:
        raise ValueError(f"winners {record.winners} at a table of {seats}")
    if record.playoff_ranks and len(record.playoff_ranks) != seats:
        raise ValueError(f"{len(record.playoff_ranks)} ranks at a table of {seats}")


def _check_withheld(rules: RuleSet, record: GameRecord) -> None:
    """Seeds are withheld of void deals that were dealt again, each of which is named once."""
    withheld = record.withheld
    void = [
        number <= record.deal.number and attempt < rules.max_replays for number, attempt in withheld
    ]
    if not all(void) or len(set(withheld)) != len(withheld):
        raise ValueError(f"withheld seeds of deals {withheld}, at deal {record.deal.number}")


def _check_series(rules: RuleSet, record: GameRecord) -> None:
    """The deal is the one that the scores, the legs and the rules lead to."""
    deal, scored = record.deal, len(record.scores)
    if record.over is not (deal.phase == _OVER):
        raise ValueError(
            f"phase {deal.phase} of a game that is{'' if record.over else ' not'} over"
        )
    ended = record.over or deal.phase == _REBUY
    if deal.number != scored + (not ended):
        raise ValueError(f"deal {deal.number} after {scored} scored deals")
    if record.attempt > rules.max_replays:
        raise ValueError(f"replay {record.attempt} of a deal")
    if record.withheld:
        _check_withheld(rules, record)
    contracts = len(rules.contracts)
    nth = deal.number - record.leg_start
    if rules.by_elimination:
        most, contract = rules.deals_cap, 1
    else:
        most, contract = contracts + 1, min(nth, contracts)  # sudden death is one more
    if deal.contract_number != contract or not 0 < nth <= most:
        raise ValueError(
            f"contract {deal.contract_number} of deal {deal.number}, in a leg after "
            f"{record.leg_start} deals"
        )
    if record.legs or record.leg_start:
        _check_legs(rules, record)


def _check_legs(rules: RuleSet, record: GameRecord) -> None:
    legs, scores = record.legs, record.scores
    if not legs or len(legs) > rules.best_of or rules.best_of == 1:
        raise ValueError(f"{len(legs)} legs of {rules.best_of}, the last from {record.leg_start}")
    starts, seats = [0], len(record.ledger)
    for leg in legs:
        start = starts[-1]
        _check_leg(leg, scores[start : start + len(rules.contracts)], seats)
        starts.append(start + deals_of(rules, leg))
    # The present leg is the one after them, or the last of them, when no further one is needed.
    if len(scores) < starts[-1] or record.leg_start not in starts[-2:]:
        raise ValueError(f"{len(scores)} deals in legs from {starts}, or from {record.leg_start}")


def _check_leg(leg: Leg, rows: list[tuple[int, ...]], seats: int) -> None:
    if leg.totals != tuple([sum(column) for column in zip(*rows, strict=True)]):
        raise ValueError(f"totals of a leg {leg.totals}")
    if len(leg.places) != seats or not all(0 < place <= seats for place in leg.places):
        raise ValueError(f"places of a leg {leg.places}")


def _check_players(rules: RuleSet, record: GameRecord, seats: int) -> None:
    """Who does not play was eliminated, or others play sudden death."""
    players, gone, playoff = record.deal.players, record.eliminated, record.playoff
    known = set(range(seats))
    if not known.issuperset(gone) or not known.issuperset(playoff):
        raise ValueError(f"eliminated {gone} or sudden death of {playoff} at a table of {seats}")
    if record.over:
        whole = len(set(gone)) == len(gone)
    elif rules.by_elimination:
        whole = sorted([*players, *gone]) == sorted(known) and not playoff
    else:
        whole = players == playoff and not gone
    if not whole:
        raise ValueError(f"players {players}, eliminated {gone}, sudden death of {playoff}")


def _check_offers(rules: RuleSet, record: GameRecord) -> None:
    """A re-buy is for who is above the limit, to the total of somebody who is not (E-17)."""
    rows = [record.adjustments, *record.scores]
    totals = [sum(column) for column in zip(*rows, strict=True)]
    deal, limit = record.deal, rules.limit
    above = [seat for seat in deal.players if totals[seat] > limit]
    able = [seat for seat in deal.offers if record.rebuys[seat] < rules.rebuys]
    if not set(above).issuperset(able) or len(able) < len(deal.offers) or above == [*deal.players]:
        raise ValueError(f"re-buys offered to {deal.offers} with totals {totals}")
