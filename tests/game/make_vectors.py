"""Writes the test vectors of fair deals: ``python -m tests.game.make_vectors``.

They are for whoever redoes the shuffle in another language; FAIRNESS.md, beside the code, describes
it. Do not write them anew unless the description itself has changed: integrators rely on them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from rummy_arena.game.cards import cards_text, full_pack
from rummy_arena.game.chance import commitment_of, deal_seed, shuffled

FILE = Path(__file__).with_name("deal_vectors.json")
TABLE_SEED = bytes(range(32))
REJECTS = 188_870
"""As a 32-byte number, a seed whose deck of 108 cards meets a word that must be rejected."""


class Dealt(NamedTuple):
    """A deal to make a vector of."""

    seed: bytes
    number: int
    attempt: int
    packs: int
    jokers: int
    piles: tuple[int, ...] = ()  # how many cards of the deck's front are recycled, pile by pile
    lots: int = 0


DEALS = (
    Dealt(bytes(32), 1, 0, 2, 4, piles=(52, 1, 0)),
    Dealt(b"\xff" * 32, 255, 255, 2, 4, piles=(107,)),
    Dealt(REJECTS.to_bytes(32, "big"), 1, 0, 2, 4),
    Dealt(deal_seed(TABLE_SEED, 1, 0), 1, 0, 2, 2, piles=(60, 44), lots=2),
    Dealt(deal_seed(TABLE_SEED, 7, 2), 7, 2, 2, 4, piles=(31,)),
    Dealt(deal_seed(TABLE_SEED, 8, 0), 8, 0, 3, 6, piles=(100,), lots=8),
    Dealt(deal_seed(TABLE_SEED, 9, 0), 9, 0, 2, 0, lots=3),
)


def vectors() -> dict[str, Any]:
    """Return the vectors; cards are in notation, in the order of the bytes that are shuffled."""
    return {
        "commitment": "SHA-256('rummy-arena deal v1' 00 number attempt seed)",
        "derived_seeds": [
            {
                "table_seed": TABLE_SEED.hex(),
                "number": number,
                "attempt": attempt,
                "seed": deal_seed(TABLE_SEED, number, attempt).hex(),
            }
            for number, attempt in ((1, 0), (7, 2), (8, 0), (9, 0))
        ],
        "deals": [_vector(dealt) for dealt in DEALS],
    }


def _vector(dealt: Dealt) -> dict[str, Any]:
    seed = dealt.seed
    deck = shuffled(full_pack(dealt.packs, dealt.jokers), seed, b"deck")
    return {
        "seed": seed.hex(),
        "number": dealt.number,
        "attempt": dealt.attempt,
        "commitment": commitment_of(seed, dealt.number, dealt.attempt).hex(),
        "packs": dealt.packs,
        "jokers": dealt.jokers,
        "deck": cards_text(deck),
        "reshuffles": [
            {
                "number": nth,
                "pile": cards_text(deck[:count]),
                "order": cards_text(shuffled(deck[:count], seed, b"reshuffle" + bytes((nth,)))),
            }
            for nth, count in enumerate(dealt.piles)
        ],
        "lots": shuffled(range(dealt.lots), seed, b"lots"),
    }


def text() -> str:
    """Return the file of vectors."""
    return json.dumps(vectors(), indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(text())
