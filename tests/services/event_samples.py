"""Small events by hand, one of each kind of thing that a view must tell."""

from __future__ import annotations

from services.runtime.event_record import Event, Line, Round, Seat, Stage, Table

NAMES = {1: "Ann", 2: "Bob", 3: "Cid", 4: "Dora", 5: "Eve", 6: "Finn", 7: "Gus", 8: "Hal"}


def named(count: int) -> dict[int, str]:
    """Return the names of the first so many."""
    return {number: NAMES[number] for number in range(1, count + 1)}


PAIRS = Event(
    title="Cup",
    state="finished",
    stages=(Stage("knockout", "tables of 2, advance 1"),),
    names=named(5),
    rounds=(
        Round(
            1,
            (Table(1, (Seat(1, 1, 0), Seat(2, 2, 35))),),
            byes=(5, 3, 4),
            advancing=(1, 5, 3, 4),
        ),
        Round(
            2,
            (
                Table(1, (Seat(4, 2, 80, forfeit=True), Seat(5, 1, 12))),
                Table(2, (Seat(1, 2, 7), Seat(3, 1, -5))),
            ),
            advancing=(5, 3),
        ),
        Round(3, (Table(1, (Seat(5, 1, 20), Seat(3, 2, 21)), "final"),), advancing=(5,)),
    ),
    standings=(
        Line(1, 5, reached_round=3, tables=2, total=32, deals_won=3),
        Line(2, 3, reached_round=3, eliminated=True, tables=2, total=16, deals_won=2),
        Line(3, 1, reached_round=2, eliminated=True, tables=2, total=7, deals_won=1),
        Line(4, 4, reached_round=2, eliminated=True, tables=1, total=80),
        Line(5, 2, reached_round=1, eliminated=True, tables=1, total=35),
    ),
    rule_set="kalooki-jamaican",
)
"""A finished knockout of pairs, with byes, a forfeit and a final."""

FOURS = Event(
    title="Cup",
    state="running round 2",
    stages=(Stage("knockout", "tables of 4, advance 2"),),
    names=named(8),
    rounds=(
        Round(
            1,
            (
                Table(1, (Seat(1, 2, 50), Seat(2, 1, 35), Seat(3, 4, 90), Seat(4, 3, 70))),
                Table(
                    2,
                    (Seat(5, 1, 0), Seat(6, 1, 0), Seat(7, 3, 9), Seat(8, 4, 10, forfeit=True)),
                    remark="by ruling",
                ),
            ),
            advancing=(5, 6, 2, 1),
        ),
        Round(
            2,
            (Table(1, (Seat(6), Seat(1), Seat(2), Seat(5))),),
            notes=("one owner's entrants had to meet",),
        ),
    ),
)
"""A running knockout at tables of four: one table is played, one was decided by a director."""

LEAGUE = Event(
    title="League",
    state="running round 3",
    stages=(Stage("round-robin"),),
    names=named(5),
    rounds=(
        Round(
            1,
            (
                Table(1, (Seat(1, 1, 0), Seat(2, 2, 35))),
                Table(2, (Seat(3, 1, 5), Seat(4, 1, 5))),
            ),
            byes=(5,),
        ),
        Round(
            2,
            (
                Table(1, (Seat(1, 2, 90), Seat(3, 1, 35))),
                Table(2, (Seat(5, 1, 5), Seat(2, 2, 0, forfeit=True))),
            ),
            byes=(4,),
        ),
        Round(3, (Table(1, (Seat(4), Seat(1))), Table(2, (Seat(5), Seat(3)))), byes=(2,)),
    ),
)
"""A running round robin of pairs, with byes, a shared place, a forfeit."""


def _pair(number: int, label: str, winner: int, loser: int) -> Table:
    return Table(number, (Seat(winner, 1, 10), Seat(loser, 2, 99)), label)


DOUBLE = Event(
    title="Twice",
    state="running round 4",
    stages=(Stage("double-elimination"),),
    names=named(4),
    rounds=(
        Round(1, (_pair(1, "upper", 1, 2), _pair(2, "upper", 3, 4)), advancing=(1, 3, 2, 4)),
        Round(2, (_pair(1, "upper", 1, 3), _pair(2, "lower", 2, 4)), advancing=(1, 3, 2)),
        Round(3, (_pair(1, "lower", 3, 2),), byes=(1,), advancing=(1, 3)),
        Round(4, (Table(1, (Seat(3), Seat(1)), "final"),)),
    ),
)
"""A double elimination before its final."""

GROUPS = Event(
    title="Groups",
    state="running round 2",
    stages=(Stage("groups"), Stage("knockout")),
    names=named(6),
    rounds=(
        Round(
            1,
            (
                Table(1, (Seat(1, 1, 3), Seat(2, 2, 30), Seat(3, 3, 60)), "A"),
                Table(2, (Seat(4, 2, 50), Seat(5, 1, 5), Seat(6, 3, 70)), "B"),
            ),
            advancing=(1, 5, 2, 4),
        ),
        Round(2, (Table(1, (Seat(1), Seat(5), Seat(2), Seat(4))),), stage=2),
    ),
)
"""Groups at tables of three, then a final that is played."""

SAMPLES = {"pairs": PAIRS, "fours": FOURS, "league": LEAGUE, "double": DOUBLE, "groups": GROUPS}
