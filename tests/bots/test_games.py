"""House bots in every rule set and option: legal, pure, and blind to what is hidden."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator

import pytest

from rummy_arena.bots import reading
from rummy_arena.bots.bot import Dice
from rummy_arena.bots.drive import drive
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.bots.shadow import turn_actions
from rummy_arena.game import series
from rummy_arena.game.actions import Action, ActionKind
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.engine import check, deciders, legal_actions
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Game, Phase
from rummy_arena.game.view import View, view
from rummy_arena.rulesets.registry import OPTIONS, RULE_SETS, get_rule_set


def tables() -> Iterator[tuple[RuleSet, int]]:
    """Return every rule set at its fewest, usual and most seats, and each value of an option."""
    for name, rules in RULE_SETS.items():
        for seats in sorted({rules.min_seats, 4, rules.max_seats}):
            yield rules, seats
        for option in OPTIONS[name]:
            values = option.choices or ("3",)
            for value in [value for value in values if value != option.default]:
                chosen = get_rule_set(name, {option.name: value})
                yield chosen, max(chosen.min_seats, 3)
                if option.name == "packs":
                    yield chosen, chosen.max_seats


def name_of(table: RuleSet | int) -> str:
    if isinstance(table, int):
        return str(table)
    return "-".join([table.id, *("=".join(option) for option in table.options)])


TABLES = list(tables())
EVERY_GAME = [(rules, min(4, rules.max_seats)) for rules in RULE_SETS.values()]
by_table = pytest.mark.parametrize(("rules", "seats"), TABLES, ids=name_of)
by_game = pytest.mark.parametrize(("rules", "seats"), EVERY_GAME, ids=name_of)


def started(rules: RuleSet, seats: int, number: int) -> tuple[Game, SeededChance, bytes]:
    seed = number.to_bytes(32, "big")
    chance = SeededChance(rules, seed)
    return series.new_game(rules, seats, chance)[0], chance, seed


@by_table
def test_mixed_tables_play_whole_games(rules: RuleSet, seats: int) -> None:
    names = list(HOUSE_BOTS)
    game, chance, seed = started(rules, seats, seats)
    bots = {seat: HOUSE_BOTS[names[(seat + seats) % 3]] for seat in range(seats)}
    drive(game, chance, bots, seed)
    assert game.over


@by_table
@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_a_table_of_one_kind_plays_legally(rules: RuleSet, seats: int, name: str) -> None:
    game, chance, seed = started(rules, seats, 7)
    bots = dict.fromkeys(range(seats), HOUSE_BOTS[name])
    drive(game, chance, bots, seed, stop=lambda events: len(events) > 600)


def decisions(rules: RuleSet, seats: int, name: str, most: int) -> Iterator[tuple[Game, int]]:
    """Yield games of one kind of bot before each decision, and the seat that is asked."""
    game, chance, seed = started(rules, seats, 3)
    for position in range(most):
        if game.over:
            return
        seat = deciders(game.deal)[0]
        yield game, seat
        action = HOUSE_BOTS[name].choose(view(game, seat), Dice(seed, position))
        series.apply(game, seat, action, chance)


@by_game
@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_a_choice_follows_from_view_and_dice_alone(rules: RuleSet, seats: int, name: str) -> None:
    bot = HOUSE_BOTS[name]
    asked = [view(game, seat) for game, seat in decisions(rules, seats, name, 800)]
    chosen = [bot.choose(seen, Dice(b"x", number)) for number, seen in enumerate(asked)]
    for number in reversed(range(0, len(asked), 3)):
        reading._readings.clear()
        assert bot.choose(asked[number], Dice(b"x", number)) == chosen[number]


@by_game
@pytest.mark.parametrize("name", ["greedy", "careful"])
def test_greedy_and_careful_use_no_dice(rules: RuleSet, seats: int, name: str) -> None:
    bot = HOUSE_BOTS[name]
    for game, seat in decisions(rules, seats, name, 300):
        seen = view(game, seat)
        assert bot.choose(seen, Dice(b"x", 1)) == bot.choose(seen, Dice(b"y", 2))


def reshuffled_behind(game: Game, seat: int, dice: random.Random) -> Game:
    """Return the game with all that the seat does not see dealt anew."""
    other = copy.deepcopy(game)
    deal = other.deal
    hidden = [card for at, hand in enumerate(deal.hands) if at != seat for card in hand]
    hidden += deal.stock + deal.discards[:-1]
    dice.shuffle(hidden)
    for at, hand in enumerate(deal.hands):
        if at != seat:
            hand[:] = sorted(hidden.pop() for _ in hand)
    deal.stock[:] = [hidden.pop() for _ in deal.stock]
    deal.discards[:-1] = [hidden.pop() for _ in deal.discards[:-1]]
    return other


@by_game
@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_what_is_hidden_changes_no_choice(rules: RuleSet, seats: int, name: str) -> None:
    dice = random.Random(5)
    bot = HOUSE_BOTS[name]
    for number, (game, seat) in enumerate(decisions(rules, seats, name, 400)):
        if number % 5 == 0:
            other = reshuffled_behind(game, seat, dice)
            reading._readings.clear()
            chosen = bot.choose(view(game, seat), Dice(b"x", number))
            reading._readings.clear()
            assert bot.choose(view(other, seat), Dice(b"x", number)) == chosen


@by_table
def test_what_a_view_lists_is_what_the_engine_lists(rules: RuleSet, seats: int) -> None:
    checked = 0
    for game, seat in decisions(rules, seats, "random", 500):
        seen = view(game, seat)
        if seen.phase is Phase.PLAY:
            assert turn_actions(seen) == legal_actions(game.deal, seat)
            checked += 1
    assert checked > 50


@by_game
@pytest.mark.parametrize("name", HOUSE_BOTS)
def test_whoever_may_act_acts_legally_waited_for_or_not(
    rules: RuleSet, seats: int, name: str
) -> None:
    bot = HOUSE_BOTS[name]
    for number, (game, _) in enumerate(decisions(rules, seats, name, 600)):
        for seat in range(seats):
            seen = view(game, seat)
            if seen.kinds:
                check(game.deal, seat, bot.choose(seen, Dice(b"x", number)))


KINDS_CHOSEN = {
    "kalooki-jamaican": "OPEN MELD LAY_OFF MOVE_JOKER CALL PASS ALLOW DRAW_DISCARD",
    "kalooki-bonus": "OPEN MELD LAY_OFF MOVE_JOKER CALL PASS ALLOW FORBID DRAW_DISCARD",
    "carioca-argentine": "OPEN LAY_OFF MOVE_JOKER DRAW_DISCARD",
    "kaluki-european": "OPEN MELD LAY_OFF TAKE_JOKER DRAW_DISCARD DRAW_AND_OPEN REBUY",
    "kaluki-american": "OPEN MELD LAY_OFF TAKE_JOKER DRAW_DISCARD DRAW_AND_OPEN REBUY",
}


@pytest.mark.parametrize("name", RULE_SETS)
def test_bots_do_all_that_their_game_offers(name: str) -> None:
    wanted = {ActionKind[kind] for kind in KINDS_CHOSEN[name].split()}
    rules = RULE_SETS[name]
    seen: set[ActionKind] = set()

    class Watched:
        def __init__(self, bot: str) -> None:
            self.bot, self.name = HOUSE_BOTS[bot], bot

        def choose(self, view: View, dice: Dice) -> Action:
            action = self.bot.choose(view, dice)
            seen.add(action.kind)
            return action

    for number in range(40):
        game, chance, seed = started(rules, 4, number)
        bots = {seat: Watched(("greedy", "careful")[seat % 2]) for seat in range(4)}
        drive(game, chance, bots, seed)
        if wanted <= seen:
            break
    assert wanted <= seen
