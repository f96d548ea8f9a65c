"""Chance as an input: where the order of a deck or of a recycled pile comes from.

The shuffle, so that anyone can redo it: the deal's seed is HMAC-SHA-256(table seed, "deal" followed
by deal number and attempt, one byte each). Random words are the big-endian 32-bit words of
HMAC-SHA-256(deal seed, label followed by a 32-bit big-endian block counter from 0), label "deck",
"lots", or "reshuffle" plus one byte for its number from 0. A Fisher-Yates shuffle walks from the
last place down to the second, swapping with place ``word mod (i + 1)``; words at or above the
largest multiple of ``i + 1`` below 2**32 are rejected.

>>> shuffled(range(5), deal_seed(bytes(32), 1, 0), b"deck")
[0, 4, 1, 2, 3]
"""

from __future__ import annotations

import hmac
import struct
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from typing import Protocol

from .cards import Card
from .rules import RuleSet

_WORDS = struct.Struct(">8I")
_SPAN = 1 << 32
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


class SeededChance:
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
