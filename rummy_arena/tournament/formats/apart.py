"""Who is kept apart: entrants of one owner, and in a stage's first round those of one group.

Owners are kept apart wherever that can be. Where it cannot, an owner's meeting counts as so many
repeated ones that as few as can be are made, and the round's notes name them. Those who come from
one group of the stage before have met there; in the first round that counts as a meeting.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations

from rummy_arena.tournament.field import Entrant
from rummy_arena.tournament.swiss_entries import KeptApart, Pair, Pairing, owner_pairs

Pairer = Callable[[Mapping[Pair, int], Collection[Pair]], Pairing]
"""What pairs a round, given who has met how often and who must not meet."""

AS_MEETINGS = 10
"""Repeated meetings that one of entrants with the same owner counts as, if it cannot be avoided."""
MOST_OF_ONE_OWNER = 300
"""Entrants of an owner of more, who cannot be kept apart, meet as if they were anybody's."""
MOST_NAMED = 8
"""Meetings that a note names."""


def kept_apart(
    entrants: Sequence[Entrant], met: Mapping[Pair, int], tables: int, *, first: bool, pair: Pairer
) -> tuple[Pairing, tuple[str, ...]]:
    """Return a round of so many tables in which owners are kept apart, and its notes."""
    owners = owners_of(entrants)
    sizes = Counter(owners.values())
    if first:
        met = Counter(met)
        met.update(owner_pairs({one.number: one.group for one in entrants if one.group}))
    few = {one: owner for one, owner in owners.items() if sizes[owner] <= tables}
    some = {
        one: owner for one, owner in owners.items() if tables < sizes[owner] <= MOST_OF_ONE_OWNER
    }
    for strictly, mildly in ((few, some), ({}, few | some)):
        more = Counter(met)
        more.update(dict.fromkeys(owner_pairs(mildly), AS_MEETINGS))
        try:
            found = pair(more, owner_pairs(strictly))
        except KeptApart:
            continue  # several owners stand in each other's way
        return found, owner_notes(found.tables, owners)
    raise AssertionError("a round is paired where everybody may meet")


def owners_of(entrants: Sequence[Entrant]) -> dict[int, str]:
    """Return the owners of those who have one."""
    return {entrant.number: entrant.owner for entrant in entrants if entrant.owner}


def owner_notes(tables: Sequence[Sequence[int]], owners: Mapping[int, str]) -> tuple[str, ...]:
    """Return a note that names who sits with an entrant of the same owner, if anybody does."""
    meeting: list[Pair] = []
    for table in tables:
        held: dict[str, list[int]] = defaultdict(list)
        for entrant in sorted(table):
            if entrant in owners:
                held[owners[entrant]].append(entrant)
        meeting += [pair for group in held.values() for pair in combinations(group, 2)]
    if not meeting:
        return ()
    named = ", ".join(f"{one} and {other}" for one, other in sorted(meeting)[:MOST_NAMED])
    rest = len(meeting) - MOST_NAMED
    more = f", and {rest} more" if rest > 0 else ""
    return (f"entrants of one owner could not be kept apart and meet: {named}{more}",)
