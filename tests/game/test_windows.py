"""A call window is a function of its answers, and shows none of them while it is open (J-6, X-15).

Every answer of every seat is given in every order, with a waiver or an interruption of the next
player anywhere among them.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import chain, pairwise, permutations, product
from random import Random

import pytest

from rummy_arena.game import series
from rummy_arena.game.actions import ALLOW, CALL, DRAW_DISCARD, DRAW_STOCK, FORBID, NONE, PASS
from rummy_arena.game.actions import Action as Act
from rummy_arena.game.engine import asked, check, deciders, kinds, legal_actions
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.events import (
    Allowed,
    Called,
    Drew,
    Event,
    Passed,
    Source,
    WindowClosed,
    WindowOpened,
)
from rummy_arena.game.replay import CorruptLog, actions_in, replay
from rummy_arena.game.rules import CallPriority, RuleSet
from rummy_arena.game.state import Deal, Game, Phase
from rummy_arena.game.view import view
from rummy_arena.rulesets.registry import get_rule_set
from tests.spec.positions import Stacked, in_game, position

from .plain_player import PlainPlayer
from .plays import Setting, whole_game

SEATS = 5
NEXT = 1
Given = tuple[int, Act]
FIRST, BY_NEXT = ("call_priority", "first_received"), ("call_authority", "next_player")
GAMES: dict[str, tuple[RuleSet, tuple[int, ...]]] = {
    "jamaican": (get_rule_set("kalooki-jamaican"), ()),
    "jamaican, next player opened": (get_rule_set("kalooki-jamaican"), (NEXT,)),
    "bonus": (get_rule_set("kalooki-bonus"), ()),
    "bonus, first call": (get_rule_set("kalooki-bonus", dict([FIRST])), ()),
    "bonus, next player decides": (get_rule_set("kalooki-bonus", dict([BY_NEXT])), ()),
    "bonus, both": (get_rule_set("kalooki-bonus", dict([FIRST, BY_NEXT])), ()),
}
of_every_kind = pytest.mark.parametrize("name", GAMES)


def opened_window(name: str) -> Game:
    """Return a game in which seat 0 has just discarded, and seats 2 to 4 are asked."""
    rules, opened = GAMES[name]
    held = position(rules=rules, seats=SEATS, hands={0: "7H 8H"}, opened=opened)
    game = in_game(held)
    held.all("0 discards 7H")
    assert asked(game.deal) == (2, 3, 4)
    return game


def acts(game: Game) -> Iterator[tuple[Given, ...]]:
    """Yield everything that can be done in the window, each once in some order."""
    answers = [[(seat, CALL), (seat, PASS)] for seat in asked(game.deal)]
    more: list[tuple[Given, ...]] = [()]
    if kinds(game.deal, NEXT):
        more += [((NEXT, ALLOW),), ((NEXT, DRAW_DISCARD),)]
    for given, also in product(product(*answers), more):
        yield (*given, *also)


def arrivals(name: str) -> Iterator[tuple[tuple[Given, ...], Game, list[Event]]]:
    """Yield every order in which a window is answered to its end, and what came of it."""
    start = opened_window(name)
    chance = Stacked(start.rules)
    for order in chain.from_iterable(map(permutations, acts(start))):
        game, events = copy.deepcopy(start), []
        for count, (seat, action) in enumerate(order, 1):
            events = series.apply(game, seat, action, chance)
            if game.deal.phase is not Phase.CALL_WINDOW:
                yield order[:count], game, events
                break
            assert events == [], "heard while the window is open"


@of_every_kind
def test_what_a_window_leads_to_does_not_depend_on_the_order_of_its_answers(name: str) -> None:
    found: dict[frozenset[Given], list[tuple[Game, list[Event]]]] = defaultdict(list)
    for order, game, events in arrivals(name):
        found[frozenset(order)].append((game, events))
    assert len(found) >= 8
    assert max(map(len, found.values())) >= 6
    for same in found.values():
        assert all(one == same[0] for one in same)


@of_every_kind
def test_answers_are_heard_in_turn_order_a_waiver_first_and_a_decisive_call_last(name: str) -> None:
    first = GAMES[name][0].call_priority is CallPriority.FIRST_RECEIVED
    for order, _, events in arrivals(name):
        heard = [event for event in events if isinstance(event, Called | Passed)]
        told = {(event.seat, CALL if isinstance(event, Called) else PASS) for event in heard}
        assert told == {given for given in order if given[0] != NEXT}
        seats = [event.seat for event in heard]
        calls = [event.seat for event in heard if isinstance(event, Called)]
        if first and calls:
            assert seats == [*sorted(seats[:-1]), *calls]
        else:
            assert seats == sorted(seats)
        assert ((NEXT, ALLOW) in order) == (events[0] == Allowed(NEXT))
        assert actions_in(events) == len(order)


# --- nothing is seen while it is open -------------------------------------------------------------


@cache
def partly_answered(name: str) -> tuple[tuple[frozenset[Given], Game], ...]:
    """Return every state of the open window, with what was answered in it."""
    start = opened_window(name)
    chance = Stacked(start.rules)
    states: dict[frozenset[Given], Game] = {frozenset(): start}
    for given in acts(start):
        for order in permutations(given):
            game = copy.deepcopy(start)
            for count, (seat, action) in enumerate(order, 1):
                series.apply(game, seat, action, chance)
                if game.deal.phase is not Phase.CALL_WINDOW:
                    break
                states.setdefault(frozenset(order[:count]), copy.deepcopy(game))
    return tuple(states.items())


def shown(deal: Deal, game: Game, seat: int) -> tuple[object, ...]:
    """Return all that a seat or a spectator can find out: its view, and how it is refused."""
    seen = view(game, seat)
    if seat == NONE:
        return (seen, asked(deal))
    tried = (CALL, PASS, ALLOW, FORBID, DRAW_DISCARD, DRAW_STOCK)
    return (seen, asked(deal), legal_actions(deal, seat), [_refusal(deal, seat, a) for a in tried])


def _refusal(deal: Deal, seat: int, action: Act) -> object:
    try:
        check(deal, seat, action)
    except RuleViolation as refused:
        return (type(refused), refused.code, refused.clause, refused.facts)
    return None


@of_every_kind
@pytest.mark.parametrize("seat", range(NONE, SEATS))
def test_what_is_seen_of_an_open_window_depends_on_the_own_answer_alone(
    name: str, seat: int
) -> None:
    seen: dict[frozenset[Given], list[tuple[object, ...]]] = defaultdict(list)
    for answers, game in partly_answered(name):
        own = frozenset(given for given in answers if given[0] == seat)
        seen[own].append(shown(game.deal, game, seat))
    if seat in (2, 3, 4):
        assert len(seen) >= 2
        assert shown_differs(seen)
    for same in seen.values():
        assert len(same) > 1
        assert all(one == same[0] for one in same)


def shown_differs(seen: dict[frozenset[Given], list[tuple[object, ...]]]) -> bool:
    """Return whether a seat that has answered sees that it has."""
    return all(same[0] != seen[frozenset()][0] for own, same in seen.items() if own)


@of_every_kind
def test_only_seats_that_have_not_answered_are_waited_for(name: str) -> None:
    for answers, game in partly_answered(name):
        answered = {seat for seat, _ in answers}
        assert deciders(game.deal) == tuple(sorted({2, 3, 4} - answered))
        if (NEXT, ALLOW) in answers:
            assert kinds(game.deal, NEXT) == ()


# --- in a log -------------------------------------------------------------------------------------


@cache
def log_with_windows() -> tuple[Setting, tuple[Event, ...]]:
    """Return a game in which windows are answered by several seats and interrupted."""
    chosen = Setting(get_rule_set("kalooki-jamaican"), SEATS, 1, 4)
    _, log = whole_game(chosen, PlainPlayer(Random(4), skill=0.7, calls=0.5))
    return chosen, tuple(log)


def test_a_log_that_ends_with_an_open_window_replays_to_the_open_window() -> None:
    chosen, log = log_with_windows()
    opened = [at for at, event in enumerate(log) if isinstance(event, WindowOpened)][:20]
    for at in opened:
        game = replay(chosen.rules, SEATS, log[: at + 1])
        assert game.deal.phase is Phase.CALL_WINDOW
        assert deciders(game.deal) == asked(game.deal) == log[at].seats  # type: ignore[union-attr]


def test_a_log_that_ends_within_the_answers_of_a_window_is_cut_off() -> None:
    chosen, log = log_with_windows()
    pairs = pairwise(log)
    cuts = [
        at + 1
        for at, (event, after) in enumerate(pairs)
        if isinstance(event, Passed) and isinstance(after, Passed | Called)
    ]
    assert len(cuts) > 20
    for end in cuts[:20]:
        with pytest.raises(CorruptLog, match="within the answers of a call window") as corrupt:
            replay(chosen.rules, SEATS, log[:end])
        assert corrupt.value.sequence == end + 1


def test_answers_in_another_order_than_that_of_the_seats_are_found_at_the_first_of_them() -> None:
    chosen, log = log_with_windows()
    pairs = pairwise(log)
    places = [
        at
        for at, (event, after) in enumerate(pairs)
        if isinstance(event, Passed | Called) and isinstance(after, Passed | Called)
    ]
    assert len(places) > 20
    for at in places[:20]:
        swapped = [*log[:at], log[at + 1], log[at], *log[at + 2 :]]
        with pytest.raises(CorruptLog) as corrupt:
            replay(chosen.rules, SEATS, swapped)
        assert (corrupt.value.sequence, corrupt.value.expected) == (at + 1, log[at])


def test_a_missing_answer_is_found_where_its_window_closes_without_it() -> None:
    """With the draw of the discard next, it would be a window that was interrupted."""
    chosen, log = log_with_windows()
    places = [
        at
        for at, (event, after, drew) in enumerate(zip(log, log[1:], log[2:], strict=False))
        if isinstance(event, Passed)
        and isinstance(after, WindowClosed)
        and not (isinstance(drew, Drew) and drew.source is Source.DISCARD)
    ]
    assert len(places) >= 10
    for at in places[:20]:
        with pytest.raises(CorruptLog) as corrupt:
            replay(chosen.rules, SEATS, [*log[:at], *log[at + 1 :]])
        assert corrupt.value.sequence == at + 1
