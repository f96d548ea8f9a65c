"""Logs of whole games, read against the rule book by code that shares nothing with the engine."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from hypothesis import given

from rummy_arena.game.actions import NONE
from rummy_arena.game.cards import Card, is_joker
from rummy_arena.game.events import (
    CallGranted,
    DealEnd,
    DealEnded,
    DealStarted,
    Discarded,
    Drew,
    Event,
    Forbade,
    JokerMoved,
    JokerTaken,
    LaidOff,
    Melded,
    Opened,
    Reshuffled,
    Source,
    TookAndOpened,
    TurnEnded,
    WindowOpened,
)
from rummy_arena.game.melds import MeldKind, TableMeld
from rummy_arena.game.rules import RuleSet

from .paper import Paper, is_set, name, paper_of, places
from .plays import Setting, examples, play_settings, whole_game

KALUKI = ("kaluki-european", "kaluki-american")


@dataclass
class Auditor:
    """Watches one deal and knows what the clauses forbid."""

    rules: RuleSet
    seats: int
    started: DealStarted
    melds: list[TableMeld] = field(default_factory=list)
    opened: dict[int, int] = field(default_factory=dict)  # turn of the opening
    calls: Counter[int] = field(default_factory=Counter)
    recycled: int = 0
    turn_of: int = 0
    turn: int = 1
    stock_only: bool = False
    taken: Card = NONE
    laid_off: bool = False
    new_melds: int = 0  # melds when the turn began
    built: Counter[tuple[int, bool]] = field(default_factory=Counter)
    discarder: int = NONE
    thrown_back: int = 0

    def __post_init__(self) -> None:
        self.paper: Paper = paper_of(self.rules)
        self.game = self.rules.id
        self.turn_of = self._after(self.started.dealer)

    def _after(self, seat: int) -> int:
        step = 1 if self.paper.clockwise else -1
        while True:
            seat = (seat + step) % self.seats
            if seat in self.started.players:
                return seat

    def read(self, event: Event) -> None:
        """Take in one event; AssertionError where it breaks a clause."""
        handler = getattr(self, f"_{type(event).__name__.lower()}", None)
        if handler is not None:
            handler(event)

    def _reshuffled(self, event: Reshuffled) -> None:
        self.recycled += 1
        assert self.recycled <= self.paper.recyclings, "J-27"

    def _callgranted(self, event: CallGranted) -> None:
        self.calls[event.seat] += 1
        self.stock_only = True

    def _forbade(self, event: Forbade) -> None:
        assert event.seat == self.discarder, "B-1"

    def _dealended(self, event: DealEnded) -> None:
        out = event.end is DealEnd.OUT
        assert self.thrown_back <= out, "X-8"
        if out and self.game not in ("kalooki-jamaican", "kalooki-bonus"):
            assert self.discarder == event.winner, "C-10, E-19"

    def _discarded(self, event: Discarded | TurnEnded) -> None:
        assert event.seat == self.turn_of
        if isinstance(event, Discarded):
            throws_jokers = self.game == "carioca-argentine" or self.game in KALUKI
            assert throws_jokers or not is_joker(event.card), "J-21"
            if event.card == self.taken and throws_jokers:  # only as the last card
                self.thrown_back += 1
        self.discarder = event.seat
        self.turn_of = self._after(event.seat)
        self.turn += 1
        self.stock_only = self.laid_off = False
        self.taken = NONE
        self.new_melds = len(self.melds)
        self.built.clear()

    _turnended = _discarded

    def _drew(self, event: Drew) -> None:
        assert event.seat == self.turn_of
        if event.source is not Source.DISCARD:
            return
        assert not self.stock_only, "J-8"
        if self.game == "kalooki-jamaican":
            assert event.seat not in self.opened, "J-25"
        if self.game in KALUKI:
            assert self.turn == 1 or event.seat in self.opened, "E-7"
        self.taken = event.card

    def _opened(self, event: Opened | TookAndOpened) -> None:
        assert event.seat == self.turn_of
        assert event.seat not in self.opened, "J-11"
        melds = event.melds
        if isinstance(event, TookAndOpened):
            assert self.game in KALUKI
            assert any(event.card in meld.cards for meld in melds), "E-7"
        for meld in melds:
            self._lies(meld)
            if self.game == "carioca-argentine":
                assert len(meld.cards) == (3 if meld.kind is MeldKind.SET else 4), "C-2"
                assert sum(map(is_joker, meld.cards)) <= 1, "C-3"
        kinds = [meld.kind for meld in melds]
        if self.paper.contracts:
            wanted = self.paper.contracts[self.started.contract - 1]
            assert (kinds.count(MeldKind.SET), kinds.count(MeldKind.RUN)) == wanted, "J-11"
        else:
            assert sum(map(self._points, melds)) >= self.paper.opening_points, "E-4"
        for meld in melds:
            self._new(event.seat, meld)
        self.opened[event.seat] = self.turn

    _tookandopened = _opened

    def _points(self, meld: TableMeld) -> int:
        """Return what the meld is worth, jokers as the cards that they stand for (E-3)."""
        ace = self.paper.aces[0]
        if meld.kind is MeldKind.SET:
            ranks = [meld.low] * len(meld.cards)
        else:
            ranks = [(meld.low + step) % 13 for step in range(len(meld.cards))]
        return sum(ace if rank == 0 else min(rank + 1, 10) for rank in ranks)

    def _melded(self, event: Melded) -> None:
        self._built_by(event.seat)
        assert self.game != "carioca-argentine", "C-15"
        assert not (self.game == "kalooki-bonus" and self.laid_off), "B-12"
        self._lies(event.meld)
        self._new(event.seat, event.meld)

    def _built_by(self, seat: int) -> None:
        assert seat == self.turn_of
        assert seat in self.opened, "J-11"
        if self.game == "carioca-argentine":
            assert self.opened[seat] < self.turn, "C-2"

    def _lies(self, meld: TableMeld) -> None:
        if meld.kind is MeldKind.SET:
            assert is_set(self.paper, meld.cards)
        else:
            assert places(self.paper, meld.cards) == [meld.low]

    def _new(self, seat: int, meld: TableMeld) -> None:
        assert meld.owner == seat
        if self.paper.differ:
            key = meld.kind, meld.low if meld.kind is MeldKind.SET else meld.suit
            own = [
                (other.kind, other.low if other.kind is MeldKind.SET else other.suit)
                for other in self.melds
                if other.owner == seat
            ]
            assert key not in own, "J-12"
        self.melds.append(meld)

    def _laidoff(self, event: LaidOff) -> None:
        self._built_by(event.seat)
        before = self.melds[event.target]
        assert sorted(event.meld.cards) == sorted([*before.cards, event.card])
        self._lies(event.meld)
        self._grew(before, event.meld, event.target)

    def _grew(self, before: TableMeld, after: TableMeld, target: int) -> None:
        """Note where a run grew by a lay-off."""
        self.laid_off = True
        self.melds[target] = after
        if before.kind is MeldKind.RUN:
            low = after.low < before.low
            assert after.cards == (
                (after.cards[0], *before.cards) if low else (*before.cards, after.cards[-1])
            )
            self.built[target, low] += 1
            assert self.built[target, low] <= self.paper.per_end, "E-12"
            if self.paper.upwards:
                assert low == (before.low + len(before.cards) == 14), "J-16"

    def _jokermoved(self, event: JokerMoved) -> None:
        self._built_by(event.seat)
        before = self.melds[event.target]
        assert self.game not in KALUKI
        assert sorted(event.meld.cards) == sorted([*before.cards, event.card])
        at = event.card, event.meld.cards.index(event.card) + event.meld.low
        assert is_joker(before.cards[at[1] - before.low]), "J-18"
        assert name(event.card)[1] == before.suit
        if self.game == "kalooki-bonus":
            assert before.owner == event.seat, "B-10"
            assert event.target < self.new_melds, "B-10"
        self._lies(event.meld)
        self.laid_off = True
        self.melds[event.target] = event.meld

    def _jokertaken(self, event: JokerTaken) -> None:
        self._built_by(event.seat)
        assert self.game in KALUKI
        before = self.melds[event.target]
        assert sorted([*event.meld.cards, event.joker]) == sorted([*before.cards, *event.cards])
        self._lies(event.meld)
        pairs = before.kind is MeldKind.SET and self.game == "kaluki-european"
        assert len(event.cards) == (2 if pairs else 1), "E-13"
        self.melds[event.target] = event.meld
        self._lies(event.placed)
        if event.onto == NONE:
            self._new(event.seat, event.placed)
        else:
            self._grew(self.melds[event.onto], event.placed, event.onto)

    def _windowopened(self, event: WindowOpened) -> None:
        may = {seat for seat in self.started.players if self.calls[seat] < self.paper.calls}
        assert set(event.seats) == may - set(self.opened) - {self.discarder, self.turn_of}, "J-4"


@examples(6)
@given(play_settings())
def test_no_game_breaks_a_clause(chosen: Setting) -> None:
    first, *log = whole_game(chosen)[1]
    assert isinstance(first, DealStarted)
    auditor = Auditor(chosen.rules, chosen.seats, first)
    for event in log:
        if isinstance(event, DealStarted):
            auditor = Auditor(chosen.rules, chosen.seats, event)
        auditor.read(event)
