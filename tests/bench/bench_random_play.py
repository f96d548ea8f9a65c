"""Actions a second with random legal play on one core, beside OpenSpiel's gin_rummy.

Run as ``python -m tests.bench.bench_random_play [actions]``. For each rule set at its usual seats:
*play* lists the legal actions, makes the view of the seat that decides and applies one; *stored*
also encodes the events, and the table as it is stored after each action. OpenSpiel is measured in
the same run where its wheel is installed (``pip install open_spiel``), driven from Python as its
examples do: ``legal_actions`` and ``apply_action``, chance nodes counted too.

Also prints the bytes of a table as stored, what encoding and decoding it costs, and how speed
changes with seats and cards in hand.
"""

from __future__ import annotations

import importlib
import statistics
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

from rummy_arena.game import engine, series
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Game
from rummy_arena.game.view import view
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set
from services.state.codec import Codec, game_of, game_record
from services.state.event_codec import encode_events
from services.state.records import GameRecord

from .yardstick import yardstick_line

ACTIONS = 20_000
REPEATS = 5
USUAL_SEATS = {
    "kalooki-jamaican": 4,
    "kalooki-bonus": 4,
    "carioca-argentine": 4,
    "kaluki-european": 4,
    "kaluki-american": 4,
}
PLAY_REFERENCE, STORED_REFERENCE = 5.0, 2.0  # times OpenSpiel
BYTES_REFERENCE = 2048
GAME = Codec(GameRecord)


class Player:
    """Plays games of one rule set at random, one after the other."""

    def __init__(self, rules: RuleSet, seats: int, seed: int, *, stored: bool = False) -> None:
        self.rules, self.seats, self.stored = rules, seats, stored
        self.dice = Random(seed)
        self.game = self._new()

    def _new(self) -> Game:
        self.chance = SeededChance(self.rules, self.dice.randbytes(32))
        return series.new_game(self.rules, self.seats, self.chance)[0]

    def play(self, actions: int) -> None:
        """Play so many actions."""
        game, dice, chance, stored = self.game, self.dice, self.chance, self.stored
        for _ in range(actions):
            deal = game.deal
            deciders = engine.deciders(deal)
            seat = deciders[int(dice.random() * len(deciders))]
            view(game, seat)
            legal = engine.legal_actions(deal, seat)
            events = series.apply(game, seat, legal[int(dice.random() * len(legal))], chance)
            if stored:
                encode_events(events)
                GAME.encode(game_record(game))
            if game.over:
                game, chance = self._new(), self.chance
        self.game = game


def rate(run: Callable[[int], None], actions: int) -> float:
    """Return the median of actions per second of this core."""
    rates = []
    for _ in range(REPEATS):
        start = time.process_time()
        run(actions)
        rates.append(actions / (time.process_time() - start))
    return statistics.median(rates)


def openspiel() -> float | None:
    """Return OpenSpiel's actions per second, or None where it is not installed."""
    try:
        pyspiel: Any = importlib.import_module("pyspiel")
    except ImportError:
        return None
    game, dice = pyspiel.load_game("gin_rummy"), Random(1)

    def run(actions: int) -> None:
        state = game.new_initial_state()
        for _ in range(actions):
            legal = state.legal_actions()
            state.apply_action(legal[int(dice.random() * len(legal))])
            if state.is_terminal():
                state = game.new_initial_state()

    return rate(run, ACTIONS)


def print_stored(rules: RuleSet, seats: int) -> None:
    """Print the size of a table in mid-game and what encoding and decoding cost."""
    sizes, encode_us, decode_us = [], [], []
    player = Player(rules, seats, 3)
    for _ in range(40):
        player.play(37)
        data = GAME.encode(game_record(player.game))
        sizes.append(len(data))
        encode_us.append(_us(lambda: GAME.encode(game_record(player.game))))
        decode_us.append(_us(lambda data=data: game_of(rules, GAME.decode(data))))  # type: ignore[misc]
    print(
        f"  {rules.id:20} {statistics.median(sizes):5.0f} bytes a table (most {max(sizes)}, "
        f"reference {BYTES_REFERENCE}), encode {statistics.median(encode_us):4.1f} us, "
        f"decode {statistics.median(decode_us):4.1f} us"
    )


def _us(call: Callable[[], object], rounds: int = 200) -> float:
    start = time.process_time()
    for _ in range(rounds):
        call()
    return (time.process_time() - start) / rounds * 1e6


def main() -> None:
    """Print the figures."""
    actions = int(sys.argv[1]) if len(sys.argv) > 1 else ACTIONS
    print(yardstick_line())
    base = openspiel()
    if base is None:
        print("OpenSpiel's gin_rummy: not installed (pip install open_spiel), so no ratios")
    else:
        print(f"OpenSpiel's gin_rummy: {base:,.0f} actions/s")
    for rule_set, seats in USUAL_SEATS.items():
        rules = RULE_SETS[rule_set]
        line = f"  {rule_set:20} {seats} seats"
        for what, reference in (("play", PLAY_REFERENCE), ("stored", STORED_REFERENCE)):
            player = Player(rules, seats, 7, stored=what == "stored")
            found = rate(player.play, actions)
            line += f"  {what} {found:9,.0f} actions/s"
            if base:
                line += f" = {found / base:4.1f} of OpenSpiel (reference {reference:.0f})"
        print(line)
    print("as stored, in mid-game:")
    for rule_set, seats in USUAL_SEATS.items():
        print_stored(RULE_SETS[rule_set], seats)
    print("growth: play, actions/s by seats")
    for rules in (*RULE_SETS.values(), get_rule_set("kalooki-bonus", {"packs": "3"})):
        rates = [
            f"{seats}: {rate(Player(rules, seats, 5).play, actions // 4):,.0f}"
            for seats in range(rules.min_seats, rules.max_seats + 1)
        ]
        print(f"  {rules.id:20} {rules.packs} packs  {'  '.join(rates)}")


if __name__ == "__main__":
    main()
