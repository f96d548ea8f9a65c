"""Ratings from results: a ledger that counts each result once, in one order, and keeps every step.

The order is that of the finish sequence, then of the table's id (by code points); a season ends
after the results of its last sequence. Neither the order in which results are told nor how often
changes a bit of the ledger: what comes late is put in its place, and what follows is rated anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from .ratings import (
    RULES,
    Place,
    Rating,
    RatingRules,
    after_idle_season,
    places_of,
    rate,
)
from .ratings_explained import Explanation, explain
from .results import TableResult

NOBODY: Mapping[int, Rating] = MappingProxyType({})


class ConflictingResult(ValueError):
    """A table was told twice, with other places or another sequence; ``table`` is its id."""

    def __init__(self, table: str) -> None:
        super().__init__(f"table {table} has two results that differ: tell the one that stands")
        self.table = table


@dataclass(frozen=True, slots=True)
class RatedResult:
    """A finished table as ratings see it; places are kept in the order of the entrants."""

    sequence: int  # the place of the finish among all finishes of the ladder or event
    table: str
    places: tuple[Place, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", tuple(sorted(self.places)))

    @classmethod
    def of(cls, sequence: int, table: str, result: TableResult) -> RatedResult:
        """Return what ratings need of a table's result."""
        return cls(sequence, table, places_of(result))


@dataclass(frozen=True, slots=True)
class Change:
    """One step of one rating: by a result, or (no table, no place) by a season without any."""

    sequence: int
    table: str | None
    entrant: int
    place: int | None
    before: Rating
    after: Rating


@dataclass(frozen=True, slots=True)
class Ledger:
    """Everything rated so far: results in their order, ratings by entrant, and all changes."""

    anchors: Mapping[int, Rating]
    rules: RatingRules
    results: tuple[RatedResult, ...]
    season_ends: tuple[int, ...]
    ratings: Mapping[int, Rating]
    history: tuple[Change, ...]
    by_table: Mapping[str, RatedResult] = field(compare=False, repr=False)
    active: frozenset[int] = field(compare=False, repr=False)  # with a result in this season

    def history_of(self, entrant: int) -> tuple[Change, ...]:
        """Return the entrant's changes, the first one first."""
        return tuple(change for change in self.history if change.entrant == entrant)

    def explain(self, table: str, entrant: int) -> Explanation:
        """Return why a counted table moved a rating; raises LookupError for one that did not."""
        result = self.by_table.get(table)
        if result is None:
            raise LookupError(f"table {table} is not rated")
        before = {step.entrant: step.before for step in self.history if step.table == table}
        return explain(
            before | dict(self.anchors), result.places, entrant, self.anchors, rules=self.rules
        )


def recalculate(
    results: Iterable[RatedResult],
    anchors: Mapping[int, Rating] = NOBODY,
    season_ends: Iterable[int] = (),
    *,
    rules: RatingRules = RULES,
) -> Ledger:
    """Return the ledger of these results from the beginning, each counted once.

    ``season_ends`` are the last sequences of the seasons that are over. Raises ConflictingResult,
    and what ``rate`` raises, with a note of the table.
    """
    ordered = tuple(sorted(_new(results, {}), key=_key))
    ends = tuple(sorted(set(season_ends)))
    start = Ledger(dict(anchors), rules, (), (), dict(sorted(anchors.items())), (), {}, frozenset())
    return _continued(start, ordered, ends)


def extend(
    ledger: Ledger, results: Iterable[RatedResult] = (), season_ends: Iterable[int] = ()
) -> Ledger:
    """Return the ledger with more results, as ``recalculate`` would make it of all of them.

    Results that are counted already change nothing. Costs the new results when they follow what is
    there, and a recalculation when one comes late. Raises as ``recalculate`` does.
    """
    new = sorted(_new(results, ledger.by_table), key=_key)
    ends = sorted(set(season_ends) - set(ledger.season_ends))
    if _follows(ledger, new, ends):
        return _continued(ledger, tuple(new), tuple(ends))
    return recalculate(
        [*ledger.results, *new], ledger.anchors, [*ledger.season_ends, *ends], rules=ledger.rules
    )


def _key(result: RatedResult) -> tuple[int, str]:
    return result.sequence, result.table


def _new(
    results: Iterable[RatedResult], counted: Mapping[str, RatedResult]
) -> Iterable[RatedResult]:
    """Return the results that are not counted yet, each once; raises ConflictingResult."""
    new: dict[str, RatedResult] = {}
    for result in results:
        told = counted.get(result.table) or new.setdefault(result.table, result)
        if told != result:
            raise ConflictingResult(result.table)
    return new.values()


def _follows(ledger: Ledger, results: list[RatedResult], ends: list[int]) -> bool:
    """Return whether all that is new comes after all that is counted."""
    last_end = ledger.season_ends[-1] if ledger.season_ends else None
    last = _key(ledger.results[-1]) if ledger.results else None
    results_follow = not results or (
        (last is None or _key(results[0]) > last)
        and (last_end is None or results[0].sequence > last_end)
    )
    ends_follow = not ends or (
        (last is None or ends[0] >= last[0]) and (last_end is None or ends[0] > last_end)
    )
    return results_follow and ends_follow


def _continued(ledger: Ledger, results: tuple[RatedResult, ...], ends: tuple[int, ...]) -> Ledger:
    """Return the ledger after these results and ends of seasons, which follow it in order."""
    run = _Run(ledger)
    waiting = list(reversed(ends))
    for result in results:
        while waiting and waiting[-1] < result.sequence:
            run.end_season(waiting.pop())
        run.count(result)
    while waiting:
        run.end_season(waiting.pop())
    return Ledger(
        ledger.anchors,
        ledger.rules,
        ledger.results + results,
        ledger.season_ends + ends,
        dict(sorted(run.ratings.items())),
        ledger.history + tuple(run.changes),
        {**ledger.by_table, **{result.table: result for result in results}},
        frozenset(run.active),
    )


class _Run:
    """Ratings while results are counted."""

    def __init__(self, ledger: Ledger) -> None:
        self.anchors = ledger.anchors
        self.rules = ledger.rules
        self.ratings = dict(ledger.ratings)
        self.changes: list[Change] = []
        self.active = set(ledger.active)

    def count(self, result: RatedResult) -> None:
        try:
            after = rate(self.ratings, result.places, self.anchors, rules=self.rules)
        except ValueError as refused:
            refused.add_note(f"in the result of table {result.table}")
            raise
        for entrant, place in result.places:
            if entrant not in self.anchors:
                self._step(result.sequence, result.table, entrant, place, after[entrant])
                self.active.add(entrant)

    def end_season(self, sequence: int) -> None:
        for entrant in sorted(self.ratings.keys() - self.active - self.anchors.keys()):
            rating = after_idle_season(self.ratings[entrant], self.rules)
            self._step(sequence, None, entrant, None, rating)
        self.active.clear()

    def _step(
        self, sequence: int, table: str | None, entrant: int, place: int | None, after: Rating
    ) -> None:
        before = self.ratings.get(entrant) or self.rules.newcomer
        self.changes.append(Change(sequence, table, entrant, place, before, after))
        self.ratings[entrant] = after
