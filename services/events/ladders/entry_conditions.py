"""Whether somebody meets the entry conditions of a ladder."""

from __future__ import annotations

from services.events.entry import (
    ALLOWED_PART,
    Applicant,
    decode_allowed,
    require_entry,
)
from services.events.errors import InvalidOption
from services.state.codec import LADDER, LADDER_ENTRANT
from services.state.context import Context
from services.state.errors import NotFound
from services.state.records import Entry, PlayerRecord

from .change import LadderChange
from .ladder import LADDERS, entrant_part, in_season, number_of, rating_of


async def check_conditions(
    change: LadderChange, player_id: str, player: PlayerRecord, code: str, of_its_owner: int
) -> None:
    """Raise EntryRefused for the first condition that a player does not meet."""
    entry, ctx = change.record.entry, change.ctx
    allowed = True
    if entry.allowed:
        [listed] = await ctx.store.parts(LADDERS, change.id, [ALLOWED_PART])
        allowed = player_id in decode_allowed(listed)
    rating = await rating_on(ctx, entry.ladder_id, player_id) if entry.ladder_id else None
    require_entry(entry, Applicant(player_id, player, code, allowed, rating, of_its_owner))


async def check_its_ladder(ctx: Context, entry: Entry) -> None:
    """Raise InvalidOption where the ladder whose ratings count is not there."""
    if not entry.ladder_id:
        return
    try:
        await ctx.store.read(LADDERS, entry.ladder_id)
    except NotFound:
        raise InvalidOption("entry.ladder_id", "there is no such ladder") from None


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
