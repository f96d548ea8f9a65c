"""Games that go on until one player is left: re-buys, elimination, the pot (E-15 to E-24)."""

from __future__ import annotations

from .actions import Action, ActionKind
from .checks import prepare
from .events import Declined, Eliminated, Event, Rebought, RebuyOffered
from .state import Game, Phase


def offer_rebuys(game: Game, events: list[Event]) -> bool:
    """Offer a re-buy to everybody above the limit who may have one; return whether any may (E-17).

    Who is not above the limit is counted before any re-buy of this deal: two others at least.
    """
    deal, limit, totals = game.deal, game.rules.limit, game.totals
    if sum([totals[seat] <= limit for seat in deal.players]) < 2:
        return False
    seat, offers = deal.outcome.winner if deal.outcome else 0, []
    for _ in deal.players:
        seat = deal.after[seat]
        if totals[seat] > limit and game.rebuys[seat] < game.rules.rebuys:
            offers.append(seat)
    if not offers:
        return False
    deal.offers = tuple(offers)
    deal.phase = Phase.REBUY
    events.append(RebuyOffered(deal.offers))
    return True


def answer_offer(game: Game, seat: int, action: Action) -> list[Event]:
    """Apply REBUY or DECLINE, or raise a RuleViolation.

    A total that is bought back becomes the highest of those that are not above the limit.
    """
    deal = game.deal
    prepare(deal, seat, action)
    deal.offers = deal.offers[1:]
    if action.kind is ActionKind.DECLINE:
        return [Declined(seat)]
    totals, limit = game.totals, game.rules.limit
    total = max([totals[other] for other in deal.players if totals[other] <= limit])
    game.adjustments[seat] += total - totals[seat]
    game.sum_again()
    game.rebuys[seat] += 1
    game.ledger[seat] -= game.rules.buy_in
    game.pot += game.rules.buy_in
    return [Rebought(seat, total)]


def eliminate(game: Game, events: list[Event]) -> tuple[int, ...]:
    """Put who is above the limit out of the game; return the seats that play on (E-15, E-23)."""
    deal, totals = game.deal, game.totals
    gone = [seat for seat in deal.players if totals[seat] > game.rules.limit]
    if gone:
        points, seats = game.scores[-1], game.seats
        step = 1 if game.rules.clockwise else -1
        gone.sort(
            key=lambda seat: (
                totals[seat],
                points[seat],
                (seat - deal.dealer) * step % seats or seats,
            ),
            reverse=True,
        )
        game.eliminated += gone
        events.append(Eliminated(tuple(gone)))
    deal.phase = Phase.OVER
    return tuple([seat for seat in deal.players if seat not in gone])


def survivor_places(game: Game) -> tuple[int, ...]:
    """Return places by seat: who is left by totals, then the eliminated, the last to go first."""
    totals = game.totals
    alive = [seat for seat in range(game.seats) if seat not in game.eliminated]
    places = [0] * game.seats
    for seat in alive:
        places[seat] = 1 + sum([totals[other] < totals[seat] for other in alive])
    for place, seat in enumerate(reversed(game.eliminated), len(alive) + 1):
        places[seat] = place
    return tuple(places)


def pay_pot(game: Game, places: tuple[int, ...]) -> None:
    """Pay the pot to who came first; equal firsts share it, odd units to the lower seats (E-23)."""
    winners = [seat for seat, place in enumerate(places) if place == 1]
    share, odd = divmod(game.pot, len(winners))
    for nth, seat in enumerate(winners):
        game.ledger[seat] += share + (nth < odd)
    game.pot = 0
