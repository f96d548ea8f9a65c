"""Which real cards to lay down: the solver's plan turned into melds (J-11 to J-15).

Melds are made as long as the hand allows, because every card on the table is one less to pay for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, islice

from rummy_arena.game.cards import JOKER_BASE, RANKS, Card
from rummy_arena.game.melds import HIGH_ACE, Meld, MeldKind
from rummy_arena.game.rules import Contract, NewMelds, RuleSet

from .contracts import Masks, Plan, limits_for, masks, plan, run_plan
from .exact_openings import least_penalty_opening
from .limits import JOKERS_AT
from .point_openings import find_point_opening
from .tables import ALL_RANKS, LANE_BITS, run_tables

_SET, _RUN = MeldKind.SET, MeldKind.RUN  # members of an enum are slow to look up on the class
_ALTERNATIVES = 40
"""How many choices of set ranks an opening compares at most."""


class _Pool:
    """The cards of a hand that no meld has taken yet, naturals by kind (id without its pack)."""

    __slots__ = ("jokers", "naturals")

    def __init__(self, hand: Iterable[Card]) -> None:
        self.naturals: dict[int, list[Card]] = {}
        self.jokers: list[Card] = []
        for card in hand:
            if card >= JOKER_BASE:
                self.jokers.append(card)
            elif card >> 2 in self.naturals:
                self.naturals[card >> 2].append(card)
            else:
                self.naturals[card >> 2] = [card]

    def take(self, rank: int, suit: int) -> Card | None:
        """Remove and return a natural, or None if none is left."""
        cards = self.naturals.get(suit * RANKS + rank)
        return cards.pop() if cards else None

    def take_rank(self, rank: int) -> list[Card]:
        """Remove and return all naturals of a rank."""
        taken: list[Card] = []
        for kind in range(rank, 4 * RANKS, RANKS):
            taken += self.naturals.pop(kind, ())
        return taken

    def rest(self) -> list[Card]:
        """Return the naturals that are left."""
        return [card for cards in self.naturals.values() for card in cards]


class _Run:
    """A run in the making, cards in order from position ``low``."""

    __slots__ = ("cards", "low", "suit")

    def __init__(self, suit: int, low: int, cards: list[Card]) -> None:
        self.suit = suit
        self.low = low
        self.cards = cards

    def lengthen(self, pool: _Pool) -> None:
        """Add what the pool holds at either end, over a joker if need be."""
        self._lengthen(pool, self.low + len(self.cards), 1)
        self._lengthen(pool, self.low - 1, -1)

    def _lengthen(self, pool: _Pool, position: int, step: int) -> None:
        first = self.suit * RANKS
        naturals, jokers = pool.naturals, pool.jokers
        while 0 <= position <= HIGH_ACE:
            held = naturals.get(first + position % RANKS)
            if held:
                self._add(held.pop(), step)
                position += step
                continue
            beyond = position + step
            if not jokers or self.end(step) >= JOKER_BASE or not 0 <= beyond <= HIGH_ACE:
                return
            held = naturals.get(first + beyond % RANKS)
            if not held:
                return
            self._add(jokers.pop(), step)
            self._add(held.pop(), step)
            position = beyond + step

    def end(self, step: int) -> Card:
        """Return the card at the high end for step 1, at the low end for step -1."""
        return self.cards[-1] if step > 0 else self.cards[0]

    def _add(self, card: Card, step: int) -> None:
        if step > 0:
            self.cards.append(card)
        else:
            self.cards.insert(0, card)
            self.low -= 1

    def take_joker(self, pool: _Pool) -> None:
        """Put jokers of the pool at the ends where a natural stands and there is room (J-15)."""
        if pool.jokers and self.low > 0 and self.end(-1) < JOKER_BASE:
            self._add(pool.jokers.pop(), -1)
        top = self.low + len(self.cards) - 1
        if pool.jokers and top < HIGH_ACE and self.end(1) < JOKER_BASE:
            self._add(pool.jokers.pop(), 1)


def find_opening(
    rules: RuleSet, hand: Sequence[Card], contract: Contract, must: Card | None = None
) -> tuple[Meld, ...] | None:
    """Return the melds of a legal opening that leaves the least penalty, or None (J-11, C-2, E-4).

    Runs come in order, low to high, jokers in their places (X-13). ``must`` is a card of the hand
    that has to be among them (E-7); the melds of a contract are of the least length then. Among
    many openings of a hand that calls made long, the first forty choices of ranks are compared.
    Where going out needs a discard (C-10, E-19), a card is kept for it.
    """
    if contract.points:
        return find_point_opening(rules, hand, contract.points, must)
    if must is not None:
        return least_penalty_opening(rules, hand, contract, limits_for(rules), must)
    held = masks(hand)
    found = plan(rules, held, contract)
    return None if found.distance else opening_of(rules, hand, contract, held, found) or None


def opening_of(
    rules: RuleSet, hand: Sequence[Card], contract: Contract, held: Masks, found: Plan
) -> tuple[Meld, ...]:
    """Return the opening that ``find_opening`` finds, for a hand whose complete plan is known.

    () where it finds none, because no card would be left for a discard that is needed (C-10).
    """
    if contract.points:
        return find_point_opening(rules, hand, contract.points) or ()
    if not rules.own_melds_differ or rules.opening_exact:
        return least_penalty_opening(rules, hand, contract, limits_for(rules)) or ()
    best, rest = _assembled(rules, hand, found.set_ranks, found.run_cards, contract.runs)
    if len(rest) <= 1 or not contract.sets:
        return best
    least = _cost(rules, rest)
    for ranks in _rank_choices(rules, held, contract):
        if ranks == found.set_ranks:
            continue
        run_cards = run_plan(rules, held, ranks, contract)
        if run_cards is None:
            continue
        melds, rest = _assembled(rules, hand, ranks, run_cards, contract.runs)
        cost = _cost(rules, rest)
        if cost < least:
            best, least = melds, cost
    return best


def find_melds(
    rules: RuleSet, hand: Sequence[Card], used_ranks: int, used_suits: int
) -> list[Meld]:
    """Return further melds of disjoint cards for a seat that has opened, most penalty first.

    ``used_ranks`` and ``used_suits`` are masks of the ranks of its sets and the suits of its runs
    on the table (J-12). A card is kept where going out needs a discard (E-19); where no further
    melds are allowed there are none (C-15).
    """
    if rules.new_melds is NewMelds.NEVER:
        return []
    if rules.set_suits_differ:
        found = find_point_opening(rules, hand, 0) or ()
        return sorted(found, key=lambda meld: rules.hand_points(list(meld.cards)), reverse=True)
    pool = _Pool(hand)
    melds: list[Meld] = []
    while True:
        options = _sets(rules, pool, used_ranks)
        options += _runs(rules, pool, used_suits)
        if not options:
            return melds
        _, kind, key, jokers = max(options)
        if kind is _SET:
            cards = pool.take_rank(key)
            used_ranks |= 1 << key
            melds.append(Meld(kind, (*cards, *(pool.jokers.pop() for _ in range(jokers)))))
        else:
            run = _run(rules, pool, key, _suit_mask(pool, key))
            run.lengthen(pool)
            used_suits |= 1 << key
            melds.append(Meld(kind, tuple(run.cards)))


def _sets(rules: RuleSet, pool: _Pool, used: int) -> list[tuple[int, MeldKind, int, int]]:
    """Return the sets that the pool could make: penalty shed, kind, rank, jokers needed."""
    ranks: dict[int, list[Card]] = {}
    for kind, cards in pool.naturals.items():
        ranks.setdefault(kind % RANKS, []).extend(cards)
    found = []
    for rank, held in ranks.items():
        jokers = max(rules.set_min - len(held), 0)
        if used >> rank & 1 or len(held) < rules.set_min_naturals or jokers > len(pool.jokers):
            continue
        found.append((rules.hand_points(held), _SET, rank, jokers))
    return found


def _runs(rules: RuleSet, pool: _Pool, used: int) -> list[tuple[int, MeldKind, int, int]]:
    """Return the runs that the pool could make: penalty shed, kind, suit, jokers needed."""
    found = []
    tables = run_tables(rules.run_min)
    for suit in range(4):
        mask = 0 if used >> suit & 1 else _suit_mask(pool, suit)
        quality = tables.quality[mask]
        jokers = rules.run_min - (quality >> 4)
        if jokers > min(quality & 15, len(pool.jokers)):
            continue
        window = tables.window[mask]
        cards = [
            pool.naturals[suit * RANKS + rank][0] for rank in range(RANKS) if window >> rank & 1
        ]
        found.append((rules.hand_points(cards), _RUN, suit, jokers))
    return found


def _suit_mask(pool: _Pool, suit: int) -> int:
    first = suit * RANKS
    return sum(
        1 << kind - first
        for kind, cards in pool.naturals.items()
        if cards and 0 <= kind - first < RANKS
    )


def _run(rules: RuleSet, pool: _Pool, suit: int, mask: int) -> _Run:
    """Take the best run of minimum length out of the pool; jokers stand where a natural lacks."""
    low = run_tables(rules.run_min).start[mask]
    run = _Run(suit, low, [])
    for position in range(low, low + rules.run_min):
        held = mask >> position % RANKS & 1
        card = pool.take(position % RANKS, suit) if held else None
        run.cards.append(pool.jokers.pop() if card is None else card)
    return run


def _assembled(
    rules: RuleSet, hand: Sequence[Card], set_ranks: int, run_cards: int, runs: int
) -> tuple[tuple[Meld, ...], list[Card]]:
    """Return the melds that a complete plan makes of the hand, and the cards left over."""
    pool = _Pool(hand)
    laid: list[_Run] = []
    for suit in range(4):
        mask = run_cards >> suit * RANKS & ALL_RANKS
        if mask and len(laid) < runs:
            laid.append(_run(rules, pool, suit, mask))
    sets = [pool.take_rank(rank) for rank in range(RANKS) if set_ranks >> rank & 1]
    for cards in sets:
        while len(cards) < rules.set_min:
            cards.append(pool.jokers.pop())
    for run in laid:
        run.lengthen(pool)
    if pool.jokers and not _further(rules, pool, set_ranks, laid):
        for cards in sets:
            _fill_up(rules, cards, pool.jokers)
        for run in laid:
            run.take_joker(pool)
    melds = [Meld(_SET, tuple(cards)) for cards in sets]
    melds += [Meld(_RUN, tuple(run.cards)) for run in laid]
    return tuple(melds), pool.rest() + pool.jokers


def _fill_up(rules: RuleSet, cards: list[Card], jokers: list[Card]) -> None:
    """Put jokers into a set as long as it takes any (B-8)."""
    naturals = sum([card < JOKER_BASE for card in cards])
    most = min(rules.set_max, 2 * naturals + rules.set_spare_jokers)
    while jokers and len(cards) < most:
        cards.append(jokers.pop())


def _further(rules: RuleSet, pool: _Pool, set_ranks: int, laid: list[_Run]) -> bool:
    """Return whether the rest gives another meld, which may want the jokers."""
    rest = pool.rest()
    if len(rest) < rules.set_min_naturals:
        return False
    used_suits = sum(1 << run.suit for run in laid)
    return bool(find_melds(rules, rest + pool.jokers, set_ranks, used_suits))


def _cost(rules: RuleSet, rest: list[Card]) -> tuple[bool, int]:
    """Return how bad it is to be left with ``rest``: going out by a discard is best (J-22)."""
    out = not rest or (len(rest) == 1 and rest[0] < JOKER_BASE)
    return not out, rules.hand_points(rest)


def _rank_choices(rules: RuleSet, held: Masks, contract: Contract) -> Iterable[int]:
    """Return the choices of ranks that could make the contract's sets, as masks."""
    lanes = held[1]
    jokers = lanes >> JOKERS_AT
    wanted: dict[int, int] = {}
    for rank in range(RANKS):
        count = lanes >> LANE_BITS * rank & 15
        if count >= rules.set_min_naturals and rules.set_min - count <= jokers:
            wanted[rank] = rules.set_min - count if count < rules.set_min else 0
    ranks = sorted(wanted, key=wanted.__getitem__)
    for choice in islice(combinations(ranks, contract.sets), _ALTERNATIVES):
        if sum([wanted[rank] for rank in choice]) <= jokers:
            yield sum([1 << rank for rank in choice])
