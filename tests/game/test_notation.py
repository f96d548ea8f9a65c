"""Cards, melds, actions and events in notation: what is written parses back."""

from __future__ import annotations

import doctest
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_arena.game import notation, series
from rummy_arena.game.actions import HIGH, LOW, NONE, Action, ActionKind
from rummy_arena.game.cards import JOKER_BASE, card_text
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.events import EVENT_TYPES, DealEnd, DealEnded, Event, LaidOff, LotsDrawn
from rummy_arena.game.melds import Meld, MeldKind, TableMeld
from rummy_arena.game.notation import NotationError, action_text, parse_action
from rummy_arena.game.notation.events import event_lines, parse_event
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.view import redact
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set

from .plays import examples
from .seeking_games import SEATS, first_events

CARDS = [*RULE_SETS["kalooki-jamaican"].pack, JOKER_BASE + 8]
cards = st.sampled_from(CARDS)
numbers = st.integers(0, 40)
naturals = st.sampled_from([card for card in CARDS if card < JOKER_BASE])


@st.composite
def melds(draw: st.DrawFn) -> Meld:
    """Draw a meld with a natural in it, legal or not."""
    rest = draw(st.lists(cards, min_size=1, max_size=5))
    place = draw(st.integers(0, len(rest)))
    chosen = (*rest[:place], draw(naturals), *rest[place:])
    return Meld(draw(st.sampled_from(MeldKind)), chosen)


@st.composite
def actions(draw: st.DrawFn) -> Action:
    """Draw any action, legal or not."""
    kind = draw(st.sampled_from(ActionKind))
    ends = st.sampled_from((NONE, LOW, HIGH))
    laid = st.lists(melds(), min_size=1, max_size=4).map(tuple)
    if kind in (ActionKind.OPEN, ActionKind.MELD):
        return Action(kind, melds=draw(laid))
    if kind is ActionKind.DRAW_AND_OPEN:
        return Action(kind, draw(cards), melds=draw(laid))
    if kind in (ActionKind.LAY_OFF, ActionKind.MOVE_JOKER):
        return Action(kind, draw(cards), draw(numbers), end=draw(ends))
    if kind is ActionKind.TAKE_JOKER:
        also = draw(st.none() | cards)
        trade = Action(kind, draw(cards), draw(numbers), also=NONE if also is None else also)
        if draw(st.booleans()):
            return trade._replace(onto=draw(numbers), end=draw(ends))
        return trade._replace(melds=draw(laid))
    return Action(kind, draw(cards)) if kind is ActionKind.DISCARD else Action(kind)


def as_parsed(log: Sequence[Event], rules: RuleSet) -> tuple[Event, ...]:
    """Return the events after they were written and read one by one."""
    lines = [list(enumerate(event_lines(event, rules), 1)) for event in log]
    return tuple(map(parse_event, lines))


# --- actions --------------------------------------------------------------------------------------


@examples(100)
@given(numbers, actions())
def test_an_action_parses_back(seat: int, action: Action) -> None:
    assert parse_action(action_text(seat, action)) == (seat, action)


def test_every_kind_of_action_has_its_verb() -> None:
    """As the text of the house has them."""
    shown = {
        "1 draws": Action(ActionKind.DRAW_STOCK),
        "1 takes": Action(ActionKind.DRAW_DISCARD),
        "1 ends": Action(ActionKind.END_TURN),
        "1 calls": Action(ActionKind.CALL),
        "1 passes": Action(ActionKind.PASS),
        "1 allows": Action(ActionKind.ALLOW),
        "1 forbids": Action(ActionKind.FORBID),
        "1 rebuys": Action(ActionKind.REBUY),
        "1 declines": Action(ActionKind.DECLINE),
        "1 discards AC1": Action(ActionKind.DISCARD, 0),
        "1 lays *1 on 2 low": Action(ActionKind.LAY_OFF, JOKER_BASE, 2, end=LOW),
        "1 moves AC2 in 0": Action(ActionKind.MOVE_JOKER, 1, 0),
        "1 melds AC1 AC2 *1": Action(
            ActionKind.MELD, melds=(Meld(MeldKind.SET, (0, 1, JOKER_BASE)),)
        ),
        "1 opens AC1-2C1-*1": Action(
            ActionKind.OPEN, melds=(Meld(MeldKind.RUN, (0, 4, JOKER_BASE)),)
        ),
        "1 takes AC1 and opens AC1-2C1-*1": Action(
            ActionKind.DRAW_AND_OPEN, 0, melds=(Meld(MeldKind.RUN, (0, 4, JOKER_BASE)),)
        ),
        "1 trades AC1 AC2 in 3 and melds 2C1-*1": Action(
            ActionKind.TAKE_JOKER, 0, 3, (Meld(MeldKind.RUN, (4, JOKER_BASE)),), also=1
        ),
        "1 trades AC1 in 3 onto 0 high": Action(ActionKind.TAKE_JOKER, 0, 3, end=HIGH, onto=0),
    }
    assert {action.kind for action in shown.values()} == set(ActionKind)
    for text, action in shown.items():
        assert parse_action(text) == (1, action)
        assert action_text(1, action) == text


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("", "''", "one of the verbs draws, takes, opens"),
        ("1", "'1'", "one of the verbs draws"),
        ("draws", "'draws'", "'SEAT draws'"),
        ("1 drawz", "'1 drawz'", "one of the verbs draws"),
        ("1 draws KS1", "'1 draws KS1'", "'SEAT draws'"),
        ("1 draws ", "'1 draws '", "'SEAT draws'"),
        ("01 draws", "'01 draws'", "'SEAT draws'"),
        ("\u0661 draws", "'\u0661 draws'", "'SEAT draws'"),
        (f"{'9' * 10} draws", f"'{'9' * 10} draws'", "'SEAT draws'"),
        ("1 discards KS", "'KS' in '1 discards KS'", "a card: rank, suit and pack as in KS1"),
        ("1 discards *", "'*' in '1 discards *'", "or *1 for a joker"),
        ("1 discards --", "'--' in", "a card"),
        ("1 discards KS5", "'KS5' in", "a card"),
        ("1 lays KS1 on 0 middle", "'1 lays KS1 on 0 middle'", "on NUMBER [low|high]'"),
        ("1 lays KS1", "'1 lays KS1'", "'SEAT lays CARD on NUMBER [low|high]'"),
        ("1 opens KS1  KH1", "'' in '1 opens KS1  KH1'", "a card"),
        ("1 opens KS1 KH1 /", "'/' in", "a card"),
        ("1 opens KS1-KH1 KD1", "'KH1 KD1' in", "a card"),
        (
            "1 trades KS1 in 0",
            "'1 trades KS1 in 0'",
            "' or 'SEAT trades CARD [CARD] in NUMBER onto",
        ),
    ],
)
def test_what_is_no_action_is_refused_with_what_was_expected(
    text: str, found: str, expected: str
) -> None:
    with pytest.raises(NotationError) as refused:
        parse_action(text)
    assert refused.value.found.startswith(found)
    assert expected in refused.value.expected
    assert refused.value.line == 0
    assert str(refused.value) == f"found {refused.value.found}, expected {refused.value.expected}"


@examples(100)
@given(st.text(alphabet="1 drawslyonpet*-/KSHAC:\n\u0661", max_size=30))
def test_any_text_is_an_action_or_refused(text: str) -> None:
    try:
        seat, action = parse_action(text)
    except NotationError:
        return
    assert action_text(seat, action) == text


# --- events ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_every_event_of_a_game_parses_back(rule_set: str) -> None:
    rules, log = RULE_SETS[rule_set], first_events(rule_set)
    assert as_parsed(log, rules) == log
    for viewer in (NONE, 0, 2):
        seen = tuple([redact(event, viewer, rules, SEATS) for event in log])
        assert as_parsed(seen, rules) == seen


def test_open_hands_are_written_too() -> None:
    rules = get_rule_set("kalooki-bonus", {"open_hands": "on"})
    _, (started,) = series.new_game(rules, SEATS, SeededChance(rules, bytes(32)))
    for viewer in (NONE, 1):
        seen = redact(started, viewer, rules, SEATS)
        assert as_parsed([seen], rules) == (seen,)


@examples(100)
@given(melds(), numbers, numbers, st.sampled_from((NONE, LOW, HIGH)))
def test_a_table_meld_parses_back_from_its_cards(
    meld: Meld, owner: int, target: int, end: int
) -> None:
    lain = notation.table_meld(owner, meld)
    event = LaidOff(1, meld.cards[0], target, lain, end)
    assert as_parsed([event], RULE_SETS["kalooki-jamaican"]) == (event,)


@pytest.mark.parametrize(
    ("text", "low"),
    [("AC1-2C1-3C1", 0), ("QC1-KC1-AC1", 11), ("*1-2C1-3C1", 0), ("*1-*2-AC1", 11)],
)
def test_a_run_lies_where_its_naturals_say(text: str, low: int) -> None:
    lain = notation.table_meld(2, notation.parse_meld(text))
    assert lain == TableMeld(2, MeldKind.RUN, low, 0, lain.cards)


def test_rare_events_parse_back() -> None:
    """All the ends of a deal, and hands that are empty because their seats do not play."""
    rules = RULE_SETS["kalooki-bonus"]
    hands = (b"", bytes((0, 4)), b"")
    ended = [
        DealEnded(DealEnd.OUT, 0, True, hands, (0, -50, 3)),
        DealEnded(DealEnd.OUT, 2, False, hands, (0, 1, 2)),
        DealEnded(DealEnd.VOID, NONE, False, hands, ()),
        DealEnded(DealEnd.CAP, NONE, False, hands, (0, 0, 0)),
    ]
    log: tuple[Event, ...] = (*ended, LotsDrawn((2, 0)))
    assert as_parsed(log, rules) == log


def test_an_event_that_no_line_can_say_is_not_written() -> None:
    impossible = DealEnded(DealEnd.VOID, 1, True, (), ())
    with pytest.raises(ValueError, match="no line can say this: DealEnded"):
        event_lines(impossible, RULE_SETS["kalooki-jamaican"])


def test_every_type_of_event_is_known() -> None:
    """``view.redact`` and the engine may not know one that has no line."""
    from rummy_arena.game.notation import events as notation_events

    assert set(notation_events._WRITTEN) == set(EVENT_TYPES)
    assert all(notation_events._WRITTEN.values())


# --- the words about it ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["notation.actions", "notation.games", "notation.replaying"])
def test_the_examples_of_the_docstrings_hold(name: str) -> None:
    module: Any = import_module(f"rummy_arena.game.{name}")
    outcome = doctest.testmod(module)
    assert outcome.attempted
    assert not outcome.failed


def test_the_document_shows_actions_as_they_are_written() -> None:
    text = Path(notation.__file__).with_name("NOTATION.md").read_text()
    shown = [part for part in text.split("`")[1::2] if part.startswith("1 ") and "..." not in part]
    assert len(shown) >= len(ActionKind)
    kinds = set()
    for part in shown:
        seat, action = parse_action(part)
        assert action_text(seat, action) == part
        kinds.add(action.kind)
    assert kinds | {ActionKind.DRAW_AND_OPEN} == set(ActionKind)
    assert card_text(JOKER_BASE) in text
