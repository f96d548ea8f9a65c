"""A log that was dealt otherwise than it was committed to is found out, and in which deal."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_arena.game.cards import Card
from rummy_arena.game.chance import DealtChance, deal_seed
from rummy_arena.game.events import (
    DealCommitted,
    DealRevealed,
    DealStarted,
    Event,
    LotsDrawn,
    Reshuffled,
)
from rummy_arena.game.fairness import DealState, verify
from rummy_arena.game.notation import (
    CorruptGame,
    NotationError,
    parse_game,
    replay_text,
    write_game,
)
from rummy_arena.rulesets.errors import UnknownRuleSet
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set

from .fair_games import (
    TIMID_RULES,
    TIMID_SEATS,
    TOLD,
    cards_alone,
    from_the_system,
    played,
    timid,
)
from .plays import examples


def flipped(value: bytes, at: int = 5) -> bytes:
    """Return the bytes with one bit the other way round."""
    return value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]


def swapped(cards: bytes) -> bytes:
    """Return the cards with the last two exchanged."""
    return bytes([*cards[:-2], cards[-1], cards[-2]])


Change = Callable[[Any], Event]
CHANGES: dict[str, tuple[type[Event], Change, str]] = {
    "a bit of the seed": (
        DealRevealed,
        lambda e: dataclasses.replace(e, seed=flipped(e.seed)),
        "the seed is not the one that was committed to",
    ),
    "a longer seed": (
        DealRevealed,
        lambda e: dataclasses.replace(e, seed=e.seed + b"\0"),
        "the seed has 33 bytes",
    ),
    "a bit of the commitment": (
        DealCommitted,
        lambda e: dataclasses.replace(e, commitment=flipped(e.commitment)),
        "the seed is not the one that was committed to",
    ),
    "two cards of the deck": (
        DealStarted,
        lambda e: dataclasses.replace(e, deck=swapped(e.deck)),
        "the deck has ",
    ),
    "a bit of the deck": (
        DealStarted,
        lambda e: dataclasses.replace(e, deck=flipped(e.deck, 70)),
        "the deck has ",
    ),
    "a card too few": (
        DealStarted,
        lambda e: dataclasses.replace(e, deck=e.deck[:-1]),
        "the deck has 107 cards, not 108",
    ),
    "two cards of a reshuffle": (
        Reshuffled,
        lambda e: dataclasses.replace(e, order=swapped(e.order)),
        "reshuffle 1 has ",
    ),
    "a bit of a reshuffle": (
        Reshuffled,
        lambda e: dataclasses.replace(e, order=flipped(e.order)),
        "reshuffle 1 has ",
    ),
    "the lots": (LotsDrawn, lambda e: LotsDrawn(e.seats[::-1]), "the lots are "),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_changed_is_found_in_its_deal(change: str) -> None:
    kind, changed, words = CHANGES[change]
    _, log = timid()
    places = [
        at
        for at, event in enumerate(log)
        if isinstance(event, kind) and getattr(event, "count", 6) > 5  # else a pile of a few cards
    ]
    for place in {places[0], places[len(places) // 2], places[-1]}:
        tampered = [*log]
        tampered[place] = changed(log[place])
        found = verify(TIMID_RULES, TIMID_SEATS, tampered)
        assert not found.good
        wrong = [deal for deal in found.deals if deal.state is DealState.FALSE]
        key = _deal_of(log, place)
        assert key in [(deal.number, deal.attempt) for deal in wrong]
        assert any(fault.startswith(words) for deal in wrong for fault in deal.faults)
        if found.corrupt is None:  # else what comes after it was not played
            assert len(wrong) == 1


def _deal_of(log: Sequence[Event], place: int) -> tuple[int, int]:
    """Return number and attempt of the deal that an event is about."""
    event = log[place]
    if isinstance(event, TOLD):
        return event.number, event.attempt
    started = next(e for e in log[place::-1] if isinstance(e, DealStarted))
    return started.number, 0 if isinstance(event, LotsDrawn) else started.attempt


def test_a_seed_that_was_not_told_and_a_deal_that_was_not_committed_to_are_found() -> None:
    rules = RULE_SETS["kaluki-european"]
    _, log = played(rules, 2, DealtChance(rules, {}, from_the_system))
    untold = verify(rules, 2, [e for e in log if not _about(e, DealRevealed)])
    assert untold.deals[0].state is DealState.UNTOLD
    assert untold.deal_faults == ("deal 1: its seed was not told",)
    uncommitted = verify(rules, 2, [e for e in log if not _about(e, DealCommitted)])
    assert uncommitted.deals[0].state is DealState.UNCOMMITTED
    assert not untold.good
    assert not uncommitted.good
    assert uncommitted.committed
    assert not verify(rules, 2, cards_alone(log)).committed


def _about(event: Event, kind: type[Event]) -> bool:
    """Return whether the event tells that of deal 1."""
    return isinstance(event, kind) and getattr(event, "number", 0) == 1


def test_a_commitment_that_comes_after_the_deal_is_no_legal_game() -> None:
    _, log = timid()
    late = [log[1], log[0], *log[2:]]
    found = verify(TIMID_RULES, TIMID_SEATS, late)
    assert not found.good
    assert found.corrupt is not None
    assert found.corrupt.sequence == 1


def test_nothing_makes_a_verification_raise() -> None:
    _, log = timid()
    odd: list[tuple[int, list[Event]]] = [(TIMID_SEATS, []), (99, [*log]), (2, [*log])]
    big = DealCommitted(300, 300, b"x"), DealStarted(300, 300, 0, b"", 0, 1, (0, 1))
    odd += [(TIMID_SEATS, [*big, DealRevealed(300, 300, b"y")]), (TIMID_SEATS, [*log[::-1]])]
    for seats, events in odd:
        assert not verify(TIMID_RULES, seats, events).good


def test_a_card_number_that_is_no_card_is_named() -> None:
    _, log = timid()
    started = next(event for event in log if isinstance(event, DealStarted))
    strange: Card = 255
    tampered = [log[0], dataclasses.replace(started, deck=started.deck[:-1] + bytes([strange]))]
    assert not verify(TIMID_RULES, TIMID_SEATS, tampered).good


@cache
def committed_text() -> str:
    """Return a whole game that was committed to, in notation."""
    rules = RULE_SETS["kaluki-european"]
    _, log = played(rules, 2, DealtChance(rules, {}, partial(deal_seed, bytes(32))))
    return write_game(rules, 2, log)


@examples(40)
@given(st.data())
def test_a_text_with_one_line_changed_says_the_same_or_is_not_good(data: st.DataObject) -> None:
    lines = committed_text().splitlines()
    telling = [at for at, line in enumerate(lines) if re.match("commit|seed|deal|    stock", line)]
    at = data.draw(st.one_of(st.sampled_from(telling), st.integers(0, len(lines) - 1)))
    change = data.draw(st.sampled_from(("drop", "repeat", "swap", "letters")))
    if change == "drop":
        del lines[at]
    elif change == "repeat":
        lines.insert(at, lines[at])
    elif change == "swap":
        other = data.draw(st.sampled_from(telling))
        lines[at], lines[other] = lines[other], lines[at]
    elif lines[at]:
        place = data.draw(st.integers(0, len(lines[at]) - 1))
        letter = data.draw(st.sampled_from("0123456789abcdefKQ "))
        lines[at] = lines[at][:place] + letter + lines[at][place + 1 :]
    try:
        parsed = parse_game("\n".join(lines))
        rules = get_rule_set(parsed.rule_set, parsed.options)
        replay_text(rules, parsed)
    except (NotationError, CorruptGame, UnknownRuleSet):
        return
    good = verify(rules, parsed.seats, parsed.events).good
    assert good == (parsed.events == parse_game(committed_text()).events)
