"""When a tournament starts by itself, and how long it waits."""

from __future__ import annotations

from services.state.records import Schedule

from .errors import InvalidOption

DAY_MS = 24 * 3_600_000
LONGEST_WAIT_MS = 366 * DAY_MS
LONGEST_CHECK_IN_MS = DAY_MS
LONGEST_BREAK_MS = DAY_MS
SHORTEST_ROUND_MS, LONGEST_ROUND_MS = 1_000, 30 * DAY_MS
MOST_ROUNDS = 1_000


def check_schedule(schedule: Schedule, capacity: int, now_ms: int) -> None:
    """Raise InvalidOption for times that cannot be kept; ``capacity`` is 0 where none is given."""
    if schedule.start_ms and not now_ms < schedule.start_ms <= now_ms + LONGEST_WAIT_MS:
        raise InvalidOption("start_time", "give a time to come, within a year")
    if schedule.when_full and not capacity:
        raise InvalidOption("start_when_full", "give a capacity: without one it is never full")
    if schedule.check_in_ms and not schedule.start_ms:
        raise InvalidOption("check_in_time", "give a start_time: check-in is before it")
    if not 0 <= schedule.check_in_ms <= LONGEST_CHECK_IN_MS:
        raise InvalidOption("check_in_time", "give at most 24 hours")
    if not 0 <= schedule.break_ms <= LONGEST_BREAK_MS:
        raise InvalidOption("break_between_rounds", "give at most 24 hours")
    if schedule.round_ms and not SHORTEST_ROUND_MS <= schedule.round_ms <= LONGEST_ROUND_MS:
        raise InvalidOption("round_time", "give 1 second to 30 days, or leave it out")
    if capacity and schedule.min_entrants > capacity:
        raise InvalidOption("min_entrants", f"give at most the capacity of {capacity}")
    if not 0 <= schedule.late_rounds <= MOST_ROUNDS:
        raise InvalidOption("late_entry_rounds", f"give at most {MOST_ROUNDS}")


def check_in_opens_ms(schedule: Schedule) -> int:
    """Return when check-in begins; 0 where there is none."""
    return schedule.start_ms - schedule.check_in_ms if schedule.check_in_ms else 0
