"""Building on the table: lay-offs, joker moves and joker exchanges (J-15 to J-20, B-10, C-7, E-13).

Each function returns the meld as it becomes, or raises a RuleViolation; nothing changes a state.
"""

from __future__ import annotations

from .actions import HIGH, LOW, NONE
from .cards import JOKER_BASE, RANK_OF, RANKS, SUIT_OF, Card
from .errors import Malformed
from .melds import HIGH_ACE, MeldKind, TableMeld, joker_index, lowest, refused
from .rules import RuleSet, RunEnds

_SET = MeldKind.SET
_BOTH = (HIGH, LOW)
EACH_SUIT = 1 | 1 << RANKS | 1 << 2 * RANKS | 1 << 3 * RANKS
"""A kind of natural in each suit: shift it by a rank."""


def extended(
    rules: RuleSet, meld: TableMeld, card: Card, target: int, end: int = NONE
) -> tuple[TableMeld, int]:
    """Return table meld number ``target`` with ``card`` laid off, and at which end of a run.

    Without an ``end`` the card goes where it fits; where both ends fit, the player must say.
    """
    _known_end(end)
    if meld.kind is _SET:
        return _extended_set(rules, meld, card, target), NONE
    ends = _open_ends(rules, meld)
    if not ends:
        raise refused(rules, "RUN_CLOSED", card=card, target=target)
    chosen = _named(rules, ends, end, card, target)
    if card >= JOKER_BASE:
        free = [at for at in chosen if _takes_joker(rules, meld, at)]
        if not free:
            raise refused(rules, "JOKERS_ADJACENT", card=card, target=target)
    else:
        free = [at for at in chosen if _is_next(meld, card, at)]
        if not free:
            tried = tuple(["high" if at == HIGH else "low" for at in chosen])
            raise refused(rules, "CARD_DOES_NOT_FIT", card=card, target=target, ends=tried)
    at = _only(rules, free, card, target)
    return grown(meld, card, at), at


def _extended_set(rules: RuleSet, meld: TableMeld, card: Card, target: int) -> TableMeld:
    joker = card >= JOKER_BASE
    if not joker and RANK_OF[card] != meld.low:
        raise refused(rules, "RANK_DOES_NOT_FIT", card=card, target=target)
    cards = meld.cards
    if len(cards) >= rules.set_max:
        raise refused(rules, "SET_CLOSED", card=card, target=target)
    if rules.set_suits_differ and not joker and _has_suit(cards, card):
        raise refused(rules, "SET_SUITS_REPEAT", card=card, target=target)
    if joker and not _set_takes_joker(rules, cards):
        raise refused(rules, "SET_TOO_MANY_JOKERS", card=card, target=target)
    return meld._replace(cards=(*cards, card))


def with_joker_moved(
    rules: RuleSet, meld: TableMeld, card: Card, target: int, end: int = NONE
) -> tuple[TableMeld, int]:
    """Return run ``target`` with ``card`` in its joker's place, and the end the joker went to.

    The natural takes its place first; then the joker goes where a lay-off may go (J-19, B-10, C-7).
    """
    _known_end(end)
    if meld.kind is _SET:
        raise refused(rules, "JOKER_FIXED_IN_SET", card=card, target=target)
    index = joker_index(meld, card)
    if index is None:
        raise refused(rules, "NO_JOKER_FOR_CARD", card=card, target=target)
    joker = meld.cards[index]
    filled = meld._replace(cards=(*meld.cards[:index], card, *meld.cards[index + 1 :]))
    ends = _open_ends(rules, filled)
    if not ends:
        raise refused(rules, "MOVE.RUN_CLOSED", card=card, target=target)
    chosen = _named(rules, ends, end, card, target)
    free = [at for at in chosen if _takes_joker(rules, filled, at)]
    if not free:
        raise refused(rules, "MOVE.JOKERS_ADJACENT", card=card, target=target)
    at = _only(rules, free, card, target)
    return grown(filled, joker, at), at


def with_joker_taken(
    rules: RuleSet, meld: TableMeld, cards: tuple[Card, ...], target: int
) -> tuple[TableMeld, Card]:
    """Return meld ``target`` after ``cards`` were given for its joker, and the joker (E-13)."""
    if meld.kind is not _SET:
        index = joker_index(meld, cards[0])
        if index is None:
            raise refused(rules, "NO_JOKER_FOR_CARD", card=cards[0], target=target)
        if len(cards) > 1:
            raise refused(rules, "NO_JOKER_FOR_CARD", card=cards[1], target=target)
        held = meld.cards
        return meld._replace(cards=(*held[:index], cards[0], *held[index + 1 :])), held[index]
    return _exchanged_set(rules, meld, cards, target)


def _exchanged_set(
    rules: RuleSet, meld: TableMeld, cards: tuple[Card, ...], target: int
) -> tuple[TableMeld, Card]:
    joker = next((held for held in meld.cards if held >= JOKER_BASE), None)
    if joker is None:
        raise refused(rules, "NO_JOKER_FOR_CARD", card=cards[0], target=target)
    rest = tuple([held for held in meld.cards if held != joker])
    for at, card in enumerate(cards):
        if card >= JOKER_BASE or RANK_OF[card] != meld.low:
            raise refused(rules, "RANK_DOES_NOT_FIT", card=card, target=target)
        if rules.set_suits_differ and _has_suit((*rest, *cards[:at]), card):
            raise refused(rules, "SET_SUITS_REPEAT", card=card, target=target)
    needed = rules.exchange_naturals
    if len(rest) + needed > rules.set_max:
        raise refused(rules, "TAKE_JOKER.SET_CLOSED", card=cards[0], target=target)
    if len(cards) != needed:
        raise refused(rules, "SUITS_MISSING", cards=cards, target=target, needed=needed)
    return meld._replace(cards=(*rest, *cards)), joker


def grown(meld: TableMeld, card: Card, end: int) -> TableMeld:
    """Return the run with ``card`` at its high or low end."""
    if end == HIGH:
        return meld._replace(cards=(*meld.cards, card))
    return meld._replace(low=meld.low - 1, cards=(card, *meld.cards))


def lay_off_places(rules: RuleSet, meld: TableMeld) -> list[tuple[int, bool, int]]:
    """Return where cards may be laid off on a meld, without limits of the turn.

    For each place: the kinds of natural that fit (ids without their pack, as a mask of 52 bits),
    whether a joker does, and the end of a run.
    """
    cards = meld.cards
    if meld.kind is _SET:
        if len(cards) >= rules.set_max:
            return []
        fitting = EACH_SUIT << meld.low
        if rules.set_suits_differ:
            for held in cards:
                if held < JOKER_BASE:
                    fitting &= ~(1 << (held >> 2))
        return [(fitting, _set_takes_joker(rules, cards), NONE)]
    return [
        (
            1 << meld.suit * RANKS + _next_position(meld, end) % RANKS,
            _takes_joker(rules, meld, end),
            end,
        )
        for end in _open_ends(rules, meld)
    ]


def _known_end(end: int) -> None:
    if type(end) is not int or end not in (NONE, LOW, HIGH):
        raise Malformed("UNKNOWN_END", "X-18", end=end)


def _open_ends(rules: RuleSet, meld: TableMeld) -> tuple[int, ...]:
    """Return the ends at which a run has room (J-16 upwards first, B-11 either, E-9)."""
    cards = len(meld.cards)
    if cards >= rules.run_max:
        return ()
    up = meld.low + cards - 1 < HIGH_ACE
    if up and rules.run_ends is RunEnds.UPWARDS:
        return (HIGH,)
    down = meld.low > lowest(rules)
    if up:
        return _BOTH if down else (HIGH,)
    return (LOW,) if down else ()


def _named(
    rules: RuleSet, ends: tuple[int, ...], end: int, card: Card, target: int
) -> tuple[int, ...]:
    """Return the open ends that the player means."""
    if end == NONE:
        return ends
    if end not in ends:
        raise refused(rules, "WRONG_END", card=card, target=target, end=end)
    return (end,)


def _only(rules: RuleSet, ends: list[int], card: Card, target: int) -> int:
    if len(ends) > 1:
        raise refused(rules, "END_NEEDED", card=card, target=target)
    return ends[0]


def _next_position(meld: TableMeld, end: int) -> int:
    return meld.low + len(meld.cards) if end == HIGH else meld.low - 1


def _is_next(meld: TableMeld, card: Card, end: int) -> bool:
    return SUIT_OF[card] == meld.suit and RANK_OF[card] == _next_position(meld, end) % RANKS


def _set_takes_joker(rules: RuleSet, cards: tuple[Card, ...]) -> bool:
    """Return whether one more joker keeps the set's jokers few enough (B-8)."""
    if rules.set_spare_jokers >= len(cards):
        return True
    naturals = sum([held < JOKER_BASE for held in cards])
    return len(cards) + 1 <= 2 * naturals + rules.set_spare_jokers


def _takes_joker(rules: RuleSet, meld: TableMeld, end: int) -> bool:
    """Return whether a joker may stand at that end, beside what stands there now."""
    return rules.jokers_adjacent or meld.cards[-1 if end == HIGH else 0] < JOKER_BASE


def _has_suit(cards: tuple[Card, ...], card: Card) -> bool:
    suit = SUIT_OF[card]
    return any(held < JOKER_BASE and SUIT_OF[held] == suit for held in cards)
