"""The notation: what is written parses back, and what is wrong is refused at its line."""

from __future__ import annotations

import doctest
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_arena.game import engine, notation, series
from rummy_arena.game.actions import HIGH, LOW, NONE, Action, ActionKind
from rummy_arena.game.cards import JOKER_BASE, card_text
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.events import EVENT_TYPES, DealEnd, DealEnded, Event, LaidOff, LotsDrawn
from rummy_arena.game.melds import Meld, MeldKind, TableMeld
from rummy_arena.game.notation import NotationError, action_text, parse_action
from rummy_arena.game.notation_events import event_lines, parse_event
from rummy_arena.game.notation_game import ParsedGame, parse_game, write_game
from rummy_arena.game.notation_replay import CorruptGame, TextReplay, replay_text
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.view import redact
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set
from tests.spec.seeker import Seeker

from .plays import examples

SEATS = 3
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


@cache
def sample(rule_set: str, seats: int = SEATS, events: int = 500) -> tuple[Event, ...]:
    """Return the first events of a game, all of them where it is shorter."""
    rules = RULE_SETS[rule_set]
    chance, seeker, dice = SeededChance(rules, bytes(32)), Seeker(Random(3)), Random(4)
    game, log = series.new_game(rules, seats, chance)
    while not game.over and len(log) < events:
        seat = dice.choice(engine.deciders(game.deal))
        log += series.apply(game, seat, seeker.choose(game.deal, seat), chance)
    return tuple(log)


def as_parsed(log: Sequence[Event], rules: RuleSet) -> tuple[Event, ...]:
    """Return the events after they were written and read one by one."""
    lines = [list(enumerate(event_lines(event, rules), 1)) for event in log]
    return tuple(map(parse_event, lines))


# --- actions --------------------------------------------------------------------------------------


@examples(300)
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


@examples(300)
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
    rules, log = RULE_SETS[rule_set], sample(rule_set)
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


@examples(200)
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
    from rummy_arena.game import notation_events

    assert set(notation_events._WRITTEN) == set(EVENT_TYPES)
    assert all(notation_events._WRITTEN.values())


# --- games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_a_game_parses_back_and_is_verified(rule_set: str) -> None:
    rules, log = RULE_SETS[rule_set], sample(rule_set)
    names = {0: "Ann  Lee", 2: "# Bo: *\n"}
    text = write_game(rules, SEATS, log, names=names, remarks=("a\nremark",))
    parsed = parse_game(text)
    assert (parsed.rule_set, parsed.options, parsed.seats) == (rule_set, {}, SEATS)
    assert parsed.names == {0: "Ann Lee", 2: "# Bo: *"}
    assert parsed.events == log
    assert not parsed.viewer
    assert replay_text(rules, parsed).seats == SEATS
    again = write_game(rules, SEATS, parsed.events, names=parsed.names, remarks=("a remark",))
    assert again == text


def test_lines_that_say_nothing_may_stand_anywhere() -> None:
    text = game_text()
    spaced = "\ufeff# first\n\n".lstrip("\ufeff") + text.replace("\n", "  \r\n\n# said\n")
    assert parse_game(spaced).events == parse_game(text).events
    replay_text(RULE_SETS["kaluki-european"], parse_game(spaced))


def game_text() -> str:
    """Return a game of two seats in notation."""
    rule_set = "kaluki-european"
    return write_game(RULE_SETS[rule_set], 2, sample(rule_set, 2, 120))


def lines_of(text: str) -> list[str]:
    return text.splitlines()


def found_in(text: str, start: str) -> int:
    """Return the number of the first line that begins so, less its indentation."""
    return next(
        number for number, line in enumerate(lines_of(text), 1) if line.strip().startswith(start)
    )


def verified(text: str) -> ParsedGame:
    parsed = parse_game(text)
    replay_text(get_rule_set(parsed.rule_set, parsed.options), parsed)
    return parsed


HEAD = "rummy-arena game 1\nrule set: kaluki-european\nseats: 2\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "found '', expected 'rummy-arena game 1'"),
        ("# nothing\n", 1, "expected 'rummy-arena game 1'"),
        ("\nrummy-arena game 2\n", 2, "found 'rummy-arena game 2', expected 'rummy-arena game 1'"),
        ("rummy-arena game 1\n", 1, "found a head without it, expected 'rule set: ID'"),
        ("rummy-arena game 1\nrule set: x\n", 2, "expected 'seats: NUMBER'"),
        ("rummy-arena game 1\nrule set: a b\n", 2, "expected 'rule set: ID'"),
        ("rummy-arena game 1\nseats: two\n", 2, "found 'seats: two', expected 'seats: NUMBER'"),
        ("rummy-arena game 1\nseats: \u0662\n", 2, "expected 'seats: NUMBER'"),
        (HEAD + "seats: 2\n", 4, "found 'seats: 2', expected 'seats' only once"),
        (HEAD + "options: rebuys\n", 4, "expected 'options: NAME=VALUE NAME=VALUE ...'"),
        (HEAD + "options: rebuys=0 rebuys=1\n", 4, "expected 'options: NAME=VALUE"),
        (HEAD + "seat x: Ann\n", 4, "expected 'seat SEAT: NAME'"),
        (HEAD + "seen by: me\n", 4, "expected 'seen by: SEAT' or 'seen by: spectator'"),
        (HEAD + "    hand 0: KS1\n", 4, "expected an event, which is not indented"),
        (HEAD + "1 draws KS1\n    hand 0: KS1\n", 5, "expected a line that is not indented"),
        (HEAD + "1 drawz KS1\n", 4, "found '1 drawz KS1', expected one of the verbs deal, draws"),
        (HEAD + "1 lays *1 on 0: *1 *2 of 1\n", 4, "expected a meld with a natural card in it"),
        (HEAD + "deal over: void\n", 4, "found no more lines of this event, expected 'points: "),
        (HEAD + "deal over: void\n    points: 1 2\n    hand 1: none\n", 6, "expected hand 0"),
        (HEAD + "reshuffled: 2 cards\n    stock: KS1 X\n", 5, "found 'X' in 'stock: KS1 X'"),
        (HEAD + "reshuffled: 2 cards\n    stocks: KS1\n", 5, "expected one of the verbs hand, own"),
    ],
)
def test_a_text_that_is_no_game_is_refused_at_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_game(text)
    assert refused.value.line == line
    assert str(refused.value).startswith(f"line {line}: ")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("start", "new", "message"),
    [
        ("seats:", "seats: 6", "European Kaluki seats 2 to 5, not 6 (E-1)"),
        ("seats:", "seats: 2\nseen by: 1", "cards are hidden"),
        ("deal 1", "deal 2: {rest}", "is 'deal 2: contract 1"),
        ("stock", "    stock: KS1", "these cards are missing: "),
        ("stock", "    stock: none", "these cards are missing: "),
        ("stock", "    stock: *9", "*9 stands twice, or is none of these cards"),
        ("1 draws", "1 draws --", "is '1 draws --', should be '1 draws "),
        ("1 draws", "0 draws 2C1", "'0 draws 2C1' is refused: NOT_YOUR_TURN (X-19)"),
        ("1 discards", "1 discards *9", "is refused: CARD_NOT_HELD (X-2): card *9"),
        ("1 discards", "1 lays KS1 on 0: KS1 KH1 of 0", "is refused: NOT_OPENED (E-6)"),
        ("1 discards", "window: KS1 for 0", "no action explains this event"),
        ("deal over", "deal over: void", "is 'deal over: void', should be 'deal over: "),
        ("points", "    points: 1 1", "is 'points: 1 1', should be 'points: "),
    ],
)
def test_a_game_that_is_not_legal_is_refused_at_its_line(
    start: str, new: str, message: str
) -> None:
    text = game_text()
    line = found_in(text, start)
    lines = lines_of(text)
    lines[line - 1] = new.format(rest=lines[line - 1].partition(": ")[2])
    with pytest.raises(CorruptGame) as corrupt:
        verified("\n".join(lines))
    assert corrupt.value.line - line in ((0, 1) if "\n" in new else (0,))
    assert message in corrupt.value.reason
    assert str(corrupt.value) == f"line {corrupt.value.line}: {corrupt.value.reason}"


def test_words_that_events_do_not_hold_are_verified_as_well() -> None:
    text = game_text()
    for old, new in (("(40 points)", "(3 sets)"), ("contract 1 ", "contract 2 ")):
        with pytest.raises(CorruptGame, match="should be 'deal 1: contract 1"):
            verified(text.replace(old, new, 1))


def test_a_game_that_is_cut_off_within_an_action_is_refused_at_its_last_line() -> None:
    text = game_text()
    over = found_in(text, "deal over")
    kept = lines_of(text)[: over - 1]
    with pytest.raises(CorruptGame, match="cut off before 'deal over") as corrupt:
        verified("\n".join(kept))
    assert corrupt.value.line == over - 1
    with pytest.raises(CorruptGame, match="cut off") as corrupt:
        verified(HEAD)
    assert corrupt.value.line == 3


def test_a_game_that_is_cut_off_between_actions_is_legal_so_far() -> None:
    text = game_text()
    cut = found_in(text, "1 discards")
    parsed = verified("\n".join(lines_of(text)[:cut]))
    assert parsed.lines[-1][0][0] == cut


@examples(150)
@given(st.data())
def test_a_game_with_one_line_changed_is_refused(data: st.DataObject) -> None:
    """A line that is gone, twice there, moved, or has another word: never played on."""
    lines = lines_of(game_text())
    at = data.draw(st.integers(0, len(lines) - 1).filter(lambda at: lines[at].strip() != ""))
    change = data.draw(st.sampled_from(("drop", "repeat", "word", "swap")))
    changed = list(lines)
    if change == "drop":
        del changed[at]
    elif change == "repeat":
        changed.insert(at, changed[at])
    elif change == "swap":
        other = data.draw(st.integers(0, len(lines) - 1))
        changed[at], changed[other] = changed[other], changed[at]
    else:
        words = changed[at].split(" ")
        place = data.draw(st.integers(0, len(words) - 1))
        words[place] = data.draw(st.sampled_from(("3", "KS1", "*2", "", "none", "passes", "0")))
        changed[at] = " ".join(words)
    try:
        parsed = verified("\n".join(changed))
    except (NotationError, CorruptGame) as error:
        refused = error
    else:  # what is left is a legal game, and says nothing that is not so
        again = write_game(RULE_SETS["kaluki-european"], 2, parsed.events)
        assert [line for line in changed if line] == [line for line in lines_of(again) if line]
        return
    assert 1 <= refused.line <= len(changed)


# --- replays --------------------------------------------------------------------------------------


def test_a_replay_goes_action_by_action() -> None:
    parsed = parse_game(game_text())
    replay = TextReplay(RULE_SETS["kaluki-european"], parsed)
    assert replay.position == 1
    while not replay.over:
        seat, action = replay.next_action()
        start = replay.position
        text = action_text(seat, action)
        replay.step()
        shown = [lines[0][1] for lines in parsed.lines[start : replay.position]]
        assert any(line.startswith(text) for line in shown)


@pytest.mark.parametrize("name", ["notation", "notation_game", "notation_replay"])
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
