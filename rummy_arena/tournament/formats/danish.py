"""Danish: the first round by lot, then those of the first ranks at table 1, and so on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from rummy_arena.tournament.event import Event, Format, Plan, Terms
from rummy_arena.tournament.rounds import Round, Standing
from rummy_arena.tournament.seating_tables import danish
from rummy_arena.tournament.swiss_entries import Entry, Pair, Pairing

from .scored import (
    BYE,
    LAST_ENTRY,
    LATE,
    LIKE_A_KNOCKOUT,
    Kernel,
    in_order,
    last_entry,
    like_a_knockout,
    lines,
    paired,
    rounds_option,
    same_sizes,
    starters,
    too_few,
)


def _plan(terms: Terms, entrants: int) -> Plan:
    return same_sizes(terms, entrants, like_a_knockout(terms, entrants))


def _is_over(event: Event) -> bool:
    rounds = like_a_knockout(event.terms, len(starters(event)))
    return event.next_number > rounds or too_few(event)


def _pair(event: Event) -> Round | None:
    if _is_over(event):
        return None
    return paired(event, danish_by(lines))


def danish_by(standings: Callable[[Event], Iterable[Standing]]) -> Kernel:
    """Return what pairs a round by the order of standings, whoever has met."""

    def kernel(
        event: Event, entries: list[Entry], met: Mapping[Pair, int], forbidden: Collection[Pair]
    ) -> Pairing:
        known = {entry.entrant: entry for entry in entries}
        order = [line.entrant for line in standings(event) if line.entrant in known]
        return danish(
            [known[entrant] for entrant in order],
            event.terms.limits,
            forbidden=forbidden,
            seed=event.seed,
            round_number=event.next_number,
        )

    return kernel


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
    is_over=_is_over,
)
