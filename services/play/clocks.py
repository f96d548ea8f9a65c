"""The clocks of a table: when a decision's time is over, and what it costs the player's bank.

A decision has a time to act. In its own turn a player who needs longer uses the bank of the seat,
but only one who has played in this game: nobody waits minutes for who never came. Where the player
is not connected when all of that is over, the rest of the seat's disconnect grace runs too, once.
Then the arena moves for the player (X-17).

Times are those at which a call reached the arena, never those at which it got its turn in there. A
deadline is acted on only ``EDGE_MS`` after it has passed, so that what came in time and waits for
the table's lease is not overtaken; and what time the arena itself was away is added to the clock.
"""

from __future__ import annotations

from collections.abc import Sequence

from rummy_arena.game.engine import deciders
from rummy_arena.game.state import Game, Phase
from services.state.records import SeatRecord, TableRecord, TimeControl
from services.state.terms import LONGEST_MS

LONGEST_PAUSE_MS = 7 * 24 * 3_600_000
"""A table that is no tournament's and was paused for so long is given up."""
EDGE_MS = 1_000
"""How long a deadline is let pass for what is on its way within the arena."""
TURN_PHASES = (Phase.DRAW, Phase.PLAY)
"""A player who is silent in any other phase does not want the card, or to buy back, and has missed
no turn. Only a turn may draw on the bank."""


def is_absent(record: TableRecord, seat: int) -> bool:
    """Return whether a player has let so many turns in a row expire that others play the seat."""
    seated = record.seats[seat]
    return not seated.bot and seated.missed >= record.terms.clock.absent_after


def act_ms(control: TimeControl, phase: Phase) -> int:
    """Return the time that a decision of this phase has of its own."""
    match phase:
        case Phase.DRAW:
            return control.draw_ms
        case Phase.PLAY:
            return control.play_ms
        case Phase.CALL_WINDOW:
            return control.window_ms
        case Phase.CALL_DECISION:
            return control.decision_ms
        case _:
            return control.rebuy_ms


def fill(record: TableRecord) -> None:
    """Give every seat its bank and its grace for the game."""
    for seat in record.seats:
        seat.bank_ms, seat.grace_ms = record.terms.clock.bank_ms, record.terms.clock.grace_ms


def start(record: TableRecord, game: Game, now_ms: int, *, new_deal: bool) -> None:
    """Start the clock of a new decision, if a player must make it, and set its deadline."""
    control = record.terms.clock
    players = players_waiting(record, game)
    record.credited_ms, record.graced, record.resumed_ms = 0, False, 0
    if not players:
        record.decided_ms = record.deadline_ms = 0
        return
    pause_ms = control.between_deals_ms if new_deal else 0
    record.decided_ms = now_ms + pause_ms
    record.deadline_ms = record.decided_ms + _time_ms(record, game.deal.phase, players)


def _time_ms(record: TableRecord, phase: Phase, players: Sequence[int]) -> int:
    """Return how long the players who must decide now have, the slowest of them counting."""
    control = record.terms.clock
    if all(is_absent(record, seat) for seat in players):
        return control.absent_ms
    return act_ms(control, phase) + max(
        _bank_ms(record.seats[seat], phase) for seat in players if not is_absent(record, seat)
    )


def _bank_ms(seated: SeatRecord, phase: Phase) -> int:
    return seated.bank_ms if seated.acted and phase in TURN_PHASES else 0


def players_waiting(record: TableRecord, game: Game) -> tuple[int, ...]:
    """Return the seats of players, not of house bots, whose decision is awaited."""
    if game.over:
        return ()
    return tuple([seat for seat in deciders(game.deal) if not record.seats[seat].bot])


def charge(record: TableRecord, seat: int, phase: Phase, at_ms: int) -> None:
    """Take from the seat's bank, and then its grace, what its decision took beyond its own time.

    ``phase`` is that of the decision, and ``at_ms`` when the call that ended it came.
    """
    if phase not in TURN_PHASES or not record.decided_ms:
        return
    seated = record.seats[seat]
    own_ms = act_ms(record.terms.clock, phase) + record.credited_ms
    over_ms = max(0, at_ms - record.decided_ms - own_ms)
    from_bank_ms = min(over_ms, seated.bank_ms) if seated.acted else 0
    seated.bank_ms -= from_bank_ms
    if record.graced:
        seated.grace_ms = max(0, seated.grace_ms - (over_ms - from_bank_ms))


def is_overdrawn(record: TableRecord, phase: Phase, at_ms: int) -> bool:
    """Return whether a turn has lasted longer than its own time, so that somebody pays for it."""
    return (
        phase in TURN_PHASES and bool(record.decided_ms) and at_ms > own_time_end_ms(record, phase)
    )


def is_late(record: TableRecord, game: Game, seat: int, at_ms: int) -> bool:
    """Return whether a seat that is awaited was so only until before ``at_ms``.

    For an absent player's seat it is never too late: its deadline is no promise to play.
    """
    awaited = bool(record.deadline_ms) and seat in deciders(game.deal)
    return awaited and at_ms > record.deadline_ms and not is_absent(record, seat)


def spend_grace(record: TableRecord, seat: int, phase: Phase, at_ms: int) -> bool:
    """Take from the seat's grace what it is late in its own turn; return whether that was enough.

    So who comes back in the moment before the arena would have looked is not too late.
    """
    seated = record.seats[seat]
    late_ms = at_ms - record.deadline_ms
    if phase not in TURN_PHASES or record.graced or not seated.acted or seated.grace_ms < late_ms:
        return False
    seated.grace_ms -= late_ms
    return True


def reward(record: TableRecord, seat: int) -> None:
    """Add the increment for a turn that its player has finished; no bank holds more than a day."""
    seated = record.seats[seat]
    seated.bank_ms = min(seated.bank_ms + record.terms.clock.increment_ms, LONGEST_MS)


def due_ms(record: TableRecord, game: Game) -> int | None:
    """Return when the decision that players owe is to be made for them; None if they owe none."""
    if not record.deadline_ms:
        return None
    absent = all(is_absent(record, seat) for seat in players_waiting(record, game))
    return record.deadline_ms + (0 if absent else EDGE_MS)


def own_time_end_ms(record: TableRecord, phase: Phase) -> int:
    """Return when the bank begins to run, or the deadline where no bank is used."""
    if not record.decided_ms:
        return record.deadline_ms
    own_ms = act_ms(record.terms.clock, phase) + record.credited_ms
    return min(record.deadline_ms, record.decided_ms + own_ms)


def freeze(record: TableRecord, now_ms: int, outages: Sequence[tuple[int, int]]) -> None:
    """Stop the clock, with what the arena was away before given back."""
    if record.deadline_ms:
        credit(record, outages)
        record.decided_ms += record.credited_ms
        record.credited_ms = 0
    record.paused_ms = now_ms


def pause_end_ms(record: TableRecord) -> int | None:
    """Return when a paused table is given up; a tournament's waits for its director for ever."""
    return None if record.origin is not None else record.paused_ms + LONGEST_PAUSE_MS


def thaw(record: TableRecord, now_ms: int) -> None:
    """Let the clock run on from where it stood."""
    stood_ms = max(0, now_ms - record.paused_ms)
    record.paused_ms = 0
    if record.deadline_ms:
        record.decided_ms += stood_ms
        record.deadline_ms += stood_ms
        record.resumed_ms = now_ms


def credit(record: TableRecord, outages: Sequence[tuple[int, int]]) -> bool:
    """Add the time that the arena was away during the decision; return whether there was any new.

    ``outages`` are spans in ms since the epoch.
    """
    end_ms = record.deadline_ms - record.credited_ms
    credited_ms = 0
    # What was before a pause was given back when it began, and in a pause no clock runs.
    since_ms = max(record.decided_ms, record.resumed_ms)
    for began_ms, ended_ms in sorted(outages):
        if began_ms < end_ms + credited_ms and ended_ms > since_ms:
            credited_ms += ended_ms - max(began_ms, since_ms)
    if credited_ms <= record.credited_ms:
        return False
    record.deadline_ms = end_ms + credited_ms
    record.credited_ms = credited_ms
    return True


def grant_grace(record: TableRecord, seat: int) -> bool:
    """Let the rest of the seat's disconnect grace run; return whether there was any."""
    seated = record.seats[seat]
    if record.graced or not seated.grace_ms or not seated.acted:
        return False
    record.graced = True
    record.deadline_ms += seated.grace_ms
    return True
