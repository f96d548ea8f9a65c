"""Whether somebody meets the entry conditions of a ladder."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from services.events.entry import Applicant, require_entry
from services.state.codec import LADDER, LADDER_ENTRANT
from services.state.context import Context
from services.state.errors import NotFound
from services.state.records import PlayerRecord

from .change import LadderChange
from .ladder import LADDERS, entrant_part, in_season, number_of, rating_of

ALLOWED_PART = "allowed"


def encode_allowed(players: Iterable[str]) -> bytes:
    """Return who alone may enter as it is stored."""
    return msgspec.msgpack.encode(sorted(set(players)))


def owner_part(owner: str) -> str:
    """Return the part that counts an owner's entrants."""
    return f"owner:{owner}"


async def owned(change: LadderChange, owner: str) -> int:
    """Return how many entrants of an owner take part; none where it is nobody's."""
    if not owner:
        return 0
    [found] = await change.ctx.store.parts(LADDERS, change.id, [owner_part(owner)])
    return int(found or b"0")


def put_owned(change: LadderChange, owner: str, count: int) -> None:
    """Write how many entrants of an owner take part."""
    if owner:
        change.parts[owner_part(owner)] = str(max(count, 0)).encode()


async def check_conditions(
    change: LadderChange, player_id: str, player: PlayerRecord, code: str, of_its_owner: int
) -> None:
    """Raise EntryRefused for the first condition that a player does not meet."""
    entry, ctx = change.record.entry, change.ctx
    allowed = True
    if entry.allowed:
        [listed] = await ctx.store.parts(LADDERS, change.id, [ALLOWED_PART])
        allowed = player_id in msgspec.msgpack.decode(listed or b"\x90", type=list[str])
    rating = await rating_on(ctx, entry.ladder_id, player_id) if entry.ladder_id else None
    require_entry(entry, Applicant(player_id, player, code, allowed, rating, of_its_owner))


async def rating_on(ctx: Context, ladder_id: str, player_id: str) -> float | None:
    """Return the mean of a player's rating on a ladder, None if it has no rated result there."""
    try:
        record = LADDER.decode((await ctx.store.read(LADDERS, ladder_id)).data)
    except NotFound:
        return None
    number = await number_of(ctx, ladder_id, player_id)
    if number is None:
        return None
    [data] = await ctx.store.parts(LADDERS, ladder_id, [entrant_part(number)])
    entrant = None if data is None else in_season(LADDER_ENTRANT.decode(data), record)
    if entrant is None or not (entrant.games or entrant.anchor):
        return None
    return rating_of(entrant).mean
