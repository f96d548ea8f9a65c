"""Writes the golden playthroughs: whole games in notation.

``python -m tests.spec.make_playthrough`` writes all of them, or those whose names hold a word that
is given; do so after a rule has changed, and read the difference before you commit it. ``GAMES``
lists what is played: each rule set at its smallest, usual and largest number of seats at least, and
with each option otherwise than by default. ``--seek 40`` tells instead what each of the seeds 0 to
39 would show, as a help to choose one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from rummy_arena.game import engine, series
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.events import DealEnded, Event
from rummy_arena.game.notation.games import write_game
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Phase
from rummy_arena.rulesets.registry import get_rule_set

from .seeker import Builder, Seeker, Timid

FOLDER = Path(__file__).parent / "playthroughs"


class Played(NamedTuple):
    """A game to play."""

    rule_set: str
    seats: int
    seed: int
    option: str = ""  # NAME=VALUE
    shows: str = ""  # what is rare, where a game is there for its sake
    player: type[Seeker] = Seeker  # of all seats

    @property
    def rules(self) -> RuleSet:
        """The rule set with its option."""
        return get_rule_set(self.rule_set, dict([self.option.split("=")]) if self.option else {})

    @property
    def file(self) -> Path:
        """Where the playthrough stands."""
        words = [self.rule_set, str(self.seats), *self.option.split("="), *self.shows.split()]
        return FOLDER / f"{'-'.join(filter(None, words))}.txt"


J, B, C = "kalooki-jamaican", "kalooki-bonus", "carioca-argentine"
EU, US = "kaluki-european", "kaluki-american"
GAMES = (
    Played(J, 3, 40),
    Played(J, 4, 15),
    Played(J, 5, 6),
    Played(J, 6, 3),
    Played(J, 4, 1, "contract=9"),
    Played(B, 3, 11),
    Played(B, 4, 2),
    Played(B, 6, 3),
    Played(B, 4, 4, "calls=off"),
    Played(B, 4, 1, "call_authority=next_player"),
    Played(B, 5, 7, "call_priority=first_received"),
    Played(B, 3, 0, "open_hands=on"),
    Played(B, 4, 2, "joker_penalty=25"),
    Played(B, 3, 75, "short_form=on"),
    Played(B, 3, 290, "short_form=on", shows="sudden death"),
    Played(B, 6, 0, "short_form=on", shows="lots", player=Timid),
    Played(B, 3, 0, "best_of=3"),
    Played(B, 4, 1, "contract=2"),
    Played(B, 5, 0, "packs=3"),
    Played(B, 7, 2, "packs=3"),
    Played(B, 8, 6, "packs=3"),
    Played(B, 4, 2, "stakes=5"),
    Played(C, 2, 4),
    Played(C, 3, 11),
    Played(C, 4, 18),
    Played(C, 3, 1, "contract=6"),
    Played(EU, 2, 18),
    Played(EU, 4, 20),
    Played(EU, 5, 1),
    Played(EU, 4, 20, "rebuys=0"),
    Played(EU, 4, 30, "rebuys=2"),
    Played(EU, 3, 18, "rebuys=unlimited"),
    Played(EU, 3, 0, "build_per_end=unlimited", player=Builder),
    Played(EU, 3, 1, "deals=1"),
    Played(EU, 4, 15, "kaluki_penalty=double"),
    Played(EU, 4, 15, "kaluki_penalty=plus25"),
    Played(US, 2, 36),
    Played(US, 4, 19),
    Played(US, 6, 38),
    Played(US, 4, 1, "rebuys=0"),
    Played(US, 5, 18, "rebuys=2"),
    Played(US, 6, 23, "rebuys=unlimited"),
    Played(US, 2, 2, "build_per_end=unlimited", player=Builder),
    Played(US, 4, 1, "deals=3"),
    Played(US, 4, 0, "ace=high_or_low"),
)


def play(game: Played) -> list[Event]:
    """Return the log of a whole game."""
    rules = game.rules
    chance = SeededChance(rules, game.seed.to_bytes(32, "big"))
    dice = Random(game.seed)
    player = game.player(dice)
    state, log = series.new_game(rules, game.seats, chance)
    while not state.over:
        deal = state.deal
        seat = dice.choice(engine.deciders(deal))
        interrupts = deal.phase is Phase.CALL_WINDOW and engine.kinds(deal, deal.turn)
        if interrupts and dice.random() < 0.25:
            seat = deal.turn
        log += series.apply(state, seat, player.choose(deal, seat), chance)
    return log


def text_of(game: Played, log: list[Event]) -> str:
    """Return the playthrough as it stands in its file."""
    shows = f": {game.shows}" if game.shows else ""
    remarks = (
        f"{game.rules.title}, {game.seats} seats, seed {game.seed}{shows}.",
        "Written by tests.spec.make_playthrough.",
    )
    return write_game(game.rules, game.seats, log, remarks=remarks)


def shown(log: list[Event]) -> set[str]:
    """Return the names of the kinds of event, and how deals ended."""
    ends = [event for event in log if isinstance(event, DealEnded)]
    return {type(event).__name__ for event in log} | {
        f"{event.end.name}{' down and out' * event.down_and_out}" for event in ends
    }


def seek(game: Played, seeds: int) -> Iterator[str]:
    """Yield what each seed shows, the seed that shows most last."""
    found = []
    for seed in range(seeds):
        log = play(game._replace(seed=seed))
        found.append((shown(log), -len(log), seed))
    everywhere = set.intersection(*[kinds for kinds, _, _ in found])
    for kinds, size, seed in sorted(found, key=lambda one: (len(one[0]), one[1])):
        yield f"  seed {seed}: {-size} events, {' '.join(sorted(kinds - everywhere)) or '-'}"


def main(arguments: list[str]) -> None:
    """Write the playthroughs, or seek seeds for them."""
    seeds = int(arguments.pop(arguments.index("--seek") + 1)) if "--seek" in arguments else 0
    words = [word for word in arguments if word != "--seek"]
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        if words and not any(word in game.file.name for word in words):
            continue
        if seeds:
            print(game.file.name, *list(seek(game, seeds))[-5:], sep="\n", flush=True)
            continue
        text = text_of(game, play(game))
        game.file.write_text(text)
        print(f"{game.file.name}: {len(text)} bytes", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
