"""Random deals of every rule set, option and number of seats, with every invariant looked at.

One deal is a function of its number. Half of the deals are played wildly, from a fair deck or a
rigged one; the others by the plain player, which opens what it can.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from rummy_arena.game import engine
from rummy_arena.game.actions import NONE, Action
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.state import Game
from rummy_arena.game.view import view
from rummy_arena.rulesets.registry import get_rule_set
from services.state.codec import Codec, game_of, game_record
from services.state.records import GameRecord

from .plain_player import PlainPlayer
from .plays import VARIANTS, all_cards, frozen, variant_name
from .rigged import RiggedChance, game_at
from .wild import wild_actions

GAME = Codec(GameRecord)
WILD_TRIED = 20  # by seat
LOOK_EVERY = 17  # steps, at which the costly invariants are looked at


class Broken(AssertionError):
    """An invariant does not hold; the text says how to play the deal again."""


@dataclass
class Tally:
    """What a run of deals saw."""

    deals: int = 0
    steps: int = 0
    refused: int = 0
    ends: Counter[tuple[str, int, str]] = field(default_factory=Counter)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.deals + other.deals,
            self.steps + other.steps,
            self.refused + other.refused,
            self.ends + other.ends,
        )


class FuzzedDeal:
    """One random deal, played to its end."""

    def __init__(self, number: int, tally: Tally) -> None:
        self.number = number
        self.tally = tally
        self.dice = random.Random(f"fuzz {number}")
        self.rules = VARIANTS[number % len(VARIANTS)]
        seats = range(self.rules.min_seats, self.rules.max_seats + 1)
        self.seats = self.dice.choice(seats)
        self.game = self._game()
        self.deal = self.game.deal
        skill = self.dice.choice((0.0, 0.5, 1.0))
        self.player = PlainPlayer(self.dice, skill=skill, calls=self.dice.choice((0.1, 0.5, 0.9)))
        self.wild = self.dice.random() < 0.5

    def _game(self) -> Game:
        rules, contract = self.rules, self.dice.randrange(len(self.rules.contracts)) + 1
        favour = self.dice.choice((0.0, 0.7, 0.9, 1.0))
        self.chance: RiggedChance | SeededChance = RiggedChance(
            rules, self.seats, self.number, favour=favour
        )
        return game_at(rules, self.seats, contract, self.chance)

    def play(self) -> None:
        """Play the deal; raises Broken where an invariant does not hold."""
        try:
            self._play()
        except Exception as error:
            raise Broken(
                f"deal {self.number} of {variant_name(self.rules)}, {self.seats} seats, "
                f"turn {self.deal.turn_number}: {type(error).__name__}: {error}"
            ) from error

    def _play(self) -> None:
        deal, most = self.deal, self.rules.turns_cap_per_seat * self.seats * (self.seats + 40)
        pack = sorted(self.rules.pack)
        steps = 0
        while deal.outcome is None:
            steps += 1
            assert steps < most, "the deal does not end"
            seat = self._seat()
            if steps % LOOK_EVERY == 0:
                self._look(pack)
            self._apply(seat, self._choose(seat))
        assert all_cards(deal) == pack
        assert engine.deciders(deal) == ()
        self.tally.deals += 1
        self.tally.steps += steps
        self.tally.ends[self.rules.id, self.seats, deal.outcome.end.name] += 1

    def _seat(self) -> int:
        deciders = engine.deciders(self.deal)
        assert deciders, "nobody can act"
        if self.deal.turn not in deciders and engine.kinds(self.deal, self.deal.turn):
            return self.dice.choice([*deciders, self.deal.turn])
        return self.dice.choice(deciders)

    def _choose(self, seat: int) -> Action:
        if self.wild and self.dice.random() < 0.9:
            return self.dice.choice(engine.legal_actions(self.deal, seat))
        return self.player.choose(self.deal, seat)

    def _apply(self, seat: int, action: Action) -> None:
        deal, nth = self.deal, self.deal.reshuffles
        engine.check(deal, seat, action)
        engine.apply(
            deal,
            seat,
            action,
            lambda cards: self.chance.reshuffle(deal.number, 0, nth, cards),
        )

    def _look(self, pack: list[int]) -> None:
        """Look at what is too slow to look at in each step."""
        deal = self.deal
        assert all_cards(deal) == pack, "cards are lost or doubled"
        assert all(hand == sorted(hand) for hand in deal.hands)
        for seat in range(self.seats):
            for action in engine.legal_actions(deal, seat):
                engine.check(deal, seat, action)
            if engine.kinds(deal, seat):
                engine.check(deal, seat, engine.standard_move(deal, seat))
        self._refuses()
        self._stores()
        self._hides()

    def _refuses(self) -> None:
        """Try nonsense: what is refused says why and changes nothing."""
        deal = self.deal
        before = frozen(deal)
        for seat in (self.dice.randrange(self.seats), -1, self.seats):
            wild = wild_actions(deal, seat, self.dice)
            for action in self.dice.sample(wild, min(WILD_TRIED, len(wild))):
                try:
                    engine.check(deal, seat, action)
                except RuleViolation as violation:
                    self._has_reason(violation)
        assert deal == before, "a refusal changed the deal"

    def _has_reason(self, violation: RuleViolation) -> None:
        self.tally.refused += 1
        assert violation.code.isupper()
        assert violation.clause[0] in ("X", self.rules.head.clauses)

    def _stores(self) -> None:
        stored = GAME.decode(GAME.encode(game_record(self.game)))
        rules = get_rule_set(self.rules.id, dict(self.rules.options))
        assert game_of(rules, stored) == self.game, "what is stored differs from what was"

    def _hides(self) -> None:
        """Swap two hidden cards: the view of who sees neither is the same."""
        deal = self.deal
        seat = self.dice.randrange(NONE, self.seats)
        others = [s for s in range(self.seats) if s != seat and deal.hands[s]]
        seen = view(self.game, seat)
        if deal.stock and others and not self.rules.open_hands:
            hand = deal.hands[self.dice.choice(others)]
            swapped = hand[0], deal.stock[0]
            deal.stock[0], hand[0] = swapped
            assert view(self.game, seat) == seen, "a view tells what it should hide"
            hand[0], deal.stock[0] = swapped


def fuzz(first: int, count: int) -> Tally:
    """Play ``count`` deals from number ``first`` on; return what was seen, or raise Broken."""
    tally = Tally()
    for number in range(first, first + count):
        FuzzedDeal(number, tally).play()
    return tally
