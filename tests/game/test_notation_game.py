"""Whole games in notation: parsed back, verified, and refused at the line that is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_arena.game import engine, series
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.events import DealEnded, DealStarted, Event, LegEnded, LotsDrawn
from rummy_arena.game.notation import NotationError, action_text
from rummy_arena.game.notation.games import ParsedGame, parse_game, write_game
from rummy_arena.game.notation.replaying import CorruptGame, TextReplay, replay_text
from rummy_arena.game.state import Phase
from rummy_arena.rulesets.errors import UnknownRuleSet
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set

from .plays import examples
from .seeking_games import SEATS, first_events


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_a_game_parses_back_and_is_verified(rule_set: str) -> None:
    rules, log = RULE_SETS[rule_set], first_events(rule_set)
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
    return write_game(RULE_SETS[rule_set], 2, first_events(rule_set, 2, 120))


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
    with pytest.raises(CorruptGame, match="no events: ") as corrupt:
        verified(HEAD)
    assert corrupt.value.line == 3


def short_game(rule_set: str, seats: int, options: dict[str, str] | None = None) -> list[Event]:
    """Return the log of a whole game that nobody attends, so that every deal is void or capped."""
    rules = get_rule_set(rule_set, options)
    game, log = series.new_game(rules, seats, chance := SeededChance(rules, bytes(32)))
    while not game.over:
        seat = engine.deciders(game.deal)[0]
        log += series.apply(game, seat, engine.standard_move(game.deal, seat), chance)
    return log


def between(log: list[Event], start: int) -> tuple[object, ...]:
    """Return what tells one kind of gap between two deals from another: what happens in it."""
    ended = next(at for at in range(start, 0, -1) if isinstance(log[at], DealEnded))
    event = log[ended]
    assert isinstance(event, DealEnded)
    return (event.end, bool(event.points), *map(type, log[ended + 1 : start]))


@pytest.mark.parametrize(
    ("rule_set", "options"),
    [("carioca-argentine", {}), ("kalooki-bonus", {"short_form": "on", "best_of": "3"})],
)
def test_a_game_may_end_with_any_deal(rule_set: str, options: dict[str, str]) -> None:
    rules, log = get_rule_set(rule_set, options), short_game(rule_set, 3, options)
    starts = [at for at, event in enumerate(log) if isinstance(event, DealStarted)]
    assert len(starts) > len(rules.contracts)  # voids are dealt again
    for start in {between(log, start): start for start in starts[1:]}.values():
        parsed = parse_game(write_game(rules, 3, log[:start]))
        replay = TextReplay(rules, parsed)
        while not replay.over:
            replay.step()
        assert replay.between_deals
        assert replay.position == start
        assert replay.game.deal.phase is Phase.OVER
        before = log[start - 1]
        if isinstance(before, DealEnded) and before.points:
            assert replay.game.scores[-1] == before.points
    whole = TextReplay(rules, parse_game(write_game(rules, 3, log)))
    while not whole.over:
        whole.step()
    assert not whole.between_deals


def test_a_game_lacks_nothing_but_the_next_deal() -> None:
    options = {"short_form": "on", "best_of": "3"}
    rules, log = get_rule_set("kalooki-bonus", options), short_game("kalooki-bonus", 3, options)
    at = next(at for at, event in enumerate(log) if isinstance(event, LotsDrawn | LegEnded))
    said = "cut off before the lots were drawn" if isinstance(log[at], LotsDrawn) else "'leg 1 over"
    with pytest.raises(CorruptGame, match=said):
        replay_text(rules, parse_game(write_game(rules, 3, log[:at])))
    with pytest.raises(CorruptGame, match="cut off before 'game over: totals"):
        replay_text(rules, parse_game(write_game(rules, 3, log[:-1])))


def test_no_refusal_names_cards_of_a_deal_that_is_not_there() -> None:
    text = game_text()
    lines = lines_of(text)
    second = found_in(text, "deal 2: ")
    third = next(at for at, line in enumerate(lines, 1) if at > second and "draws" in line)
    without = [*lines[: second - 1], *lines[third - 1 :]]
    with pytest.raises(CorruptGame, match=r"should be 'deal 2: .*, up-card \.\.\.'$") as corrupt:
        verified("\n".join(without))
    assert corrupt.value.line == second
    lines[second - 1] = lines[second - 1].replace("deal 2:", "deal 3:")
    with pytest.raises(CorruptGame, match=r"should be 'deal 2: .*, up-card \.\.\.'$"):
        verified("\n".join(lines))


def test_a_game_that_is_cut_off_between_actions_is_legal_so_far() -> None:
    text = game_text()
    cut = found_in(text, "1 discards")
    parsed = verified("\n".join(lines_of(text)[:cut]))
    assert parsed.lines[-1][0][0] == cut


def said_by(lines: list[str]) -> list[str]:
    """Return the lines that say something, the entries of the head in no order of theirs."""
    first, rules, seats, *events = [line for line in lines if line]
    return [first, *sorted((rules, seats)), *events]


@examples(60)
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
    except UnknownRuleSet:  # the word was its id
        return
    else:  # what is left is a legal game, and says nothing that is not so
        again = write_game(RULE_SETS["kaluki-european"], 2, parsed.events)
        assert said_by(changed) == said_by(lines_of(again))
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
