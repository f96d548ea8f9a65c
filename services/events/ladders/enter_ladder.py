"""A player enters a ladder, or comes back to it."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from rummy_arena.tournament.ratings import LARGEST
from services.events.entry import OWNER_LENGTH
from services.events.errors import InvalidOption, LadderFull, LadderOver
from services.events.get_player import get_player
from services.events.principals import HOSTS, PLAYING, Principal
from services.state.codec import LADDER_ENTRANT
from services.state.context import Context
from services.state.ladder_log import LadderAdjusted, LadderEntered
from services.state.ladder_records import LadderEntrantRecord, LadderStatus
from services.state.records import PlayerRecord

from .change import LadderChange, hold_ladder, owned, put_owned
from .entry_conditions import check_conditions
from .ladder import LADDERS, entrant_part, in_season, millionths, player_part

MOST_AT_ONCE = 8
MOST_AT_ONCE_HOUSE = 64


@dataclass(frozen=True, slots=True)
class Entering:
    """How somebody enters: only a ladder's host may name an owner or make an anchor."""

    owner: str = ""
    at_once: int = 0  # tables at which it may sit; 0 for one, or as many as before
    anchor_mean: float | None = None  # of a house bot that keeps this rating
    code: str = ""  # of an invitation


async def enter_ladder(
    ctx: Context,
    principal: Principal,
    *,
    ladder_id: str,
    player_id: str,
    entering: Entering = Entering(),
    request_id: str = "",
) -> tuple[int, LadderEntrantRecord]:
    """Enter a player and return number and entrant; one who has left comes back as it was.

    Players enter themselves, the ladder's host anybody, and nobody a spectator. Of one who was
    entered before only owner and tables change, where they are given; a repeat of a request changes
    nothing. Raises NotFound (of the player or the ladder), NotAllowed, InvalidOption, LadderOver,
    LadderFull, EntryRefused, RequestReused, Busy.
    """
    principal.require(*(PLAYING if principal.player_id == player_id else HOSTS))
    player = await get_player(ctx, player_id)
    _check(player, entering)
    async with hold_ladder(ctx, ladder_id) as change:
        record = change.record
        by_host = principal.player_id != player_id or bool(entering.owner) or _anchors(entering)
        if by_host:
            principal.require_host_of("ladder", record.created_by)
        content = ("enter_ladder", player_id, *astuple(entering))
        repeated = await change.is_repeat(request_id, content)
        known = await _known(ctx, change, player_id)
        if known is not None and repeated:
            return known
        if record.status is not LadderStatus.OPEN:
            raise LadderOver(ladder_id)
        if known is not None and not known[1].gone:
            if await _adjust(change, *known, entering, principal.player_id):
                change.call()
            if change.events or change.answer:
                await change.commit()
            return known
        if record.active >= record.capacity:
            raise LadderFull(ladder_id, record.capacity)
        owner = entering.owner or (known[1].owner if known else "")
        of_owner = await owned(change, owner)
        await check_conditions(change, player_id, player, entering.code, of_owner)
        number, entrant = known or _new(change, player_id, player, entering)
        if known is not None:
            _come_back(change, entrant, owner, entering.at_once)
        await change.set_active(number, active=True)
        change.put(number, entrant)
        put_owned(change, owner, of_owner + 1)
        change.parts[player_part(player_id)] = str(number).encode()
        back = known is not None
        change.events.append(LadderEntered(number, player_id, principal.player_id, back))
        change.call()
        await change.commit()
    return number, entrant


def _check(player: PlayerRecord, entering: Entering) -> None:
    if player.role not in PLAYING:
        raise InvalidOption("player_id", f"enter somebody who plays; the role is {player.role}")
    if len(entering.owner) > OWNER_LENGTH:
        raise InvalidOption("owner", f"give up to {OWNER_LENGTH} characters")
    most = MOST_AT_ONCE_HOUSE if player.bot else MOST_AT_ONCE
    if not 0 <= entering.at_once <= most:
        raise InvalidOption("tables_at_once", f"give 1 to {most}, or 0 for 1")
    if entering.anchor_mean is not None:
        if not player.bot:
            raise InvalidOption("anchor_rating", "only a house bot can be an anchor")
        if not abs(entering.anchor_mean) <= LARGEST:
            raise InvalidOption("anchor_rating", "give a rating within a million of zero")


def _anchors(entering: Entering) -> bool:
    return entering.anchor_mean is not None


async def _known(
    ctx: Context, change: LadderChange, player_id: str
) -> tuple[int, LadderEntrantRecord] | None:
    [found] = await ctx.store.parts(LADDERS, change.id, [player_part(player_id)])
    if found is None:
        return None
    number = int(found)
    [data] = await ctx.store.parts(LADDERS, change.id, [entrant_part(number)])
    assert data is not None  # noqa: S101  both were written by one commit
    return number, in_season(LADDER_ENTRANT.decode(data), change.record)


def _new(
    change: LadderChange, player_id: str, player: PlayerRecord, entering: Entering
) -> tuple[int, LadderEntrantRecord]:
    record, rules = change.record, change.record.ratings
    record.entrants += 1
    anchor = entering.anchor_mean is not None
    mean = rules.start_mean
    if entering.anchor_mean is not None:
        mean = millionths(entering.anchor_mean)
    return record.entrants, LadderEntrantRecord(
        player_id=player_id,
        name=player.name,
        bot=player.bot,
        owner=entering.owner,
        mean=mean,
        deviation=0 if anchor else rules.start_deviation,
        entered_ms=change.now_ms,
        since_ms=change.now_ms,
        at_once=entering.at_once or 1,
        anchor=anchor,
        season=record.season,
        credit=record.fewest,
    )


async def _adjust(
    change: LadderChange,
    number: int,
    entrant: LadderEntrantRecord,
    entering: Entering,
    by: str,
) -> bool:
    """Give an entrant another owner or number of tables; return whether it has others now."""
    owner, at_once = entering.owner or entrant.owner, entering.at_once or entrant.at_once
    if (owner, at_once) == (entrant.owner, entrant.at_once):
        return False
    if owner != entrant.owner:
        put_owned(change, entrant.owner, await owned(change, entrant.owner) - 1)
        put_owned(change, owner, await owned(change, owner) + 1)
    entrant.owner, entrant.at_once = owner, at_once
    change.put(number, entrant)
    change.events.append(LadderAdjusted(number, owner, at_once, by))
    return True


def _come_back(
    change: LadderChange, entrant: LadderEntrantRecord, owner: str, at_once: int
) -> None:
    """Others need not wait until it has made up for the games that it has missed."""
    entrant.gone, entrant.left_ms, entrant.since_ms = False, 0, change.now_ms
    entrant.owner, entrant.at_once = owner, at_once or entrant.at_once
    missing = change.record.fewest - entrant.season_games
    entrant.credit = max(entrant.credit, missing)
