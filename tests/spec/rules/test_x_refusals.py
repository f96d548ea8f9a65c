"""X-18: what is illegal is refused with its reason, costs nothing and changes nothing."""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import cycle, product
from typing import Any

import pytest

from rummy_arena.game import engine, series
from rummy_arena.game.actions import NONE, Action, ActionKind
from rummy_arena.game.errors import IllegalHere, Malformed, RuleViolation
from rummy_arena.game.melds import Meld, MeldKind
from rummy_arena.game.rules import RuleSet, RunEnds
from rummy_arena.game.state import Deal, Phase
from rummy_arena.rulesets.rulebook import all_clauses
from tests.spec.every_game import WITH_CALLS, cards, every_game, of_games, opening
from tests.spec.positions import Position, Stacked, in_game, position

CLAUSES = {clause.id for clause in all_clauses()}
HAND = "KS KH KD QS QH QD 6S 6H 6D *"
TABLE = ["1: 2S 2D 2C", "1: 8H-*-TH-JH", "0: 9C-TC-JC-QC"]


@pytest.mark.clause("X-18")
@every_game
def test_a_wrong_opening_costs_nothing_and_the_right_one_may_follow(rules: RuleSet) -> None:
    right = opening(rules)
    wrong = right.rpartition(" / ")[0]
    held = position(rules=rules, hands={0: f"{cards(right)} 2C"})
    game = in_game(held)
    code = "POINTS_NOT_REACHED" if rules.by_elimination else "CONTRACT_NOT_MET"
    held.refuses(f"0 opens {wrong}", IllegalHere, code, rules.clause(code))
    assert game.totals == (0, 0, 0)
    held.does(f"0 opens {right}")
    assert held.hand(0) == "2C"


@pytest.mark.clause("X-18")
@every_game
def test_a_refusal_tells_which_ends_of_a_run_were_tried(rules: RuleSet) -> None:
    held = position(rules=rules, hands={0: "2C KH 3C"}, table=["0: 4H-5H-6H-7H"])
    upwards = rules.run_ends is RunEnds.UPWARDS
    tried = {"": ("high",) if upwards else ("high", "low"), " high": ("high",)}
    for end, ends in tried.items():
        with pytest.raises(IllegalHere) as found:
            engine.check(held.deal, *held.action(f"0 lays KH on 0{end}"))
        assert found.value.code == "CARD_DOES_NOT_FIT"
        assert found.value.facts["ends"] == ends


@pytest.mark.clause("X-18")
@of_games(WITH_CALLS)
def test_a_call_too_many_costs_nothing(rules: RuleSet) -> None:
    held = position(rules=rules, seats=4, hands={0: "7H 8H"}, calls={2: 3})
    game = in_game(held)
    held.does("0 discards 7H")
    held.refuses("2 calls", IllegalHere, "CALLS_USED_UP", rules.clause("CALLS_USED_UP"))
    held.does("3 passes")
    assert (game.totals, held.deal.calls[2]) == ((0, 0, 0, 0), 3)


def to_draw(rules: RuleSet) -> Position:
    """Return a deal that waits for a draw."""
    return position(rules=rules, hands={0: HAND}, table=TABLE, phase=Phase.DRAW)


def unopened(rules: RuleSet) -> Position:
    """Return a deal that waits for a seat that may open."""
    return position(rules=rules, hands={0: HAND}, table=TABLE[:2])


def opened(rules: RuleSet) -> Position:
    """Return a deal that waits for a seat that has opened."""
    return position(rules=rules, hands={0: f"{HAND} 9H 2H KC 8C"}, table=TABLE)


def after_discard(rules: RuleSet) -> Position:
    """Return a deal that waits for answers where the game has calls, else for a draw."""
    held = position(rules=rules, seats=4, hands={0: "7H 8H", 1: HAND})
    held.does("0 discards 7H")
    return held


def decision(rules: RuleSet) -> Position:
    """Return a deal that waits for the decision about a call where the game has calls."""
    held = after_discard(rules)
    return held.all("2 calls", "3 passes") if rules.max_calls else held


def over(rules: RuleSet) -> Position:
    """Return a deal that is over."""
    return position(rules=rules, hands={0: "2C"}, opened=[0]).all("0 discards 2C")


def buying_back(rules: RuleSet) -> Position:
    """Return a deal after which a seat may buy back where the game has that, else one not begun."""
    held = to_draw(rules)
    if rules.rebuys:
        held = position(rules=rules, hands={0: "2C", 1: "*"}, opened=[0], seats=4)
        in_game(held).adjustments[1] = 150
        held.does("0 discards 2C")
        assert held.phase() is Phase.REBUY
    return held


CARDS = (NONE, 0, 51, 208, 211, 255, 300)
MELDS = (
    (),
    (Meld(MeldKind.SET, ()),),
    (Meld(MeldKind.RUN, (NONE, NONE)),),
    (Meld(MeldKind.RUN, (208, 209, 210, 211)),),
    (Meld(MeldKind.SET, (300, 301, 302)), Meld(MeldKind.SET, (255,))),
)
PLACES = ((NONE, NONE, NONE, NONE), (0, 1, 208, 1), (1, 7, 300, 99), (-2, -3, -4, -5))
ODD = [
    Action(kind, card, target, melds, end, also, onto)
    for (kind, card, (target, end, also, onto)), melds in zip(
        product(ActionKind, CARDS, PLACES), cycle(MELDS), strict=False
    )
]


def refused(deal: Deal, before: Deal, seat: int, action: Action) -> bool:
    """Return whether the action is refused; if so with a clause of the book and no change."""
    found: RuleViolation | None = None
    try:
        engine.check(deal, seat, action)
    except RuleViolation as violation:
        found = violation
    assert deal == before, action
    if found is None:
        return False
    assert found.clause in CLAUSES, (action, found)
    assert str(found).startswith(found.code)
    with pytest.raises(type(found)):
        engine.apply(deal, seat, action, list)
    assert deal == before, action
    return True


def apply_to(held: Position, seat: int, action: Action) -> None:
    """Apply an action to the game of the position, or to its deal alone."""
    if held.game is None:
        engine.apply(held.deal, seat, action, list)
    else:
        series.apply(held.game, seat, action, held.chance)


@pytest.mark.clause("X-18")
@every_game
@pytest.mark.parametrize(
    "made", [to_draw, unopened, opened, after_discard, decision, over, buying_back]
)
def test_whatever_a_client_sends_is_refused_with_a_reason_or_can_be_played(
    rules: RuleSet, made: Callable[[RuleSet], Position]
) -> None:
    held = made(rules)
    before = copy.deepcopy(held.deal)
    for seat in range(held.deal.seats):
        for action in ODD:
            if not refused(held.deal, before, seat, action):
                played = copy.deepcopy(held)
                apply_to(played, seat, action)
        for action in engine.legal_actions(held.deal, seat):
            assert not refused(held.deal, before, seat, action)


@pytest.mark.clause("X-18")
@every_game
@pytest.mark.parametrize("kind", [*range(18), -1, None, "OPEN"])
def test_a_number_or_a_name_is_no_kind_of_action(rules: RuleSet, kind: Any) -> None:
    for made in (to_draw, unopened, opened, after_discard, decision):
        held = made(rules)
        for seat in range(held.deal.seats):
            for action in (Action(kind), Action(kind, held.deal.hands[0][0], 0)):
                with pytest.raises(Malformed) as found:
                    engine.check(held.deal, seat, action)
                assert (found.value.code, found.value.clause) == ("UNKNOWN_ACTION", "X-18")


@pytest.mark.clause("X-18")
@every_game
@pytest.mark.parametrize("kind", [0, 1, 2, -1, None])
def test_a_number_is_no_kind_of_meld(rules: RuleSet, kind: Any) -> None:
    melds = opening(rules)
    held = position(rules=rules, hands={0: f"{cards(melds)} 2C"})
    right = held.action(f"0 opens {melds}")[1]
    first, *rest = right.melds
    with pytest.raises(RuleViolation):
        engine.apply(held.deal, 0, right._replace(melds=(first._replace(kind=kind), *rest)), list)
    assert held.deal.melds == []
    held.does(f"0 opens {melds}")


@pytest.mark.clause("X-18")
@every_game
def test_who_changes_a_list_of_cards_afterwards_changes_nothing(rules: RuleSet) -> None:
    melds = opening(rules)
    held = position(rules=rules, hands={0: f"{cards(melds)} 2C"})
    right = held.action(f"0 opens {melds}")[1]
    written: Any = [list(meld.cards) for meld in right.melds]
    loose = [Meld(MeldKind.SET, at) for at in written]
    engine.apply(held.deal, 0, right._replace(melds=tuple(loose)), list)
    for at in written:
        at.clear()
    assert [meld.cards for meld in held.deal.melds] == [meld.cards for meld in right.melds]


@pytest.mark.clause("X-18")
@every_game
def test_a_run_is_not_passed_off_as_a_set(rules: RuleSet) -> None:
    wrong = opening(rules).replace("KS KH KD", "4C 5C 6C 7C")
    held = position(rules=rules, hands={0: f"{cards(wrong)} 2C"})
    held.refuses(f"0 opens {wrong}", IllegalHere, "SET_RANKS_DIFFER", "X-1")


@pytest.mark.clause("X-18")
@every_game
def test_nothing_is_played_when_the_game_is_over(rules: RuleSet) -> None:
    game, _ = series.new_game(rules, 3, Stacked(rules))
    game.over = True
    before = copy.deepcopy(game)
    for kind in ActionKind:
        with pytest.raises(IllegalHere) as found:
            series.apply(game, game.deal.turn, Action(kind), Stacked(rules))
        assert (found.value.code, found.value.clause) == (
            "GAME_OVER",
            rules.clause("GAME_OVER"),
        )
    assert game == before
