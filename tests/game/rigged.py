"""Chance for tests: decks that deal hands near the contract, so that deals see all kinds of play.

Hands dealt from a fair deck rarely open under random play. Here each seat gets most of the cards
of a random contract, jokers included, and the rest by lot.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rummy_arena.game import engine, series
from rummy_arena.game.cards import RANKS, Card, is_joker, natural
from rummy_arena.game.chance import Uncommitted
from rummy_arena.game.rules import Contract, RuleSet
from rummy_arena.game.state import Game


class RiggedChance(Uncommitted):
    """Each seat's hand holds each card of a random contract with probability ``help``."""

    def __init__(self, rules: RuleSet, seats: int, seed: object, favour: float = 0.8) -> None:
        self.rules = rules
        self.seats = seats
        self._dice = seed
        self.favour = favour

    def deck(self, number: int, attempt: int) -> Sequence[Card]:
        """Return a rigged deck for the starter and dealer of any deal (hands are dealt in turn)."""
        dice = Random(f"{self._dice} deck {number} {attempt}")
        contracts = self.rules.contracts
        contract = contracts[(number - 1) % len(contracts)]
        free = list(self.rules.pack)
        dice.shuffle(free)
        size = contract.cards_each(self.seats)
        hands = [self._hand(dice, contract, free, size) for _ in range(self.seats)]
        dealt = [hand[place] for place in range(size) for hand in hands]
        return [*dealt, *free]

    def _hand(self, dice: Random, contract: Contract, free: list[Card], size: int) -> list[Card]:
        wanted = []
        sets, runs = contract.sets, contract.runs
        if contract.points:
            sets = dice.randrange(1, size // 3)
            runs = size // 3 - sets
        for rank in dice.sample(range(RANKS), sets):
            wanted += [(rank, suit) for suit in self._suits(dice)]
        for _ in range(runs):
            low, suit = dice.randrange(11), dice.randrange(4)
            wanted += [((low + step) % RANKS, suit) for step in range(self.rules.run_min)]
        hand = []
        for rank, suit in wanted[:size]:
            copies = [
                card for card in (natural(rank, suit), natural(rank, suit, 1)) if card in free
            ]
            jokers = [card for card in free if is_joker(card)]
            chosen = free[-1]
            if dice.random() < self.favour and (copies or jokers):
                chosen = dice.choice(copies or jokers)
            free.remove(chosen)
            hand.append(chosen)
        while len(hand) < size:
            hand.append(free.pop())
        return hand

    def _suits(self, dice: Random) -> list[int]:
        if self.rules.set_suits_differ:
            return dice.sample(range(4), k=3)
        return dice.choices(range(4), k=3)

    def reshuffle(
        self, number: int, attempt: int, nth: int, cards: Sequence[Card]
    ) -> Sequence[Card]:
        """Return the recycled cards shuffled."""
        order = list(cards)
        Random(f"{self._dice} pile {number} {attempt} {nth}").shuffle(order)
        return order

    def lots(self, number: int, count: int) -> Sequence[int]:
        """Return lots."""
        order = list(range(count))
        Random(f"{self._dice} lots {number}").shuffle(order)
        return order


def game_at(rules: RuleSet, seats: int, number: int, chance: RiggedChance) -> Game:
    """Return a game whose deal of contract ``number`` was just dealt; earlier deals scored 0."""
    game, _ = series.new_game(rules, seats, chance)
    dealer = (number - 1) % seats
    game.deal = engine.deal_cards(rules, seats, number, dealer, chance.deck(number, 0))
    game.scores = [(0,) * seats] * (number - 1)
    game.winners = [0] * (number - 1)
    return game
