"""The score, counted again from the log by other code than the engine's."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given

from rummy_arena.game import series
from rummy_arena.game.events import (
    CallGranted,
    DealEnd,
    DealEnded,
    DealStarted,
    Discarded,
    Drew,
    Eliminated,
    Event,
    GameEnded,
    JokerMoved,
    JokerTaken,
    LaidOff,
    LegEnded,
    LotsDrawn,
    Melded,
    Opened,
    Rebought,
    RebuyOffered,
    TookAndOpened,
)
from rummy_arena.game.melds import TableMeld
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.score_sheet import left_out, sudden_wins

from .paper import Paper, paper_of
from .plays import Setting, examples, play_settings, whole_game


@dataclass
class Scorer:
    """Follows a log with pencil and paper."""

    rules: RuleSet
    seats: int
    totals: list[int] = field(default_factory=list)  # of the present leg
    spent: list[int] = field(default_factory=list)  # of earlier legs
    ledger: list[int] = field(default_factory=list)
    playing: set[int] = field(default_factory=set)
    hands: list[set[int]] = field(default_factory=list)
    opened: dict[int, bool] = field(default_factory=dict)  # true while in that turn
    calls: list[int] = field(default_factory=list)
    won: list[int] = field(default_factory=list)
    down_and_outs: list[int] = field(default_factory=list)
    rows: list[tuple[int, ...]] = field(default_factory=list)
    played: list[set[int]] = field(default_factory=list)  # who of each row; nobody in sudden death
    sudden_won: list[int] = field(default_factory=list)
    started: list[DealStarted] = field(default_factory=list)
    legs: list[tuple[int, ...]] = field(default_factory=list)  # places
    gone: list[int] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)  # of sudden death
    sudden: bool = False
    pot: int = 0
    leg_over: bool = False

    def __post_init__(self) -> None:
        self.paper: Paper = paper_of(self.rules)
        zeros = [0] * self.seats
        self.totals, self.spent, self.calls, self.won = (zeros.copy() for _ in range(4))
        self.down_and_outs, self.ranks, self.sudden_won = (zeros.copy() for _ in range(3))
        self.ledger = [-self.paper.buy_in] * self.seats
        self.pot = self.paper.buy_in * self.seats
        self.playing = set(range(self.seats))

    def follow(self, event: Event) -> None:
        """Take in one event."""
        handler = getattr(self, f"_{type(event).__name__.lower()}", None)
        if handler is not None:
            handler(event)

    def _dealstarted(self, event: DealStarted) -> None:
        """Deal again from the deck, one card at a time from the seat after the dealer."""
        if self.legs and not event.attempt and event.contract > 1 and self.leg_over:
            self._match_playoff(event)
        elif self.started and not event.attempt and self.paper.contracts:
            last = self.started[-1].contract == len(self.paper.contracts)
            self.sudden = last and event.contract == len(self.paper.contracts)
            if self.sudden:
                lowest = min(self.totals)
                self.playing = {s for s in range(self.seats) if self.totals[s] == lowest}
                assert len(self.playing) > 1, "B-19"
        self.leg_over = False
        self._dealer_goes_round(event)
        self.started.append(event)
        assert set(event.players) == self.playing
        self.hands = [set() for _ in range(self.seats)]
        self.opened = {}
        size = self.paper.hand_size(event.contract, len(self.playing))
        seat = event.dealer
        for card in event.deck[: size * len(self.playing)]:
            seat = self._next(seat)
            self.hands[seat].add(card)

    def _match_playoff(self, event: DealStarted) -> None:
        """All games of a best of three are played, and who leads shares the lead (B-24)."""
        keys = self.match_keys()
        self.playing = {seat for seat in range(self.seats) if keys[seat] == min(keys)}
        assert len(self.playing) > 1 == self.rules.best_of // 3
        assert event.contract == len(self.paper.contracts)
        self.sudden = True

    def match_keys(self) -> list[tuple[int, int, int]]:
        """Return by seat what decides a best of three: games won, penalties, sudden death."""
        won = [sum(places[seat] == 1 for places in self.legs) for seat in range(self.seats)]
        return [(-won[seat], self.spent[seat], self.ranks[seat]) for seat in range(self.seats)]

    def _dealer_goes_round(self, event: DealStarted) -> None:
        if not self.started:
            assert (event.number, event.attempt, event.dealer, event.contract) == (1, 0, 0, 1)
            return
        before = self.started[-1]
        if event.attempt:
            assert (event.number, event.dealer, event.contract) == (
                before.number,
                before.dealer,
                before.contract,
            ), "X-4"
            assert event.attempt == before.attempt + 1 <= 2, "X-10"
        else:
            assert event.number == before.number + 1
            assert event.dealer == self._next(before.dealer), "E-24"

    def _next(self, seat: int) -> int:
        step = 1 if self.paper.clockwise else -1
        while True:
            seat = (seat + step) % self.seats
            if seat in self.playing:
                return seat

    def _drew(self, event: Drew) -> None:
        if event.seat in self.opened:
            self.opened[event.seat] = False
        self.hands[event.seat].add(event.card)

    def _callgranted(self, event: CallGranted) -> None:
        self.hands[event.seat] |= {event.card, event.penalty}
        self.calls[event.seat] += not self.sudden

    def _opened(self, event: Opened) -> None:
        self.opened[event.seat] = True
        for meld in event.melds:
            self._lay(event.seat, meld)

    def _tookandopened(self, event: TookAndOpened) -> None:
        self.hands[event.seat].add(event.card)
        self.opened[event.seat] = True
        for meld in event.melds:
            self._lay(event.seat, meld)

    def _melded(self, event: Melded) -> None:
        self._lay(event.seat, event.meld)

    def _lay(self, seat: int, meld: TableMeld) -> None:
        assert meld.owner == seat
        assert set(meld.cards) <= self.hands[seat]
        self.hands[seat] -= set(meld.cards)

    def _spent(self, event: LaidOff | JokerMoved | Discarded) -> None:
        self.hands[event.seat].remove(event.card)

    _laidoff = _jokermoved = _discarded = _spent

    def _jokertaken(self, event: JokerTaken) -> None:
        self.hands[event.seat] -= set(event.cards)
        if event.onto < 0:
            self.hands[event.seat] -= set(event.placed.cards)
        assert event.joker in event.placed.cards, "E-13"

    def _dealended(self, event: DealEnded) -> None:
        assert [set(hand) for hand in event.hands] == self.hands
        out = [seat for seat in self.playing if not self.hands[seat]]
        points: tuple[int, ...] = ()
        if out:
            points = self._points(event, *out)
        elif self.started[-1].attempt == 2:
            points = (0,) * self.seats
        assert event.points == points
        if not points:
            return
        self.rows.append(points)
        self.played.append(set() if self.sudden else self.playing.copy())
        if self.sudden:
            self.ranks = list(points)
        else:
            self.totals = [a + b for a, b in zip(self.totals, points, strict=True)]

    def _points(self, event: DealEnded, winner: int) -> tuple[int, ...]:
        paper = self.paper
        assert (event.end, event.winner) == (DealEnd.OUT, winner)
        down = self.opened[winner]
        assert event.down_and_out == down
        self.won[winner] += 1
        self.sudden_won[winner] += self.sudden
        self.down_and_outs[winner] += down and not self.sudden
        points = [0] * self.seats
        points[winner] = paper.out
        doubled = paper.stake_doubled == "out" or (paper.stake_doubled == "down" and down)
        for seat in self.playing - {winner}:
            hand = sum(map(paper.worth, self.hands[seat]))
            points[seat] = hand * (paper.factor if down else 1) + (paper.extra if down else 0)
            points[seat] += 0 if seat in self.opened else paper.unopened
            units = paper.stake * (2 if doubled else 1)
            self.ledger[seat] -= units
            self.ledger[winner] += units
        return tuple(points)

    def _rebuyoffered(self, event: RebuyOffered) -> None:
        alive = [seat for seat in self.playing if self.totals[seat] <= self.paper.limit]
        assert len(alive) >= 2, "E-17"
        assert all(self.totals[seat] > self.paper.limit for seat in event.seats)

    def _rebought(self, event: Rebought) -> None:
        alive = [t for s, t in enumerate(self.totals) if s in self.playing and t <= 150]
        assert event.total == max(alive), "E-17"
        self.totals[event.seat] = event.total
        self.ledger[event.seat] -= 1
        self.pot += 1

    def _eliminated(self, event: Eliminated) -> None:
        assert set(event.seats) == {s for s in self.playing if self.totals[s] > self.paper.limit}
        lowest = [self.totals[seat] for seat in event.seats]
        assert lowest == sorted(lowest, reverse=True), "E-23"
        self.playing -= set(event.seats)
        self.gone += event.seats

    def _lotsdrawn(self, event: LotsDrawn) -> None:
        assert set(event.seats) == self.playing
        for rank, seat in enumerate(event.seats):
            self.ranks[seat] = rank

    def _legended(self, event: LegEnded) -> None:
        assert list(event.totals) == self.totals
        assert event.places == self.leg_places()
        self.legs.append(event.places)
        self.spent = [a + b for a, b in zip(self.spent, self.totals, strict=True)]
        self.totals, self.ranks = [0] * self.seats, [0] * self.seats
        self.playing = set(range(self.seats))
        self.leg_over = True

    def leg_places(self) -> tuple[int, ...]:
        """Return the places by totals, sudden death between equals."""
        keys = list(zip(self.totals, self.ranks, strict=True))
        return tuple(sorted(keys).index(key) + 1 for key in keys)

    def places(self) -> tuple[int, ...]:
        """Return the places at the end of the game."""
        if self.paper.limit:
            alive = sorted(self.totals[seat] for seat in self.playing)
            return tuple(
                alive.index(self.totals[seat]) + 1
                if seat in self.playing
                else self.seats - self.gone.index(seat)
                for seat in range(self.seats)
            )
        if not self.legs:
            return self.leg_places()
        keys = self.match_keys()
        return tuple(sorted(keys).index(key) + 1 for key in keys)


@examples(6)
@given(play_settings())
def test_scores_places_dealers_and_counts_match_a_recount_of_the_log(chosen: Setting) -> None:
    game, log = whole_game(chosen)
    scorer = Scorer(chosen.rules, chosen.seats)
    for event in log:
        scorer.follow(event)
    last, result = log[-1], series.result(game)
    assert isinstance(last, GameEnded)
    totals = scorer.spent if scorer.legs else scorer.totals
    assert list(last.totals) == list(result.totals) == totals
    assert last.places == result.places == scorer.places()
    assert list(result.deals_won) == scorer.won
    assert list(result.down_and_outs) == scorer.down_and_outs
    assert list(result.calls) == scorer.calls
    assert result.deal_points == tuple(zip(*scorer.rows, strict=True))
    assert list(sudden_wins(game)) == scorer.sudden_won
    assert left_out(game) == tuple(
        tuple(row for row, players in enumerate(scorer.played) if seat not in players)
        for seat in range(chosen.seats)
    )
    contracts = len(scorer.paper.contracts)
    if contracts and not scorer.legs:
        assert len(scorer.rows) == contracts + scorer.sudden
    firsts = [seat for seat, place in enumerate(last.places) if place == 1]
    if scorer.pot and len(firsts) == 1:
        scorer.ledger[firsts[0]] += scorer.pot
        assert list(result.ledger) == scorer.ledger
