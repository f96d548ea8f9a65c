"""What must be true of a stored deal before it is played on."""

from __future__ import annotations

from functools import lru_cache

from rummy_arena.game.actions import HIGH, LOW, NONE
from rummy_arena.game.calls import SERVES_CALL
from rummy_arena.game.cards import card_text
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.events import DealEnd
from rummy_arena.game.melds import Meld, TableMeld, place
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Answer, Phase

from .records import DealRecord

_SEATS = tuple([tuple(range(seats)) for seats in range(9)])
_NO_ANSWERS = tuple([bytes(seats) for seats in range(9)])
# Plain numbers, for members of an enum are slow to compare.
_CALL_WINDOW, _CALL_DECISION, _OVER, _REBUY = map(
    int, (Phase.CALL_WINDOW, Phase.CALL_DECISION, Phase.OVER, Phase.REBUY)
)
_ENDED, _CALLING = (_OVER, _REBUY), (_CALL_WINDOW, _CALL_DECISION)
_WAITING, _CALLED = int(Answer.WAITING), int(Answer.CALLED)
_OUT = int(DealEnd.OUT)
_KNOWN_MELDS = 1 << 14
"""Melds stay on the table for many turns, so that most have been looked at before."""
_pack_of = lru_cache(maxsize=256)(lambda rules: bytes(rules.pack))


def check_deal(rules: RuleSet, deal: DealRecord, seats: int) -> None:
    """Raise ValueError, whose text says what is wrong, unless the deal can be one of ``rules``.

    Every list by seat has the right length already. Hands may be out of order.
    """
    players = deal.players
    if players != _SEATS[seats] and not _seats_in_order(players, seats):
        raise ValueError(f"seats {players} are dealt in at a table of {seats}")
    if deal.turn not in players:
        raise ValueError(f"the turn is seat {deal.turn}'s, of players {players}")
    if deal.dealer >= seats:
        raise ValueError(f"the dealer is seat {deal.dealer}")
    if not 0 < deal.turn_number <= rules.turns_cap_per_seat * len(players):
        raise ValueError(f"turn number {deal.turn_number}")
    if max(deal.opened_turn) > deal.turn_number:
        raise ValueError(f"turn {deal.turn_number} with openings in turns {deal.opened_turn}")
    if deal.reshuffles > rules.reshuffles:
        raise ValueError(f"{deal.reshuffles} reshuffles")
    _check_phase(rules, deal, seats)
    _check_cards(rules, deal)
    taken, melds_before, _, built = deal.progress
    if taken != NONE or built or not 0 <= melds_before <= len(deal.melds):
        _check_progress(rules, deal)


def _check_phase(rules: RuleSet, deal: DealRecord, seats: int) -> None:
    phase = deal.phase
    if phase in _ENDED:
        _check_ended(deal)
    elif deal.outcome is not None or deal.offers:
        raise ValueError(f"phase {phase} with outcome {deal.outcome}, re-buys for {deal.offers}")
    elif len(deal.players) < seats or not all(deal.hands):
        _check_hands(deal)
    if phase in _CALLING:
        _check_window(rules, deal)
    elif deal.answers != _NO_ANSWERS[seats] or deal.discarder != NONE or deal.waived:
        raise ValueError(
            f"phase {phase} with answers {[*deal.answers]} to the discard of seat {deal.discarder}"
        )


def _seats_in_order(players: tuple[int, ...], seats: int) -> bool:
    in_order = bool(players) and list(players) == sorted(set(players))
    return in_order and players[-1] < seats


def _check_ended(deal: DealRecord) -> None:
    phase, outcome, offers = deal.phase, deal.outcome, deal.offers
    if outcome is None:
        raise ValueError(f"phase {phase} without an outcome")
    if (outcome[0] == _OUT) is not (outcome[1] in deal.players):
        raise ValueError(f"phase {phase} with outcome {outcome}")
    wanted = set(deal.players) if phase == _REBUY else set()
    if bool(offers) is not bool(wanted) or len(set(offers) & wanted) != len(offers):
        raise ValueError(f"phase {phase} with re-buys offered to {offers}")


def _check_hands(deal: DealRecord) -> None:
    """Who plays holds cards, and nobody else does."""
    holding = tuple([seat for seat, hand in enumerate(deal.hands) if hand])
    if holding != deal.players:
        raise ValueError(f"seats {holding} hold cards, of players {deal.players}")


def _check_window(rules: RuleSet, deal: DealRecord) -> None:
    phase, answers, discarder = deal.phase, deal.answers, deal.discarder
    if discarder not in deal.players or discarder == deal.turn:
        raise ValueError(f"a call of the discard of seat {discarder} before seat {deal.turn}")
    waiting = phase == _CALL_WINDOW
    if (_WAITING if waiting else _CALLED) not in answers:
        raise ValueError(f"phase {phase} with answers {[*answers]}")
    if deal.waived and not waiting:
        raise ValueError(f"phase {phase} after the next player waived")
    for seat, answer in enumerate(answers):
        if answer and (
            deal.opened_turn[seat]
            or seat == deal.turn
            or seat == discarder
            or seat not in deal.players
            or deal.calls[seat] >= rules.max_calls
        ):
            raise ValueError(f"seat {seat} cannot call, but its answer is {answer}")
    recyclable = len(deal.discards) - 2 if deal.reshuffles < rules.reshuffles else 0
    if not deal.discards or len(deal.stock) + max(recyclable, 0) < SERVES_CALL:
        raise ValueError(f"a call, with {len(deal.stock)} cards in the stock")


def _check_cards(rules: RuleSet, deal: DealRecord) -> None:
    """Every card of the pack lies in one place: the one check that damage hardly survives."""
    melded: list[int] = []
    opened = deal.opened_turn
    for meld in deal.melds:
        owner, _, _, _, cards = meld
        if not 0 <= owner < len(opened) or not opened[owner]:
            raise ValueError(f"a meld of seat {owner}, with openings in turns {opened}")
        _check_meld(rules, meld)
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


@lru_cache(maxsize=_KNOWN_MELDS)
def _check_meld(rules: RuleSet, meld: TableMeld) -> None:
    """A meld lies as its cards would if they were laid down now, however it grew."""
    try:
        bytes(meld.cards)  # ids, which the tables of cards are made for
        placed = place(rules, meld.owner, Meld(meld.kind, meld.cards))
    except RuleViolation as error:
        raise ValueError(f"a meld that is none: {error}") from error
    if placed != meld:
        raise ValueError(f"a meld that lies as {meld}, not as {placed}")


def _check_progress(rules: RuleSet, deal: DealRecord) -> None:
    taken, before, _, built = deal.progress
    melds = len(deal.melds)
    if taken != NONE and taken not in _pack_of(rules):
        raise ValueError(f"card {taken} was taken")
    if not 0 <= before <= melds:
        raise ValueError(f"{before} melds when the turn began, of {melds}")
    for target, end, cards in built:
        if not 0 <= target < melds or end not in (LOW, HIGH) or not 0 < cards < 256:
            raise ValueError(f"{cards} cards laid off on end {end} of meld {target}, of {melds}")


def _texts(cards: set[int]) -> str:
    return " ".join([card_text(card) for card in sorted(cards)]) or "none"
