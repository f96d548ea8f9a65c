"""The games as the rule book's tables have them, written down again for the tests.

Nothing here is read from the rule sets' data, so that a wrong number there is found here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rummy_arena.game.cards import Card, card_text, is_joker
from rummy_arena.game.rules import RuleSet

LOW_OR_HIGH = "A23456789TJQKA"
HIGH_ONLY = "-23456789TJQKA"
"""What the positions of a run are called; no card stands below the two where aces are high."""
NINE = ((3, 0), (2, 1), (1, 2), (0, 3), (4, 0), (3, 1), (2, 2), (1, 3), (0, 4))
SEVEN = ((2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3))
NINE_HANDS = (9, 10, 11, 12, 12, 13, 14, 15, 16)
MANY = 99


@dataclass(frozen=True)
class Paper:
    """One game's numbers."""

    contracts: tuple[tuple[int, int], ...] = ()
    hands: tuple[int, ...] = ()
    hands_by_players: tuple[int, ...] = ()
    opening_points: int = 0
    joker: int = 50
    aces: tuple[int, int] = (15, 1)  # black, red
    clockwise: bool = True
    set_most: int = MANY
    set_naturals: int = 2
    suits_differ: bool = False
    jokers_over: int = MANY
    run_least: int = 4
    run_most: int = 14
    ladder: str = LOW_OR_HIGH
    adjacent: bool = False
    upwards: bool = False
    per_end: int = MANY
    differ: bool = True
    out: int = 0
    unopened: int = 0
    factor: int = 1
    extra: int = 0
    recyclings: int = 1
    calls: int = 0
    limit: int = 0
    stake: int = 0
    stake_doubled: str = ""  # "out": by who goes out, "down": by who opens and goes out at once
    buy_in: int = 0
    open_hands: bool = False

    def hand_size(self, contract: int, players: int) -> int:
        """Return the cards dealt to each."""
        return self.hands_by_players[players] if self.hands_by_players else self.hands[contract - 1]

    def worth(self, card: Card) -> int:
        """Return the penalty of a card, read off its text."""
        text = card_text(card)
        if text[0] == "*":
            return self.joker
        if text[0] == "A":
            return self.aces[text[1] in "DH"]
        return 10 if text[0] in "TJQK" else int(text[0])


JAMAICAN = Paper(NINE, NINE_HANDS, upwards=True, factor=2, calls=3)
BONUS = Paper(NINE, NINE_HANDS, jokers_over=1, out=-50, unopened=50, calls=3)
CARIOCA = Paper(
    SEVEN,
    (11, 11, 11, 11, 11, 11, 12),
    aces=(20, 20),
    clockwise=False,
    set_naturals=1,
    adjacent=True,
    differ=False,
    recyclings=MANY,
)
EUROPEAN = Paper(
    hands_by_players=(0, 0, 13, 13, 13, 13),
    opening_points=40,
    joker=15,
    aces=(11, 11),
    set_most=4,
    set_naturals=1,
    suits_differ=True,
    run_least=3,
    run_most=13,
    ladder=HIGH_ONLY,
    adjacent=True,
    per_end=2,
    differ=False,
    limit=150,
    stake=1,
    stake_doubled="down",
    buy_in=1,
)
AMERICAN = replace(
    EUROPEAN,
    hands_by_players=(0, 0, 15, 13, 13, 13, 11),
    opening_points=51,
    joker=25,
    aces=(15, 15),
    stake_doubled="",
)
_GAMES = {
    "kalooki-jamaican": JAMAICAN,
    "kalooki-bonus": BONUS,
    "carioca-argentine": CARIOCA,
    "kaluki-european": EUROPEAN,
    "kaluki-american": AMERICAN,
}
_SHORT = [0, 1, 3, 4, 5, 6, 8]
_OPTIONS: dict[tuple[str, str], dict[str, object]] = {
    ("calls", "off"): {"calls": 0},
    ("open_hands", "on"): {"open_hands": True},
    ("joker_penalty", "25"): {"joker": 25},
    ("short_form", "on"): {
        "contracts": tuple(NINE[at] for at in _SHORT),
        "hands": tuple(NINE_HANDS[at] for at in _SHORT),
    },
    ("stakes", "7"): {"stake": 7, "stake_doubled": "out"},
    ("build_per_end", "unlimited"): {"per_end": MANY},
    ("kaluki_penalty", "double"): {"factor": 2},
    ("kaluki_penalty", "plus25"): {"extra": 25},
    ("ace", "high_or_low"): {"ladder": LOW_OR_HIGH},
}


def paper_of(rules: RuleSet) -> Paper:
    """Return the numbers of a game with its options."""
    found = _GAMES[rules.id]
    for option in rules.options:
        found = replace(found, **_OPTIONS.get(option, {}))  # type: ignore[arg-type]
    if (alone := dict(rules.options).get("contract")) is not None:
        at = int(alone) - 1
        found = replace(found, contracts=(found.contracts[at],), hands=(found.hands[at],))
    return found


# --- melds ----------------------------------------------------------------------------------------


def name(card: Card) -> tuple[str, int]:
    """Return a natural's rank as text, and its suit."""
    suit, rank = divmod(card // 4, 13)
    return LOW_OR_HIGH[rank], suit


def places(paper: Paper, cards: Sequence[Card]) -> list[int]:
    """Return each position at which the cards, low to high, would be a run."""
    naturals = [card for card in cards if not is_joker(card)]
    sized = paper.run_least <= len(cards) <= paper.run_most
    if not sized or not naturals or len(set(cards)) != len(cards):
        return []
    together = any(is_joker(a) and is_joker(b) for a, b in pairwise(cards))
    if (together and not paper.adjacent) or len({name(c)[1] for c in naturals}) > 1:
        return []
    first = 0 if paper.ladder[0] == "A" else 1
    return [
        low
        for low in range(first, 14 - len(cards) + 1)
        if all(
            is_joker(card) or name(card)[0] == LOW_OR_HIGH[low + step]
            for step, card in enumerate(cards)
        )
    ]


def is_set(paper: Paper, cards: Sequence[Card]) -> bool:
    """Return whether the cards are a set."""
    naturals = [card for card in cards if not is_joker(card)]
    names = [name(card) for card in naturals]
    suits = [suit for _, suit in names]
    return (
        len(set(cards)) == len(cards)
        and 3 <= len(cards) <= paper.set_most
        and len(naturals) >= paper.set_naturals
        and len({rank for rank, _ in names}) == 1
        and (not paper.suits_differ or len(set(suits)) == len(suits))
        and len(cards) - len(naturals) <= len(naturals) + paper.jokers_over
    )
