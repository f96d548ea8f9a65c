"""What the use cases of directors share: who may direct, and why."""

from __future__ import annotations

from services.state.records import Status, TournamentRecord

from .errors import InvalidOption, WrongStatus
from .principals import Principal

REASON_LENGTH = 200
GOING_ON = (Status.REGISTERING, Status.RUNNING, Status.PAUSED)
"""Where a tournament may be that is not over."""


def require_director(principal: Principal, record: TournamentRecord) -> None:
    """Raise NotAllowed unless it is the host who created the tournament, or an admin."""
    principal.require_host_of("tournament", record.created_by)


def require_reason(reason: str) -> str:
    """Return the reason without blanks around it; raises InvalidOption where there is none."""
    stripped = reason.strip()
    if not 1 <= len(stripped) <= REASON_LENGTH or not stripped.isprintable():
        raise InvalidOption("reason", f"say why, in 1 to {REASON_LENGTH} printable characters")
    return stripped


def require_one_of(tournament_id: str, record: TournamentRecord, *wanted: Status) -> None:
    """Raise WrongStatus unless the tournament is in one of these."""
    if record.status not in wanted:
        names = " or ".join(status.name.lower() for status in wanted)
        raise WrongStatus(tournament_id, record.status.name.lower(), names)
