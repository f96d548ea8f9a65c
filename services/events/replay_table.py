"""A director has a table of the round that is being played begin again."""

from __future__ import annotations

from services.state.context import Context
from services.state.messages import OpenTable
from services.state.records import RoundRecord, Status
from services.state.store import Held
from services.state.tournament_log import TableReplayed

from .change_tournament import Altered, Request, change_tournament
from .direct import require_director, require_one_of, require_reason
from .errors import InvalidOption, NotNow
from .principals import Principal
from .tournament import read_tournament, table_id
from .tournament_parts import Draft, copied, read_round

MOST_ATTEMPTS = 100
_ROUND = 1_000
"""An answer is so many times the round, and the attempt: a repeat may come rounds later."""


async def replay_table(
    ctx: Context,
    principal: Principal,
    tournament_id: str,
    number: int,
    *,
    reason: str,
    round_number: int = 0,
    request_id: str = "",
    preview: bool = False,
) -> tuple[RoundRecord, str]:
    """Have a table played again from its first deal, and return its round and its new id.

    What the first game led to does not count, whether it has ended or not. Without a
    ``round_number`` it is one of the round that is being played. Raises NotFound,
    NotAllowed, InvalidOption, WrongStatus, NotNow, Busy, RequestReused.
    """
    reason = require_reason(reason)

    async def alter(held: Held, draft: Draft) -> Altered:
        record = draft.record
        require_director(principal, record)
        require_one_of(tournament_id, record, Status.RUNNING, Status.PAUSED)
        round_ = await read_round(ctx, held.id, record.rounds[-1])
        if round_number not in (0, round_.number):
            raise NotNow("replay", f"only tables of round {round_.number} can be played again")
        if record.begun < round_.number:
            raise NotNow("replay", "the round has not begun")
        if not 1 <= number <= len(round_.tables):
            raise InvalidOption("number", f"give 1 to {len(round_.tables)}")
        old = round_.attempts.get(number, 1)
        if old >= MOST_ATTEMPTS:
            raise NotNow("replay", f"a table is played at most {MOST_ATTEMPTS} times")
        draft.put_round(copied(round_, attempts={**round_.attempts, number: old + 1}))
        messages = [OpenTable(held.id, round_.number, number, one) for one in (old, 0)]
        event = TableReplayed(
            round_.number,
            number,
            table_id(held.id, round_.number, number, old + 1),
            table_id(held.id, round_.number, number, old),
            principal.player_id,
            reason,
        )
        return Altered([event], [*messages], round_.number * _ROUND + old + 1)

    of_round = (round_number,) if round_number else ()
    request = Request(request_id, ("replay", number, reason, *of_round), preview)
    answer, _ = await change_tournament(ctx, tournament_id, request, alter)
    round_number, attempt = divmod(answer, _ROUND)
    record = (await read_tournament(ctx, tournament_id)).record
    round_ = await read_round(ctx, tournament_id, record.rounds[round_number - 1])
    return round_, table_id(tournament_id, round_.number, number, attempt)
