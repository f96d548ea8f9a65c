"""Whether a game was dealt as it was committed to: nobody chose or changed a card after the fact.

Each deal of a log (unredacted, from its first event) is redone from the seed that was told after
it: the commitment from before the deal, its deck, its reshuffles and its lots.

>>> from functools import partial
>>> from rummy_arena.game import series
>>> from rummy_arena.game.chance import DealtChance, deal_seed
>>> from rummy_arena.game.engine import deciders, standard_move
>>> from rummy_arena.rulesets.registry import get_rule_set
>>> rules = get_rule_set("kaluki-european")
>>> chance = DealtChance(rules, {}, partial(deal_seed, bytes(32)))
>>> game, log = series.new_game(rules, 2, chance)
>>> verify(rules, 2, log).deals[0].state.value  # the deal goes on: its seed is a secret
'not told yet'
>>> while not game.over:  # everybody is absent
...     seat = deciders(game.deal)[0]
...     log += series.apply(game, seat, standard_move(game.deal, seat), chance)
>>> checked = verify(rules, 2, log)
>>> checked.good, {deal.state.value for deal in checked.deals}
(True, {'as committed'})
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from .cards import Card, card_text
from .chance import SEED_BYTES, commitment_of, shuffled
from .events import DealCommitted, DealEnded, DealRevealed, DealStarted, Event, GameEnded
from .replay import CorruptLog, RecordedChance, Replay
from .rules import RuleSet

_Key = tuple[int, int]
_BYTE = 255  # number and attempt are a byte each in what is hashed


class DealState(Enum):
    """What a log proves about one deal; the value says it in words."""

    PROVEN = "as committed"
    OPEN = "not told yet"  # the deal goes on, or is void and its seed comes after the game
    UNCOMMITTED = "not committed"
    UNTOLD = "seed not told"  # though it should have been
    FALSE = "NOT as committed"


@dataclass(frozen=True, slots=True)
class DealCheck:
    """One deal of the log, redone from its seed."""

    number: int
    attempt: int
    state: DealState
    faults: tuple[str, ...]  # what is not as it should be, in words
    commitment: bytes  # b"" where there is none
    seed: bytes  # b"" where it was not told
    reshuffles: int
    lots: bool  # whether lots were drawn from it


@dataclass(frozen=True, slots=True)
class Verification:
    """What a log proves; ``corrupt`` is where it is no legal game, if anywhere."""

    deals: tuple[DealCheck, ...]
    corrupt: CorruptLog | None
    over: bool  # the game ended by its rules

    @property
    def good(self) -> bool:
        """Whether the game is legal and every deal is as committed, so far as it can be known."""
        fine = (DealState.PROVEN, DealState.OPEN)
        return (
            self.corrupt is None
            and bool(self.deals)
            and all(deal.state in fine for deal in self.deals)
        )

    @property
    def committed(self) -> bool:
        """Whether any deal of the game was committed to."""
        return any(deal.commitment for deal in self.deals)

    @property
    def deal_faults(self) -> tuple[str, ...]:
        """What is wrong with the deals, each with its deal, in words."""
        return tuple(
            [
                f"deal {deal.number}{f' replay {deal.attempt}' if deal.attempt else ''}: {fault}"
                for deal in self.deals
                for fault in deal.faults
            ]
        )


def verify(rules: RuleSet, seats: int, log: Sequence[Event]) -> Verification:
    """Return what ``log`` proves about its deals; nothing in it raises."""
    witness = _Witness(rules, log)
    corrupt = _replayed(rules, seats, log, witness)
    deals = _recorded(log)
    over = any(isinstance(event, GameEnded) for event in log)
    checks = [_checked(rules, deal, deals, witness, over=over) for deal in deals.values()]
    return Verification(tuple(checks), corrupt, over)


class _Witness(RecordedChance):
    """Luck as the log recorded it, which remembers what it was asked to shuffle."""

    def __init__(self, rules: RuleSet, log: Iterable[Event]) -> None:
        super().__init__(rules, log)
        self.piles: dict[_Key, list[tuple[bytes, bytes]]] = {}  # as it lay, and in its new order
        self.drawn: dict[int, tuple[int, ...]] = {}  # lots by deal

    def reshuffle(
        self, number: int, attempt: int, nth: int, cards: Sequence[Card]
    ) -> Sequence[Card]:
        """Return the recorded order of a recycled pile."""
        order = super().reshuffle(number, attempt, nth, cards)
        seen = self.piles.setdefault((number, attempt), [])
        seen.append((bytes(cards), self.recorded(number, attempt, nth) or bytes(order)))
        return order

    def lots(self, number: int, count: int) -> Sequence[int]:
        """Return the recorded lots."""
        order = super().lots(number, count)
        self.drawn[number] = tuple(order)
        return order


@dataclass(slots=True)
class _Recorded:
    """What a log has of one deal."""

    number: int
    attempt: int
    deck: bytes
    commitment: bytes = b""
    seed: bytes = b""
    scored: bool = False
    wrong: list[str] = field(default_factory=list)


def _replayed(
    rules: RuleSet, seats: int, log: Sequence[Event], witness: _Witness
) -> CorruptLog | None:
    try:
        replay = Replay(rules, seats, log, chance=witness)
        while not replay.over:
            replay.step()
    except CorruptLog as corrupt:
        return corrupt
    return None


def _recorded(log: Iterable[Event]) -> dict[_Key, _Recorded]:
    deals: dict[_Key, _Recorded] = {}
    before: dict[_Key, bytes] = {}
    present = None
    for event in log:
        if isinstance(event, DealStarted):
            key = event.number, event.attempt
            present = _Recorded(*key, event.deck, before.get(key, b""))
            deals.setdefault(key, present)
        elif isinstance(event, DealCommitted):
            before.setdefault((event.number, event.attempt), event.commitment)
        elif isinstance(event, DealRevealed):
            told = deals.get((event.number, event.attempt))
            if told is not None:
                told.seed = told.seed or event.seed
        elif isinstance(event, DealEnded) and present is not None:
            present.scored = bool(event.points)
    return deals


def _checked(
    rules: RuleSet, deal: _Recorded, deals: dict[_Key, _Recorded], witness: _Witness, *, over: bool
) -> DealCheck:
    key = deal.number, deal.attempt
    piles = witness.piles.get(key, [])
    lots = witness.drawn.get(deal.number) if deal.attempt == 0 else None
    faults: list[str] = []
    if not deal.commitment:
        state = DealState.UNCOMMITTED
        faults.append("it was not committed to")
    elif not deal.seed:
        due = over or deal.scored
        state = DealState.UNTOLD if due else DealState.OPEN
        faults += ["its seed was not told"] if due else []
    else:
        faults += _faults(rules, deal, piles, lots)
        state = DealState.FALSE if faults else DealState.PROVEN
    return DealCheck(
        *key, state, tuple(faults), deal.commitment, deal.seed, len(piles), lots is not None
    )


def _faults(
    rules: RuleSet,
    deal: _Recorded,
    piles: Sequence[tuple[bytes, bytes]],
    lots: tuple[int, ...] | None,
) -> list[str]:
    """Return what the seed of the deal makes otherwise than the log has it."""
    if max(deal.number, deal.attempt) > _BYTE:
        return ["no game has so many deals"]
    faults = []
    if len(deal.seed) != SEED_BYTES:
        faults.append(f"the seed has {len(deal.seed)} bytes, not {SEED_BYTES}")
    if commitment_of(deal.seed, deal.number, deal.attempt) != deal.commitment:
        faults.append("the seed is not the one that was committed to")
    faults += _differs("the deck", deal.deck, shuffled(rules.pack, deal.seed, b"deck"))
    for nth, (pile, order) in enumerate(piles):
        right = shuffled(pile, deal.seed, b"reshuffle" + bytes((nth,)))
        faults += _differs(f"reshuffle {nth + 1}", order, right)
    if lots is not None:
        right_lots = shuffled(range(len(lots)), deal.seed, b"lots")
        if list(lots) != right_lots:
            faults.append(f"the lots are {[*lots]}, the seed gives {right_lots}")
    return faults


def _differs(what: str, found: bytes, right: Sequence[Card]) -> list[str]:
    if found == bytes(right):
        return []
    if len(found) != len(right):
        return [f"{what} has {len(found)} cards, not {len(right)}"]
    pairs = enumerate(zip(found, right, strict=True), 1)
    at, (there, given) = next((at, pair) for at, pair in pairs if pair[0] != pair[1])
    return [f"{what} has {_name(there)} at place {at}, the seed gives {_name(given)}"]


def _name(card: Card) -> str:
    try:
        return card_text(card)
    except (ValueError, LookupError):
        return f"number {card}"
