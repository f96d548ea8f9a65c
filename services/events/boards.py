"""Boards: deals that several tables of a round have, and which stay secret until all are done."""

from __future__ import annotations

from services.state.context import Context
from services.state.errors import NotFound
from services.state.messages import Message, UnsealTables
from services.state.records import RoundRecord, Status, TournamentRecord

from .tournament import board_seed, read_tournament

MOST_MESSAGES = 64
"""Messages that unseal the tables of one round; those of a larger one share them."""


def shares_deals(round_: RoundRecord, attempt: int) -> bool:
    """Return whether a table of the round has the deals of its board: not if it is played again."""
    return bool(round_.boards) and attempt == 1


def board_seeds(record: TournamentRecord, round_: RoundRecord) -> list[tuple[int, bytes]]:
    """Return each board of a round with its seed; for nobody's eyes before the round is over."""
    boards = sorted(set(round_.boards))
    return [(board, board_seed(record.seed, round_.number, board)) for board in boards]


def unseal_messages(tournament_id: str, round_: RoundRecord) -> list[Message]:
    """Return what sends for the tables that shared their deals in a round that is over."""
    if not round_.boards:
        return []
    step = min(len(round_.tables), MOST_MESSAGES)
    return [UnsealTables(tournament_id, round_.number, first, step) for first in range(1, step + 1)]


async def tables_to_unseal(
    ctx: Context, tournament_id: str, round_number: int, first: int, step: int
) -> range:
    """Return the numbers of the tables that may be unsealed, of ``first`` and those behind it.

    None while the round is played. A tournament that is not kept any more plays nothing.
    """
    one = range(first, first + 1)
    try:
        record = (await read_tournament(ctx, tournament_id)).record
    except NotFound:
        return one
    if not 1 <= round_number <= len(record.rounds):
        return range(0)
    head = record.rounds[round_number - 1]
    going_on = record.status not in (Status.FINISHED, Status.CANCELLED)
    if going_on and not head.finished_ms:
        return range(0)
    return range(first, head.tables + 1, step) if step else one
