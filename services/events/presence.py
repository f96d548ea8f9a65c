"""Whether an entrant is in, and from which round on a change of that counts."""

from __future__ import annotations

from services.state.records import EntrantRecord, Status, TournamentRecord


def gone(entrant: EntrantRecord) -> bool:
    """Return whether an entrant has withdrawn or is disqualified."""
    return entrant.disqualified or bool(entrant.stays[-1][1])


def coming_in(record: TournamentRecord) -> int:
    """Return the first round for which somebody who comes now is paired."""
    if record.status is Status.REGISTERING or not record.rounds:
        return 1
    return record.rounds[-1].number + 1


def leaving_from(record: TournamentRecord) -> int:
    """Return the first round for which somebody who leaves now is not to be paired.

    A round that is paired but has not begun counts: its director may pair it again.
    """
    if record.status is Status.REGISTERING or not record.rounds:
        return 1
    return record.rounds[-1].number + (record.begun >= record.rounds[-1].number)


def left(entrant: EntrantRecord, round_number: int) -> tuple[tuple[int, int], ...]:
    """Return the stays of an entrant who leaves before a round."""
    first = entrant.stays[-1][0]
    return (*entrant.stays[:-1], (first, max(first, round_number)))


def back(entrant: EntrantRecord, round_number: int) -> tuple[tuple[int, int], ...]:
    """Return the stays of an entrant who is back for a round."""
    kept = tuple(stay for stay in entrant.stays if stay[0] != stay[1])
    return (*kept, (round_number, 0))
