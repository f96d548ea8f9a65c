"""A plain player for tests: random choices, lay-downs found by brute force.

It shares no code with the solver or the bots, so that neither proves itself. It lays down what it
can, calls and takes at random, and mostly throws what has no partner.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import TypeAlias

from rummy_arena.game.actions import Action, ActionKind
from rummy_arena.game.cards import RANK_OF, RANKS, SUIT_OF, Card, is_joker
from rummy_arena.game.engine import kinds, legal_actions
from rummy_arena.game.melds import Meld, MeldKind
from rummy_arena.game.state import Deal

Used: TypeAlias = frozenset[tuple[MeldKind, int]]
"""Ranks of sets and suits of runs that may not be laid down (again)."""


class PlainPlayer:
    """Chooses a legal action for any seat, by its own dice."""

    def __init__(self, dice: Random, *, skill: float = 0.8, calls: float = 0.4) -> None:
        self.dice = dice
        self.skill = skill  # how often a choice is sensible rather than random
        self.calls = calls  # how often a call is made

    def choose(self, deal: Deal, seat: int) -> Action:
        """Return a legal action of a seat that must or may decide."""
        choices = kinds(deal, seat)
        if ActionKind.CALL in choices:
            called = self.dice.random() < self.calls
            return Action(ActionKind.CALL if called else ActionKind.PASS)
        for kind in (ActionKind.OPEN, ActionKind.MELD):
            melds = self.lay_down(deal, seat, kind) if kind in choices else None
            if melds:
                return Action(kind, melds=melds)
        actions = legal_actions(deal, seat)
        built = [a for a in actions if a.kind in (ActionKind.LAY_OFF, ActionKind.MOVE_JOKER)]
        if built and self.dice.random() < self.skill:
            return self.dice.choice(built)
        action = self.dice.choice(actions)
        if action.kind is ActionKind.DISCARD and self.dice.random() < self.skill:
            hand = deal.hands[seat]
            return min(
                (a for a in actions if a.kind is ActionKind.DISCARD),
                key=lambda a: partners(deal, hand, a.card),
            )
        return action

    def lay_down(self, deal: Deal, seat: int, kind: ActionKind) -> tuple[Meld, ...] | None:
        """Return the melds of an opening or one further meld, or None if the hand has none."""
        hand = list(deal.hands[seat])
        self.dice.shuffle(hand)
        if kind is ActionKind.OPEN:
            contract = deal.contract
            return next(openings(hand, contract.sets, contract.runs, frozenset()), None)
        own = [meld for meld in deal.melds if meld.owner == seat]
        used = frozenset(
            (meld.kind, meld.low if meld.kind is MeldKind.SET else meld.suit) for meld in own
        )
        for sets, runs in ((1, 0), (0, 1)):
            found = next(openings(hand, sets, runs, used), None)
            if found:
                return found
        return None


def partners(deal: Deal, hand: Sequence[Card], card: Card) -> int:
    """Return how many cards of the hand go well with this one under the deal's contract."""
    contract = deal.contract
    score = 0
    for other in hand:
        if other == card or is_joker(other):
            continue
        if RANK_OF[other] == RANK_OF[card]:
            score += 2 if contract.sets else 0
        elif SUIT_OF[other] == SUIT_OF[card] and abs(RANK_OF[other] - RANK_OF[card]) <= 3:
            score += 1 if contract.runs else 0
    return score


def openings(hand: Sequence[Card], sets: int, runs: int, used: Used) -> Iterator[tuple[Meld, ...]]:
    """Yield every choice of ``runs`` runs of four and ``sets`` sets of three from the hand."""
    if runs:
        for suit in range(4):
            if (MeldKind.RUN, suit) in used:
                continue
            # Suits, as ranks below, rise: the order of melds in an opening means nothing.
            lower = {(MeldKind.RUN, before) for before in range(suit + 1)}
            for meld in _runs(hand, suit):
                rest = [card for card in hand if card not in meld.cards]
                for more in openings(rest, sets, runs - 1, used | lower):
                    yield (meld, *more)
    elif sets:
        for rank in range(RANKS):
            if (MeldKind.SET, rank) in used:
                continue
            equal = _set(hand, rank)
            if equal:
                rest = [card for card in hand if card not in equal.cards]
                below = {(MeldKind.SET, before) for before in range(rank + 1)}
                for more in openings(rest, sets - 1, 0, used | below):
                    yield (equal, *more)
    else:
        yield ()


def _set(hand: Sequence[Card], rank: int) -> Meld | None:
    naturals = [card for card in hand if not is_joker(card) and RANK_OF[card] == rank]
    jokers = [card for card in hand if is_joker(card)]
    if len(naturals) < 2 or len(naturals) + len(jokers) < 3:
        return None
    return Meld(MeldKind.SET, tuple([*naturals, *jokers][: max(3, len(naturals))]))


def _runs(hand: Sequence[Card], suit: int) -> Iterator[Meld]:
    """Yield the runs of four of a suit; a joker stands where a rank is missing."""
    held = {RANK_OF[card]: card for card in hand if not is_joker(card) and SUIT_OF[card] == suit}
    jokers = [card for card in hand if is_joker(card)]
    for low in range(11):
        window = [(low + step) % RANKS for step in range(4)]
        missing = [place for place, rank in enumerate(window) if rank not in held]
        apart = all(after - before > 1 for before, after in pairwise(missing))
        if len(missing) <= len(jokers) and apart:
            spare = iter(jokers)
            yield Meld(MeldKind.RUN, tuple(held[r] if r in held else next(spare) for r in window))
