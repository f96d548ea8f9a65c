"""Writes the golden playthroughs: whole games as text, each line an event.

``python -m tests.spec.make_playthrough`` writes all of them; do so after a rule has changed, and
read the difference before you commit it. A rule set is played at the numbers of seats, and from the
seeds, that ``GAMES`` lists; every registered rule set must be there.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from rummy_arena.game import engine, series
from rummy_arena.game.cards import Card, card_text, cards_text
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.events import (
    Allowed,
    Called,
    CallGranted,
    DealEnded,
    DealStarted,
    Discarded,
    Drew,
    Event,
    GameEnded,
    JokerMoved,
    LaidOff,
    Melded,
    Opened,
    Passed,
    Reshuffled,
    Source,
    TurnEnded,
    WindowClosed,
    WindowOpened,
)
from rummy_arena.game.melds import MeldKind, TableMeld
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Phase
from rummy_arena.rulesets.registry import RULE_SETS

from .seeker import Seeker

FOLDER = Path(__file__).parent / "playthroughs"
GAMES: dict[str, tuple[tuple[int, int], ...]] = {  # by rule set: seats and seed
    "kalooki-jamaican": ((3, 17), (4, 13), (5, 5), (6, 58)),
}


def file_of(rule_set: str, seats: int) -> Path:
    """Return where the playthrough of a rule set at so many seats stands."""
    return FOLDER / f"{rule_set}-{seats}.txt"


def play(rules: RuleSet, seats: int, seed: int) -> list[Event]:
    """Return the log of a whole game."""
    chance = SeededChance(rules, seed.to_bytes(32, "big"))
    dice = Random(seed)
    seeker = Seeker(dice)
    game, log = series.new_game(rules, seats, chance)
    while not game.over:
        deal = game.deal
        seat = dice.choice(engine.deciders(deal))
        interrupts = deal.phase is Phase.CALL_WINDOW and engine.kinds(deal, deal.turn)
        if interrupts and dice.random() < 0.25:
            seat = deal.turn
        log += series.apply(game, seat, seeker.choose(deal, seat), chance)
    return log


def text_of(rules: RuleSet, seats: int, seed: int) -> str:
    """Return the playthrough as it stands in its file."""
    lines = [
        f"# {rules.title}, {seats} seats, seed {seed}. Written by tests.spec.make_playthrough."
    ]
    for number, event in enumerate(play(rules, seats, seed), start=1):
        first, *more = _WRITERS[type(event)](event, rules, seats)
        lines += [f"{number} {first}", *(f"    {line}" for line in more)]
    return "\n".join(lines) + "\n"


# --- an event as lines ----------------------------------------------------------------------------


def _started(event: DealStarted, rules: RuleSet, seats: int) -> list[str]:
    deal = engine.deal_cards(rules, seats, event.number, event.dealer, event.deck)
    return [
        f"deal {event.number} attempt {event.attempt}: {deal.contract.text}, "
        f"dealer {event.dealer}, up-card {card_text(event.up_card)}",
        *(f"hand {seat}: {cards_text(hand)}" for seat, hand in enumerate(deal.hands)),
        f"stock: {cards_text(reversed(deal.stock))}",
    ]


def _drew(event: Drew, rules: RuleSet, seats: int) -> list[str]:
    verb = "draws" if event.source is Source.STOCK else "takes"
    return [f"{event.seat} {verb} {card_text(event.card)}"]


def _opened(event: Opened, rules: RuleSet, seats: int) -> list[str]:
    return [f"{event.seat} opens {' / '.join(map(meld_text, event.melds))}"]


def _melded(event: Melded, rules: RuleSet, seats: int) -> list[str]:
    return [f"{event.seat} melds {meld_text(event.meld)}"]


def _built(event: LaidOff | JokerMoved, rules: RuleSet, seats: int) -> list[str]:
    does = "lays {} on" if isinstance(event, LaidOff) else "moves {} in"
    verb = does.format(card_text(event.card))
    return [f"{event.seat} {verb} {event.target}: {meld_text(event.meld)}"]


def _window(event: WindowOpened, rules: RuleSet, seats: int) -> list[str]:
    return [f"window: {card_text(event.card)} for {' '.join(map(str, event.seats))}"]


def _closed(event: WindowClosed, rules: RuleSet, seats: int) -> list[str]:
    return [f"window closed: {event.granted if event.granted >= 0 else 'nobody'}"]


def _granted(event: CallGranted, rules: RuleSet, seats: int) -> list[str]:
    return [f"{event.seat} gets {card_text(event.card)} and {card_text(event.penalty)}"]


def _reshuffled(event: Reshuffled, rules: RuleSet, seats: int) -> list[str]:
    return [f"reshuffled {event.count}", f"stock: {cards_text(reversed(event.order))}"]


def _ended(event: DealEnded, rules: RuleSet, seats: int) -> list[str]:
    how = event.end.name.lower() + (f" {event.winner}" if event.winner >= 0 else "")
    points = " ".join(map(str, event.points)) or "replay"
    return [
        f"deal over: {how}{' doubled' if event.down_and_out else ''}: {points}",
        *(f"hand {seat}: {cards_text(hand)}" for seat, hand in enumerate(event.hands)),
    ]


def _over(event: GameEnded, rules: RuleSet, seats: int) -> list[str]:
    totals, places = (" ".join(map(str, row)) for row in (event.totals, event.places))
    return [f"game over: totals {totals}, places {places}"]


def _says(verb: str) -> Callable[[Any, RuleSet, int], list[str]]:
    return lambda event, rules, seats: [f"{event.seat} {verb}"]


def meld_text(meld: TableMeld) -> str:
    """Return a table meld: a run with hyphens and its low position, a set with spaces."""
    cards: tuple[Card, ...] = meld.cards
    if meld.kind is MeldKind.SET:
        return cards_text(cards)
    return f"{'-'.join(map(card_text, cards))}@{meld.low}"


_WRITERS: dict[type[Event], Callable[[Any, RuleSet, int], list[str]]] = {
    DealStarted: _started,
    Drew: _drew,
    Opened: _opened,
    Melded: _melded,
    LaidOff: _built,
    JokerMoved: _built,
    Discarded: lambda event, rules, seats: [f"{event.seat} discards {card_text(event.card)}"],
    TurnEnded: _says("ends"),
    WindowOpened: _window,
    Called: _says("calls"),
    Passed: _says("passes"),
    Allowed: _says("allows"),
    WindowClosed: _closed,
    CallGranted: _granted,
    Reshuffled: _reshuffled,
    DealEnded: _ended,
    GameEnded: _over,
}


def main() -> None:
    """Write every playthrough."""
    FOLDER.mkdir(exist_ok=True)
    for rule_set, games in GAMES.items():
        for seats, seed in games:
            text = text_of(RULE_SETS[rule_set], seats, seed)
            file_of(rule_set, seats).write_text(text)
            print(f"{file_of(rule_set, seats).name}: {len(text)} bytes")


if __name__ == "__main__":
    main()
