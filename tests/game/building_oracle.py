"""Every way to build with a small hand, by brute force through the engine; a script for more.

It tries each action that the engine lists, and each meld and joker exchange that it accepts, in
every order, and says what penalty is left at best.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from copy import deepcopy

from rummy_arena.game import engine
from rummy_arena.game.actions import (
    NONE,
    Action,
    ActionKind,
    lay_down,
    take_joker_to_meld,
)
from rummy_arena.game.cards import JOKER_BASE, RANKS, Card, cards_text, natural
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.melds import HIGH_ACE, Meld, MeldKind, TableMeld, place
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.solver.best_building import best_building
from rummy_arena.game.state import Deal, Phase, Progress
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set

from .laydown_oracle import all_melds

GAMES = {
    "jamaican": RULE_SETS["kalooki-jamaican"],
    "bonus": RULE_SETS["kalooki-bonus"],
    "carioca": RULE_SETS["carioca-argentine"],
    "european": RULE_SETS["kaluki-european"],
    "american": RULE_SETS["kaluki-american"],
    "low ace": get_rule_set("kaluki-american", {"ace": "high_or_low"}),
}
_BUILDING = (ActionKind.LAY_OFF, ActionKind.MOVE_JOKER, ActionKind.TAKE_JOKER)
Score = tuple[bool, int]


def no_reshuffle(cards: list[Card]) -> list[Card]:
    raise AssertionError("nothing is drawn")


def building_actions(deal: Deal) -> Iterator[Action]:
    """Yield every action of the seat in turn that puts cards on the table."""
    seat = deal.turn
    yield from (act for act in engine.legal_actions(deal, seat) if act.kind in _BUILDING)
    open_kinds = engine.kinds(deal, seat)
    candidates: list[Action] = []
    hand = deal.hands[seat]
    if ActionKind.MELD in open_kinds:
        candidates += [
            lay_down(meld) for own in all_melds(deal.rules, hand).values() for meld in own
        ]
    if ActionKind.TAKE_JOKER in open_kinds:
        candidates += _exchanges(deal, hand)
    for action in candidates:
        try:
            engine.check(deal, seat, action)
        except RuleViolation:
            continue
        yield action


def _exchanges(deal: Deal, hand: list[Card]) -> Iterator[Action]:
    for target, meld in enumerate(deal.melds):
        jokers = [card for card in meld.cards if card >= JOKER_BASE]
        naturals = [card for card in hand if card < JOKER_BASE]
        pairs = [(a, b) for a in naturals for b in naturals if a < b]
        for given in [*[(card,) for card in naturals], *pairs] if jokers else []:
            rest = [card for card in hand if card not in given]
            for joker in jokers:
                for own in all_melds(deal.rules, sorted([*rest, joker])).values():
                    for new in own:
                        if joker in new.cards:
                            yield take_joker_to_meld(given, target, new)


def best_score(deal: Deal) -> Score:
    """Return whether the seat in turn can go out, and what it keeps at best, negated."""
    known: set[object] = set()
    best = (False, -(10**6))

    def go(now: Deal) -> None:
        nonlocal best
        best = max(best, score(now))
        if best >= (True, 0):
            return
        for action in list(building_actions(now)):
            after = deepcopy(now)
            engine.apply(after, now.turn, action, no_reshuffle)
            key = tuple(after.hands[now.turn]), tuple(after.melds), after.progress, after.phase
            if key not in known:
                known.add(key)
                go(after)

    go(deal)
    return best


def score(deal: Deal) -> Score:
    """Return whether the seat goes out with its discard, and what it keeps, negated."""
    if deal.phase is Phase.OVER:
        return True, 0
    hand, rules = deal.hands[deal.turn], deal.rules
    discards = [
        rules.card_values[act.card]
        for act in engine.legal_actions(deal, deal.turn)
        if act.kind is ActionKind.DISCARD
    ]
    left = rules.hand_points(hand)
    return (len(hand) == 1 and bool(discards)), max(discards, default=0) - left


def sample_deal(dice: random.Random, rules: RuleSet, cards: int) -> Deal:
    """Return a turn of an opened seat with so many cards and a table of a few melds."""
    free = _crowded(dice, rules)
    melds: list[TableMeld] = []
    for _ in range(dice.randint(1, 4)):
        meld = _sample_meld(dice, rules, free)
        if meld is not None:
            owner = dice.randrange(3)
            if _alike(rules, melds, owner, meld):
                continue
            melds.append(place(rules, owner, meld))
            free = [card for card in free if card not in meld.cards]
    hand = sorted(dice.sample(free, min(cards, len(free))))
    melds_before = dice.randint(0, len(melds))
    taken = dice.choice([NONE, dice.choice(hand)]) if hand else NONE
    return Deal(
        rules=rules,
        number=1,
        dealer=2,
        hands=[hand, [0], [0]],
        stock=[],
        discards=[],
        contract_number=1,
        players=(0, 1, 2),
        after=(1, 2, 0),
        melds=melds,
        opened_turn=[dice.choice([1, 4]), 0, 0],
        calls=[0, 0, 0],
        phase=Phase.PLAY,
        turn=0,
        turn_number=4,
        progress=Progress(taken=taken, melds_before=melds_before),
    )


def _crowded(dice: random.Random, rules: RuleSet) -> list[Card]:
    low = dice.randrange(RANKS)
    ranks = [(low + at) % RANKS for at in range(dice.randint(5, 9))]
    suits = dice.sample(range(4), dice.randint(2, 4))
    pack = [natural(rank, suit, copy) for rank in ranks for suit in suits for copy in range(2)]
    return pack + [JOKER_BASE + at for at in range(rules.jokers) if dice.random() < 0.6]


def _sample_meld(dice: random.Random, rules: RuleSet, free: list[Card]) -> Meld | None:
    for _ in range(30):
        if dice.random() < 0.4:
            size = dice.randint(rules.set_min, min(rules.set_max, rules.set_min + 1))
            rank = dice.randrange(RANKS)
            fitting = [c for c in free if c >= JOKER_BASE or (c >> 2) % RANKS == rank]
            kind = MeldKind.SET
        else:
            size = rules.run_min + dice.choice([0, 0, 1, 2])
            low, suit = dice.randint(0, HIGH_ACE + 1 - size), dice.randrange(4)
            window = [suit * RANKS + at % RANKS for at in range(low, low + size)]
            meld = _sample_run(dice, free, window)
            if meld is not None and _legal(rules, meld):
                return meld
            continue
        if len(fitting) >= size:
            meld = Meld(kind, tuple(dice.sample(fitting, size)))
            if _legal(rules, meld):
                return meld
    return None


def _sample_run(dice: random.Random, free: list[Card], window: list[int]) -> Meld | None:
    jokers = [card for card in free if card >= JOKER_BASE]
    cards: list[Card] = []
    for kind in window:
        fitting = [card for card in free if card >> 2 == kind and card not in cards]
        if fitting and (not jokers or dice.random() < 0.75):
            cards.append(fitting[0])
        elif jokers:
            cards.append(jokers.pop())
        else:
            return None
    return Meld(MeldKind.RUN, tuple(cards))


def _legal(rules: RuleSet, meld: Meld) -> bool:
    try:
        place(rules, 0, meld)
    except RuleViolation:
        return False
    return True


def _alike(rules: RuleSet, melds: list[TableMeld], owner: int, meld: Meld) -> bool:
    placed = place(rules, owner, meld)
    return rules.own_melds_differ and any(
        (other.owner, other.kind) == (owner, placed.kind)
        and (other.low == placed.low if placed.kind is MeldKind.SET else other.suit == placed.suit)
        for other in melds
    )


def played(deal: Deal) -> Score:
    """Return the score after what ``best_building`` says, each action taken by the engine."""
    now = deepcopy(deal)
    seat = deal.turn
    kinds = engine.kinds(deal, seat)
    actions = best_building(
        deal.rules, seat, tuple(deal.hands[seat]), tuple(deal.melds), deal.progress, kinds
    )
    for action in actions:
        engine.apply(now, seat, action, no_reshuffle)
    return score(now)


def compare(dice: random.Random, rules: RuleSet, cards: int) -> bool:
    """Check one position; return whether there was anything to do."""
    deal = sample_deal(dice, rules, cards)
    best, found = best_score(deal), played(deal)
    assert found == best, f"{text_of(deal)}: {found}, not {best}"
    return best != score(deal)


def text_of(deal: Deal) -> str:
    melds = [f"{m.owner}:{m.kind.name[0]} {cards_text(m.cards)}" for m in deal.melds]
    facts = f"{deal.progress} opened {deal.opened_turn[0]}"
    return f"{deal.rules.id}: hand {cards_text(deal.hands[0])} | {' | '.join(melds)} | {facts}"


def main() -> None:
    """Compare on as many positions as the first argument says (300) of each game."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    dice = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for name, rules in GAMES.items():
        built = wrong = 0
        for _ in range(count):
            try:
                built += compare(dice, rules, dice.randint(1, 5))
            except AssertionError as error:
                wrong += 1
                print(error)
        print(f"{name}: {count} positions, {built} with something to do, {wrong} wrong")


if __name__ == "__main__":
    main()
