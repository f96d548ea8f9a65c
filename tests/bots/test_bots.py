"""The house bots: legal in every position, pure, and the same game however it is cut."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest

import rummy_arena.bots
from rummy_arena.bots import reading
from rummy_arena.bots.bot import Bot, Dice
from rummy_arena.bots.drive import drive, play_game
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.game import series, solver
from rummy_arena.game.actions import Action, ActionKind
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.engine import deciders, legal_actions
from rummy_arena.game.events import DealEnd, DealEnded, Event
from rummy_arena.game.solver.tables import SUIT_BIT
from rummy_arena.game.state import Game, Phase
from rummy_arena.game.view import View, view
from rummy_arena.rulesets.registry import RULE_SETS

RULES = RULE_SETS["kalooki-jamaican"]


def seed_of(number: int) -> bytes:
    return number.to_bytes(32, "big")


def new_game(number: int, seats: int = 4) -> tuple[Game, SeededChance, list[Event]]:
    chance = SeededChance(RULES, seed_of(number))
    game, events = series.new_game(RULES, seats, chance)
    return game, chance, events


def play(number: int, names: list[str], burst: int = 10**9) -> list[Event]:
    """Return all events of a game that is played in bursts of at least ``burst`` events."""
    game, chance, events = new_game(number, len(names))
    bots = {seat: HOUSE_BOTS[name] for seat, name in enumerate(names)}
    while not game.over:
        events += drive(
            game,
            chance,
            bots,
            seed_of(number),
            stop=lambda played: len(played) >= burst,
        )
    return events


@pytest.mark.parametrize("name", HOUSE_BOTS)
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_table_of_one_kind_finishes(name: str, seats: int) -> None:
    play(seats, [name] * seats)


@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_any_cut_plays_the_same_game(name: str) -> None:
    names = [name, "random", "greedy", name]
    whole = play(5, names)
    assert play(5, names, burst=1) == whole
    assert play(5, names, burst=37) == whole


@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_a_choice_does_not_depend_on_what_was_asked_before(name: str) -> None:
    bot = HOUSE_BOTS[name]
    asked = [(seen, Dice(b"x", number)) for number, (seen, _) in enumerate(decisions(11, name))]
    chosen = [bot.choose(seen, dice) for seen, dice in asked]
    for number in reversed(range(0, len(asked), 3)):
        reading._readings.clear()
        assert bot.choose(asked[number][0], Dice(b"x", number)) == chosen[number]


def test_what_is_kept_of_a_discard_is_what_a_fresh_reading_finds() -> None:
    checked = 0
    for seen, _ in decisions(4, "greedy"):
        if ActionKind.OPEN not in seen.kinds:
            continue
        now = reading.read(seen)
        for card in [card for card in seen.hand if SUIT_BIT[card] & now.needless()]:
            reading._readings.clear()
            reading.expect_discard(now, card)
            ((hand, kept),) = reading._readings.items()
            assert hand == tuple(held for held in seen.hand if held != card)
            assert kept.masks == solver.masks(hand)
            assert kept.distance == kept.plan.distance
            assert kept.tight <= kept.plan.tight
            checked += 1
    assert checked > 100


def decisions(number: int, name: str) -> list[tuple[View, list[Action]]]:
    """Return every view that a table of one kind of bot is asked for, and the legal actions."""
    game, chance, _ = new_game(number)
    asked = []
    while not game.over:
        seat = deciders(game.deal)[0]
        seen = view(game, seat)
        asked.append((seen, legal_actions(game.deal, seat)))
        action = HOUSE_BOTS[name].choose(seen, Dice(seed_of(number), len(asked)))
        series.apply(game, seat, action, chance)
    return asked


def test_drive_stops_where_a_seat_without_a_bot_must_decide() -> None:
    game, chance, _ = new_game(3)
    bots = dict.fromkeys((0, 1, 3), HOUSE_BOTS["greedy"])
    drive(game, chance, bots, seed_of(3))
    assert 2 in deciders(game.deal)
    assert not set(deciders(game.deal)) & set(bots)


def test_dice_depend_on_seed_and_position_alone() -> None:
    first = Dice(b"seed", 7).random.random()
    assert Dice(b"seed", 7).random.random() == first
    assert Dice(b"seed", 8).random.random() != first
    assert Dice(b"tree", 7).random.random() != first
    dice = Dice(b"seed", 7)
    assert isinstance(dice.random, random.Random)
    assert dice.random is dice.random


class Placed:
    """A house bot that keeps the first roll of each of its decisions; rolls do not change it."""

    name = "placed"

    def __init__(self, rolls: dict[float, View]) -> None:
        self.rolls = rolls
        self.asked = 0

    def choose(self, view: View, dice: Dice) -> Action:
        """Choose as greedy does."""
        self.asked += 1
        self.rolls[dice.random.random()] = view
        return HOUSE_BOTS["greedy"].choose(view, dice)


def test_no_two_decisions_of_a_game_roll_the_same_dice() -> None:
    rolls: dict[float, View] = {}
    for rule_set, seats in (("kalooki-jamaican", 5), ("kaluki-european", 4)):
        rules, seed = RULE_SETS[rule_set], seed_of(9)
        rolls.clear()
        placed = Placed(rolls)
        play_game(rules, [placed] * seats, seed)
        assert len(rolls) == placed.asked > 500
    phases = {view.phase for view in rolls.values()}
    assert {Phase.DRAW, Phase.PLAY, Phase.REBUY} <= phases


def test_a_decision_rolls_the_same_whatever_others_have_answered_and_whatever_was_logged() -> None:
    """Callers of one window that are asked in either order choose the same."""
    game, chance, _ = new_game(1, 5)
    bots = dict.fromkeys(range(5), HOUSE_BOTS["random"])
    windows = 0
    while not game.over and windows < 40:
        if game.deal.phase is Phase.CALL_WINDOW and len(deciders(game.deal)) > 1:
            windows += 1
            chosen = []
            for order in (deciders(game.deal), deciders(game.deal)[::-1]):
                other = copy.deepcopy(game)
                for seat in order:
                    if other.deal.phase is Phase.CALL_WINDOW:
                        cast = {seat: bots[seat]}
                        drive(other, chance, cast, seed_of(1), stop=lambda _: True)
                chosen.append(other)
            assert chosen[0] == chosen[1]
        drive(game, chance, bots, seed_of(1), stop=lambda _: True)
    assert windows == 40


def test_the_random_bot_opens_and_calls_sometimes() -> None:
    kinds = [type(event).__name__ for number in range(3) for event in play(number, ["random"] * 4)]
    for name in ("Opened", "Melded", "LaidOff", "JokerMoved", "Called", "CallGranted"):
        assert name in kinds


def test_the_bot_of_the_readme_plays() -> None:
    text = Path(rummy_arena.bots.__path__[0], "README.md").read_text()
    names: dict[str, Any] = {}
    exec(text.split("```python")[1].split("```")[0], names)
    game, chance, _ = new_game(1)
    bots: dict[int, Bot] = {0: names["Hasty"](), **dict.fromkeys((1, 2, 3), HOUSE_BOTS["greedy"])}
    drive(game, chance, bots, seed_of(1))
    assert game.over


def test_ten_lines_of_the_readme_play_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    text = Path(rummy_arena.bots.__path__[0], "README.md").read_text()
    lines = text.split("```python")[2].split("```")[0]
    assert len([line for line in lines.splitlines() if line]) <= 10
    exec(lines, {})
    assert sorted(line[0] for line in capsys.readouterr().out.splitlines()) == ["1", "2", "3"]


def test_greedy_mostly_goes_out() -> None:
    ends = [
        event.end
        for number in range(20)
        for event in play(number, ["greedy"] * 4)
        if isinstance(event, DealEnded)
    ]
    assert ends.count(DealEnd.OUT) >= 0.97 * len(ends)
