"""What must be true of a stored game before it is played on, whatever its checksum says."""

from __future__ import annotations

from functools import lru_cache

from rummy_arena.game.cards import card_text
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Phase

from .records import DealRecord, GameRecord

_SEATS = tuple([tuple(range(seats)) for seats in range(9)])
_FINISHED = (Phase.OVER, Phase.REBUY)
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
    lengths = {
        len(deal.opened_turn),
        len(deal.calls),
        len(deal.answers),
        len(record.down_and_outs),
        len(record.calls),
        len(record.adjustments),
        len(record.rebuys),
        len(record.ledger),
        *map(len, record.scores),
    }
    if lengths != {seats}:
        raise ValueError(f"lists by seat are {sorted(lengths)} long at a table of {seats} seats")
    if len(record.winners) != len(record.scores):
        raise ValueError(f"{len(record.winners)} winners of {len(record.scores)} scored deals")


def _check_deal(rules: RuleSet, deal: DealRecord, seats: int) -> None:
    players = deal.players
    if players != _SEATS[seats] and not _seats_in_order(players, seats):
        raise ValueError(f"seats {players} are dealt in at a table of {seats}")
    if not 1 <= deal.contract_number <= len(rules.contracts):
        raise ValueError(f"there is no contract {deal.contract_number}")
    for name, seat in (("turn", deal.turn), *(("offer", seat) for seat in deal.offers)):
        if seat not in players:
            raise ValueError(f"the {name} is seat {seat}'s, of players {players}")
    if not 0 <= deal.dealer < seats:
        raise ValueError(f"the dealer is seat {deal.dealer}")
    if (deal.outcome is not None) != (deal.phase in _FINISHED):
        raise ValueError(f"phase {deal.phase} with outcome {deal.outcome}")
    if bool(deal.offers) != (deal.phase == Phase.REBUY):
        raise ValueError(f"phase {deal.phase} with re-buys offered to {deal.offers}")
    if deal.phase == Phase.CALL_DECISION and deal.discarder not in players:
        raise ValueError(f"a call of the discard of seat {deal.discarder}")


def _seats_in_order(players: tuple[int, ...], seats: int) -> bool:
    in_order = bool(players) and list(players) == sorted(set(players))
    return in_order and players[0] >= 0 and players[-1] < seats


def _check_cards(rules: RuleSet, deal: DealRecord) -> None:
    """Every card of the pack lies in one place: the one check that damage hardly survives."""
    melds = [bytes(meld.cards) for meld in deal.melds]
    lying = b"".join((*deal.hands, deal.stock, deal.discards, *melds))
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
