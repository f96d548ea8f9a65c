"""Double elimination at tables of two; the rules are those that ``double_elimination`` states."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain

from rummy_arena.tournament.event import Event, Plan
from rummy_arena.tournament.results import finishes
from rummy_arena.tournament.rounds import PlayedRound
from rummy_arena.tournament.swiss_entries import pair_of

from .apart import owners_of
from .double_brackets import (
    FINAL,
    LOWER,
    RESET,
    UPPER,
    Brackets,
    Drop,
    Outlook,
    labelled,
)
from .elimination import by_place, byes_for, champions, here, seed_order
from .elimination_bracket import after_round, bracket_size, drawn, narrowed, to_play

Pairs = list[tuple[int, int]]


def plan_pairs(entrants: int) -> Plan:
    """Return the sizes of the tables of every round, without a second final."""
    upper, playing = bracket_size(entrants), entrants - bracket_size(entrants) // 2
    lower, drops = 0, list[tuple[int, int]]()
    rounds: list[tuple[int, ...]] = []
    while upper > 1 or lower + sum(size for _, size in drops) > 1:
        tables = playing if upper > 1 else 0
        taken = playing_drops(lower, drops)
        if taken is not None:
            pool = lower + sum(size for _, size in drops[:taken])
            drops = drops[taken:]
            lower = (pool + 1) // 2
            rounds.append((2,) * (tables + pool // 2))
        else:
            rounds.append((2,) * tables)
        if upper > 1:
            upper //= 2
            drops.append((upper, tables))
            playing = upper // 2
    return (*rounds, (2,))


def playing_drops(lower: int, drops: Sequence[tuple[int, int]]) -> int | None:
    """Return how many of the waiting groups, the oldest, play in the lower bracket's next round.

    ``lower`` is how many have played in it and are in; ``drops`` has places and size of each group.
    None where nobody plays.
    """
    if lower > 1 and (not drops or lower > drops[0][0]):
        return 0
    if lower and drops:
        return 1
    together = 0
    for count, (_, size) in enumerate(drops, start=1):
        together += size
        if together > 1:
            return count
    return None


def brackets_of_pairs(event: Event) -> Brackets:
    """Return where everybody is after the complete rounds."""
    found = Brackets()
    for played in event.rounds:
        found.lots = []
        if labelled(played, FINAL) or labelled(played, RESET):
            _final_played(event, found, played)
        else:
            _lower_played(event, found, played)
            _upper_played(event, found, played)
    return found


def outlook_of_pairs(event: Event, found: Brackets) -> Outlook:
    """Return what comes after the complete rounds."""
    present = here(event)
    if found.won is not None:
        return Outlook((), (), found.won)
    line = narrowed(found.upper, present) if event.rounds else _drawn(event, present)
    upper = tuple(entrant for entrant in line if entrant)
    lower = [entrant for entrant in found.lower if entrant in present]
    drops = [left for drop in found.drops if (left := drop.within(present)).entrants]
    below = (*lower, *chain.from_iterable(drop.entrants for drop in drops))
    if len(upper) + len(below) < 2:
        return Outlook((), (), (*upper, *below))
    if found.finals:
        return Outlook(upper, below, None, ((RESET, (*upper, *below)),))
    if len(upper) == len(below) == 1:
        return Outlook(upper, below, None, ((FINAL, (*upper, *below)),))
    above, free = to_play(line)
    under, waiting = _lower_pairs(event, lower, drops)
    tables = [(UPPER, pair) for pair in above] + [(LOWER, pair) for pair in under]
    return Outlook(upper, below, None, tuple(tables), (*free, *waiting))


def _drawn(event: Event, present: Collection[int]) -> list[int]:
    field = event.present()
    groups = {one.number: one.group for one in field if one.group}
    if len(present) < 2:
        return list(present)
    return drawn(seed_order(event, present), (owners_of(field), groups))


def _upper_played(event: Event, found: Brackets, played: PlayedRound) -> None:
    tables = labelled(played, UPPER)
    if not tables:
        return
    places = by_place(event, played, UPPER, lambda _: 1)
    won = {finish.seat.entrant for finish in places.qualified}
    found.lots += places.lots
    found.upper = after_round(found.upper, tables, played.byes, won)
    down = [entrant for table in tables for entrant in table if entrant not in won]
    found.drops.append(Drop(played.number, len(found.upper), down))


def _lower_played(event: Event, found: Brackets, played: PlayedRound) -> None:
    tables = labelled(played, LOWER)
    if not tables:
        return
    places = by_place(event, played, LOWER, lambda _: 1)
    won = {finish.seat.entrant for finish in places.qualified}
    found.lots += places.lots
    through = [entrant for table in tables for entrant in table if entrant in won]
    found.lost.update(
        (entrant, played.number) for table in tables for entrant in table if entrant not in won
    )
    waiting = {*found.lower, *chain.from_iterable(drop.entrants for drop in found.drops)}
    byes = [entrant for entrant in played.byes if entrant in waiting]
    taken = {*chain.from_iterable(tables), *byes}
    found.lower = through + byes
    found.drops = [drop.within(waiting - taken) for drop in found.drops]


def _final_played(event: Event, found: Brackets, played: PlayedRound) -> None:
    """Decide the title, or say that a second final is to be played.

    Who has not lost before has won with the first place, also a shared one.
    """
    (result,) = played.ordered_results()
    best = champions(event, finishes(result))
    found.finals += 1
    seated = {seat.entrant for seat in result.seats}
    found.upper = [entrant for entrant in found.upper if entrant in seated]
    unbeaten = set(found.upper)
    if found.finals == 1 and unbeaten & set(best):
        found.won = tuple(unbeaten)
    elif found.finals == 1 and event.terms.flag("reset"):
        other = [seat.entrant for seat in result.seats if seat.entrant not in unbeaten]
        found.lower, found.drops = [entrant for entrant in other if entrant in best], []
        found.lost.update((entrant, played.number) for entrant in other if entrant not in best)
        return
    else:
        found.won = best
    out = [seat.entrant for seat in result.seats if seat.entrant not in found.won]
    found.lost.update(dict.fromkeys(out, played.number))


def _lower_pairs(
    event: Event, lower: Sequence[int], drops: Sequence[Drop]
) -> tuple[Pairs, list[int]]:
    """Return the lower bracket's next tables and its bye."""
    taken = playing_drops(len(lower), [(drop.places, len(drop.entrants)) for drop in drops])
    if taken is None:
        return [], []
    down = [entrant for drop in drops[:taken] for entrant in _crossed(drop)]
    pool = [*lower, *down]
    byes = byes_for(event, pool, len(pool) % 2)
    through = [entrant for entrant in lower if entrant not in byes]
    down = [entrant for entrant in down if entrant not in byes]
    pairs = list(zip(through, down, strict=False))
    rest = through[len(pairs) :] + down[len(pairs) :]
    pairs += zip(rest[::2], rest[1::2], strict=True)
    return _unmet(event, pairs), byes


def _crossed(drop: Drop) -> list[int]:
    """Return those who came down in a round in the order in which they meet the lower bracket."""
    group = drop.entrants
    if drop.round == 1:
        return group
    half = (len(group) + 1) // 2
    return group[::-1] if drop.round % 2 == 0 else group[half:] + group[:half]


def _unmet(event: Event, pairs: Pairs) -> Pairs:
    """Return the pairs with the second ones exchanged where otherwise two met again."""
    met = {pair_of(*table) for played in event.rounds for table in played.tables}

    def again(one: int, other: int) -> int:
        return pair_of(one, other) in met

    found = list(pairs)
    for place in range(len(found)):
        one, other = found[place]
        if not again(one, other):
            continue
        for there in sorted(range(len(found)), key=lambda there, here=place: abs(there - here)):  # type: ignore[misc]
            two, another = found[there]
            if again(one, another) + again(two, other) < 1 + again(two, another):
                found[place], found[there] = (one, another), (two, other)
                break
    return found
