"""Matches of two bots: paired decks, mixed seats, intervals, and faults that say where."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import pytest

from rummy_arena.bots.bot import Dice
from rummy_arena.bots.match import (
    BotFault,
    Record,
    Terms,
    play_match,
    seatings,
    seatings_of_board,
    seatings_of_pair,
    verdict,
)
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.game.actions import Action, discard
from rummy_arena.game.events import DealEnd
from rummy_arena.game.state import Phase
from rummy_arena.game.view import View
from rummy_arena.rulesets.registry import RULE_SETS
from rummy_arena.tournament.sequential_interval import margin_of, t_quantile

JAMAICAN = RULE_SETS["kalooki-jamaican"]
GREEDY, RANDOM = HOUSE_BOTS["greedy"], HOUSE_BOTS["random"]


@pytest.mark.parametrize(
    ("share", "freedom", "expected"),
    [
        (0.975, 10, 2.2281),
        (0.995, 10, 3.1693),
        (0.995, 30, 2.7500),
        (0.995, 100, 2.6259),
        (0.975, 20, 2.0860),
    ],
)
def test_students_t_is_as_tables_have_it(share: float, freedom: int, expected: float) -> None:
    assert t_quantile(share, freedom) == pytest.approx(expected, rel=1e-3)


def test_the_interval_of_a_mean() -> None:
    values = [float(value) for value in range(31)]
    deviation = math.sqrt(sum((value - 15) ** 2 for value in values) / 30)
    assert margin_of(values, 0.99) == pytest.approx(2.75 * deviation / math.sqrt(31), rel=1e-3)
    assert margin_of([1.0], 0.99) == math.inf


@pytest.mark.parametrize("seats", range(2, 9))
def test_each_bot_sits_everywhere_and_beside_everybody_as_often(seats: int) -> None:
    terms = Terms(JAMAICAN, seats, pairs=1, whole_games=True)
    halves = seatings(seats)
    assert len(set(halves)) == len(halves) == math.comb(seats, seats // 2) // (2 - seats % 2)
    firsts: Counter[int] = Counter()
    neighbours: Counter[tuple[bool, bool]] = Counter()
    for number in range(len(halves)):
        pair = seatings_of_pair(terms, number)
        for seating in pair:
            firsts.update(seat for seat, first in enumerate(seating) if first)
            neighbours.update(zip(seating, seating[1:] + seating[:1], strict=True))
        assert all(one != other for one, other in zip(*pair, strict=True))
    assert set(firsts.values()) == {len(halves)}
    assert neighbours[True, True] == neighbours[False, False]
    assert neighbours[True, False] == neighbours[False, True]


@pytest.mark.parametrize(("seats", "whole_games"), list(product((3, 4), (False, True))))
def test_a_bot_is_exactly_as_good_as_itself(seats: int, whole_games: bool) -> None:
    terms = Terms(JAMAICAN, seats, pairs=4, seed=3, whole_games=whole_games)
    record = play_match(terms, GREEDY, GREEDY)
    assert record.differences() == pytest.approx([0.0] * 4)
    assert record.hands[0] == record.hands[1]
    assert record.plays == 8
    assert verdict(record) is None


def test_single_deals_take_turns_at_the_contracts() -> None:
    seen: list[tuple[int, int]] = []

    class Watching:
        name = "watching"

        def choose(self, view: View, dice: Dice) -> Action:
            seen.append((view.contract_number, view.contract.hand_size))
            return GREEDY.choose(view, dice)

    record = play_match(Terms(JAMAICAN, 3, pairs=10), Watching(), GREEDY)
    sizes = {
        number: contract.hand_size for number, contract in enumerate(JAMAICAN.contracts, start=1)
    }
    assert dict(seen) == sizes
    assert record.ends.total() >= 20
    assert record.hands == [30, 30]


def test_the_same_seed_plays_the_same_match() -> None:
    terms = Terms(RULE_SETS["kalooki-bonus"], 4, pairs=3, seed=8)
    first, again = (play_match(terms, GREEDY, RANDOM) for _ in range(2))
    assert first == again
    other = play_match(Terms(terms.rules, 4, pairs=3, seed=9), GREEDY, RANDOM)
    assert other.differences() != first.differences()


def test_greedy_is_shown_to_beat_random() -> None:
    told: list[int] = []
    record = play_match(
        Terms(RULE_SETS["carioca-argentine"], 4, pairs=14),
        RANDOM,
        GREEDY,
        progress=lambda so_far: told.append(len(so_far.boards)),
    )
    assert verdict(record) == 1
    assert record.mean() > 0
    assert record.mean_penalty(0) > record.mean_penalty(1)
    assert told == list(range(1, 15))
    assert sum(record.deals_won) == record.ends[DealEnd.OUT]


def test_games_are_won_once_each() -> None:
    record = play_match(Terms(JAMAICAN, 3, pairs=2, whole_games=True), GREEDY, RANDOM)
    assert sum(record.games_won) == pytest.approx(4)
    assert sum(record.hands) == 4 * 3 * 9
    assert sum(record.share(end) for end in DealEnd) == pytest.approx(1)


def test_an_illegal_action_is_reported_with_its_place() -> None:
    class Cheat:
        name = "cheat"

        def choose(self, view: View, dice: Dice) -> Action:
            return discard(255) if view.phase is Phase.PLAY else GREEDY.choose(view, dice)

    with pytest.raises(BotFault) as fault:
        play_match(Terms(JAMAICAN, 4, pairs=2), Cheat(), GREEDY)
    assert fault.value.violation is not None
    assert fault.value.violation.code == "CARD_NOT_HELD"
    assert (fault.value.pair, fault.value.which) == (0, 0)
    text = str(fault.value)
    assert text.startswith("the bot cheat (the first) chose Action(kind=")
    assert "which is refused as CARD_NOT_HELD (X-2): card 255, at seat 1 in pair 1: " in text
    assert text.endswith("deal 1 (3 sets), turn 1")


def test_a_legal_kind_at_the_wrong_time_is_told_in_notation() -> None:
    class Eager:
        name = "eager"

        def choose(self, view: View, dice: Dice) -> Action:
            return discard(view.hand[0])

    with pytest.raises(BotFault, match=r"chose '[0-9] discards \S+', which is refused as WRONG_"):
        play_match(Terms(JAMAICAN, 4, pairs=2), GREEDY, Eager())


@pytest.mark.parametrize("nothing", [None, "1 draws", 3, (1, 2)])
def test_what_is_no_action_is_said_as_it_is(nothing: object) -> None:
    class Silent:
        name = "silent"

        def choose(self, view: View, dice: Dice) -> Action:
            return nothing  # type: ignore[return-value]

    with pytest.raises(BotFault) as fault:
        play_match(Terms(JAMAICAN, 4, pairs=2), GREEDY, Silent())
    said = f"the bot silent (the second) chose {nothing!r}, which is no Action"
    assert str(fault.value).startswith(said)


@pytest.mark.parametrize("error", [ZeroDivisionError("far\ntoo small"), SystemExit()])
def test_what_a_bot_raises_is_the_cause_of_its_fault(error: BaseException) -> None:
    class Faulty:
        def choose(self, view: View, dice: Dice) -> Action:
            raise error

    with pytest.raises(BotFault) as fault:
        play_match(Terms(JAMAICAN, 4, pairs=2), Faulty(), GREEDY)  # type: ignore[arg-type]
    assert fault.value.__cause__ is error
    assert str(fault.value).startswith(f"the bot Faulty (the first) raised {type(error).__name__}")
    assert "\n" not in str(fault.value)


def test_nothing_is_concluded_from_one_pair() -> None:
    assert verdict(Record(boards=[(-80.0, 0.0)])) is None
    assert verdict(Record(boards=[(-80.0, 0.0), (-81.0, 0.0), (-82.0, 0.0)])) == 0


@pytest.mark.parametrize(("seats", "bots"), [(3, 3), (4, 4), (6, 3), (8, 4)])
def test_each_of_several_bots_has_every_seat_as_often(seats: int, bots: int) -> None:
    terms = Terms(JAMAICAN, seats, pairs=1)
    seatings = seatings_of_board(terms, 0, bots)
    for seat in range(seats):
        had = Counter(seating[seat] for seating in seatings)
        assert set(had) == set(range(bots))
        assert len(set(had.values())) == 1
