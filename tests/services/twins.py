"""Twins: two tables that differ only in what one viewer may not see of them.

What a viewer may see is written down here once more, in the plainest words (X-15), so that the
arena's own redaction does not prove itself.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from random import Random

from rummy_arena.game import engine, series
from rummy_arena.game.actions import NONE, Action
from rummy_arena.game.cards import JOKER_BASE, Card
from rummy_arena.game.events import (
    CallGranted,
    DealEnded,
    DealStarted,
    Discarded,
    Drew,
    Event,
    JokerMoved,
    JokerTaken,
    LaidOff,
    Melded,
    Opened,
    Reshuffled,
    Source,
    TookAndOpened,
)
from rummy_arena.game.replay import CorruptLog, replay
from rummy_arena.game.rules import CallPriority, RuleSet
from rummy_arena.game.state import Answer, Game, Phase
from tests.game.plain_player import PlainPlayer
from tests.game.rigged import RiggedChance
from tests.state.whole_games import Sample

PINNED = 4
"""Cards on top of the stock that stay, where the viewer may draw them next."""
_UNSEEN: set[int] = {NONE}


class SealedChance(RiggedChance):
    """Rigged decks with a seed for each deal, which is committed to and told as fair ones are."""

    def commitment(self, number: int, attempt: int) -> bytes:
        """Return what everybody is told before a deal."""
        return sha256(self.seed(number, attempt)).digest()

    def seed(self, number: int, attempt: int) -> bytes:
        """Return what everybody is told after it."""
        return sha256(f"{self._dice} {number} {attempt}".encode()).digest()


@dataclass(frozen=True)
class Moment:
    """A game before an action, with its log so far."""

    rules: RuleSet
    game: Game
    log: tuple[Event, ...]
    seat: int  # who acts next, NONE at the end
    action: Action | None
    seeds: tuple[tuple[int, int, bytes], ...]  # of the deals whose seeds are not told yet

    @property
    def kind(self) -> tuple[object, ...]:
        """What tells moments of interest apart."""
        deal = self.game.deal
        given = sum(answer in (Answer.CALLED, Answer.PASSED) for answer in deal.answers)
        return (deal.phase, bool(given), deal.waived, self.game.attempt > 0, len(deal.players))


@cache
def moments(sample: Sample) -> tuple[Moment, ...]:
    """Return every moment of a whole game, the last one after its end; look, do not touch."""
    return tuple(_moments(sample))


def _moments(sample: Sample) -> Iterator[Moment]:
    rules, dice = sample.rules, Random(sample.seed)
    chance = SealedChance(rules, sample.seats, sample.seed, favour=0.9)
    player = PlainPlayer(dice, skill=0.9, calls=0.5)
    game, log = series.new_game(rules, sample.seats, chance)
    hidden = {(1, 0)}
    while not game.over:
        deal = game.deal
        seat = dice.choice([s for s in range(deal.seats) if engine.kinds(deal, s)])
        action = player.choose(deal, seat)
        yield _moment(rules, game, log, seat, action, hidden, chance)
        log += series.apply(game, seat, action, chance)
        if game.deal is not deal:
            hidden = {*game.withheld, (game.deal.number, game.attempt)}
    yield _moment(rules, game, log, NONE, None, set(), chance)


def _moment(
    rules: RuleSet,
    game: Game,
    log: Sequence[Event],
    seat: int,
    action: Action | None,
    hidden: set[tuple[int, int]],
    chance: SealedChance,
) -> Moment:
    kept = copy.deepcopy(game, {id(rules): rules})
    seeds = tuple([(*deal, chance.seed(*deal)) for deal in sorted(hidden)])
    return Moment(rules, kept, tuple(log), seat, action, seeds)


def chosen(found: Sequence[Moment], count: int, dice: Random) -> list[Moment]:
    """Return one moment of each kind that was met, and others by lot, in order."""
    firsts: dict[tuple[object, ...], list[int]] = {}
    for index, moment in enumerate(found):
        firsts.setdefault(moment.kind, []).append(index)
    picked = {dice.choice(indexes) for indexes in firsts.values()} | {len(found) - 1}
    others = [index for index in range(len(found)) if index not in picked]
    picked |= set(dice.sample(others, min(len(others), max(0, count - len(picked)))))
    return [found[index] for index in sorted(picked)]


# --- what a viewer may see ---------------------------------------------------------------------


def seen(event: Event, viewer: int, rules: RuleSet, seats: int) -> Event:
    """Return the event without what the viewer may not know; never called with a later one."""
    everything = rules.open_hands
    if isinstance(event, Drew) and event.source is Source.STOCK:
        return event if everything or event.seat == viewer else replace(event, card=NONE)
    if isinstance(event, CallGranted):
        return event if everything or event.seat == viewer else replace(event, penalty=NONE)
    if isinstance(event, Reshuffled):
        return replace(event, order=b"")
    if isinstance(event, DealEnded) and not event.points and not everything:
        own = [hand if seat == viewer else b"" for seat, hand in enumerate(event.hands)]
        return replace(event, hands=tuple(own))
    if isinstance(event, DealStarted):
        hands = _dealt(event, rules, seats)
        shown = tuple([h if everything or s == viewer else b"" for s, h in enumerate(hands)])
        return replace(event, deck=b"", hands=shown)
    return event


def _dealt(event: DealStarted, rules: RuleSet, seats: int) -> list[bytes]:
    deal = engine.deal_cards(
        rules,
        seats,
        event.contract,
        event.dealer,
        event.deck,
        number=event.number,
        players=event.players,
    )
    return list(map(bytes, deal.hands))


def _shown(events: Sequence[Event], viewer: int, rules: RuleSet, seats: int) -> set[Card]:
    """Return the cards of one deal that the viewer has seen."""
    cards: set[int] = set()
    for event in events:
        event = seen(event, viewer, rules, seats)
        match event:
            case DealStarted():
                cards.update(*event.hands, [event.up_card])
            case Drew() | Discarded():
                cards.add(event.card)
            case CallGranted():
                cards |= {event.card, event.penalty}
            case DealEnded():
                cards.update(*event.hands)
            case Opened() | TookAndOpened():
                cards.update(*[meld.cards for meld in event.melds])
            case Melded() | LaidOff() | JokerMoved():
                cards.update(event.meld.cards)
            case JokerTaken():
                cards |= {*event.cards, event.joker, *event.meld.cards, *event.placed.cards}
    return cards - _UNSEEN


# --- twins -------------------------------------------------------------------------------------


def twin_of(moment: Moment, viewer: int, dice: Random, *, keep: set[Card]) -> Moment:
    """Return another moment that the viewer cannot tell from this one.

    Cards to ``keep`` stay where they are.
    """
    for mixed in (True, False):
        log = _twin_log(moment, viewer, dice, keep, mixed=mixed)
        try:
            game = replay(moment.rules, moment.game.seats, log)
        except CorruptLog:  # that a hand holds nothing but jokers was to be seen, say
            continue
        deal, other = moment.game.deal, game.deal
        other.answers, other.waived = list(deal.answers), deal.waived
        seats = moment.game.seats
        ours = [seen(event, viewer, moment.rules, seats) for event in moment.log]
        assert ours == [seen(event, viewer, moment.rules, seats) for event in log]
        seeds = tuple(
            [(number, attempt, dice.randbytes(32)) for number, attempt, _ in moment.seeds]
        )
        return replace(moment, game=game, log=tuple(log), seeds=seeds)
    return moment


def _twin_log(
    moment: Moment, viewer: int, dice: Random, keep: set[Card], *, mixed: bool
) -> list[Event]:
    starts = [n for n, event in enumerate(moment.log) if isinstance(event, DealStarted)]
    log = list(moment.log[: starts[0]])
    for start, end in zip(starts, [*starts[1:], len(moment.log)], strict=True):
        running = end == len(moment.log) and not moment.game.over
        part = moment.log[start:end]
        log += _twin_deal(moment, part, viewer, dice, keep if running else set(), mixed)
    return log


def _twin_deal(
    moment: Moment,
    events: Sequence[Event],
    viewer: int,
    dice: Random,
    keep: set[Card],
    mixed: bool,
) -> list[Event]:
    rules, seats = moment.rules, moment.game.seats
    ended = next((event for event in events if isinstance(event, DealEnded)), None)
    groups: list[set[Card]]
    if ended is not None and ended.points and not rules.open_hands:
        # What was dealt or drawn unseen and shown only at the end may have come in any order.
        before = [event for event in events if not isinstance(event, DealEnded)]
        unseen = set(rules.pack) - _shown(before, viewer, rules, seats)
        groups = [unseen & set(hand) for hand in ended.hands]
        groups.append(unseen.difference(*ended.hands))
    else:
        groups = [set(rules.pack) - _shown(events, viewer, rules, seats) - keep]
    pi: dict[int, int] = {}
    for group in groups:
        for among in [group] if mixed else _by_joker(group):
            cards = sorted(among)
            pi |= zip(cards, dice.sample(cards, len(cards)), strict=True)
    return _stirred([_mapped(event, pi) for event in events], keep, dice)


def _by_joker(cards: set[Card]) -> tuple[set[Card], set[Card]]:
    jokers = {card for card in cards if card >= JOKER_BASE}
    return cards - jokers, jokers


def _mapped(event: Event, pi: dict[int, int]) -> Event:
    def cards(of: bytes) -> bytes:
        return bytes([pi.get(card, card) for card in of])

    match event:
        case DealStarted():
            return replace(event, deck=cards(event.deck))
        case Drew():
            return replace(event, card=pi.get(event.card, event.card))
        case CallGranted():
            return replace(event, penalty=pi.get(event.penalty, event.penalty))
        case Reshuffled():
            return replace(event, order=cards(event.order))
        case DealEnded():
            hands = tuple([bytes(sorted(cards(hand))) for hand in event.hands])
            return replace(event, hands=hands)
    return event


def _stirred(events: list[Event], keep: set[Card], dice: Random) -> list[Event]:
    """Mix what is left of a reshuffled stock, whose cards everybody knows, but not their order."""
    piles = [(n, event) for n, event in enumerate(events) if isinstance(event, Reshuffled)]
    if not piles:
        return events
    at, pile = piles[-1]
    order = pile.order
    later = [event for event in events[at:] if isinstance(event, Drew | CallGranted)]
    drawn = {e.card if isinstance(e, Drew) else e.penalty for e in later}
    left = [card for card in order if card not in drawn | keep]
    pi = dict(zip(left, dice.sample(left, len(left)), strict=True))
    events[at] = replace(pile, order=bytes([pi.get(card, card) for card in order]))
    return events


def with_other_answers(moment: Moment, viewer: int, dice: Random) -> Moment:
    """Return the moment with other answers of others in its open window, and another waiver."""
    deal = moment.game.deal
    if deal.phase is not Phase.CALL_WINDOW:
        return moment
    first_decides = moment.rules.call_priority is CallPriority.FIRST_RECEIVED
    given = (Answer.PASSED,) if first_decides else (Answer.CALLED, Answer.PASSED)
    others = [
        seat
        for seat, answer in enumerate(deal.answers)
        if answer is not Answer.NOT_ASKED and seat != viewer
    ]
    if not others:
        return moment
    answers = list(deal.answers)
    waits = NONE if viewer >= 0 and answers[viewer] is Answer.WAITING else dice.choice(others)
    for seat in others:
        answers[seat] = Answer.WAITING if seat == waits else dice.choice(given)
    game = copy.deepcopy(moment.game, {id(moment.rules): moment.rules})
    game.deal.answers = answers
    if viewer != deal.turn:
        with_waiver = copy.deepcopy(game, {id(moment.rules): moment.rules})
        with_waiver.deal.waived = False
        if engine.kinds(with_waiver.deal, deal.turn):
            game.deal.waived = not deal.waived
    return replace(moment, game=game)
