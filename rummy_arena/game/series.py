"""A whole game: its deals, its running score sheet, who deals, and how it ends (X-3, X-4, X-10).

>>> from rummy_arena.game.chance import SeededChance
>>> from rummy_arena.game.engine import deciders, standard_move
>>> from rummy_arena.rulesets.registry import get_rule_set
>>> rules = get_rule_set("carioca-argentine")
>>> chance = SeededChance(rules, b"any 32 bytes will do as the seed")
>>> game, events = new_game(rules, 3, chance)
>>> while not game.over:  # everybody is absent
...     seat = deciders(game.deal)[0]
...     events += apply(game, seat, standard_move(game.deal, seat), chance)
>>> result(game).places
(1, 1, 1)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import engine
from .actions import Action
from .chance import Chance
from .elimination import answer_offer, eliminate, offer_rebuys, pay_pot, survivor_places
from .events import (
    DealCommitted,
    DealEnd,
    DealEnded,
    DealRevealed,
    DealStarted,
    Event,
    GameEnded,
    LegEnded,
    LotsDrawn,
)
from .melds import refused
from .rules import RuleSet, TieForFirst
from .scoring import deal_points, deal_stakes
from .state import Deal, Game, Leg, Outcome, Phase, following

_REBUY = Phase.REBUY


class SeatsError(ValueError):
    """The rule set cannot be played by so many; ``clause`` says why."""

    def __init__(self, rules: RuleSet, seats: int) -> None:
        self.rule_set = rules.id
        self.clause = rules.clause("SEATS")
        self.seats = seats
        self.min_seats, self.max_seats = rules.min_seats, rules.max_seats
        chosen = ", ".join(f"{name}={value}" for name, value in rules.options)
        super().__init__(
            f"{rules.title}{f' with {chosen}' if chosen else ''} seats {rules.min_seats} to "
            f"{rules.max_seats}, not {seats} ({self.clause})"
        )


@dataclass(frozen=True, slots=True)
class GameResult:
    """What a finished game leaves, every list by seat."""

    totals: tuple[int, ...]  # over all legs, re-buys included, sudden death not
    places: tuple[int, ...]  # 1 is first; equal places are shared (J-31, X-16)
    deals_won: tuple[int, ...]
    down_and_outs: tuple[int, ...]  # sudden death not (B-19): these and calls only break ties
    calls: tuple[int, ...]
    deal_points: tuple[tuple[int, ...], ...]  # per seat, in the order of the deals
    ledger: tuple[int, ...] = ()  # units of play money, won or lost; () without stakes


def new_game(rules: RuleSet, seats: int, chance: Chance) -> tuple[Game, list[Event]]:
    """Return a game whose first deal is dealt, and what happened; SeatsError on a wrong number."""
    if not rules.min_seats <= seats <= rules.max_seats:
        raise SeatsError(rules, seats)
    players = tuple(range(seats))
    events: list[Event] = []
    deal = _dealt(rules, seats, 1, 0, 0, 1, players, chance, events)
    game = Game(
        rules=rules,
        seats=seats,
        deal=deal,
        down_and_outs=[0] * seats,
        calls=[0] * seats,
        adjustments=[0] * seats,
        rebuys=[0] * seats,
        ledger=[-rules.buy_in] * seats,
        pot=rules.buy_in * seats,
    )
    return game, events


def apply(game: Game, seat: int, action: Action, chance: Chance) -> list[Event]:
    """Apply one action, score a deal that ends by it, and deal the next; return what happened."""
    if game.over:
        raise refused(game.rules, "GAME_OVER")
    deal = game.deal
    if deal.phase is _REBUY:
        events = answer_offer(game, seat, action)
        if not deal.offers:
            _thin_out(game, chance, events)
        return events
    events = engine.apply(
        deal,
        seat,
        action,
        lambda cards: chance.reshuffle(deal.number, game.attempt, deal.reshuffles, cards),
    )
    if deal.outcome is not None:
        if _scored(game, deal, deal.outcome, events):
            if game.playoff:
                _decide_playoff(game, chance, events)
            _reveal(deal.number, game.attempt, chance, events)
            _go_on(game, chance, events)
        else:
            if chance.commitment(deal.number, game.attempt):
                game.withheld.append((deal.number, game.attempt))
            game.attempt += 1
            _deal_again(game, chance, events)
    return events


def _dealt(
    rules: RuleSet,
    seats: int,
    number: int,
    attempt: int,
    dealer: int,
    contract_number: int,
    players: tuple[int, ...],
    chance: Chance,
    events: list[Event],
) -> Deal:
    """Return the deal; add what happened, its commitment first (DealCommitted)."""
    if commitment := chance.commitment(number, attempt):
        events.append(DealCommitted(number, attempt, commitment))
    deck = chance.deck(number, attempt)
    deal = engine.deal_cards(
        rules, seats, contract_number, dealer, deck, number=number, players=players
    )
    events.append(
        DealStarted(number, attempt, dealer, bytes(deck), deal.top, contract_number, players)
    )
    return deal


def _reveal(number: int, attempt: int, chance: Chance, events: list[Event]) -> None:
    """Tell the seed of a deal that is over, if there is one to tell: nothing comes from it now."""
    if seed := chance.seed(number, attempt):
        events.append(DealRevealed(number, attempt, seed))


def _scored(game: Game, deal: Deal, outcome: Outcome, events: list[Event]) -> bool:
    """Write the row of the score sheet; a void deal leaves none until its last replay (X-10)."""
    rules = game.rules
    out = outcome.end is DealEnd.OUT
    scored = out or game.attempt >= rules.max_replays
    points: tuple[int, ...] = ()
    if scored:
        points = deal_points(rules, outcome, deal.hands, deal.opened_turn, deal.players)
        game.scores.append(points)
        game.winners.append(outcome.winner)
    if out:
        if not game.playoff:
            game.down_and_outs[outcome.winner] += outcome.down_and_out
        if rules.deal_stake:
            paid = deal_stakes(rules, outcome, deal)
            game.ledger = [units + more for units, more in zip(game.ledger, paid, strict=True)]
    if not game.playoff:
        game.calls = [all_ + calls for all_, calls in zip(game.calls, deal.calls, strict=True)]
    hands = tuple(map(bytes, deal.hands))
    events.append(DealEnded(outcome.end, outcome.winner, outcome.down_and_out, hands, points))
    return scored


def _go_on(game: Game, chance: Chance, events: list[Event]) -> None:
    """After a scored deal: re-buys, the next contract, sudden death, the next leg, or the end."""
    if game.rules.by_elimination:
        last = len(game.scores) >= game.rules.deals_cap  # nobody buys into a game without deals
        if last or not offer_rebuys(game, events):
            _thin_out(game, chance, events)
        return
    played = len(game.scores) - game.leg_start
    if played < len(game.rules.contracts):
        _deal_next(game, played + 1, game.deal.players, chance, events)
    elif game.playoff:
        if _legs_decided(game):
            _end(game, chance, events)
        else:
            _end_leg(game, chance, events)
    else:
        _play_off_or_end(game, chance, events)


def _thin_out(game: Game, chance: Chance, events: list[Event]) -> None:
    """Eliminate who is above the limit, and deal to the others or end the game."""
    players = eliminate(game, events)
    if len(players) < 2 or len(game.scores) >= game.rules.deals_cap:
        pay_pot(game, survivor_places(game))
        _end(game, chance, events)
        return
    _deal_next(game, 1, players, chance, events)


def _play_off_or_end(game: Game, chance: Chance, events: list[Event]) -> None:
    """Let those who tie for first play the last contract again where the rules say so (B-19)."""
    totals = game.totals
    first = tuple([seat for seat, total in enumerate(totals) if total == min(totals)])
    if not _played_off(game, first, chance, events):
        _end_leg(game, chance, events)


def _played_off(game: Game, first: tuple[int, ...], chance: Chance, events: list[Event]) -> bool:
    """Deal the last contract to those who tie, and return true, if the rules want it (B-19)."""
    if len(first) < 2 or game.rules.tie_for_first is TieForFirst.SHARED:
        return False
    game.playoff, game.playoff_ranks = first, ()
    _deal_next(game, len(game.rules.contracts), first, chance, events)
    return True


def _decide_playoff(game: Game, chance: Chance, events: list[Event]) -> None:
    """Rank the tied by their sudden death, or by lots where it was void to the end (B-19)."""
    if game.winners[-1] >= 0:
        game.playoff_ranks = game.scores[-1]
        return
    tied = game.playoff
    order = tuple([tied[at] for at in chance.lots(game.deal.number, len(tied))])
    events.append(LotsDrawn(order))
    ranks = [0] * game.seats
    for rank, seat in enumerate(order):
        ranks[seat] = rank
    game.playoff_ranks = tuple(ranks)


def _end_leg(game: Game, chance: Chance, events: list[Event]) -> None:
    """End the game, or one of several: the majority of a best of three wins (B-24)."""
    rules = game.rules
    if rules.best_of == 1:
        _end(game, chance, events)
        return
    game.legs.append(Leg(game.totals, _leg_places(game)))
    events.append(LegEnded(len(game.legs), *game.legs[-1]))
    game.playoff = game.playoff_ranks = ()
    if _legs_decided(game):
        first = tuple([seat for seat, place in enumerate(places(game)) if place == 1])
        if not _played_off(game, first, chance, events):
            _end(game, chance, events)
        return
    game.leg_start = len(game.scores)
    game.sum_again()
    _deal_next(game, 1, tuple(range(game.seats)), chance, events)


def _deal_next(
    game: Game, contract_number: int, players: tuple[int, ...], chance: Chance, events: list[Event]
) -> None:
    """Deal the next deal; the deal passes to the next of its players (E-24)."""
    game.attempt = 0
    # Who played the last deal may be gone: the button goes on from where it was.
    dealer = following(game.seats, players, game.rules.clockwise)[game.deal.dealer]
    game.deal = _dealt(
        game.rules,
        game.seats,
        game.deal.number + 1,
        0,
        dealer,
        contract_number,
        players,
        chance,
        events,
    )


def _deal_again(game: Game, chance: Chance, events: list[Event]) -> None:
    """Deal the same contract after a void, by the same dealer (X-4)."""
    deal = game.deal
    game.deal = _dealt(
        game.rules,
        game.seats,
        deal.number,
        game.attempt,
        deal.dealer,
        deal.contract_number,
        deal.players,
        chance,
        events,
    )


def _end(game: Game, chance: Chance, events: list[Event]) -> None:
    game.over = True
    events.append(GameEnded(final_totals(game), places(game), _ledger(game)))
    for number, attempt in game.withheld:  # void deals that were dealt again
        _reveal(number, attempt, chance, events)
    game.withheld = []


def _ledger(game: Game) -> tuple[int, ...]:
    """Return the units won or lost by seat; () where nothing is staked."""
    staked = game.rules.buy_in or game.rules.deal_stake
    return tuple(game.ledger) if staked else ()


def final_totals(game: Game) -> tuple[int, ...]:
    """Return the penalties by seat over all legs of the game."""
    if not game.legs:
        return game.totals
    return tuple(map(sum, zip(*[leg.totals for leg in game.legs], strict=True)))


def result(game: Game) -> GameResult:
    """Return the result of a finished game; ValueError while it goes on."""
    if not game.over:
        raise ValueError("the game is not over: it has no result yet")
    return tally(game)


def tally(game: Game) -> GameResult:
    """Return what the scored deals have led to so far, as if the game ended here."""
    return GameResult(
        totals=final_totals(game),
        places=places(game),
        deals_won=tuple([game.winners.count(seat) for seat in range(game.seats)]),
        down_and_outs=tuple(game.down_and_outs),
        calls=tuple(game.calls),
        deal_points=tuple(zip(*game.scores, strict=True)),
        ledger=_ledger(game),
    )


def places(game: Game) -> tuple[int, ...]:
    """Return the place of each seat in a finished game; 1 is first, equal ones share."""
    if game.rules.by_elimination:
        return survivor_places(game)
    if game.legs:
        ranks = game.playoff_ranks or (0,) * game.seats
        standing = zip(_legs_won(game), final_totals(game), ranks, strict=True)
        return ranked([(-legs, total, rank) for legs, total, rank in standing])
    return _leg_places(game)


def _leg_places(game: Game) -> tuple[int, ...]:
    """Return the places by totals; sudden death decides between those who played it."""
    ranks = game.playoff_ranks or (0,) * game.seats
    return ranked([*zip(game.totals, ranks, strict=True)])


def _legs_decided(game: Game) -> bool:
    """Return whether all games of a best of several are played that need be (B-24)."""
    legs, best_of = len(game.legs), game.rules.best_of
    return legs > 0 and (legs == best_of or max(_legs_won(game)) > best_of // 2)


def _legs_won(game: Game) -> list[int]:
    return [sum([leg.places[seat] == 1 for leg in game.legs]) for seat in range(game.seats)]


def ranked(keys: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the place of each seat: 1 plus the number of seats with a lower key."""
    return tuple([1 + sum([other < key for other in keys]) for key in keys])
