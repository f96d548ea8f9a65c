"""A plain player for tests: random choices, lay-downs found by trying.

It shares no code with the solver or the bots, so that neither proves itself. It lays down what it
can, calls and takes at random, and mostly throws what has no partner. It plays every rule set, by
its numbers alone, and asks the engine whether what it found is legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from random import Random

from rummy_arena.game import engine
from rummy_arena.game.actions import NONE, Action, ActionKind
from rummy_arena.game.cards import RANK_OF, RANKS, SUIT_OF, Card, is_joker
from rummy_arena.game.engine import kinds, legal_actions
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.melds import Meld, MeldKind
from rummy_arena.game.rules import UNLIMITED, RuleSet
from rummy_arena.game.state import Deal

MOST_TRIED = 300
"""Melds looked at in the search for one opening."""
BUILDING = (ActionKind.LAY_OFF, ActionKind.MOVE_JOKER, ActionKind.TAKE_JOKER)


class PlainPlayer:
    """Chooses a legal action for any seat, by its own dice."""

    def __init__(self, dice: Random, *, skill: float = 0.8, calls: float = 0.4) -> None:
        self.dice = dice
        self.skill = skill  # how often a choice is sensible rather than random
        self.calls = calls  # how often a call is made or allowed

    def choose(self, deal: Deal, seat: int) -> Action:
        """Return a legal action of a seat that must or may decide."""
        choices = kinds(deal, seat)
        if ActionKind.CALL in choices:
            called = self.dice.random() < self.calls
            return Action(ActionKind.CALL if called else ActionKind.PASS)
        for kind in (ActionKind.DRAW_AND_OPEN, ActionKind.OPEN, ActionKind.MELD):
            found = self.lay_down(deal, seat, kind) if kind in choices else None
            if found:
                return found
        actions = legal_actions(deal, seat)
        built = [a for a in actions if a.kind in BUILDING]
        if ActionKind.TAKE_JOKER in choices:
            built += jokers_to_melds(deal, seat)
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

    def lay_down(self, deal: Deal, seat: int, kind: ActionKind) -> Action | None:
        """Return an opening or one further meld, or None if the hand has none."""
        hand = list(deal.hands[seat])
        self.dice.shuffle(hand)
        if kind is ActionKind.MELD:
            for meld in melds_of(deal.rules, hand):
                action = Action(kind, melds=(meld,))
                if accepted(deal, seat, action):
                    return action
            return None
        top = deal.top if kind is ActionKind.DRAW_AND_OPEN else NONE
        if top != NONE:
            hand.insert(0, top)
        tries = [MOST_TRIED]
        for melds in openings(deal, hand, tries):
            action = Action(kind, top, melds=melds)
            if accepted(deal, seat, action):
                return action
        return None


def accepted(deal: Deal, seat: int, action: Action) -> bool:
    """Return whether the engine accepts the action."""
    try:
        engine.check(deal, seat, action)
    except RuleViolation:
        return False
    return True


def partners(deal: Deal, hand: Sequence[Card], card: Card) -> int:
    """Return how many cards of the hand go well with this one under the deal's contract."""
    contract = deal.contract
    score = 9 if is_joker(card) else 0
    for other in hand:
        if other == card or is_joker(other):
            continue
        if RANK_OF[other] == RANK_OF[card]:
            score += 2 if contract.sets or contract.points else 0
        elif SUIT_OF[other] == SUIT_OF[card] and abs(RANK_OF[other] - RANK_OF[card]) <= 3:
            score += 1 if contract.runs or contract.points else 0
    return score


def openings(deal: Deal, hand: Sequence[Card], tries: list[int]) -> Iterator[tuple[Meld, ...]]:
    """Yield lay-downs with the contract's sets and runs, or with melds for its points."""
    contract = deal.contract
    if contract.points:
        yield from _for_points(deal.rules, hand, (), tries)
    else:
        yield from _for_contract(deal.rules, hand, contract.sets, contract.runs, tries)


def _for_contract(
    rules: RuleSet,
    hand: Sequence[Card],
    sets: int,
    runs: int,
    tries: list[int],
    after: tuple[MeldKind, int] = (MeldKind.SET, -1),
) -> Iterator[tuple[Meld, ...]]:
    """Sets by rising rank, then runs by rising suit: the order of melds means nothing."""
    if not sets and not runs:
        yield ()
        return
    kind = MeldKind.SET if sets else MeldKind.RUN
    for meld in melds_of(rules, hand, kind, least=True):
        natural = next(card for card in meld.cards if not is_joker(card))
        key = kind, RANK_OF[natural] if sets else SUIT_OF[natural]
        if key < after or (key == after and rules.own_melds_differ):
            continue
        if tries[0] <= 0:
            return
        tries[0] -= 1
        rest = [card for card in hand if card not in meld.cards]
        left = (sets - 1, runs) if sets else (sets, runs - 1)
        for more in _for_contract(rules, rest, *left, tries, key):
            yield (meld, *more)


def _for_points(
    rules: RuleSet, hand: Sequence[Card], laid: tuple[Meld, ...], tries: list[int]
) -> Iterator[tuple[Meld, ...]]:
    if laid:
        yield laid
    for meld in melds_of(rules, hand):
        if tries[0] <= 0:
            return
        tries[0] -= 1
        rest = [card for card in hand if card not in meld.cards]
        yield from _for_points(rules, rest, (*laid, meld), tries)


def melds_of(
    rules: RuleSet, hand: Sequence[Card], kind: MeldKind | None = None, *, least: bool = False
) -> Iterator[Meld]:
    """Yield melds that the hand could make, most of them legal; jokers fill what lacks.

    With ``least`` runs have the least length, and sets that or all naturals of their rank.
    """
    jokers = [card for card in hand if is_joker(card)][: rules.opening_jokers]
    naturals = [card for card in hand if not is_joker(card)]
    if kind is not MeldKind.RUN:
        ranks: list[list[Card]] = [[] for _ in range(RANKS)]
        for card in naturals:
            ranks[RANK_OF[card]].append(card)
        for held in ranks:
            if len(held) + len(jokers) >= rules.set_min:
                yield from _sets(rules, held, jokers)
    if kind is not MeldKind.SET:
        for suit in range(4):
            held = [card for card in naturals if SUIT_OF[card] == suit]
            if len(held) + len(jokers) >= rules.run_min:
                yield from _runs(rules, held, jokers, least=least or rules.opening_exact)


def _sets(rules: RuleSet, naturals: list[Card], jokers: Sequence[Card]) -> Iterator[Meld]:
    """Yield sets of these cards of one rank."""
    if rules.set_suits_differ:
        naturals = list({SUIT_OF[card]: card for card in naturals}.values())
    most = rules.set_min if rules.opening_exact else min(rules.set_max, 8)
    for size in {min(len(naturals), most), min(len(naturals), rules.set_min)}:
        missing = max(rules.set_min - size, 0)
        if size >= rules.set_min_naturals and missing <= len(jokers):
            yield Meld(MeldKind.SET, (*naturals[:size], *jokers[:missing]))


@cache
def _window(low: int, length: int) -> tuple[tuple[int, ...], int]:
    """Return the ranks of a run, and as bits."""
    window = tuple([(low + step) % RANKS for step in range(length)])
    return window, sum(1 << rank for rank in window)


def _runs(
    rules: RuleSet, naturals: Sequence[Card], jokers: Sequence[Card], *, least: bool
) -> Iterator[Meld]:
    """Yield runs of a suit, of the least length and, where they may be longer, one card more."""
    held: dict[int, list[Card]] = {}
    for card in naturals:
        held.setdefault(RANK_OF[card], []).append(card)
    if len(held) + len(jokers) < rules.run_min:
        return
    ranks = sum(1 << rank for rank in held)
    longest = rules.run_min + (not least)
    for length in range(longest, rules.run_min - 1, -1):
        for low in range(0 if rules.ace_low else 1, 15 - length):
            window, wanted = _window(low, length)
            if length - (ranks & wanted).bit_count() > len(jokers):
                continue
            missing = [at for at, rank in enumerate(window) if rank not in held]
            apart = rules.jokers_adjacent or all(b - a > 1 for a, b in pairwise(missing))
            if len(missing) < length and apart:
                spare = iter(jokers)
                cards = tuple(held[r][0] if r in held else next(spare) for r in window)
                yield Meld(MeldKind.RUN, cards)


def jokers_to_melds(deal: Deal, seat: int) -> list[Action]:
    """Return exchanges of E-13 whose joker goes into a new meld."""
    if deal.rules.build_per_end == UNLIMITED and len(deal.hands[seat]) > 20:
        return []
    found = []
    hand = deal.hands[seat]
    for target, meld in enumerate(deal.melds):
        jokers = [card for card in meld.cards if is_joker(card)][:1]
        if not jokers:
            continue
        rank = meld.low if meld.kind is MeldKind.SET else NONE
        fitting = [c for c in hand if rank == NONE or RANK_OF[c] == rank]
        pairs = [(card, NONE) for card in fitting]
        pairs += [(a, b) for a in fitting for b in fitting if a < b and rank != NONE]
        for card, also in pairs:
            rest = [c for c in hand if c not in (card, also)]
            for new in melds_of(deal.rules, [*rest, *jokers]):
                action = Action(ActionKind.TAKE_JOKER, card, target, (new,), also=also)
                if jokers[0] in new.cards and accepted(deal, seat, action):
                    found.append(action)
    return found[:5]
