"""The shuffle: fixed vectors, other implementations of its description, and its evenness."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_arena.game.cards import Card, cards_text, full_pack, parse_cards
from rummy_arena.game.chance import DealtChance, SeededChance, commitment_of, deal_seed, shuffled
from rummy_arena.rulesets.kalooki_jamaican import KALOOKI_JAMAICAN
from tests.game import make_vectors

SEED = bytes(range(32))


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """Return the HMAC as RFC 2104 defines it, by hand."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


def by_the_book(cards: Sequence[Card], seed: bytes, label: bytes) -> list[Card]:
    """Return the order that the module's description gives."""
    words: list[int] = []
    block = 0
    order = list(cards)
    for i in range(len(order) - 1, 0, -1):
        limit = 2**32 // (i + 1) * (i + 1)
        while True:
            if not words:
                digest = hmac_sha256(seed, label + block.to_bytes(4, "big"))
                words = [int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4)]
                block += 1
            word = words.pop(0)
            if word < limit:
                break
        order[i], order[word % (i + 1)] = order[word % (i + 1)], order[i]
    return order


@settings(max_examples=40, deadline=None)
@given(
    seed=st.binary(min_size=32, max_size=32),
    number=st.integers(1, 9),
    attempt=st.integers(0, 2),
    count=st.integers(0, 108),
)
def test_decks_and_piles_are_shuffled_as_described(
    seed: bytes, number: int, attempt: int, count: int
) -> None:
    chance = SeededChance(KALOOKI_JAMAICAN, seed)
    pack = KALOOKI_JAMAICAN.pack
    deal = hmac_sha256(seed, b"deal" + bytes([number, attempt]))
    assert deal == deal_seed(seed, number, attempt)
    assert list(chance.deck(number, attempt)) == by_the_book(pack, deal, b"deck")
    pile = pack[:count]
    assert list(chance.reshuffle(number, attempt, 0, pile)) == by_the_book(
        pile, deal, b"reshuffle\0"
    )


VECTORS = {  # table seed 00 01 ... 1f; the first nine cards of each order
    ("deck", 1, 0): "3D2 TS1 5D2 2D2 8S1 JS1 2S2 JC2 4S2",
    ("deck", 9, 2): "3S2 *1 JH2 6S1 2H1 5S2 7S2 3H2 6D2",
    ("reshuffle", 1, 0): "JC2 4D2 5D1 2D2 9C1 9C2 KC2 3D2 KD2",
}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: " ".join(map(str, v)))
def test_fixed_vectors(vector: tuple[str, int, int]) -> None:
    label, number, attempt = vector
    chance = SeededChance(KALOOKI_JAMAICAN, SEED)
    if label == "deck":
        order = chance.deck(number, attempt)
    else:
        order = chance.reshuffle(number, attempt, 0, KALOOKI_JAMAICAN.pack[:52])
    assert cards_text(order[:9]) == VECTORS[vector]


@pytest.mark.skipif(not shutil.which("node"), reason="needs node to redo the shuffle elsewhere")
@pytest.mark.parametrize(("label", "number", "attempt"), [("deck", 3, 1), ("0", 9, 2)])
def test_another_language_makes_the_same_order(label: str, number: int, attempt: int) -> None:
    script = Path(__file__).with_name("shuffle.mjs")
    arguments = [SEED.hex(), str(number), str(attempt), label, "108"]
    ran = subprocess.run(
        ["node", str(script), *arguments], capture_output=True, text=True, check=True, timeout=60
    )
    order = [KALOOKI_JAMAICAN.pack[int(place)] for place in ran.stdout.split()]
    chance = SeededChance(KALOOKI_JAMAICAN, SEED)
    if label == "deck":
        assert list(chance.deck(number, attempt)) == order
    else:
        pack = KALOOKI_JAMAICAN.pack
        assert list(chance.reshuffle(number, attempt, int(label), pack)) == order


def test_the_vectors_are_what_the_code_gives() -> None:
    assert make_vectors.FILE.read_text() == make_vectors.text()


@pytest.mark.parametrize("at", range(len(make_vectors.DEALS)))
def test_a_vector_is_as_described(at: int) -> None:
    vector = json.loads(make_vectors.FILE.read_text())["deals"][at]
    seed, number, attempt = bytes.fromhex(vector["seed"]), vector["number"], vector["attempt"]
    committed = hashlib.sha256(b"rummy-arena deal v1" + bytes([0, number, attempt]) + seed)
    assert vector["commitment"] == committed.hexdigest()
    pack = full_pack(vector["packs"], vector["jokers"])
    assert parse_cards(vector["deck"]) == tuple(by_the_book(pack, seed, b"deck"))
    for pile in vector["reshuffles"]:
        label = b"reshuffle" + bytes([pile["number"]])
        assert parse_cards(pile["order"]) == tuple(
            by_the_book(parse_cards(pile["pile"]), seed, label)
        )
    assert vector["lots"] == by_the_book(range(len(vector["lots"])), seed, b"lots")


def test_a_deals_chance_gives_what_its_seed_gives() -> None:
    pack = KALOOKI_JAMAICAN.pack
    chance = DealtChance(KALOOKI_JAMAICAN, {(2, 1): SEED, (2, 0): SEED[::-1]}, deal_seed_of_none)
    assert list(chance.deck(2, 1)) == by_the_book(pack, SEED, b"deck")
    assert list(chance.reshuffle(2, 1, 3, pack[:40])) == by_the_book(
        pack[:40], SEED, b"reshuffle\3"
    )
    assert list(chance.lots(2, 5)) == by_the_book(range(5), SEED[::-1], b"lots")
    assert chance.commitment(2, 1) == commitment_of(SEED, 2, 1)
    assert chance.seed(2, 1) == SEED


def deal_seed_of_none(number: int, attempt: int) -> bytes:
    """Refuse to make a seed."""
    raise AssertionError(f"a seed was asked for, of deal {number} attempt {attempt}")


def test_commitments_tell_deals_attempts_and_seeds_apart() -> None:
    told = {commitment_of(seed, n, a) for seed in (SEED, bytes(32)) for n in (1, 2) for a in (0, 1)}
    assert len(told) == 8


@pytest.mark.skipif(not shutil.which("node"), reason="needs node to redo the vectors elsewhere")
@pytest.mark.parametrize("spoilt", [False, True])
def test_another_language_redoes_the_vectors(tmp_path: Path, spoilt: bool) -> None:
    vectors = json.loads(make_vectors.FILE.read_text())
    if spoilt:
        vectors["deals"][0]["deck"] = vectors["deals"][1]["deck"]
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps(vectors))
    script = Path(__file__).with_name("shuffle.mjs")
    ran = subprocess.run(
        ["node", str(script), str(file)], capture_output=True, text=True, check=False, timeout=60
    )
    checked = sum(2 + len(deal["reshuffles"]) + 1 for deal in vectors["deals"])
    checked += len(vectors["derived_seeds"])
    assert ran.stdout == f"{checked} checked, {int(spoilt)} wrong, 1 words rejected\n"
    assert ran.returncode == int(spoilt)


def test_words_that_would_favour_low_places_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    # Among three places the word 2**32 - 1 is one too many: it would make place 0 more likely.
    words = iter((2**32 - 1, 2**32 - 2, 2**32 - 1))
    monkeypatch.setattr("rummy_arena.game.chance._words", lambda seed, label: words)
    assert shuffled((5, 6, 7), SEED, b"deck") == [5, 6, 7]
    assert next(words, None) is None


def test_each_order_of_four_cards_comes_up_evenly() -> None:
    rounds = 9600
    counts = Counter(
        tuple(shuffled((0, 1, 2, 3), SEED, round_.to_bytes(4, "big"))) for round_ in range(rounds)
    )
    assert set(counts) == set(permutations((0, 1, 2, 3)))
    expected = rounds / 24
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_square < 49.7  # 23 degrees of freedom: a fair shuffle exceeds it once in a thousand


def test_each_card_comes_to_each_place_evenly() -> None:
    rounds = 1080
    counts: Counter[tuple[int, Card]] = Counter()
    for round_ in range(rounds):
        deck = SeededChance(KALOOKI_JAMAICAN, round_.to_bytes(32, "big")).deck(1, 0)
        counts.update((place, card) for place, card in enumerate(deck) if place in (0, 50, 107))
    for place in (0, 50, 107):
        of_place = [counts[place, card] for card in KALOOKI_JAMAICAN.pack]
        chi_square = sum((count - 10) ** 2 / 10 for count in of_place)
        assert chi_square < 158  # 107 degrees of freedom, once in a thousand


def test_deals_replays_piles_and_tables_have_orders_of_their_own() -> None:
    chance = SeededChance(KALOOKI_JAMAICAN, SEED)
    other = SeededChance(KALOOKI_JAMAICAN, SEED[::-1])
    pack = KALOOKI_JAMAICAN.pack
    orders = [chance.deck(n, a) for n in range(1, 10) for a in range(3)]
    orders += [chance.reshuffle(1, 0, 0, pack), chance.reshuffle(1, 0, 1, pack), other.deck(1, 0)]
    assert len({bytes(order) for order in orders}) == 30
    assert chance.deck(1, 0) == chance.deck(1, 0)
