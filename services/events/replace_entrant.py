"""A director puts another player in an entrant's place, or takes an entrant out."""

from __future__ import annotations

from services.state.context import Context
from services.state.messages import Message, OpenTable
from services.state.records import EntrantRecord, Status, TournamentRecord
from services.state.store import Held
from services.state.tournament_log import Disqualified, Replaced

from .change_tournament import Altered, Request, change_tournament
from .direct import GOING_ON, require_director, require_one_of, require_reason
from .endings import EVERYBODY_LEFT, cancelled
from .entrants import numbered_entrant
from .errors import InvalidOption, NotNow
from .get_player import get_player
from .presence import gone
from .principals import PLAYING, Principal
from .tournament_parts import Draft, copied, entrant_number, read_round


async def replace_entrant(
    ctx: Context,
    principal: Principal,
    tournament_id: str,
    number: int,
    player_id: str,
    *,
    reason: str,
    request_id: str = "",
    preview: bool = False,
) -> EntrantRecord | None:
    """Give an entrant's place, with its number and its results, to another player; return it.

    None for a repeat. At a table that is being played the player takes over the seat; who replaces
    somebody who has checked in has done so too. Raises NotFound, UnknownEntrant, NotAllowed,
    InvalidOption, WrongStatus, NotNow, Busy, RequestReused.
    """
    reason = require_reason(reason)
    player = await get_player(ctx, player_id)
    if player.role not in PLAYING:
        raise InvalidOption("player_id", f"name somebody who plays; the role is {player.role}")
    found: list[EntrantRecord] = []

    async def alter(held: Held, draft: Draft) -> Altered:
        record = draft.record
        require_director(principal, record)
        require_one_of(tournament_id, record, *GOING_ON)
        old = await numbered_entrant(ctx, held.id, record, number)
        if old.disqualified:
            raise NotNow("replace", "the entrant was disqualified")
        if await entrant_number(ctx, held.id, player_id) is not None:
            raise InvalidOption("player_id", "the player is or was in the tournament already")
        new = copied(
            old,
            player_id=player_id,
            name=player.name,
            bot=player.bot,
            checked_in_ms=0,
            formerly=[*old.formerly, old.player_id],
        )
        found.append(new)
        record.checked_in -= bool(old.checked_in_ms)
        draft.put_entrant(number, new)
        draft.put_player(player_id, number)
        event = Replaced(
            number, player_id, player.name, player.bot, old.player_id, principal.player_id, reason
        )
        return Altered([event], await table_of(ctx, held.id, record, number), number)

    request = Request(request_id, ("replace", number, player_id, reason), preview)
    await change_tournament(ctx, tournament_id, request, alter)
    return found[0] if found else None


async def disqualify_entrant(
    ctx: Context,
    principal: Principal,
    tournament_id: str,
    number: int,
    *,
    reason: str,
    request_id: str = "",
    preview: bool = False,
) -> EntrantRecord | None:
    """Take an entrant out for good and return it; one who is out stays so. None for a repeat.

    Raises NotFound, UnknownEntrant, NotAllowed, InvalidOption, WrongStatus, Busy, RequestReused.
    """
    reason = require_reason(reason)
    found: list[EntrantRecord] = []

    async def alter(held: Held, draft: Draft) -> Altered:
        record = draft.record
        require_director(principal, record)
        require_one_of(tournament_id, record, *GOING_ON)
        entrant = await numbered_entrant(ctx, held.id, record, number)
        found.append(copied(entrant, disqualified=True))
        if entrant.disqualified:
            return Altered(number=number)
        draft.put_entrant(number, found[0])
        if not gone(entrant):
            record.active -= 1
            record.checked_in -= bool(entrant.checked_in_ms)
        altered = Altered([Disqualified(number, principal.player_id, reason)], number=number)
        if record.status is not Status.REGISTERING and not record.active:
            events, altered.messages = await cancelled(ctx, held.id, draft, EVERYBODY_LEFT)
            altered.events += events
        return altered

    request = Request(request_id, ("disqualify", number, reason), preview)
    await change_tournament(ctx, tournament_id, request, alter)
    return found[0] if found else None


async def table_of(
    ctx: Context, tournament_id: str, record: TournamentRecord, number: int
) -> list[Message]:
    """Return what sends for the table at which an entrant sits now, if it sits at one."""
    if not record.rounds or record.begun < len(record.rounds):
        return []
    round_ = await read_round(ctx, tournament_id, record.rounds[-1])
    return [
        OpenTable(tournament_id, round_.number, place)
        for place, table in enumerate(round_.tables, start=1)
        if number in table
    ]
