"""What must be true of a stored table besides its game: its life, its seats, its clocks, its seeds.

| life     | game             | since when                  | by decision                   |
|----------|------------------|-----------------------------|-------------------------------|
| OPEN     | none             |                             |                               |
| PLAYING  | goes on          |                             |                               |
| PAUSED   | goes on          | ``paused_ms``               |                               |
| FINISHED | over             | ``finished_ms``             |                               |
| FINISHED | goes on          | ``finished_ms``             | ``places``, one for each seat |
| CLOSED   | none, or goes on | ``finished_ms``             |                               |

A time that the table does not name is 0, and where no places are named there are none.
"""

from __future__ import annotations

from rummy_arena.game.chance import SEED_BYTES, deal_seed
from rummy_arena.game.rules import RuleSet

from .records import ENDED, Life, SeedPolicy, TableRecord, Terms, TimeControl
from .terms import LONGEST_MS, MOST_DELAY_DEALS

_OPEN, _PLAYING, _PAUSED, _FINISHED = Life.OPEN, Life.PLAYING, Life.PAUSED, Life.FINISHED
_LONGEST_CLOCK_MS = 3 * LONGEST_MS
"""Of a decision: its own time, the bank, the grace."""


def check_table(record: TableRecord, rules: RuleSet) -> None:
    """Raise ValueError, whose text says what is wrong, unless the table can be one of ``rules``.

    Its game is looked at only as far as the table's life depends on it.
    """
    if not rules.min_seats <= len(record.seats) <= rules.max_seats:
        raise ValueError(f"{len(record.seats)} seats at a table of {rules.id}")
    _check_life(record)
    _check_seats(record)
    if record.deadline_ms and record.decided_ms:
        clock_ms = record.deadline_ms - record.decided_ms - record.credited_ms
        if not 0 <= clock_ms <= _LONGEST_CLOCK_MS:
            raise ValueError(f"a decision of {clock_ms} ms")
    _check_terms(record.terms)
    _check_seeds(record)


def _check_life(record: TableRecord) -> None:
    life, game = record.life, record.game
    started, goes_on = game is not None, game is not None and not game.over
    if life is _PLAYING or life is _PAUSED:
        whole = goes_on
    elif life is _OPEN:
        whole = not started
    elif life is _FINISHED:
        whole = started and (goes_on is bool(record.places))
    else:
        whole = goes_on or not started
    if not whole:
        raise ValueError(f"{life.name} with {'a' if goes_on else 'no'} game that goes on")
    ended = not (life is _PLAYING or life is _PAUSED or life is _OPEN)
    if ended is not bool(record.finished_ms):
        raise ValueError(f"{life.name}, finished at {record.finished_ms}")
    if (life is _PAUSED) is not bool(record.paused_ms):
        raise ValueError(f"{life.name}, paused at {record.paused_ms}")
    if record.places:
        _check_places(record)


def _check_places(record: TableRecord) -> None:
    """Each seat has the place that the seats before it leave it."""
    places = record.places
    due = tuple([1 + sum(other < place for other in places) for place in places])
    if record.life is not _FINISHED or len(places) != len(record.seats) or places != due:
        raise ValueError(f"{record.life.name} with places {places}")


def _check_seats(record: TableRecord) -> None:
    started = record.game is not None
    for at, seat in enumerate(record.seats):
        if started and not seat.player_id:
            raise ValueError(f"nobody at seat {at} of a game")
        if seat.bank_ms > LONGEST_MS or seat.grace_ms > LONGEST_MS:
            raise ValueError(f"seat {at} with {seat.bank_ms} ms and {seat.grace_ms} ms more")
        if seat.bot and not seat.player_id:
            raise ValueError(f"a bot at seat {at}, which nobody has taken")


def _check_terms(terms: Terms) -> None:
    if terms.delay_deals > MOST_DELAY_DEALS or terms.delay_ms > LONGEST_MS:
        raise ValueError(f"spectators {terms.delay_deals} deals or {terms.delay_ms} ms behind")
    clock = terms.clock
    if _longest_ms(clock) > LONGEST_MS:
        raise ValueError(f"a clock of {_longest_ms(clock)} ms")
    if not clock.absent_after:
        raise ValueError("players who are absent from the start")


def _longest_ms(clock: TimeControl) -> int:
    return max(
        *(clock.draw_ms, clock.play_ms, clock.window_ms, clock.decision_ms, clock.rebuy_ms),
        *(clock.bank_ms, clock.increment_ms, clock.grace_ms),
        *(clock.between_deals_ms, clock.absent_ms),
    )


def _check_seeds(record: TableRecord) -> None:
    """Of a game that goes on, no deal may draw a new seed in place of the one it is bound to."""
    kept = {(number, attempt) for number, attempt, _ in record.deal_seeds}
    if len(kept) != len(record.deal_seeds):
        raise ValueError("two seeds of one deal")
    for number, attempt, seed in record.deal_seeds:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed of {len(seed)} bytes for deal {number}, attempt {attempt}")
    if record.terms.seeds is SeedPolicy.SHARED:
        _check_shared(record)
    elif record.unsealed_ms:
        raise ValueError("unsealed, though it was never sealed")
    game = record.game
    if game is None or game.over or record.terms.seeds is SeedPolicy.DERIVED:
        return
    if record.life is not _PLAYING and record.life is not _PAUSED:
        return
    bound = list(game.withheld)
    if game.deal.outcome is None:  # else it is told, and re-buys are offered before the next one
        bound.append((game.deal.number, game.attempt))
    if record.terms.seeds is SeedPolicy.SHARED:  # none is told before all tables are done
        bound += [(number, 0) for number in range(1, game.deal.number + 1)]
    missing = [deal for deal in bound if deal not in kept]
    if missing:
        raise ValueError(f"no seeds of the deals {missing}, to which the table is bound")


def _check_shared(record: TableRecord) -> None:
    """The seeds of shared deals are those of the table's seed, and are kept until they are told."""
    if record.origin is None or not record.origin.tournament_id:
        raise ValueError("deals that are shared with no other table of a tournament")
    for number, attempt, seed in record.deal_seeds:
        if seed != deal_seed(record.seed, number, attempt):
            raise ValueError(f"deal {number}, attempt {attempt} is not the one that is shared")
    if not record.unsealed_ms:
        return
    if record.life not in ENDED or record.deal_seeds:
        raise ValueError(f"{record.life.name}, unsealed at {record.unsealed_ms}")
