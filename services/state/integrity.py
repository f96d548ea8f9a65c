"""What must be true of a stored game before it is played on, whatever its checksum says."""

from __future__ import annotations

from functools import lru_cache

from rummy_arena.game.cards import card_text
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Phase

from .records import DealRecord, GameRecord

_SEATS = tuple([tuple(range(seats)) for seats in range(9)])
# Plain numbers, for members of an enum are slow to compare.
_CALL_DECISION, _OVER, _REBUY = map(int, (Phase.CALL_DECISION, Phase.OVER, Phase.REBUY))
_pack_of = lru_cache(maxsize=256)(lambda rules: bytes(rules.pack))


def check_game(rules: RuleSet, record: GameRecord) -> None:
    """Raise ValueError, whose text says what is wrong, unless the game can be one of ``rules``."""
    deal = record.deal
    seats = len(deal.hands)
    if not rules.min_seats <= seats <= rules.max_seats:
        raise ValueError(f"{seats} hands at a table of {rules.id}")
    _check_by_seat(record, seats)
    _check_deal(rules, deal, seats)
    _check_cards(rules, deal)


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


def _check_deal(rules: RuleSet, deal: DealRecord, seats: int) -> None:
    players, phase = deal.players, deal.phase
    if players != _SEATS[seats] and not _seats_in_order(players, seats):
        raise ValueError(f"seats {players} are dealt in at a table of {seats}")
    if not 0 < deal.contract_number <= len(rules.contracts):
        raise ValueError(f"there is no contract {deal.contract_number}")
    if deal.turn not in players:
        raise ValueError(f"the turn is seat {deal.turn}'s, of players {players}")
    if not 0 <= deal.dealer < seats:
        raise ValueError(f"the dealer is seat {deal.dealer}")
    if (deal.outcome is None) is (phase in (_OVER, _REBUY)):
        raise ValueError(f"phase {phase} with outcome {deal.outcome}")
    if phase == _CALL_DECISION and deal.discarder not in players:
        raise ValueError(f"a call of the discard of seat {deal.discarder}")
    offers = deal.offers
    if (not offers) is (phase == _REBUY) or not set(offers) <= set(players):
        raise ValueError(f"phase {phase} with re-buys offered to {offers}")


def _seats_in_order(players: tuple[int, ...], seats: int) -> bool:
    in_order = bool(players) and list(players) == sorted(set(players))
    return in_order and players[0] >= 0 and players[-1] < seats


def _check_cards(rules: RuleSet, deal: DealRecord) -> None:
    """Every card of the pack lies in one place: the one check that damage hardly survives."""
    melded: list[int] = []
    for _, _, _, _, cards in deal.melds:
        melded += cards
    lying = b"".join((*deal.hands, deal.stock, deal.discards, bytes(melded)))
    pack = _pack_of(rules)
    if len(lying) == len(pack) and not pack.translate(None, lying):
        return
    missing = set(pack).difference(lying)
    twice = {card for card in lying if lying.count(card) > 1}
    strange = set(lying).difference(pack)
    raise ValueError(
        f"of {len(pack)} cards missing are {_texts(missing)}; twice there are {_texts(twice)}; "
        f"not of the pack are {_texts(strange)}"
    )


def _texts(cards: set[int]) -> str:
    return " ".join([card_text(card) for card in sorted(cards)]) or "none"
