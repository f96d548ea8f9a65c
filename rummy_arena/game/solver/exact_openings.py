"""Openings of melds of the least length, and no other card (C-2): which leave the least penalty?

Branch and bound over the melds that the hand can make, the costliest first: a branch ends where
even the costliest melds that are left would not shed more than the best opening found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from rummy_arena.game.cards import JOKER_BASE, RANKS, Card
from rummy_arena.game.melds import Meld, MeldKind
from rummy_arena.game.rules import Contract, RuleSet

from .limits import Limits
from .tables import POSITIONS, fitting_jokers, with_high_ace

_SET, _RUN = MeldKind.SET, MeldKind.RUN
_MOST_STEPS = 4_000
"""Branches looked at, which hands of up to some twenty cards never reach."""


class _Part(NamedTuple):
    """A meld that the hand can make."""

    shed: int  # penalty points
    jokers: int
    key: int  # suit of a run, rank of a set
    low: int  # first position of a run; -1 for a set
    used: int  # positions with naturals, as bits from ``low`` on; for a set, how many naturals


def least_penalty_opening(
    rules: RuleSet,
    hand: Sequence[Card],
    contract: Contract,
    limits: Limits,
    must: Card | None = None,
) -> tuple[Meld, ...] | None:
    """Return the melds that open and leave the least penalty, ``must`` among their cards, or None.

    Beyond some twenty cards the best found by a bounded search.
    """
    length = contract.sets * limits.set_min + contract.runs * limits.run_min
    if rules.final_discard and len(hand) <= length:
        return None
    return _Search(rules, hand, contract, limits, must).opening()


class _Search:
    def __init__(
        self,
        rules: RuleSet,
        hand: Sequence[Card],
        contract: Contract,
        limits: Limits,
        must: Card | None,
    ) -> None:
        self.rules = rules
        self.limits = limits
        self.contract = contract
        self.must = must
        self.jokers = [card for card in hand if card >= JOKER_BASE]
        self.count = [0] * (4 * RANKS)
        for card in hand:
            if card < JOKER_BASE:
                self.count[card >> 2] += 1
        self.by_kind = _by_kind(hand)
        self.sets = sorted(self._sets(), reverse=True) if contract.sets else []
        self.runs = sorted(self._runs(), reverse=True) if contract.runs else []
        self.steps = 0
        self.best = -1
        self.chosen: list[_Part] = []
        self.found: tuple[_Part, ...] = ()

    def opening(self) -> tuple[Meld, ...] | None:
        """Return the best opening as melds, or None."""
        self._add_runs(0, self.contract.runs, len(self.jokers), 0)
        return self._melds() if self.best >= 0 else None

    def _runs(self) -> Iterator[_Part]:
        limits, values = self.limits, self.rules.card_values
        most = min(limits.most_jokers, len(self.jokers))
        joker = values[JOKER_BASE]
        full = (1 << limits.run_min) - 1
        for suit in range(4):
            own = self.count[suit * RANKS : (suit + 1) * RANKS]
            positions = with_high_ace(sum([1 << rank for rank in range(RANKS) if own[rank]]))
            for low in range(0 if limits.ace_low else 1, POSITIONS - limits.run_min + 1):
                held = positions >> low & full
                for used, jokers in _uses(held, limits.run_min, most, self.rules.jokers_adjacent):
                    kinds = [suit * RANKS + (low + at) % RANKS for at in _bits(used)]
                    shed = sum([values[kind << 2] for kind in kinds])
                    yield _Part(shed + jokers * joker, jokers, suit, low, used)

    def _sets(self) -> Iterator[_Part]:
        limits, values = self.limits, self.rules.card_values
        most = min(limits.set_min - limits.set_min_naturals, len(self.jokers))
        for rank in range(RANKS):
            count = sum(self.count[rank::RANKS])
            worth = max([values[suit * RANKS + rank << 2] for suit in range(4)])
            for naturals in range(min(count, limits.set_min), limits.set_min - most - 1, -1):
                jokers = limits.set_min - naturals
                shed = naturals * worth + jokers * values[JOKER_BASE]
                yield _Part(shed, jokers, rank, -1, naturals)

    def _add_runs(self, at: int, left: int, jokers: int, shed: int) -> None:
        sets = self.contract.sets
        if not left:
            self._add_sets(0, sets, jokers, shed)
            return
        beside = sets * self.sets[0].shed if sets and self.sets else 0
        for index in range(at, len(self.runs)):
            part = self.runs[index]
            if shed + left * part.shed + beside <= self.best or self.steps > _MOST_STEPS:
                return
            self.steps += 1
            kinds = self._kinds(part)
            if self._repeats(part):
                continue
            if part.jokers > jokers or not all(self.count[kind] for kind in kinds):
                continue
            self._take(part, kinds, -1)
            self._add_runs(index, left - 1, jokers - part.jokers, shed + part.shed)
            self._take(part, kinds, 1)

    def _add_sets(self, at: int, left: int, jokers: int, shed: int) -> None:
        if not left:
            if shed > self.best and self._has_must():
                self.best, self.found = shed, tuple(self.chosen)
            return
        for index in range(at, len(self.sets)):
            part = self.sets[index]
            if shed + left * part.shed <= self.best or self.steps > _MOST_STEPS:
                return
            self.steps += 1
            if part.jokers > jokers or self._repeats(part):
                continue
            kinds = self._kinds(part)
            if len(kinds) < part.used:
                continue
            self._take(part, kinds, -1)
            self._add_sets(index, left - 1, jokers - part.jokers, shed + part.shed)
            self._take(part, kinds, 1)

    def _repeats(self, part: _Part) -> bool:
        """Return whether the part is alike another where that is not allowed (J-12)."""
        return self.rules.own_melds_differ and any(
            part.key == other.key and (part.low < 0) == (other.low < 0) for other in self.chosen
        )

    def _kinds(self, part: _Part) -> list[int]:
        """Return the naturals that the part takes; fewer than a set needs if they are not left."""
        if part.low >= 0:
            first = part.key * RANKS
            return [first + (part.low + at) % RANKS for at in _bits(part.used)]
        values, must = self.rules.card_values, self.must
        ranked = [
            kind for kind in range(part.key, 4 * RANKS, RANKS) for _ in range(self.count[kind])
        ]
        ranked.sort(key=lambda kind: (must is not None and kind == must >> 2, values[kind << 2]))
        return ranked[-part.used :]

    def _take(self, part: _Part, kinds: list[int], sign: int) -> None:
        for kind in kinds:
            self.count[kind] += sign
        if sign < 0:
            self.chosen.append(part)
        else:
            self.chosen.pop()

    def _has_must(self) -> bool:
        must = self.must
        if must is None:
            return True
        if must >= JOKER_BASE:
            return any(part.jokers for part in self.chosen)
        held = len(self.by_kind.get(must >> 2, ()))
        return self.count[must >> 2] < held

    def _melds(self) -> tuple[Meld, ...]:
        """Return the parts found as melds of real cards."""
        pool = {kind: list(cards) for kind, cards in self.by_kind.items()}
        jokers = list(self.jokers)
        must = self.must
        for cards in (*pool.values(), jokers):
            if must in cards:  # the one to go first
                cards.append(cards.pop(cards.index(must)))
        melds: dict[MeldKind, list[Meld]] = {_SET: [], _RUN: []}
        self.count = [len(pool.get(kind, ())) for kind in range(4 * RANKS)]
        for part in self.found:
            kinds = self._kinds(part)
            self._take(part, kinds, -1)
            naturals = [pool[kind].pop() for kind in kinds]
            if part.low < 0:
                melds[_SET].append(Meld(_SET, (*naturals, *_pops(jokers, part.jokers))))
                continue
            naturals.reverse()
            cards = [
                naturals.pop() if part.used >> at & 1 else jokers.pop()
                for at in range(self.limits.run_min)
            ]
            melds[_RUN].append(Meld(_RUN, tuple(cards)))
        return (*melds[_SET], *melds[_RUN])


def _pops(cards: list[Card], number: int) -> list[Card]:
    return [cards.pop() for _ in range(number)]


def _by_kind(hand: Sequence[Card]) -> dict[int, list[Card]]:
    found: dict[int, list[Card]] = {}
    for card in hand:
        if card < JOKER_BASE:
            found.setdefault(card >> 2, []).append(card)
    return found


@lru_cache(maxsize=256)
def _bits(mask: int) -> tuple[int, ...]:
    return tuple([at for at in range(mask.bit_length()) if mask >> at & 1])


@lru_cache(maxsize=256)
def _uses(held: int, run_min: int, most: int, adjacent: bool) -> tuple[tuple[int, int], ...]:
    """Return which naturals of a window a run may use, and the jokers that it needs then."""
    full = (1 << run_min) - 1
    found = []
    for used in _subsets(held, run_min - most):
        missing = full & ~used
        if fitting_jokers(missing, adjacent=adjacent) == missing.bit_count():
            found.append((used, missing.bit_count()))
    return tuple(found)


def _subsets(mask: int, least: int) -> list[int]:
    """Return the subsets of ``least`` bits or more of a mask."""
    bits = [1 << at for at in _bits(mask)]
    return [
        sum(chosen)
        for size in range(max(least, 1), len(bits) + 1)
        for chosen in combinations(bits, size)
    ]
