"""Shrinking field: after each deal some are out, and tables are broken and balanced.

Penalties add up. Out is whoever has more than ``out_above`` (by default what the rule set says),
and after each deal the last ``cut`` percent of the field, one at least. If everybody would be out,
those with the lowest total stay. The last table is the final, and goes on until one is left, fewer
than a table needs, or the rounds are over: as many as ``rounds`` says, in games of contracts one
for each contract. Then the lowest total wins.

Who is out may come back, and somebody new may enter, with the highest total in the field, up to
round ``reentry_rounds``; the same one at most ``reentries`` times. See ``shrinking_field`` for what
a deal costs and ``shrinking_tables`` for who moves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rummy_arena.tournament.draw import SEAT, by_lot, lot
from rummy_arena.tournament.errors import InvalidFormat, NothingPlayed, UnevenField
from rummy_arena.tournament.event import Event, Format, Plan, Terms
from rummy_arena.tournament.field import Entrant
from rummy_arena.tournament.options import Option
from rummy_arena.tournament.rounds import Advancing, Round, Standing
from rummy_arena.tournament.scoresheet import Scoresheet
from rummy_arena.tournament.seating_tables import BYE, byes_needed, lobby
from rummy_arena.tournament.swiss_entries import Entry
from rummy_arena.tournament.tables import fits, table_sizes

from .apart import kept_apart
from .shrinking_field import TIES, FieldNow, cut_of, field_after, ordered, out_above
from .shrinking_tables import moved

MOST_ROUNDS = 60
FINAL = "final"


@dataclass(frozen=True, slots=True)
class _Next:
    """Who plays the next round."""

    seated: frozenset[int]
    byes: tuple[int, ...]


def _rounds(terms: Terms) -> int:
    most = terms.number("rounds") or MOST_ROUNDS
    return min(most, terms.contracts) if terms.contracts else most


def _plan(terms: Terms, entrants: int) -> Plan:
    if not out_above(terms) and not terms.number("cut"):
        raise InvalidFormat("cut", "give 1 to 50 (or out_above): else nobody is ever out")
    sizes: list[tuple[int, ...]] = []
    while len(sizes) < _rounds(terms) and (not sizes or entrants > 1):
        if sizes and not _playable(terms, entrants):
            break
        byes = byes_needed(terms.limits, entrants)
        sizes.append(table_sizes(terms.limits, entrants - byes))
        entrants -= cut_of(terms, entrants)
    return tuple(sizes)


def _playable(terms: Terms, entrants: int) -> bool:
    return any(fits(terms.limits, size) for size in range(entrants, 0, -1))


def _pair(event: Event) -> Round | None:
    number = event.next_number
    if number > _rounds(event.terms):
        return None
    now = field_after(event)
    found = _next(event, now)
    if found is None:
        return None
    tables, notes = _tables(event, found)
    return Round(
        number,
        tables,
        found.byes,
        labels=(FINAL,) if len(tables) == 1 and not found.byes else (),
        options=_one_deal(event.terms, number),
        notes=notes,
    )


def _one_deal(terms: Terms, number: int) -> tuple[tuple[str, str], ...]:
    """Return the rule set's options with which a table plays only this round's deal."""
    return (("contract", str(number)),) if terms.contracts else (("deals", "1"),)


def _next(event: Event, now: FieldNow) -> _Next | None:
    """Return who plays the next round; None where too few are left."""
    here = [one for one in event.present() if one.number in now.inside or _joins(event, now, one)]
    limits = event.terms.limits
    try:
        count = byes_needed(limits, len(here))
    except UnevenField:
        return None
    numbers = [one.number for one in here]
    in_turn = sorted(
        numbers, key=lambda one: (now.byes[one], lot(event.seed, BYE, event.next_number, one))
    )
    byes = tuple(in_turn[:count])
    return _Next(frozenset(numbers) - frozenset(byes), byes)


def _joins(event: Event, now: FieldNow, entrant: Entrant) -> bool:
    """Return whether somebody who is not in the field comes into it."""
    number, terms = event.next_number, event.terms
    if number == 1:
        return True
    if number > terms.number("reentry_rounds"):
        return False
    if entrant.number not in now.joined:
        return True
    again = any(now.last[entrant.number] < first <= number for first, _ in entrant.stays)
    return again and now.joined[entrant.number] <= terms.number("reentries")


def _reenters(terms: Terms, round_number: int) -> bool:
    return terms.number("reentries") > 0 and round_number <= terms.number("reentry_rounds")


def _tables(event: Event, found: _Next) -> tuple[tuple[tuple[int, ...], ...], tuple[str, ...]]:
    sizes = table_sizes(event.terms.limits, len(found.seated))
    if event.rounds:
        before = event.rounds[-1].tables
        known = {one for table in before for one in table}
        joining = by_lot(event.seed, SEAT, event.next_number, found.seated - known)
        return moved(before, found.seated, joining, len(sizes)), ()
    seated, notes = kept_apart(
        [one for one in event.field if one.number in found.seated],
        {},
        len(sizes),
        first=True,
        pair=lambda met, forbidden: lobby(
            [Entry(one, 0) for one in sorted(found.seated)],
            event.terms.limits,
            met=met,
            forbidden=forbidden,
            seed=event.seed,
            round_number=1,
        ),
    )
    return seated.tables, notes


def _advancing(event: Event) -> Advancing:
    if not event.rounds:
        raise NothingPlayed
    now = field_after(event)
    here = {one.number for one in event.present()} & now.inside
    order = ordered(event, now, here or now.inside)
    last = event.rounds[-1].number
    ordered(event, now, [one for one in now.last if now.last[one] == last and one not in order])
    if here and _pair(event) is None:
        order = order[:1]
    return Advancing(tuple(order), lots=tuple(dict.fromkeys(now.lots)))


def _standings(event: Event) -> tuple[Standing, ...]:
    now = field_after(event)
    sheet = Scoresheet(event)
    rounds: dict[tuple[bool, int], list[int]] = {}
    for one, last in now.last.items():
        inside = one in now.inside
        rounds.setdefault((not inside, 0 if inside else -last), []).append(one)
    # Who is out stays as it was after the last round there: later rounds, and their lots, say
    # nothing about those who did not play them.
    order = [
        one
        for (out, last), group in sorted(rounds.items())
        for one in ordered(
            replace(event, rounds=event.rounds[:-last]) if out else event, now, group
        )
    ]
    order += sorted(one.number for one in event.field if one.number not in now.last)
    pending = event.pending
    playing = {one for table in pending.tables for one in table} if pending else set()
    playing |= set(pending.byes) if pending else set()
    return tuple(
        Standing(
            rank=place,
            entrant=one,
            reached_round=pending.number if pending and one in playing else now.last.get(one, 0),
            eliminated=one in now.last and one not in now.inside | playing,
            points=sheet.points(sheet.last_points[one]),
            tables=sheet.tables[one],
            total=sheet.penalties[one],
            deals_won=sheet.all_deals_won[one],
            score=sheet.points(0) - now.totals.get(one, 0),
        )
        for place, one in enumerate(order, start=1)
    )


FORMAT = Format(
    id="shrinking",
    title="Shrinking field",
    text="One deal a round; penalties add up, whoever has too many is out, and the tables are "
    "broken and balanced between deals until the last one is the final.",
    options=(
        Option(
            "out_above", "0", "the total above which one is out; 0 for the rule set's", (0, 9999)
        ),
        Option("cut", "0", "percent of the field that goes out after each deal", (0, 50)),
        Option("rounds", "0", f"deals at most; 0 for {MOST_ROUNDS}", (0, MOST_ROUNDS)),
        Option("reentries", "0", "how often one may come back", (0, 9)),
        Option(
            "reentry_rounds", "1", "the last round in which one may enter or come back", (1, 60)
        ),
    ),
    plan=_plan,
    pair=_pair,
    goes_on=lambda terms, entrants: 1,
    advancing=_advancing,
    standings=_standings,
    last_entry=lambda terms: terms.number("reentry_rounds"),
    returns=True,
    reenters=_reenters,
    chain=TIES,
)
