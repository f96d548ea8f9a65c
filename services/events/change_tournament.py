"""Change a tournament once for a request: under its lease, with its answer kept for a repeat."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from services.state.codec import TOURNAMENT
from services.state.commits import fingerprint_of
from services.state.context import Context
from services.state.messages import Message
from services.state.store import Held
from services.state.tournament_log import TournamentEvent

from .commit_tournament import answer_of, commit_tournament
from .tournament import LEASE_MS, TOURNAMENTS
from .tournament_parts import Draft

WAIT_S = 10.0


@dataclass(frozen=True, slots=True)
class Request:
    """A request to change a tournament: its id, the caller's own, and what tells it from others.

    With ``preview`` nothing is changed, and no answer is kept.
    """

    id: str
    content: Sequence[object]
    preview: bool = False


@dataclass(slots=True)
class Altered:
    """What a request makes of a tournament; without events nothing has changed."""

    events: list[TournamentEvent] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    number: int = 0  # of the entrant or table that it is about, kept as the answer


Alter = Callable[[Held, Draft], Awaitable[Altered]]


async def change_tournament(
    ctx: Context, tournament_id: str, request: Request, alter: Alter
) -> tuple[int, Draft | None]:
    """Let ``alter`` change the draft and commit it, once for each request id.

    Returns the answer's number, and the draft as it was committed, or would be; None for a repeat.
    Raises NotFound, Busy, RequestReused, and what ``alter`` raises; then nothing is changed.
    """
    fingerprint = fingerprint_of(request.content)
    held = await ctx.store.acquire(
        TOURNAMENTS,
        tournament_id,
        lease_ms=LEASE_MS,
        wait_s=WAIT_S,
        request_id="" if request.preview else request.id,
        fingerprint=fingerprint,
    )
    if held.reply is not None:
        return msgspec.msgpack.decode(held.reply, type=int), None
    try:
        draft = Draft(TOURNAMENT.decode(held.data))
        altered = await alter(held, draft)
    except BaseException:
        await ctx.store.release(held)
        raise
    answer = answer_of(request.id, fingerprint, altered.number)
    if request.preview or not (altered.events or answer):
        await ctx.store.release(held)
    else:
        await commit_tournament(ctx, held, draft, altered.events, altered.messages, answer=answer)
    return altered.number, draft
