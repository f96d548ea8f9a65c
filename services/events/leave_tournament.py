"""An entrant withdraws from a tournament, or is back."""

from __future__ import annotations

from rummy_arena.tournament.registry import get_format
from services.state.context import Context
from services.state.records import EntrantRecord, Status, TournamentRecord
from services.state.store import Held
from services.state.tournament_log import Returned, Withdrawn

from .change_tournament import Altered, Request, change_tournament
from .direct import GOING_ON, require_one_of
from .endings import EVERYBODY_LEFT, cancelled
from .entrants import entrant_of, require_power_over_entrant
from .entry import require_owner
from .errors import NotNow, TournamentFull
from .owners import owned, put_owned
from .pairing import stages_of
from .presence import back, coming_in, gone, leaving_from, left
from .principals import Principal
from .tournament_parts import Draft, copied, read_round


async def withdraw(
    ctx: Context,
    principal: Principal,
    tournament_id: str,
    player_id: str,
    *,
    reason: str = "",
    request_id: str = "",
) -> int:
    """Take an entrant out of the rounds to come and return its number; one who is out stays out.

    Players withdraw themselves, the tournament's host anybody. Before the start the place is free
    again; when the last one leaves a running tournament it is called off. Raises NotFound,
    UnknownEntrant, NotAllowed, WrongStatus, Busy, RequestReused.
    """

    async def alter(held: Held, draft: Draft) -> Altered:
        require_power_over_entrant(principal, draft.record, player_id)
        _require_going_on(tournament_id, draft.record)
        number, entrant = await entrant_of(ctx, held.id, player_id)
        if gone(entrant):
            return Altered(number=number)
        return await _left(ctx, held.id, draft, number, entrant, principal.player_id, reason)

    request = Request(request_id, ("withdraw", player_id, reason))
    number, _ = await change_tournament(ctx, tournament_id, request, alter)
    return number


async def _left(
    ctx: Context,
    tournament_id: str,
    draft: Draft,
    number: int,
    entrant: EntrantRecord,
    by: str,
    reason: str,
) -> Altered:
    record = draft.record
    registering = record.status is Status.REGISTERING
    round_number = leaving_from(record)
    draft.put_entrant(number, copied(entrant, stays=left(entrant, round_number), checked_in_ms=0))
    record.active -= 1
    record.checked_in -= bool(entrant.checked_in_ms)
    if registering:
        held_by = await owned(ctx, tournament_id, entrant.owner)
        put_owned(draft, entrant.owner, held_by - 1)
    altered = Altered(
        [Withdrawn(number, 0 if registering else round_number, by, reason)], number=number
    )
    if not registering and not record.active:
        events, altered.messages = await cancelled(ctx, tournament_id, draft, EVERYBODY_LEFT)
        altered.events += events
    return altered


async def return_to_tournament(
    ctx: Context,
    principal: Principal,
    tournament_id: str,
    player_id: str,
    *,
    request_id: str = "",
) -> int:
    """Bring an entrant who has withdrawn back, and return its number; one who is in stays so.

    Where the format lets who is out come back, one who has not withdrawn asks for that.

    Raises NotFound, UnknownEntrant, NotAllowed, WrongStatus, TournamentFull, NotNow where the
    format seats nobody who comes later, Busy, RequestReused.
    """

    async def alter(held: Held, draft: Draft) -> Altered:
        record = draft.record
        require_power_over_entrant(principal, record, player_id)
        _require_going_on(tournament_id, record)
        number, entrant = await entrant_of(ctx, held.id, player_id)
        if entrant.disqualified:
            raise NotNow("return", "the entrant was disqualified")
        if not gone(entrant):
            return _again(record, draft, number, entrant, principal.player_id)
        _require_way_back(ctx, record)
        if record.active >= record.capacity:
            raise TournamentFull(tournament_id, record.capacity)
        if record.status is Status.REGISTERING:
            held_by = await owned(ctx, held.id, entrant.owner)
            require_owner(record.entry, held_by)
            put_owned(draft, entrant.owner, held_by + 1)
        stays, round_number = await _stays_of_one_back(ctx, held.id, record, number, entrant)
        draft.put_entrant(number, copied(entrant, stays=stays))
        record.active += 1
        shown = 0 if record.status is Status.REGISTERING else round_number
        return Altered([Returned(number, shown, principal.player_id)], number=number)

    request = Request(request_id, ("return", player_id))
    number, _ = await change_tournament(ctx, tournament_id, request, alter)
    return number


async def _stays_of_one_back(
    ctx: Context,
    tournament_id: str,
    record: TournamentRecord,
    number: int,
    entrant: EntrantRecord,
) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return the stays of an entrant who is back, and the first round that it plays then.

    Who left when a round was paired, and before it began, sits in it unless it is paired again: it
    was not away in that one, and in none if the round has yet to begin.
    """
    first, end = entrant.stays[-1]
    if record.status is not Status.REGISTERING and end <= len(record.rounds):
        round_ = await read_round(ctx, tournament_id, record.rounds[end - 1])
        if number in round_.byes or any(number in table for table in round_.tables):
            if record.begun < end:
                return (*entrant.stays[:-1], (first, 0)), end
            entrant = copied(entrant, stays=(*entrant.stays[:-1], (first, end + 1)))
    return back(entrant, coming_in(record)), coming_in(record)


def _again(
    record: TournamentRecord, draft: Draft, number: int, entrant: EntrantRecord, by: str
) -> Altered:
    """Let an entrant come into the next round if it is out by then; where it cannot, do nothing."""
    round_number = coming_in(record)
    if record.status is Status.REGISTERING or record.stage > 1:
        return Altered(number=number)
    stage = stages_of(record)[0]
    asked = entrant.stays[-1][0] == round_number
    if asked or not stage.format.reenters(stage.terms, round_number):
        return Altered(number=number)
    stays = back(copied(entrant, stays=left(entrant, round_number)), round_number)
    draft.put_entrant(number, copied(entrant, stays=stays))
    return Altered([Returned(number, round_number, by)], number=number)


def _require_way_back(ctx: Context, record: TournamentRecord) -> None:
    """Raise NotNow where the start is due or its format seats nobody who was away."""
    schedule = record.schedule
    if record.status is Status.REGISTERING:
        if schedule.check_in_ms and ctx.now_ms() >= schedule.start_ms:
            raise NotNow("return", "the tournament is about to start; return when it has")
        return
    if record.stage > 1:
        raise NotNow("return", "the field of this stage is settled")
    format_ = get_format(record.stages[0].format)
    if not format_.returns:
        raise NotNow("return", f"{format_.title} seats nobody who has left")


def _require_going_on(tournament_id: str, record: TournamentRecord) -> None:
    require_one_of(tournament_id, record, *GOING_ON)
