"""What nobody may see is in no view and in no redacted event (X-15)."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest
from hypothesis import given

from rummy_arena.game import series
from rummy_arena.game.actions import NONE
from rummy_arena.game.events import (
    EVENT_TYPES,
    CallGranted,
    DealEnded,
    DealStarted,
    Discarded,
    Drew,
    Event,
    GameEnded,
    Reshuffled,
    Source,
)
from rummy_arena.game.melds import TableMeld
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Deal, Game
from rummy_arena.game.view import redact, view
from rummy_arena.rulesets.kalooki_jamaican import KALOOKI_JAMAICAN

from .paper import paper_of
from .plain_player import PlainPlayer
from .plays import Play, Setting, examples, frozen, play_settings, whole_game


@examples(15)
@given(play_settings())
def test_a_view_does_not_change_when_the_cards_that_it_hides_are_permuted(chosen: Setting) -> None:
    play = Play(chosen)
    for step in play:
        if play.dice.random() < 0.5:
            seat = play.dice.randrange(NONE, chosen.seats)
            seen = view(step.game, seat)
            assert seen.kinds == () or seat != NONE
            assert view(_permuted(step.game, seat, play.dice), seat) == seen


def _permuted(game: Game, seat: int, dice: Random) -> Game:
    """Return the game with all cards that the seat cannot see put in other places."""
    deal = frozen(game.deal)
    hidden_hands = [hand for other, hand in enumerate(deal.hands) if other != seat]
    if deal.rules.open_hands:
        hidden_hands = []
    places = [*hidden_hands, deal.stock]
    buried = deal.discards[:-1]
    cards = [card for place in (*places, buried) for card in place]
    dice.shuffle(cards)
    for place in places:
        count = len(place)
        place[:] = cards[:count]
        del cards[:count]
    for hand in hidden_hands:
        hand.sort()
    deal.discards[:-1] = cards
    deal.drawn = NONE  # what was drawn is for the absent seat's move only
    return dataclasses.replace(game, deal=deal)


@examples(5)
@given(play_settings())
def test_a_redacted_event_names_no_hidden_card(chosen: Setting) -> None:
    _, log = whole_game(chosen)
    for seat in range(NONE, chosen.seats):
        known = _Known(chosen.rules, chosen.seats, seat)
        for event in log:
            shown = redact(event, seat, chosen.rules, chosen.seats)
            known.learn(event)
            assert _cards_in(shown) <= known.cards, (seat, event, shown)
            assert type(shown) is type(event)


class _Known:
    """The cards whose place a seat knows: face up once, or its own."""

    def __init__(self, rules: RuleSet, seats: int, seat: int) -> None:
        self.rules, self.seats, self.seat = rules, seats, seat
        self.cards: set[int] = set()

    def learn(self, event: Event) -> None:
        """Take in what happened, as somebody at the table would."""
        if isinstance(event, DealStarted):
            self.cards = {event.up_card} | self._dealt(event)
        elif isinstance(event, Reshuffled):
            self.cards -= set(event.order)
        elif (
            isinstance(event, Drew) and (self._sees(event.seat) or event.source is Source.DISCARD)
        ) or isinstance(event, Discarded):
            self.cards.add(event.card)
        elif isinstance(event, CallGranted) and self._sees(event.seat):
            self.cards.add(event.penalty)
        elif isinstance(event, DealEnded):
            if event.points:
                self.cards = set(self.rules.pack)
        elif not isinstance(event, Drew | CallGranted):
            self.cards |= _cards_in(event)  # laid down, in sight of all

    def _sees(self, seat: int) -> bool:
        return seat == self.seat or paper_of(self.rules).open_hands

    def _dealt(self, event: DealStarted) -> set[int]:
        """Return the cards of the hands that the seat sees when they are dealt."""
        paper, players = paper_of(self.rules), event.players
        step = 1 if paper.clockwise else -1
        order = [(event.dealer + step * n) % self.seats for n in range(1, self.seats + 1)]
        dealt = [seat for seat in order if seat in players]
        size = paper.hand_size(event.contract, len(players))
        seen: set[int] = set()
        for first, seat in enumerate(dealt):
            if self._sees(seat):
                seen.update(event.deck[first : size * len(players) : len(players)])
        return seen


def _cards_in(event: Event) -> set[int]:
    """Return every card that an event names, whatever its type."""
    found: set[int] = set()
    for field in dataclasses.fields(event):
        value = getattr(event, field.name)
        if isinstance(value, bytes):
            found.update(value)
        elif field.name in ("card", "penalty", "up_card", "joker"):
            found.add(value)
        elif field.name == "cards":
            found.update(value)
        elif isinstance(value, TableMeld):
            found.update(value.cards)
        elif isinstance(value, tuple):
            for part in value:
                if isinstance(part, TableMeld):
                    found.update(part.cards)
                elif isinstance(part, bytes):
                    found.update(part)
    return found - {NONE}


def test_redaction_knows_every_type_of_event_and_refuses_others() -> None:
    class Novel:
        """An event type that nobody has thought about."""

    for kind in EVENT_TYPES:
        assert kind in redact.__globals__["_REDACTIONS"]
    with pytest.raises(KeyError):
        redact(Novel(), 0, KALOOKI_JAMAICAN, 3)  # type: ignore[arg-type]


def test_each_kind_of_hidden_card_is_hidden() -> None:
    caller = PlainPlayer(Random(5), calls=0.9)
    game, log = whole_game(Setting(KALOOKI_JAMAICAN, 4, 1, 3), caller)
    (deal_started,) = (e for e in log[:1] if isinstance(e, DealStarted))
    own = redact(deal_started, 2, game.rules, 4)
    assert isinstance(own, DealStarted)
    assert (own.deck, len(own.hand), own.up_card) == (b"", 9, deal_started.up_card)
    spectators = redact(deal_started, NONE, game.rules, 4)
    assert spectators == dataclasses.replace(deal_started, deck=b"")
    granted = next(e for e in log if isinstance(e, CallGranted))
    for seat in range(NONE, 4):
        shown = redact(granted, seat, game.rules, 4)
        penalty = granted.penalty if seat == granted.seat else NONE
        assert shown == dataclasses.replace(granted, penalty=penalty)
    piles = [e for e in log if isinstance(e, Reshuffled)]
    for pile in piles:
        assert redact(pile, 0, game.rules, 4) == Reshuffled(b"", pile.count)
    assert isinstance(log[-1], GameEnded)
    assert redact(log[-1], NONE, game.rules, 4) == log[-1]


def test_a_view_of_a_finished_game_offers_nothing() -> None:
    game, _ = whole_game(Setting(KALOOKI_JAMAICAN, 3, 1, 2))
    for seat in range(NONE, 3):
        assert view(game, seat).kinds == ()
    assert view(game, 0).totals == series.result(game).totals


def test_views_share_no_list_with_the_deal() -> None:
    play = Play(Setting(KALOOKI_JAMAICAN, 3, 1, 2))
    deal: Deal = play.deal
    seen = view(play.game, deal.turn)
    play.apply(deal.turn, next(iter(play)).action)
    assert len(seen.hand) == 9
    assert seen.stock_count == 80
