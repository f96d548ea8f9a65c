"""What the melds on a table take as they lie, and the plain case in which that is all (J-16, B-11).

Most hands fit nowhere, and most others have naturals that fit in one place each. Both are answered
here, from what is remembered of the table; the rest is for the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rummy_arena.game.actions import NONE, Action, lay_off
from rummy_arena.game.building import grown
from rummy_arena.game.cards import JOKER_BASE, RANKS, Card
from rummy_arena.game.melds import HIGH_ACE, Meld, MeldKind, TableMeld
from rummy_arena.game.rules import JokerExchange, RuleSet, RunEnds
from rummy_arena.game.state import Progress

from .building_moves import OWN_JOKER, places, stood_for
from .limits import JOKERS_AT, Masks
from .tables import IN_ALL_SUITS, bits_of

_SET = MeldKind.SET


class FreeSets(NamedTuple):
    """What sets take at any time, where they take any suit and never close (J-13, B-8, C-5)."""

    fitting: int  # naturals, as four suits of 13 bits
    targets: dict[int, int]  # by rank: a set of it
    rooms: dict[int, int]  # by set: the jokers that it takes as it is
    room: int  # all of these


NO_SETS = FreeSets(0, {}, {}, 0)


class Table(NamedTuple):
    """What a table takes from anybody."""

    fitting: int  # naturals that can be laid off, as four suits of 13 bits
    jokers: bool  # whether a joker can
    stood_for: int  # naturals that its jokers stand for
    ends: tuple[tuple[int, int, int], ...]  # target, end and naturals, but of sets that are free
    sets: FreeSets


@lru_cache(maxsize=4096)
def table_of(rules: RuleSet, melds: tuple[TableMeld, ...]) -> Table:
    """Return what the melds of a table take, remembered for tables asked about again."""
    fitting = wanted = 0
    jokers = False
    ends = []
    for target, meld in enumerate(melds):
        wanted |= stood_for(meld)
        for naturals, joker, end in places(rules, meld):
            fitting |= naturals
            jokers = jokers or joker
            if rules.set_suits_differ or meld.kind is not _SET:
                ends.append((target, end, naturals))
    return Table(fitting, jokers, wanted, tuple(ends), free_sets(rules, melds))


def free_sets(rules: RuleSet, melds: tuple[TableMeld, ...]) -> FreeSets:
    """Return what the sets among the melds take at any time."""
    if rules.set_suits_differ:
        return NO_SETS
    fitting = 0
    targets, rooms = {}, {}
    for target, (_, kind, low, _, cards) in enumerate(melds):
        if kind is _SET:
            fitting |= IN_ALL_SUITS[low]
            targets[low] = target
            naturals = sum([card < JOKER_BASE for card in cards])
            rooms[target] = 2 * naturals + rules.set_spare_jokers - len(cards)
    return FreeSets(fitting, targets, rooms, sum(rooms.values()))


def exchangeable(
    rules: RuleSet, seat: int, melds: tuple[TableMeld, ...], held: int, before: int
) -> int:
    """Return the naturals in ``held`` for which a joker of the table may be had or moved.

    ``before`` is the number of melds on the table when the turn began. A sieve: for a joker that
    moves there may be no room (J-19).
    """
    takes = rules.joker_exchange is JokerExchange.TAKE
    found = 0
    for target, meld in enumerate(melds):
        wanted = stood_for(meld) & held
        if not wanted:
            continue
        if meld.kind is _SET:
            needed = rules.exchange_naturals
            enough = takes and wanted.bit_count() >= needed
            if not enough or len(meld.cards) - 1 + needed > rules.set_max:
                continue
        elif not takes and (
            (rules.joker_owner_only and meld.owner != seat)
            or (rules.joker_later_turn and target >= before)
        ):
            continue
        found |= wanted
    return found


def carried(meld: TableMeld, held: int, jokers: int) -> int:
    """Return the naturals that a run might take, with so many jokers between."""
    found = 0
    first = meld.suit * RANKS
    for position, step in ((meld.low + len(meld.cards), 1), (meld.low - 1, -1)):
        left = jokers
        while 0 <= position <= HIGH_ACE:
            bit = 1 << first + position % RANKS
            if held & bit:
                found |= bit
            else:
                left -= 1
                if left < 0:
                    break
            position += step
    return found


def plain_building(
    rules: RuleSet,
    hand: Sequence[Card],
    own: Masks,
    melds: tuple[TableMeld, ...],
    progress: Progress,
) -> tuple[Action, ...] | None:
    """Return the lay-offs of a hand whose naturals have one place each, or None for any other.

    ``own`` are the masks of the hand. Nothing better can be done then, but for new melds and for
    exchanges of jokers, of which the caller knows that there are none.
    """
    held, lanes, twins = own
    jokers = lanes >> JOKERS_AT
    table = table_of(rules, melds)
    if jokers and (table.sets.room < jokers or carries(melds, held, jokers)):
        return None
    actions = _along_the_ends(rules, held, melds, table, progress)
    if actions is None:
        return None
    laid = sum([1 << (action.card >> 2) for action in actions])
    actions += on_sets(table.sets, held & ~(laid & ~twins), twins & ~laid, jokers)
    return with_real_cards(actions[: len(hand) - rules.final_discard], hand, progress.taken)


def carries(melds: tuple[TableMeld, ...], held: int, jokers: int) -> bool:
    """Return whether a joker on a run could let a natural follow."""
    return any(
        carried(meld, held, jokers) != carried(meld, held, 0)
        for meld in melds
        if meld.kind is not _SET
    )


def _along_the_ends(
    rules: RuleSet, held: int, melds: tuple[TableMeld, ...], table: Table, progress: Progress
) -> list[Action] | None:
    """Return what goes on the ends of runs and on sets that close; None if there is a choice."""
    firsts = 0
    starts = []
    for target, end, naturals in table.ends:
        found = naturals & held
        if found:
            if found & firsts or found & (found - 1):
                return None
            firsts |= found
            starts.append((target, end, found))
    actions: list[Action] = []
    laid = 0
    most, named = rules.build_per_end, rules.run_ends is RunEnds.EITHER
    now = {target: melds[target] for target, _, _ in starts}
    for target, end, first in starts:
        built = progress.built_on(target, end) if progress.built else 0
        while built < most:
            at, naturals = _next(rules, now[target], end, named=named)
            found = naturals & held
            if not found:
                break
            if found & laid or (found != first and found & firsts):
                return None
            card = found.bit_length() - 1 << 2
            actions.append(lay_off(card, target, at if named else NONE))
            now[target] = laid_on(now[target], card, at)
            laid |= found
            built += 1
    return actions


def _next(rules: RuleSet, meld: TableMeld, end: int, *, named: bool) -> tuple[int, int]:
    """Return the end where a meld goes on, and the naturals that fit there."""
    for naturals, _, at in places(rules, meld):
        if at == end or not named:
            return at, naturals
    return NONE, 0


def laid_on(meld: TableMeld, card: Card, end: int) -> TableMeld:
    """Return the meld with a card that fits there."""
    return meld._replace(cards=(*meld.cards, card)) if end == NONE else grown(meld, card, end)


def on_sets(sets: FreeSets, held: int, twins: int, jokers: int) -> list[Action]:
    """Return the lay-offs of what sets take at any time."""
    actions = []
    rooms = sets.rooms.copy()
    for bit in (*bits_of(held & sets.fitting), *bits_of(twins & sets.fitting)):
        kind = bit.bit_length() - 1
        target = sets.targets[kind % RANKS]
        rooms[target] += 1
        actions.append(lay_off(kind << 2, target))
    for target, room in rooms.items():
        number = min(jokers, room)
        jokers -= number
        actions += [lay_off(OWN_JOKER, target)] * number
    return actions


def with_real_cards(
    actions: Sequence[Action], hand: Sequence[Card], taken: Card
) -> tuple[Action, ...]:
    """Return the actions with the cards of the hand in place of their kinds.

    The card that may not be thrown back goes before others like it.
    """
    if not actions:
        return ()
    pool: dict[int, list[Card]] = {}
    for card in hand:
        pool.setdefault(OWN_JOKER if card >= JOKER_BASE else card >> 2 << 2, []).append(card)
    if taken in hand:
        like = pool[OWN_JOKER if taken >= JOKER_BASE else taken >> 2 << 2]
        like.append(like.pop(like.index(taken)))

    def real(card: Card) -> Card:
        return pool[card].pop() if card in pool else card

    found = []
    for action in actions:
        card = NONE if action.card == NONE else real(action.card)
        also = NONE if action.also == NONE else real(action.also)
        melds = tuple([Meld(meld.kind, tuple(map(real, meld.cards))) for meld in action.melds])
        found.append(action._replace(card=card, also=also, melds=melds))
    return tuple(found)
