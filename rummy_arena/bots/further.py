"""Further melds where sets want different suits and melds may be alike (E-10, E-11, E-26).

One meld at a time, the one that sheds most: of naturals if there is one, else with one joker.
"""

from __future__ import annotations

from collections.abc import Iterator

from rummy_arena.game.cards import JOKER_BASE, RANKS, Card
from rummy_arena.game.melds import HIGH_ACE, Meld, MeldKind, lowest
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.solver.limits import JOKERS_AT, Masks, with_card
from rummy_arena.game.solver.point_tables import point_tables
from rummy_arena.game.solver.tables import ALL_RANKS

_SET, _RUN = MeldKind.SET, MeldKind.RUN
_EACH_SUIT = sum(1 << suit * RANKS for suit in range(4))
_TWO_AWAY = 0b11011
_SUIT_SHIFTS = (0, RANKS, 2 * RANKS, 3 * RANKS)


def in_melds(rules: RuleSet, masks: Masks) -> int:
    """Return the naturals that lie in some natural meld of the hand, as four suits of 13 bits."""
    suits = masks[0]
    cover = point_tables(rules).cover
    found = 0
    for shift in _SUIT_SHIFTS:
        found |= cover[suits >> shift & ALL_RANKS] << shift
    clubs, diamonds = suits & ALL_RANKS, suits >> RANKS & ALL_RANKS
    hearts, spades = suits >> 2 * RANKS & ALL_RANKS, suits >> 3 * RANKS
    one, other = clubs & diamonds, hearts & spades
    ranks = one & (hearts | spades) | other & (clubs | diamonds)
    return found | ranks * _EACH_SUIT & suits


def joins(rules: RuleSet, masks: Masks, kind: int) -> bool:
    """Return whether a card of this kind could be in a meld with the hand; a cheap sieve."""
    suits, lanes, _ = masks
    rank = kind % RANKS
    others = (suits & ~(1 << kind)) >> rank & _EACH_SUIT
    jokers = lanes >> JOKERS_AT
    if jokers:
        return jokers > 1 or others > 0 or _near(suits, kind)
    return (
        others.bit_count() >= rules.set_min - 1
        or in_melds(rules, with_card(masks, kind << 2)) >> kind & 1 > 0
    )


def _near(suits: int, kind: int) -> bool:
    """Return whether the hand has a card of the suit that is two ranks away or less."""
    rank = kind % RANKS
    ranks = suits >> kind - rank & ALL_RANKS
    around = (ranks | (ranks & 1) << HIGH_ACE) << 2
    return around >> rank & _TWO_AWAY > 0 or (not rank and around >> HIGH_ACE & _TWO_AWAY > 0)


def costliest_meld(rules: RuleSet, hand: tuple[Card, ...], most: int) -> Meld | None:
    """Return the meld of ``most`` cards of the hand or fewer that sheds most points, or None."""
    held = {card >> 2: card for card in hand if card < JOKER_BASE}
    joker = hand[-1] if hand[-1] >= JOKER_BASE else None
    found = [*_sets(rules, held, None), *_runs(rules, held, None)]
    if not found and joker is not None:
        found = [*_sets(rules, held, joker), *_runs(rules, held, joker)]
    values = rules.card_values
    best, most_shed = None, -1
    for kind, cards in found:
        cards = cards[: min(most, rules.set_max if kind is _SET else rules.run_max)]
        if len(cards) < (rules.set_min if kind is _SET else rules.run_min):
            continue
        shed = sum([values[card] for card in cards])
        if shed > most_shed:
            best, most_shed = Meld(kind, cards), shed
    return best


def _sets(
    rules: RuleSet, held: dict[int, Card], joker: Card | None
) -> Iterator[tuple[MeldKind, tuple[Card, ...]]]:
    by_rank: dict[int, list[Card]] = {}
    for kind, card in held.items():
        by_rank.setdefault(kind % RANKS, []).append(card)
    for cards in by_rank.values():
        if joker is None:
            yield _SET, tuple(cards)
        elif len(cards) == rules.set_min - 1 and len(cards) >= rules.set_min_naturals:
            yield _SET, (*cards, joker)


def _runs(
    rules: RuleSet, held: dict[int, Card], joker: Card | None
) -> Iterator[tuple[MeldKind, tuple[Card, ...]]]:
    """Yield the longest stretches of each suit; with a joker, those of the least length."""
    for first in range(0, 4 * RANKS, RANKS):
        positions = [
            held.get(first + position % RANKS) for position in range(lowest(rules), HIGH_ACE + 1)
        ]
        if joker is None:
            yield from _stretches(positions)
        else:
            for at in range(len(positions) - rules.run_min + 1):
                window = positions[at : at + rules.run_min]
                if window.count(None) == 1:
                    yield _RUN, tuple([joker if card is None else card for card in window])


def _stretches(positions: list[Card | None]) -> Iterator[tuple[MeldKind, tuple[Card, ...]]]:
    stretch: list[Card] = []
    for card in (*positions, None):
        if card is not None and card not in stretch:
            stretch.append(card)
        else:
            yield _RUN, tuple(stretch)
            stretch = [] if card is None else [card]
