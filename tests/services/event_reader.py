"""An independent reader of a tournament's log: from what was told alone it finds all that follows.

It knows the log's records, the pure rules of tournaments, the stages and the seed; nothing of the
services that wrote the log, and nothing of what is stored beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from rummy_arena.tournament.field import Entrant, Field
from rummy_arena.tournament.results import SeatResult, TableResult
from rummy_arena.tournament.rounds import PlayedRound, Round, Standing
from rummy_arena.tournament.stages import Course, Stage, advancing, next_round, standings
from services.state import tournament_log as log
from services.state.records import SeatResultRecord, TableResultRecord

REGISTERING, RUNNING, PAUSED, FINISHED, CANCELLED = (
    "registering",
    "running",
    "paused",
    "finished",
    "cancelled",
)
Deed = tuple[object, ...]
"""Who did what, to whom, why."""


@dataclass
class Known:
    """An entrant as the log tells it."""

    player_id: str
    name: str
    owner: str
    seeding: int
    stays: list[tuple[int, int | None]]
    checked_in: bool = False
    disqualified: bool = False

    @property
    def gone(self) -> bool:
        """Whether it is not to be paired any more."""
        return self.disqualified or self.stays[-1][1] is not None


@dataclass
class Reader:
    """Reads events one by one; AssertionError for one that cannot be."""

    stages: tuple[Stage, ...]
    seed: bytes
    tournament_id: str
    breaks: bool  # whether there is one before each round
    status: str = REGISTERING
    entrants: list[Known] = field(default_factory=list)
    rounds: list[PlayedRound] = field(default_factory=list)
    playing: Round | None = None
    ids: list[str] = field(default_factory=list)  # of the tables that count, by number
    results: dict[int, TableResultRecord] = field(default_factory=dict)
    told: Counter[str] = field(default_factory=Counter)  # results, by table
    dropped: set[str] = field(default_factory=set)  # tables that were played again
    deeds: list[Deed] = field(default_factory=list)
    lots: list[str] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)

    def read(self, events: Iterable[log.TournamentEvent]) -> None:
        """Take in events, in their order."""
        for event in events:
            over = self.status in (FINISHED, CANCELLED)
            assert not over or isinstance(event, log.TableFinished), event
            getattr(self, f"_{type(event).__name__}")(event)

    def course(self) -> Course:
        """Return the event as the pure rules take it."""
        return Course(self.stages, self._field(), tuple(self.rounds), self.seed, self.playing)

    def standings(self) -> tuple[Standing, ...]:
        """Return everybody's line, as far as rounds are finished."""
        return standings(self.course()) if self.rounds or self.playing else ()

    def _field(self) -> Field:
        return tuple(
            Entrant(
                number,
                seeding=known.seeding,
                owner=known.owner,
                stays=tuple(known.stays),
                disqualified=known.disqualified,
            )
            for number, known in enumerate(self.entrants, start=1)
        )

    def _next(self) -> Round | None:
        return next_round(replace(self.course(), pending=None))

    def _number(self) -> int:
        """Return the number of the last round that was paired."""
        return len(self.rounds) + (self.playing is not None)

    def _known(self, number: int, round_number: int) -> Known:
        assert (round_number == 0) == (self.status == REGISTERING)
        return self.entrants[number - 1]

    def _Registered(self, event: log.Registered) -> None:  # noqa: N802  the event's name
        assert event.entrant == len(self.entrants) + 1
        assert event.player_id not in {known.player_id for known in self.entrants}
        first = 1 if self.status == REGISTERING else self._number() + 1
        stays: list[tuple[int, int | None]] = [(first, None)]
        self.entrants.append(Known(event.player_id, event.name, event.owner, event.seeding, stays))
        self.deeds.append((event.by, "register", event.player_id, event.owner, event.seeding))

    def _CheckedIn(self, event: log.CheckedIn) -> None:  # noqa: N802
        known = self._known(event.entrant, 0)
        assert not known.gone
        assert not known.checked_in
        known.checked_in = True
        self.deeds.append((event.by, "check in", event.entrant))

    def _Withdrawn(self, event: log.Withdrawn) -> None:  # noqa: N802
        known = self._known(event.entrant, event.round)
        assert not known.gone
        first = known.stays[-1][0]
        known.stays[-1] = (first, max(first, event.round or 1))
        known.checked_in = False
        self.deeds.append((event.by, "withdraw", event.entrant, event.reason))

    def _Returned(self, event: log.Returned) -> None:  # noqa: N802
        known = self._known(event.entrant, event.round)
        assert not known.disqualified
        self.deeds.append((event.by, "return", event.entrant))
        first, end = known.stays[-1]
        if end is None:  # whoever is out comes in again
            known.stays[-1] = (first, max(first, event.round))
        elif self._sits(event.entrant, end):  # it left a round that had been paired already
            if event.round == end:
                known.stays[-1] = (first, None)
                return
            known.stays[-1] = (first, end + 1)
        played = [stay for stay in known.stays if stay[0] != stay[1]]
        known.stays = [*played, (event.round or 1, None)]

    def _sits(self, number: int, round_number: int) -> bool:
        """Return whether an entrant is in a round that has been paired."""
        paired: list[PlayedRound | Round] = [*self.rounds]
        if self.playing is not None:
            paired.append(self.playing)
        if self.status == REGISTERING or round_number > len(paired):
            return False
        round_ = paired[round_number - 1]
        return number in round_.byes or any(number in table for table in round_.tables)

    def _Disqualified(self, event: log.Disqualified) -> None:  # noqa: N802
        known = self.entrants[event.entrant - 1]
        assert not known.disqualified
        known.disqualified = True
        self.deeds.append((event.by, "disqualify", event.entrant, event.reason))

    def _Replaced(self, event: log.Replaced) -> None:  # noqa: N802
        known = self.entrants[event.entrant - 1]
        assert known.player_id == event.old_player_id
        assert not known.disqualified
        known.player_id, known.name, known.checked_in = event.player_id, event.name, False
        self.deeds.append((event.by, "replace", event.entrant, event.player_id, event.reason))

    def _Started(self, event: log.Started) -> None:  # noqa: N802
        assert self.status == REGISTERING
        assert event.entrants == sum(not known.gone for known in self.entrants)
        self.status = RUNNING
        if event.by:
            self.deeds.append((event.by, "start"))

    def _RoundStarted(self, event: log.RoundStarted) -> None:  # noqa: N802
        assert self.status == RUNNING
        assert self.playing is None
        self._pair(event.round, event.tables, event.byes)
        assert self.playing == self._next()

    def _pair(self, number: int, tables: Sequence[list[int]], byes: list[int]) -> None:
        """Take in a pairing; what it says beside seats and byes follows."""
        assert number == len(self.rounds) + 1
        found = self._next()
        assert found is not None
        self.playing = replace(found, tables=tuple(map(tuple, tables)), byes=tuple(byes))
        seated = [*(one for table in tables for one in table), *byes]
        assert len(seated) == len(set(seated)), "somebody is at two tables"
        self.results = {}
        self.ids = [f"{self.tournament_id}-r{number}-t{one}" for one in range(1, len(tables) + 1)]

    def _RoundRepaired(self, event: log.RoundRepaired) -> None:  # noqa: N802
        assert self.breaks
        assert self.playing is not None
        assert not self.results
        old, tables = self.playing, tuple(map(tuple, event.tables))
        seated = sorted([*(one for table in tables for one in table), *event.byes])
        same = sorted([*(one for table in old.tables for one in table), *old.byes]) == seated
        self.deeds.append((event.by, "repair", event.round, event.reason))
        for number in seated:  # who came in the break is in this round by now
            known = self.entrants[number - 1]
            if known.stays[-1] == (event.round + 1, None):
                known.stays[-1] = (event.round, None)
        self.playing = None
        self._pair(event.round, event.tables, event.byes)
        if self.playing != self._next():  # then some have only changed places
            assert same
            self.playing = replace(old, tables=tables, byes=tuple(event.byes))

    def _TableReplayed(self, event: log.TableReplayed) -> None:  # noqa: N802
        assert self.playing is not None
        assert event.round == self.playing.number
        assert self.ids[event.number - 1] == event.old_table_id
        self.ids[event.number - 1] = event.table_id
        self.dropped.add(event.old_table_id)
        self.results.pop(event.number, None)
        self.deeds.append((event.by, "replay", event.round, event.number, event.reason))

    def _TableFinished(self, event: log.TableFinished) -> None:  # noqa: N802
        result = event.result
        self.told[result.table_id] += 1
        assert self.told[result.table_id] == 1, f"{result.table_id} was counted twice"
        if result.adjudication:
            deed = (result.ruled_by, "adjudicate", result.table_id, result.adjudication)
            self.deeds.append(deed)
        if result.table_id in self.dropped:
            return
        assert self.playing is not None
        assert event.round == self.playing.number
        assert self.ids[result.number - 1] == result.table_id
        seats = tuple(seat.entrant for seat in result.seats)
        assert seats == self.playing.tables[result.number - 1]
        self.results[result.number] = result

    def _RoundFinished(self, event: log.RoundFinished) -> None:  # noqa: N802
        assert self.status == RUNNING
        assert self.playing is not None
        assert event.round == self.playing.number
        assert sorted(self.results) == list(range(1, len(self.playing.tables) + 1))
        out = {n for n, known in enumerate(self.entrants, start=1) if known.disqualified}
        played = self.playing.played(
            _counted(self.results[number], out) for number in sorted(self.results)
        )
        self.rounds.append(played)
        self.playing = None
        decided = advancing(self.course())
        assert (list(decided.entrants), list(decided.lots)) == (event.advancing, event.lots)
        self.lots += event.lots

    def _Finished(self, event: log.Finished) -> None:  # noqa: N802
        assert self.status == RUNNING
        assert self.playing is None
        assert self._next() is None
        self.status, self.winners = FINISHED, event.winners
        assert event.winners == [row.entrant for row in self.standings() if row.rank == 1]

    def _Cancelled(self, event: log.Cancelled) -> None:  # noqa: N802
        self.status = CANCELLED
        if event.by:
            self.deeds.append((event.by, "cancel", event.reason))

    def _Paused(self, event: log.Paused) -> None:  # noqa: N802
        assert self.status == RUNNING
        self.status = PAUSED
        self.deeds.append((event.by, "pause", event.reason))

    def _Resumed(self, event: log.Resumed) -> None:  # noqa: N802
        assert self.status == PAUSED
        self.status = RUNNING
        self.deeds.append((event.by, "resume"))


def _counted(result: TableResultRecord, out: set[int]) -> TableResult:
    """Return a result as it counts: those who are out share the last place of their table."""
    gone = [seat.forfeit or seat.entrant in out for seat in result.seats]
    there = [seat.place for seat, left in zip(result.seats, gone, strict=True) if not left]
    return TableResult(
        result.number,
        tuple(
            _seat(
                seat, len(there) + 1 if left else 1 + sum(one < seat.place for one in there), left
            )
            for seat, left in zip(result.seats, gone, strict=True)
        ),
    )


def _seat(seat: SeatResultRecord, place: int, forfeit: bool) -> SeatResult:
    return SeatResult(
        seat.entrant,
        seat.total,
        place,
        seat.deals_won,
        seat.down_and_outs,
        seat.calls,
        tuple(seat.deal_points),
        forfeit,
        tuple(seat.left_out),
        seat.sudden_wins,
    )
