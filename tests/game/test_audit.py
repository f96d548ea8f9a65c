"""Logs of whole games, read against the rule book by code that shares nothing with the engine."""

from __future__ import annotations

from hypothesis import given

from rummy_arena.game.cards import JOKER_BASE
from rummy_arena.game.events import (
    CallGranted,
    DealStarted,
    Discarded,
    Drew,
    Event,
    JokerMoved,
    LaidOff,
    Melded,
    Opened,
    Reshuffled,
    Source,
    TurnEnded,
    WindowOpened,
)
from rummy_arena.game.melds import MeldKind, TableMeld

from .plays import Setting, examples, play_settings, whole_game
from .test_melds import is_set, places

CONTRACTS = ((3, 0), (2, 1), (1, 2), (0, 3), (4, 0), (3, 1), (2, 2), (1, 3), (0, 4))


class Auditor:
    """Watches one deal and knows what the clauses forbid."""

    def __init__(self, seats: int, started: DealStarted) -> None:
        self.seats = seats
        self.contract = CONTRACTS[started.number - 1]
        self.opened: set[int] = set()
        self.laid: set[tuple[int, MeldKind, int]] = set()
        self.calls = [0] * seats
        self.recycled = 0
        self.turn_of = (started.dealer + 1) % seats
        self.stock_only = False

    def read(self, event: Event) -> None:
        """Take in one event; AssertionError where it breaks a clause."""
        if isinstance(event, Discarded | TurnEnded):
            self._turn_over(event)
        elif isinstance(event, Drew):
            self._drew(event)
        elif isinstance(event, Opened | Melded | LaidOff | JokerMoved):
            self._put_down(event)
        elif isinstance(event, Reshuffled):
            self.recycled += 1
            assert self.recycled == 1, "J-27"
        elif isinstance(event, WindowOpened):
            self._window(event)
        elif isinstance(event, CallGranted):
            self.calls[event.seat] += 1
            self.stock_only = True

    def _turn_over(self, event: Discarded | TurnEnded) -> None:
        assert event.seat == self.turn_of
        assert not isinstance(event, Discarded) or event.card < JOKER_BASE, "J-21"
        self.turn_of = (event.seat + 1) % self.seats
        self.stock_only = False

    def _drew(self, event: Drew) -> None:
        assert event.seat == self.turn_of
        if event.source is Source.DISCARD:
            assert event.seat not in self.opened, "J-25"
            assert not self.stock_only, "J-8"

    def _put_down(self, event: Opened | Melded | LaidOff | JokerMoved) -> None:
        assert event.seat == self.turn_of
        assert (event.seat in self.opened) != isinstance(event, Opened), "J-11"
        melds = event.melds if isinstance(event, Opened) else (event.meld,)
        for meld in melds:
            low = [meld.low] if meld.kind is MeldKind.RUN else []
            assert is_set(meld.cards) if meld.kind is MeldKind.SET else places(meld.cards) == low
        if isinstance(event, Opened):
            kinds = [meld.kind for meld in melds]
            assert (kinds.count(MeldKind.SET), kinds.count(MeldKind.RUN)) == self.contract, "J-11"
            self.opened.add(event.seat)
        if isinstance(event, Opened | Melded):
            for meld in melds:
                self._new(event.seat, meld)

    def _new(self, seat: int, meld: TableMeld) -> None:
        key = (seat, meld.kind, meld.low if meld.kind is MeldKind.SET else meld.suit)
        assert meld.owner == seat
        assert key not in self.laid, "J-12"
        self.laid.add(key)

    def _window(self, event: WindowOpened) -> None:
        may = {seat for seat in range(self.seats) if self.calls[seat] < 3}  # J-1
        discarder = (self.turn_of - 1) % self.seats
        assert set(event.seats) == may - self.opened - {discarder, self.turn_of}, "J-4"


@examples(6)
@given(play_settings())
def test_no_game_breaks_a_clause(chosen: Setting) -> None:
    first, *log = whole_game(chosen)[1]
    assert isinstance(first, DealStarted)
    auditor = Auditor(chosen.seats, first)
    for event in log:
        if isinstance(event, DealStarted):
            auditor = Auditor(chosen.seats, event)
        auditor.read(event)
