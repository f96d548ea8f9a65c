"""Which terms of a table, or of all tables of a tournament, can be used."""

from __future__ import annotations

from rummy_arena.bots.registry import HOUSE_BOTS

from .records import Terms, TimeControl

TITLE_LENGTH = 120
MOST_INVITED = 200
MOST_DELAY_DEALS = 10
LONGEST_MS = 24 * 3_600_000


class InvalidTerms(Exception):
    """A term of a new table cannot be used; ``term`` is its name, ``reason`` says what would do."""

    def __init__(self, term: str, reason: str) -> None:
        super().__init__(f"{term}: {reason}")
        self.term = term
        self.reason = reason


def check_terms(terms: Terms) -> None:
    """Raise InvalidTerms for the first term that cannot be used."""
    if len(terms.title) > TITLE_LENGTH:
        raise InvalidTerms("title", f"give at most {TITLE_LENGTH} characters")
    if len(terms.invited) > MOST_INVITED:
        raise InvalidTerms("invited", f"invite at most {MOST_INVITED} players")
    if terms.delay_deals and terms.delay_ms:
        raise InvalidTerms("spectator_delay", "give deals or a time, not both")
    if not 0 <= terms.delay_deals <= MOST_DELAY_DEALS or not 0 <= terms.delay_ms <= LONGEST_MS:
        raise InvalidTerms(
            "spectator_delay", f"give up to {MOST_DELAY_DEALS} deals, or up to 24 hours"
        )
    check_clock(terms.clock)


def check_clock(clock: TimeControl) -> None:
    """Raise InvalidTerms for the first time that cannot be used."""
    own = ("draw_ms", "play_ms", "window_ms", "decision_ms", "rebuy_ms", "absent_ms")
    more = ("bank_ms", "increment_ms", "grace_ms", "between_deals_ms")
    for name, least_ms in (*((name, 100) for name in own), *((name, 0) for name in more)):
        if not least_ms <= getattr(clock, name) <= LONGEST_MS:
            raise InvalidTerms(name.removesuffix("_ms"), f"give {least_ms / 1000:g} s to 24 hours")
    if not 1 <= clock.absent_after <= 255:
        raise InvalidTerms("absent_after", "give 1 to 255 turns")
    if clock.stand_in and clock.stand_in not in HOUSE_BOTS:
        raise InvalidTerms("stand_in", f"give one of {', '.join(HOUSE_BOTS)}, or nothing")
