"""A player enters a tournament."""

from __future__ import annotations

from dataclasses import dataclass

from services.state.context import Context
from services.state.messages import AdvanceTournament, Message
from services.state.records import EntrantRecord, PlayerRecord, Status, TournamentRecord
from services.state.store import Held
from services.state.tournament_log import Registered

from .change_tournament import Altered, Request, change_tournament
from .direct import GOING_ON, require_one_of
from .entry import ALLOWED_PART, Applicant, decode_allowed, require_entry
from .errors import EntryRefused, InvalidOption, NotAllowed, NotNow, TournamentFull
from .get_player import get_player
from .ladders.entry_conditions import rating_on
from .owners import owned, put_owned
from .presence import coming_in
from .principals import HOSTS, PLAYING, Principal
from .tournament import TOURNAMENTS, require_status
from .tournament_parts import Draft, entrant_number, read_some_entrants


@dataclass(frozen=True, slots=True)
class Claim:
    """What somebody says when it enters; only hosts say whose an entrant is and how strong."""

    code: str = ""
    owner: str = ""
    seeding: int = 0


async def register(
    ctx: Context,
    principal: Principal,
    *,
    tournament_id: str,
    player_id: str,
    claim: Claim | None = None,
    request_id: str = "",
) -> int:
    """Enter a player and return the entrant's number; a player who is in already keeps its own.

    Players enter themselves, the tournament's host anybody, and nobody a spectator. After the start
    only where the tournament takes late entrants. A ``request_id``, the caller's own, leads to the
    same answer once more. Raises NotFound (of the player or the tournament), NotAllowed,
    InvalidOption, EntryRefused, WrongStatus, NotNow, TournamentFull, Busy, RequestReused.
    """
    claim = claim or Claim()
    principal.require(*(PLAYING if principal.player_id == player_id else HOSTS))
    if (claim.owner or claim.seeding) and principal.role not in HOSTS:
        raise NotAllowed(principal.role, HOSTS)
    player = await get_player(ctx, player_id)
    if player.role not in PLAYING:
        raise InvalidOption("player_id", f"enter somebody who plays; the role is {player.role}")

    async def alter(held: Held, draft: Draft) -> Altered:
        record = draft.record
        if principal.player_id != player_id or claim.owner or claim.seeding:
            principal.require_host_of("tournament", record.created_by)
        known = await entrant_number(ctx, held.id, player_id)
        if known is not None:
            (entrant,) = await read_some_entrants(ctx, held.id, [known])
            if entrant.player_id != player_id:
                raise EntryRefused("replaced", "a director has given the place to somebody else")
            return Altered(number=known)
        _require_room(ctx, held.id, record)
        held_by = await _require_entry(ctx, held.id, record, player_id, player, claim)
        put_owned(draft, claim.owner, held_by + 1)
        number = draft.enter(
            EntrantRecord(
                player_id,
                player.name,
                player.bot,
                owner=claim.owner,
                seeding=claim.seeding,
                stays=((coming_in(record), 0),),
            )
        )
        messages: list[Message] = []
        if record.schedule.when_full and record.active >= record.capacity:
            messages.append(AdvanceTournament(held.id))
        registered = Registered(
            number,
            player_id,
            player.name,
            player.bot,
            claim.owner,
            claim.seeding,
            principal.player_id,
        )
        return Altered([registered], messages, number)

    content = ("register", player_id, claim.code, claim.owner, claim.seeding)
    number, _ = await change_tournament(ctx, tournament_id, Request(request_id, content), alter)
    return number


def _require_room(ctx: Context, tournament_id: str, record: TournamentRecord) -> None:
    """Raise TournamentFull, also of one that has just started, WrongStatus or NotNow."""
    schedule = record.schedule
    if record.status in GOING_ON and record.active >= record.capacity:
        raise TournamentFull(tournament_id, record.capacity)
    if record.status is Status.REGISTERING:
        about_to_start = schedule.start_ms and ctx.now_ms() >= schedule.start_ms
        if about_to_start and not schedule.late_rounds:
            raise NotNow("entry", "it is over: the tournament is about to start")
        if about_to_start and schedule.check_in_ms:
            raise NotNow("entry", "the tournament is about to start; enter when it has")
        return
    if not schedule.late_rounds:
        require_status(tournament_id, record, Status.REGISTERING)
    require_one_of(tournament_id, record, *GOING_ON)
    if record.stage > 1 or coming_in(record) > schedule.late_rounds:
        raise NotNow("entry", f"it is over: round {schedule.late_rounds} was the last to enter in")


async def _require_entry(
    ctx: Context,
    tournament_id: str,
    record: TournamentRecord,
    player_id: str,
    player: PlayerRecord,
    claim: Claim,
) -> int:
    """Return how many entrants the owner has; raises EntryRefused."""
    entry = record.entry
    allowed = True
    if entry.allowed:
        (listed,) = await ctx.store.parts(TOURNAMENTS, tournament_id, [ALLOWED_PART])
        allowed = player_id in decode_allowed(listed)
    rating = await rating_on(ctx, entry.ladder_id, player_id) if entry.ladder_id else None
    of_its_owner = await owned(ctx, tournament_id, claim.owner)
    require_entry(entry, Applicant(player_id, player, claim.code, allowed, rating, of_its_owner))
    return of_its_owner
