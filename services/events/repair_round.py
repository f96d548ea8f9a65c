"""A director pairs a round again that has not begun."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rummy_arena.tournament.registry import get_format
from rummy_arena.tournament.stages import next_round
from services.state.context import Context
from services.state.records import RoundRecord, Status
from services.state.store import Held
from services.state.tournament_log import RoundRepaired

from .change_tournament import Altered, Request, change_tournament
from .direct import require_director, require_one_of, require_reason
from .errors import InvalidOption, NotNow
from .pairing import course_of, round_record
from .presence import gone
from .principals import Principal
from .tournament_parts import Draft, copied, read_entrants, read_round, read_rounds

MOST_EXCHANGES = 1_000
MOST_TAKEN_IN = 1_000
"""Of those who came in the break; the others come into the round after it."""


async def repair_round(
    ctx: Context,
    principal: Principal,
    tournament_id: str,
    round_number: int,
    *,
    exchanges: Sequence[tuple[int, int]] = (),
    reason: str,
    request_id: str = "",
    preview: bool = False,
) -> RoundRecord | None:
    """Pair the round again and return it; None for a repeat.

    With ``exchanges`` these entrants change places, one pair after the other; without, the format
    pairs whoever is there now: who has left since is not paired, who has come is. Raises NotFound,
    NotAllowed, InvalidOption, WrongStatus, NotNow, Busy, RequestReused.
    """
    reason = require_reason(reason)
    if len(exchanges) > MOST_EXCHANGES:
        raise InvalidOption("exchanges", f"give at most {MOST_EXCHANGES}")
    found: list[RoundRecord] = []

    async def alter(held: Held, draft: Draft) -> Altered:
        record = draft.record
        require_director(principal, record)
        require_one_of(tournament_id, record, Status.RUNNING, Status.PAUSED)
        if round_number != len(record.rounds):
            raise InvalidOption("round", f"only round {len(record.rounds)} can be paired again")
        if record.begun >= round_number:
            raise NotNow("repair", "the round has begun")
        old = await read_round(ctx, held.id, record.rounds[-1])
        scheduled = get_format(record.stages[old.stage - 1].format).scheduled
        new = (
            _exchanged(old, exchanges, scheduled=scheduled)
            if exchanges
            else await _anew(ctx, held, draft, old)
        )
        found.append(new)
        draft.put_round(new)
        event = RoundRepaired(round_number, new.tables, new.byes, principal.player_id, reason)
        return Altered([event], number=round_number)

    content = ("repair", round_number, [list(pair) for pair in exchanges], reason)
    await change_tournament(ctx, tournament_id, Request(request_id, content, preview), alter)
    return found[0] if found else None


def _exchanged(
    round_: RoundRecord, exchanges: Sequence[tuple[int, int]], *, scheduled: bool
) -> RoundRecord:
    """Return the round after the exchanges; raises InvalidOption for who cannot change places.

    What comes after the round follows from who sat where: so nobody changes to another bracket,
    and, where a schedule says who meets whom, nobody to another table.
    """
    tables, byes = [list(table) for table in round_.tables], list(round_.byes)
    lines = [*tables, byes]
    labels = [*(round_.labels or [""] * len(tables)), ""]
    for number, pair in enumerate(exchanges):
        (one, here), (other, there) = (
            _place(round_, lines, entrant, f"exchanges[{number}]") for entrant in pair
        )
        if scheduled and one != other:
            raise InvalidOption(f"exchanges[{number}]", "its schedule says who sits at which table")
        if labels[one] != labels[other]:
            raise InvalidOption(
                f"exchanges[{number}]",
                f"one has a place in {labels[one] or 'no table'}, the other in "
                f"{labels[other] or 'no table'}: those cannot change",
            )
        lines[one][here], lines[other][there] = lines[other][there], lines[one][here]
    return copied(round_, tables=tables, byes=byes)


def _place(
    round_: RoundRecord, lines: Sequence[Sequence[int]], entrant: int, option: str
) -> tuple[int, int]:
    """Return in which line an entrant is, and where in it; raises InvalidOption."""
    for number, line in enumerate(lines):
        if entrant in line:
            return number, line.index(entrant)
    raise InvalidOption(option, f"entrant {entrant} is not in round {round_.number}")


async def _anew(ctx: Context, held: Held, draft: Draft, old: RoundRecord) -> RoundRecord:
    record, tournament_id = draft.record, held.id
    entrants = list(await read_entrants(ctx, tournament_id, record))
    for number, entrant in enumerate(entrants, start=1):
        if len(draft.parts) == MOST_TAKEN_IN:
            break
        came_in_the_break = entrant.stays[-1][0] == old.number + 1 and not any(
            first <= old.number < end for first, end in entrant.stays
        )
        if came_in_the_break and not gone(entrant):
            came = copied(entrant, stays=(*entrant.stays[:-1], (old.number, 0)))
            draft.put_entrant(number, came)
            entrants[number - 1] = came
    rounds = (await read_rounds(ctx, tournament_id, record))[:-1]
    working = asyncio.to_thread(next_round, course_of(record, entrants, rounds))
    paired = await ctx.store.while_held(held, working)
    if paired is None:
        raise NotNow("repair", "too few are left to play a round")
    return copied(
        round_record(paired, old.started_ms), begins_ms=old.begins_ms, ends_ms=old.ends_ms
    )
