"""Danish: the first round by lot, then those of the first ranks at table 1, and so on."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rummy_arena.tournament.event import Event, Format, Plan, Terms
from rummy_arena.tournament.rounds import Round
from rummy_arena.tournament.seating_tables import danish
from rummy_arena.tournament.swiss_entries import Entry, Pair, Pairing

from .scored import (
    BYE,
    LAST_ENTRY,
    LATE,
    LIKE_A_KNOCKOUT,
    in_order,
    last_entry,
    like_a_knockout,
    lines,
    paired,
    rounds_option,
    same_sizes,
    starters,
)


def _plan(terms: Terms, entrants: int) -> Plan:
    return same_sizes(terms, entrants, like_a_knockout(terms, entrants))


def _pair(event: Event) -> Round | None:
    if event.next_number > like_a_knockout(event.terms, len(starters(event))):
        return None
    return paired(event, danish_kernel)


def danish_kernel(
    event: Event, entries: list[Entry], met: Mapping[Pair, int], forbidden: Collection[Pair]
) -> Pairing:
    """Return the next round by the order of the standings, whoever has met."""
    known = {entry.entrant: entry for entry in entries}
    order = [line.entrant for line in lines(event) if line.entrant in known]
    return danish(
        [known[entrant] for entrant in order],
        event.terms.limits,
        forbidden=forbidden,
        seed=event.seed,
        round_number=event.next_number,
    )


FORMAT = Format(
    id="danish",
    title="Danish system",
    text="The first round is seated by lot, each later one by rank: the first at table 1, those "
    "behind them at table 2, and so on, whoever has met.",
    options=(rounds_option("0", LIKE_A_KNOCKOUT), BYE, LAST_ENTRY, LATE),
    plan=_plan,
    pair=_pair,
    goes_on=lambda terms, entrants: entrants,
    advancing=in_order,
    standings=lines,
    last_entry=last_entry,
    returns=True,
)
