"""Danish: the first round by lot, then those of the first ranks at table 1, and so on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from rummy_arena.tournament.event import Event
from rummy_arena.tournament.rounds import Standing
from rummy_arena.tournament.seating_tables import danish
from rummy_arena.tournament.swiss_entries import Entry, Pair, Pairing

from .scored import LIKE_A_KNOCKOUT, Kernel, like_a_knockout, lines, rounds_option, scored_format


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


FORMAT = scored_format(
    "danish",
    "Danish system",
    "The first round is seated by lot, each later one by rank: the first at table 1, those "
    "behind them at table 2, and so on, whoever has met.",
    rounds_option("0", LIKE_A_KNOCKOUT),
    like_a_knockout,
    danish_by(lines),
)
