"""What a seat or a spectator may read of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rummy_arena.game.actions import NONE, Action
from rummy_arena.game.legal import asked, legal_actions
from rummy_arena.game.score_sheet import ScoreSheet, score_sheet
from rummy_arena.game.state import Game
from rummy_arena.game.view import View, view
from services.state.records import Life, Origin, SeatRecord, TableRecord, Terms

from .clocks import own_time_end_ms


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of the decision that is awaited from players; times in ms since the epoch."""

    own_time_end_ms: int  # from here on the bank runs, where there is one
    deadline_ms: int  # when the arena decides


@dataclass(frozen=True, slots=True)
class Play:
    """A game at one moment, redacted for its viewer."""

    view: View
    waiting: tuple[int, ...]  # in a call window all who were asked, for nobody knows who answered
    legal: tuple[Action, ...]  # actions without melds that the viewer may choose from now
    sheet: ScoreSheet
    clock: Clock | None


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """A table at one moment, redacted for its viewer: neither hands nor seeds come along."""

    table_id: str
    rule_set: str
    options: Mapping[str, str]  # of the rule set, chosen otherwise than by default
    seats: tuple[SeatRecord, ...]
    origin: Origin | None
    terms: Terms
    life: Life
    reason: str  # why it was closed or adjudicated
    places: tuple[int, ...]  # by seat, where it was adjudicated
    actions: int
    created_ms: int
    finished_ms: int
    sequence: int
    play: Play | None  # None until the game starts


def snapshot_of(
    table_id: str, record: TableRecord, game: Game | None, seat: int, sequence: int
) -> TableSnapshot:
    """Return a table as the holder of ``seat``, or a spectator for NONE, sees it."""
    return TableSnapshot(
        table_id=table_id,
        rule_set=record.rule_set,
        options=record.options,
        seats=tuple(record.seats),
        origin=record.origin,
        terms=record.terms,
        life=record.life,
        reason=record.reason,
        places=record.places,
        actions=record.actions,
        created_ms=record.created_ms,
        finished_ms=record.finished_ms,
        sequence=sequence,
        play=None if game is None else play_of(record, game, seat),
    )


def play_of(record: TableRecord, game: Game, seat: int) -> Play:
    """Return the game as the holder of ``seat``, or a spectator for NONE, sees it."""
    playing = record.life is Life.PLAYING and not game.over
    clock = None
    if playing and record.deadline_ms:
        clock = Clock(own_time_end_ms(record, game.deal.phase), record.deadline_ms)
    return Play(
        view=view(game, seat),
        waiting=asked(game.deal) if playing else (),
        legal=tuple(legal_actions(game.deal, seat)) if playing and seat != NONE else (),
        sheet=score_sheet(game),
        clock=clock,
    )
