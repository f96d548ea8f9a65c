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

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from .cards import Card, card_text
from .chance import SEED_BYTES, commitment_of, shuffled
from .events import (
    DealCommitted,
    DealEnded,
    DealRevealed,
    DealStarted,
    Event,
    GameEnded,
    LotsDrawn,
    Reshuffled,
)
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
    decks = {(e.number, e.attempt): e.deck for e in reversed(log) if isinstance(e, DealStarted)}

    def faults(number: int, attempt: int, seed: bytes) -> list[str]:
        found = _differs("the deck", decks[number, attempt], shuffled(rules.pack, seed, b"deck"))
        for nth, (pile, order) in enumerate(witness.piles.get((number, attempt), [])):
            right = shuffled(pile, seed, b"reshuffle" + bytes((nth,)))
            found += _differs(f"reshuffle {nth + 1}", order, right)
        lots = witness.drawn.get(number) if attempt == 0 else None
        return found + ([] if lots is None else _lots_faults(lots, seed))

    return verify_deals(log, faults, corrupt)


def verify_deals(
    log: Sequence[Event],
    faults: Callable[[int, int, bytes], list[str]],
    corrupt: CorruptLog | None = None,
) -> Verification:
    """Return what a log proves about its deals, redacted or not.

    ``faults`` tells of a deal, by number and attempt, what is otherwise than its seed has it.
    """
    over = any(isinstance(event, GameEnded) for event in log)
    checks = [_checked(deal, faults, over=over) for deal in _recorded(log)]
    return Verification(tuple(checks), corrupt, over)


class _Witness(RecordedChance):
    """Luck as the log recorded it, which remembers what it was asked to shuffle."""

    def __init__(self, rules: RuleSet, log: Sequence[Event]) -> None:
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
    commitment: bytes
    seed: bytes = b""
    scored: bool = False
    reshuffles: int = 0
    lots: bool = False
    twice: bool = False


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


def _recorded(log: Iterable[Event]) -> list[_Recorded]:
    deals: dict[_Key, _Recorded] = {}
    before: dict[_Key, bytes] = {}
    present = _Recorded(0, 0, b"")  # stands for the deal of events before any
    for event in log:
        if isinstance(event, DealStarted):
            key = event.number, event.attempt
            twice = key in deals
            present = deals.setdefault(key, _Recorded(*key, before.get(key, b"")))
            present.twice = twice
        elif isinstance(event, DealCommitted):
            before.setdefault((event.number, event.attempt), event.commitment)
        elif isinstance(event, DealRevealed):
            told = deals.get((event.number, event.attempt))
            if told is not None:
                told.seed = told.seed or event.seed
        elif isinstance(event, DealEnded):
            present.scored = bool(event.points)
        elif isinstance(event, Reshuffled):
            present.reshuffles += 1
        elif isinstance(event, LotsDrawn):
            deals.get((present.number, 0), present).lots = True
    return list(deals.values())


def _checked(
    deal: _Recorded, faults: Callable[[int, int, bytes], list[str]], *, over: bool
) -> DealCheck:
    found: list[str] = []
    if not deal.commitment:
        state = DealState.UNCOMMITTED
        found.append("it was not committed to")
    elif not deal.seed:
        due = over or deal.scored
        state = DealState.UNTOLD if due else DealState.OPEN
        found += ["its seed was not told"] if due else []
    else:
        found += _seed_faults(deal)
        if max(deal.number, deal.attempt) <= _BYTE:
            found += faults(deal.number, deal.attempt, deal.seed)
        state = DealState.FALSE if found else DealState.PROVEN
    return DealCheck(
        deal.number,
        deal.attempt,
        state,
        tuple(found),
        deal.commitment,
        deal.seed,
        deal.reshuffles,
        deal.lots,
    )


def _seed_faults(deal: _Recorded) -> list[str]:
    """Return what is wrong with a seed that was told, whatever the cards."""
    if max(deal.number, deal.attempt) > _BYTE:
        return ["no game has so many deals"]
    found = ["it was dealt twice"] if deal.twice else []
    if len(deal.seed) != SEED_BYTES:
        found.append(f"the seed has {len(deal.seed)} bytes, not {SEED_BYTES}")
    if commitment_of(deal.seed, deal.number, deal.attempt) != deal.commitment:
        found.append("the seed is not the one that was committed to")
    return found


def _lots_faults(lots: tuple[int, ...], seed: bytes) -> list[str]:
    right = shuffled(range(len(lots)), seed, b"lots")
    return [] if list(lots) == right else [f"the lots are {[*lots]}, the seed gives {right}"]


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
