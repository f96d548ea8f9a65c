"""Chance as an input: where the order of a deck or of a recycled pile comes from.

The shuffle, so that anyone can redo it (FAIRNESS.md has it at length, with vectors): each deal has
a 32-byte seed. Random words are the big-endian 32-bit words of
HMAC-SHA-256(deal seed, label followed by a 32-bit big-endian block counter from 0), label "deck",
"lots", or "reshuffle" plus one byte for its number from 0. A Fisher-Yates shuffle walks from the
last place down to the second, swapping with place ``word mod (i + 1)``; words at or above the
largest multiple of ``i + 1`` below 2**32 are rejected. The pack is ordered by card id.

``DealtChance`` has a seed for each deal and commits to it: before a deal, everybody is told
SHA-256("rummy-arena deal v1", a zero byte, deal number, attempt (one byte each), deal seed), and
after it the seed. ``SeededChance`` derives all of them from one seed, and tells nobody anything:
a deal's seed is HMAC-SHA-256(table seed, "deal", deal number, attempt (one byte each)).

Lots drawn after a deal come from the seed of its attempt 0, however often it was dealt again.

>>> shuffled(range(5), deal_seed(bytes(32), 1, 0), b"deck")
[0, 4, 1, 2, 3]
>>> commitment_of(bytes(32), 1, 0).hex()[:16]
'eb0eaa192d812607'
"""

from __future__ import annotations

import hmac
import struct
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from hashlib import sha256
from itertools import chain
from typing import Protocol

from .cards import Card
from .events import DealRevealed, Event
from .rules import RuleSet

_WORDS = struct.Struct(">8I")
_SPAN = 1 << 32
_COMMITMENT = b"rummy-arena deal v1\0"
SEED_BYTES = 32
"""Bytes of the seed of a deal."""
_BLOCK = 64
"""Bytes of a block of SHA-256."""
_INNER_PAD = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD = bytes(byte ^ 0x5C for byte in range(256))
_LIMITS = [_SPAN - _SPAN % (last + 1) for last in range(256)]
"""By the place to fill: from where on words are rejected. Ids are bytes, so no more cards."""


class Chance(Protocol):
    """What the game asks of luck."""

    def deck(self, number: int, attempt: int) -> Sequence[Card]:
        """Return the deck of deal ``number`` (from 1), replay ``attempt``, in dealing order."""
        ...

    def reshuffle(
        self, number: int, attempt: int, nth: int, cards: Sequence[Card]
    ) -> Sequence[Card]:
        """Return the recycled ``cards`` as a new stock; its last card is drawn first."""
        ...

    def lots(self, number: int, count: int) -> Sequence[int]:
        """Return 0 to ``count - 1`` in the order of lots drawn after deal ``number`` (B-19)."""
        ...

    def commitment(self, number: int, attempt: int) -> bytes:
        """Return what all are told before this deal, which binds its seed; b"" for nothing."""
        ...

    def seed(self, number: int, attempt: int) -> bytes:
        """Return the seed that all are told after this deal; b"" where it is not to be told."""
        ...


class Uncommitted:
    """The part of a Chance that tells nobody anything: no commitments, no seeds."""

    def commitment(self, number: int, attempt: int) -> bytes:
        """Return b"": nothing is told before a deal."""
        return b""

    def seed(self, number: int, attempt: int) -> bytes:
        """Return b"": nothing is told after it."""
        return b""


def _words(seed: bytes, label: bytes) -> Iterator[int]:
    return chain.from_iterable(map(_WORDS.unpack, _blocks(seed, label)))


def _blocks(seed: bytes, label: bytes) -> Iterator[bytes]:
    """Return the blocks of HMAC-SHA-256, whose two keyed states are worked out once for all.

    Written out (RFC 2104), it takes less than half the time of a library call for each block.
    """
    key = seed if len(seed) <= _BLOCK else sha256(seed).digest()
    key = key.ljust(_BLOCK, b"\0")
    inner, outer = sha256(key.translate(_INNER_PAD)), sha256(key.translate(_OUTER_PAD))
    inner.update(label)
    for counter in range(_SPAN):
        message = inner.copy()
        message.update(counter.to_bytes(4, "big"))
        block = outer.copy()
        block.update(message.digest())
        yield block.digest()


def shuffled(cards: Sequence[Card], seed: bytes, label: bytes) -> list[Card]:
    """Return ``cards`` in the order that ``seed`` and ``label`` give, as the module head says."""
    order = list(cards)
    words = _words(seed, label)
    limits = _LIMITS
    for last, word in zip(range(len(order) - 1, 0, -1), words, strict=False):
        while word >= limits[last]:
            word = next(words)
        other = word % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def deal_seed(table_seed: bytes, number: int, attempt: int) -> bytes:
    """Return the 32-byte seed of one deal of a table."""
    return hmac.digest(table_seed, b"deal" + bytes((number, attempt)), "sha256")


def commitment_of(seed: bytes, number: int, attempt: int) -> bytes:
    """Return the 32 bytes that bind the seed of a deal, as the module head says."""
    return sha256(_COMMITMENT + bytes((number, attempt)) + seed).digest()


class SeededChance(Uncommitted):
    """The chance of one table, all of it drawn from its 32-byte seed."""

    def __init__(self, rules: RuleSet, seed: bytes) -> None:
        self._rules = rules
        self._seed = seed

    def deck(self, number: int, attempt: int) -> Sequence[Card]:
        """Return the shuffled pack of this deal."""
        return shuffled(self._rules.pack, deal_seed(self._seed, number, attempt), b"deck")

    def reshuffle(
        self, number: int, attempt: int, nth: int, cards: Sequence[Card]
    ) -> Sequence[Card]:
        """Return the recycled pile in its new order."""
        return shuffled(cards, deal_seed(self._seed, number, attempt), b"reshuffle" + bytes((nth,)))

    def lots(self, number: int, count: int) -> Sequence[int]:
        """Return the lots drawn after a deal, shuffled as a deck is."""
        return shuffled(range(count), deal_seed(self._seed, number, 0), b"lots")


class DealtChance:
    """The chance of one table whose every deal has a seed of its own, committed to beforehand.

    ``seeds`` holds them by deal number and attempt. A seed that is not there is asked of
    ``new_seed`` and kept there, so that the caller can store it with the deal that it made:
    ``os.urandom`` behind it gives seeds that nothing connects, and ``deal_seed`` of a table's seed
    the decks that SeededChance has. Without ``reveals`` a seed is committed to but never told,
    which is for whoever tells it later.
    """

    def __init__(
        self,
        rules: RuleSet,
        seeds: MutableMapping[tuple[int, int], bytes],
        new_seed: Callable[[int, int], bytes],
        *,
        reveals: bool = True,
    ) -> None:
        self.seeds = seeds
        self._rules = rules
        self._new_seed = new_seed
        self._reveals = reveals

    def _of(self, number: int, attempt: int) -> bytes:
        seed = self.seeds.get((number, attempt))
        if seed is None:
            seed = self._new_seed(number, attempt)
            if len(seed) != SEED_BYTES:
                raise ValueError(f"a deal's seed has {SEED_BYTES} bytes, not {len(seed)}")
            self.seeds[number, attempt] = seed
        return seed

    def deck(self, number: int, attempt: int) -> Sequence[Card]:
        """Return the shuffled pack of this deal."""
        return shuffled(self._rules.pack, self._of(number, attempt), b"deck")

    def reshuffle(
        self, number: int, attempt: int, nth: int, cards: Sequence[Card]
    ) -> Sequence[Card]:
        """Return the recycled pile in its new order."""
        return shuffled(cards, self._of(number, attempt), b"reshuffle" + bytes((nth,)))

    def lots(self, number: int, count: int) -> Sequence[int]:
        """Return the lots drawn after a deal, from the seed of its attempt 0."""
        return shuffled(range(count), self._of(number, 0), b"lots")

    def commitment(self, number: int, attempt: int) -> bytes:
        """Return what binds the seed of this deal."""
        return commitment_of(self._of(number, attempt), number, attempt)

    def seed(self, number: int, attempt: int) -> bytes:
        """Return the seed of this deal, which is over; b"" if this chance does not tell."""
        return self._of(number, attempt) if self._reveals else b""

    def forget_revealed(self, events: Iterable[Event]) -> None:
        """Drop the seeds that ``events`` tell everybody: nothing is drawn from them any more.

        Call it once these events are stored, or with the very commit that stores them.
        """
        for event in events:
            if isinstance(event, DealRevealed):
                self.seeds.pop((event.number, event.attempt), None)
