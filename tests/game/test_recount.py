"""The score, counted again from the log by other code than the engine's."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given

from rummy_arena.game import series
from rummy_arena.game.cards import card_text
from rummy_arena.game.events import (
    CallGranted,
    DealEnd,
    DealEnded,
    DealStarted,
    Discarded,
    Drew,
    Event,
    GameEnded,
    JokerMoved,
    LaidOff,
    Melded,
    Opened,
)
from rummy_arena.game.melds import TableMeld

from .plays import Setting, examples, play_settings, whole_game

FACES = {"T": 10, "J": 10, "Q": 10, "K": 10}


def worth(card: int) -> int:
    """Return the penalty of a card of the Jamaican game, read off its text (J-31)."""
    text = card_text(card)
    if text[0] == "*":
        return 50
    if text[0] == "A":
        return 1 if text[1] in "DH" else 15
    return FACES.get(text[0]) or int(text[0])


class Scorer:
    """Follows a log with pencil and paper."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.totals = [0] * seats
        self.hands: list[set[int]] = []
        self.opened_now: set[int] = set()  # who opened since its last draw
        self.calls = [0] * seats
        self.won = [0] * seats
        self.down_and_outs = [0] * seats
        self.rows: list[tuple[int, ...]] = []
        self.dealt: list[tuple[int, int, int]] = []

    def follow(self, event: Event) -> None:
        """Take in one event."""
        if isinstance(event, DealStarted):
            self._start(event)
        elif isinstance(event, Drew):
            self.opened_now.discard(event.seat)
            self.hands[event.seat].add(event.card)
        elif isinstance(event, CallGranted):
            self.hands[event.seat] |= {event.card, event.penalty}
            self.calls[event.seat] += 1
        elif isinstance(event, Opened):
            self.opened_now.add(event.seat)
            for meld in event.melds:
                self._lay(event.seat, meld)
        elif isinstance(event, Melded):
            self._lay(event.seat, event.meld)
        elif isinstance(event, LaidOff | JokerMoved | Discarded):
            self.hands[event.seat].remove(event.card)
        elif isinstance(event, DealEnded):
            self._end(event)

    def _start(self, event: DealStarted) -> None:
        self.dealt.append((event.number, event.attempt, event.dealer))
        self.hands = [set() for _ in range(self.seats)]
        self.opened_now = set()
        size = (9, 10, 11, 12, 12, 13, 14, 15, 16)[event.number - 1]
        for place, card in enumerate(event.deck[: size * self.seats]):
            self.hands[(event.dealer + 1 + place) % self.seats].add(card)

    def _lay(self, seat: int, meld: TableMeld) -> None:
        assert meld.owner == seat
        self.hands[seat] -= set(meld.cards)

    def _end(self, event: DealEnded) -> None:
        assert [set(hand) for hand in event.hands] == self.hands
        out = [seat for seat, hand in enumerate(self.hands) if not hand]
        points: tuple[int, ...] = ()
        if out:
            (winner,) = out
            assert (event.end, event.winner) == (DealEnd.OUT, winner)
            doubled = winner in self.opened_now
            factor = 2 if doubled else 1
            points = tuple(sum(map(worth, hand)) * factor for hand in self.hands)
            self.won[winner] += 1
            self.down_and_outs[winner] += doubled
            assert event.down_and_out == doubled
        elif self.dealt[-1][1] == 2:
            points = (0,) * self.seats
        assert event.points == points
        if points:
            self.rows.append(points)
            self.totals = [a + b for a, b in zip(self.totals, points, strict=True)]


@examples(8)
@given(play_settings())
def test_scores_places_dealers_and_counts_match_a_recount_of_the_log(chosen: Setting) -> None:
    game, log = whole_game(chosen)
    scorer = Scorer(chosen.seats)
    for event in log:
        scorer.follow(event)
    last, result = log[-1], series.result(game)
    assert isinstance(last, GameEnded)
    assert list(last.totals) == list(result.totals) == scorer.totals
    ranks = sorted(scorer.totals)
    assert last.places == tuple(ranks.index(total) + 1 for total in scorer.totals)
    assert result.places == last.places
    assert list(result.deals_won) == scorer.won
    assert list(result.down_and_outs) == scorer.down_and_outs
    assert list(result.calls) == scorer.calls
    assert result.deal_points == tuple(zip(*scorer.rows, strict=True))
    assert len(scorer.rows) == 9
    started = [event for event in log if isinstance(event, DealStarted)]
    assert (started[0].number, started[0].attempt, started[0].dealer) == (1, 0, 0)
    for before, after in pairwise(started):
        if after.attempt:
            assert (after.number, after.dealer) == (before.number, before.dealer)
            assert after.attempt == before.attempt + 1 <= 2
        else:
            assert after.number == before.number + 1
            assert after.dealer == (before.dealer + 1) % chosen.seats
