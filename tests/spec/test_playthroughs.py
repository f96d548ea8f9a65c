"""Golden playthroughs: every registered rule set has them, and they come out byte for byte."""

from __future__ import annotations

import pytest

from rummy_arena.game.events import EVENT_TYPES, TurnEnded
from rummy_arena.game.replay import replay
from rummy_arena.game.series import result
from rummy_arena.rulesets.registry import RULE_SETS

from .make_playthrough import FOLDER, GAMES, file_of, play, text_of

ALL = [(rule_set, seats, seed) for rule_set, games in GAMES.items() for seats, seed in games]
REMEDY = (
    "if the rules were meant to change, run python -m tests.spec.make_playthrough "
    "and read the difference before you commit it; if they were not, the solver's distance, by "
    "which the players choose, may have gone wrong (tests/game/test_solver.py)"
)


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_a_registered_rule_set_has_a_playthrough_at_each_number_of_seats(rule_set: str) -> None:
    rules = RULE_SETS[rule_set]
    played = [seats for seats, _ in GAMES.get(rule_set, ())]
    wanted = list(range(rules.min_seats, rules.max_seats + 1))
    assert played == wanted, f"complete {rule_set} in GAMES in make_playthrough.py and run it"
    for seats, _ in GAMES[rule_set]:
        assert file_of(rule_set, seats).exists(), "run python -m tests.spec.make_playthrough"


def test_no_playthrough_is_left_over() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {file_of(*one[:2]).name for one in ALL}


@pytest.mark.parametrize(("rule_set", "seats", "seed"), ALL)
def test_a_playthrough_comes_out_byte_for_byte(rule_set: str, seats: int, seed: int) -> None:
    played = text_of(RULE_SETS[rule_set], seats, seed)
    kept = file_of(rule_set, seats).read_bytes().decode()
    for new, old in zip(played.splitlines(), kept.splitlines(), strict=False):
        assert new == old, REMEDY
    assert played.encode() == kept.encode(), REMEDY


@pytest.mark.parametrize(("rule_set", "seats", "seed"), ALL)
def test_a_playthrough_replays(rule_set: str, seats: int, seed: int) -> None:
    log = play(RULE_SETS[rule_set], seats, seed)
    game = replay(RULE_SETS[rule_set], seats, log)
    assert len(result(game).deal_points[0]) == len(RULE_SETS[rule_set].contracts)


@pytest.mark.parametrize("rule_set", GAMES)
def test_together_they_show_every_kind_of_event(rule_set: str) -> None:
    shown = {
        type(event)
        for seats, seed in GAMES[rule_set]
        for event in play(RULE_SETS[rule_set], seats, seed)
    }
    # Nearly no game leaves a player with jokers alone; test_j_jokers.py has that.
    assert shown | {TurnEnded} == set(EVENT_TYPES)
