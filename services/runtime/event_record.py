"""An event as its pictures and tables take it: plain values, whatever its format."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rummy_arena.api.v1 import format_pb2
from rummy_arena.api.v1 import tournament_pb2 as pb

NOTHING_YET = "No round has been paired yet."
UNSHOWN = "\N{REPLACEMENT CHARACTER}"
_HARMFUL = ("Cc", "Cf", "Cs", "Zl", "Zp")
_KEPT = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_NOT_SAID = ("no", "0", "")
"""Values of options that are as good as none."""
_NO_TEXT = "\ufffe\uffff"  # not even XML may have them


@dataclass(frozen=True)
class Seat:
    """How an entrant did at a table; without a place while it is played."""

    entrant: int
    place: int = 0  # 0 while the table is played
    total: int = 0
    forfeit: bool = False


@dataclass(frozen=True)
class Table:
    """One table of a round, its seats in their order."""

    number: int
    seats: tuple[Seat, ...]
    label: str = ""
    remark: str = ""  # such as that a director decided it

    @property
    def finished(self) -> bool:
        """Whether it has ended."""
        return all(seat.place for seat in self.seats)

    @property
    def entrants(self) -> tuple[int, ...]:
        """Who sits there."""
        return tuple(seat.entrant for seat in self.seats)


@dataclass(frozen=True)
class Round:
    """A round that has been paired."""

    number: int
    tables: tuple[Table, ...]
    stage: int = 1
    byes: tuple[int, ...] = ()
    advancing: tuple[int, ...] = ()  # the best first, once it is over
    notes: tuple[str, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether all its tables have ended."""
        return all(table.finished for table in self.tables)


@dataclass(frozen=True)
class Stage:
    """A run of rounds in one format."""

    format: str
    text: str = ""  # its terms, in words


@dataclass(frozen=True)
class Line:
    """A line of the standings."""

    place: int
    entrant: int
    group: str = ""
    reached_round: int = 0
    eliminated: bool = False
    tables: int = 0
    total: int = 0
    deals_won: int = 0
    score: str = ""
    tie_breaks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Event:
    """An event as far as it has been played."""

    title: str
    state: str  # in words
    stages: tuple[Stage, ...]
    names: Mapping[int, str]
    rounds: tuple[Round, ...] = ()
    standings: tuple[Line, ...] = ()
    rule_set: str = ""
    ranks: Mapping[int, int] = field(init=False)
    """Position of each entrant in the standings, from 0."""

    def __post_init__(self) -> None:
        """Work out what is looked up often."""
        ranks = {line.entrant: at for at, line in enumerate(self.standings)}
        object.__setattr__(self, "ranks", ranks)
        object.__setattr__(self, "names", {one: shown(name) for one, name in self.names.items()})

    def name(self, entrant: int) -> str:
        """Return an entrant's name, fit to be shown."""
        return self.names.get(entrant) or f"entrant {entrant}"

    def rank(self, entrant: int) -> int:
        """Return the position in the standings; those who are not there come last."""
        return self.ranks.get(entrant, len(self.ranks) + entrant)

    def of_stage(self, number: int) -> tuple[Round, ...]:
        """Return the rounds of a stage."""
        return tuple(round_ for round_ in self.rounds if round_.stage == number)

    @property
    def stage_numbers(self) -> list[int]:
        """The stages in which a round has been paired."""
        return sorted({round_.stage for round_ in self.rounds})

    def stage(self, number: int) -> Stage | None:
        """Return a stage, None for one that was not told."""
        return self.stages[number - 1] if number <= len(self.stages) else None

    @property
    def finished(self) -> bool:
        """Whether its standings are final."""
        return self.state == "finished"

    @property
    def outcome(self) -> str:
        """Who has won, in a line; empty before."""
        first = [line for line in self.standings if line.place == 1 and not line.group]
        if not (self.finished and first):
            return ""
        return f"Won by {' and '.join(self.name(line.entrant) for line in first)}."

    @property
    def heading(self) -> str:
        """What it is and how far, in a line."""
        return ", ".join(filter(None, (self.title, self.rule_set, self.state)))


def event_of(
    tournament: pb.Tournament,
    entrants: Iterable[pb.Entrant],
    rounds: Sequence[pb.Round],
    standings: Sequence[pb.Standing],
) -> Event:
    """Return an event from what the API tells of it."""
    options = tournament.options
    return Event(
        title=shown(options.title),
        state=_state(tournament),
        stages=tuple(Stage(stage.format_id, ", ".join(_terms(stage))) for stage in options.stages),
        names={entrant.number: entrant.name for entrant in entrants},
        rounds=tuple(map(_round, rounds)),
        standings=tuple(map(_line, standings)),
        rule_set=options.rule_set_id,
    )


def shown(text: str) -> str:
    """Return a text without what would move a cursor, end a line, or turn the direction round."""
    if text.isascii() and text.isprintable():
        return text
    return "".join([one if _harmless(one) else UNSHOWN for one in text])


def _harmless(character: str) -> bool:
    if character in _KEPT:
        return True
    return unicodedata.category(character) not in _HARMFUL and character not in _NO_TEXT


def group_heading(label: str) -> str:
    """Return what to call a group: the label of its tables, where that is more than a letter."""
    return f"Group {label}" if label.isupper() and label.isalpha() else label


def status_word(tournament: pb.Tournament) -> str:
    """Return where a tournament is in its life, in one small word."""
    name = pb.TournamentStatus.Name(tournament.status)
    return name.removeprefix("TOURNAMENT_STATUS_").lower()


def _state(tournament: pb.Tournament) -> str:
    word = status_word(tournament)
    if tournament.cancel_reason:
        return f"{word}: {shown(tournament.cancel_reason)}"
    return f"{word} round {tournament.round}" if word == "running" else word


def _terms(stage: format_pb2.Stage) -> Iterator[str]:
    yield f"tables of {stage.seats_per_table}"
    for name, value in sorted(stage.options.items()):
        if value not in _NOT_SAID:
            yield f"{name} {value}"
    if stage.take:
        yield f"{stage.take} go on"


def _round(message: pb.Round) -> Round:
    return Round(
        number=message.number,
        tables=tuple(map(_table, message.pairings)),
        stage=message.stage or 1,
        byes=tuple(message.byes),
        advancing=tuple(message.advancing),
        notes=tuple(map(shown, message.notes)),
    )


def _table(message: pb.Pairing) -> Table:
    if not message.HasField("result"):
        return Table(message.number, tuple(map(Seat, message.entrants)), shown(message.label))
    seats = tuple(
        Seat(seat.entrant, seat.place, seat.total, seat.forfeit) for seat in message.result.seats
    )
    remark = "by ruling" if message.result.adjudication else ""
    return Table(message.number, seats, shown(message.label), remark)


def _line(message: pb.Standing) -> Line:
    return Line(
        place=message.place,
        entrant=message.entrant.number,
        group=shown(message.group),
        reached_round=message.reached_round,
        eliminated=message.eliminated,
        tables=message.tables,
        total=message.total,
        deals_won=message.deals_won,
        score=message.score,
        tie_breaks=tuple((one.tie_break_id, one.value) for one in message.tie_breaks),
    )
