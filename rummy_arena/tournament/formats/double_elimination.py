"""Double elimination: who loses above goes on in the lower bracket, who loses there is out.

Both brackets are played at the same time. The final is between the last of both. Whoever forfeits
has lost that table; whoever has left, or was disqualified, is out, and nobody comes up for them.
When one is left alone, that one has won.

Tables of two. The upper bracket is that of ``elimination_bracket``, with byes for the best seeds in
the first round. Those who lose in it come down in groups, a group for each round, and wait for
their first table in the lower bracket, where every round is one of two:

1. While those who have played in the lower bracket and are in are more than the tables that the
   upper one had (with its byes and walkovers) in the round of the oldest waiting group, they play
   each other: the first two, the next two, and so on.
2. Otherwise each of them meets one of the oldest group, and those left over of either play among
   themselves. Where nobody is in yet, as many of the oldest groups as make a table do.

Of an odd number one has a bye: who had the fewest, the best seed first. A group comes into the
lower bracket crossed, so that those who met above do not meet again soon: the first one in its
order, those of even rounds in reverse, the others with their halves exchanged. Where two would
still meet again, they exchange their opponents with the nearest table where fewer do then.

The one left above meets the one left below in the final. If the lower one wins, both have lost
once: with ``reset`` they play a second final, without it that was the last table. Whoever has not
lost before has won with a shared first place too; winners of a second final who share it, share the
title. So everybody is out with exactly two losses, or with one in the final without ``reset``.

Larger tables. The best ``advance`` of every upper table stay up, the others come down; of every
lower table the best ``advance`` stay in, always fewer than sit there, and the others are out. All
of the lower bracket play in its next round, together with those who have just come down. What
stays up and cannot be seated is filled up by the best of the rest, or cut, to the nearest number
that can. Where a bracket cannot be seated otherwise, as few as can be have a bye: who had the
fewest, the best seeds first. A lower bracket that is too small for a table waits.

As soon as all who are in sit at one table, that is the final. Until then, the upper bracket is
played down to half of a full table, rounded up: of its last table so many stay up and wait. Once
they wait, the last table of the lower bracket sends as many as fill up the final, and so do the
best of the rest where it would be too small. If the lower bracket is then too small for a table and
yet too many, its best sit down to the final. There is one final, whose winners share the title if
they share the first place. Where too few are left for it, the best of them has won.

Tables are dealt as in ``knockout``: by lot anew each round or as a snake by seeding, those of one
owner apart, then those who met at their last table, or in the first round those of one group.

Standings: who has won; then everybody else by the round in which they were out, those who left
before those who lost, and then by the order of ``tiebreaks``.
"""

from __future__ import annotations

from rummy_arena.tournament.draw import SEAT, by_lot
from rummy_arena.tournament.errors import NothingPlayed, UnevenField
from rummy_arena.tournament.event import Event, Format, Plan, Terms
from rummy_arena.tournament.options import Option, flag
from rummy_arena.tournament.rounds import Advancing, Round, Standing
from rummy_arena.tournament.tables import nearest
from rummy_arena.tournament.tiebreaks import TABLE

from .apart import owner_notes, owners_of
from .double_brackets import Brackets, Outlook, lots_of_the_gone, out_in_order
from .double_pairs import brackets_of_pairs, outlook_of_pairs, plan_pairs
from .double_tables import advance_of, brackets_of_tables, outlook_of_tables, plan_tables
from .elimination import SEEDING, in_round, places_of
from .elimination_standings import lines

ADVANCE = Option(
    "advance", "0", "how many of each table stay up, fewer than its seats; 0 for half", (0, 7)
)
RESET = flag(
    "reset",
    "yes",
    "whether at two-seat tables a second final is played when the first one is lost by who had not "
    "lost before",
)


def plan(terms: Terms, entrants: int) -> Plan:
    """Return the sizes of the tables of every round, without a second final.

    Raises InvalidFormat for ``advance``, and UnevenField for too few entrants.
    """
    places_of(terms, advance_of(terms))
    if entrants < terms.limits.min_seats:
        raise UnevenField(entrants, nearest(terms.limits, entrants))
    return plan_pairs(entrants) if _in_pairs(terms) else plan_tables(terms, entrants)


def pair(event: Event) -> Round | None:
    """Return the next round of both brackets, or None when somebody has won.

    Raises ResultsMismatch.
    """
    if not event.rounds and len(event.present()) < event.terms.limits.min_seats:
        return None
    _, outlook = _looked(event)
    if outlook.won is not None:
        return None
    number = event.next_number
    tables = tuple(tuple(by_lot(event.seed, SEAT, number, table)) for _, table in outlook.tables)
    return Round(
        number=number,
        tables=tables,
        byes=outlook.byes,
        labels=tuple(label for label, _ in outlook.tables),
        notes=owner_notes(tables, owners_of(event.field)),
    )


def advancing(event: Event) -> Advancing:
    """Return who is in after the last round, the upper bracket first; at the end, who has won.

    Raises NothingPlayed, ResultsMismatch.
    """
    if not event.rounds:
        raise NothingPlayed
    found, outlook = _looked(event)
    lots = [*found.lots, *lots_of_the_gone(event, set(outlook.alive))]
    return Advancing(outlook.alive, lots=tuple(dict.fromkeys(lots)))


def standings(event: Event) -> tuple[Standing, ...]:
    """Return everybody's line, the best first; raises ResultsMismatch."""
    if not event.rounds:
        pending = event.pending
        playing = sorted(in_round(pending)) if pending else [e.number for e in event.present()]
        return lines(event, [playing], ())
    found, outlook = _looked(event)
    leaders = list(outlook.alive)
    if event.pending is not None:
        leaders += [one for one in in_round(event.pending) if one not in set(leaders)]
    return lines(event, [leaders], out_in_order(event, found, leaders))


FORMAT = Format(
    id="double-elimination",
    title="Double elimination",
    text="Who loses a table of the upper bracket goes on in the lower one, and is out with the "
    "second loss; the last of both brackets play the final.",
    options=(ADVANCE, SEEDING, RESET),
    plan=plan,
    pair=pair,
    goes_on=lambda terms, entrants: 1,
    advancing=advancing,
    standings=standings,
    ranks=TABLE,
)


def _in_pairs(terms: Terms) -> bool:
    return terms.limits.seats == 2


def _looked(event: Event) -> tuple[Brackets, Outlook]:
    if _in_pairs(event.terms):
        found = brackets_of_pairs(event)
        return found, outlook_of_pairs(event, found)
    found = brackets_of_tables(event)
    return found, outlook_of_tables(event, found)
