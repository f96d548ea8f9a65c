"""Count a ladder's table in the ratings, once."""

from __future__ import annotations

from rummy_arena.tournament.ladder_standings import PARTS, table_points
from rummy_arena.tournament.ratings import Rating, rate
from services.state.codec import LADDER_HISTORY, LADDER_RESULTS
from services.state.context import Context
from services.state.ladder_log import LadderRated
from services.state.ladder_records import (
    RESULTS_A_PART,
    LadderEntrantRecord,
    LadderResultRecord,
    LadderStatus,
    OpenTableRecord,
    RatingStepRecord,
)
from services.state.records import SeatResultRecord

from .change import LadderChange, hold_ladder
from .ladder import (
    LADDERS,
    history_part,
    millionths,
    rating_of,
    read_entrants,
    results_part,
    rules_of,
    set_rating,
)

ABSENT = "did not play at its table"
"""Why an entrant is taken off that did nothing at a table; it may come back at any time."""
RECENT = 16
"""So many opponents of an entrant's last tables are remembered."""


async def count_result(
    ctx: Context, ladder_id: str, number: int, seats: list[SeatResultRecord]
) -> bool:
    """Rate a finished table; return whether this call was the one that did.

    Only a table that is open counts, and this closes it: so each counts once, whoever tells of it
    how often. Raises NotFound, Busy.
    """
    async with hold_ladder(ctx, ladder_id) as change:
        record = change.record
        table = next((open_ for open_ in record.open if open_.number == number), None)
        if table is None or record.status is LadderStatus.FINISHED:
            return False
        entrants = await read_entrants(ctx, ladder_id, record, table.entrants)
        record.open.remove(table)
        record.sequence += 1
        record.results += 1
        told = [(seat.entrant, seat.place, seat.total) for seat in seats]
        await _keep_result(change, table, told)
        await _rate(change, table, entrants, told)
        for seat in seats:
            entrant = entrants[seat.entrant]
            if seat.forfeit and not entrant.bot and not entrant.gone:
                await change.take_off(seat.entrant, entrant, by="", reason=ABSENT)
        change.events.append(LadderRated(record.sequence, number, told))
        change.call()
        if record.status is LadderStatus.CLOSING and not record.open:
            change.finish()
        await change.commit()
    ctx.meters.ladder_rated(record.rule_set)
    return True


async def _keep_result(
    change: LadderChange, table: OpenTableRecord, told: list[tuple[int, int, int]]
) -> None:
    record = change.record
    index, before = divmod(record.results - 1, RESULTS_A_PART)
    part = results_part(index)
    kept: list[LadderResultRecord] = []
    if before:
        [data] = await change.ctx.store.parts(LADDERS, change.id, [part])
        kept = LADDER_RESULTS.decode(data or b"")
    kept.append(
        LadderResultRecord(
            record.results, record.sequence, table.number, record.season, change.now_ms, told
        )
    )
    change.parts[part] = LADDER_RESULTS.encode(kept)


async def _rate(
    change: LadderChange,
    table: OpenTableRecord,
    entrants: dict[int, LadderEntrantRecord],
    told: list[tuple[int, int, int]],
) -> None:
    before = {number: rating_of(entrant) for number, entrant in entrants.items()}
    places = [(number, place) for number, place, _ in told]
    anchors = {number for number, entrant in entrants.items() if entrant.anchor}
    after = rate(before, places, anchors, rules=rules_of(change.record))
    points = table_points(place for _, place in places)
    histories = await _histories(change, entrants)
    for (number, place), won in zip(places, points, strict=True):
        entrant = entrants[number]
        step = _step(change, table, entrant, place, after[number])
        part, steps = histories[number]
        change.parts[part] = LADDER_HISTORY.encode([*steps, step])
        set_rating(entrant, after[number])
        entrant.games += 1
        entrant.season_games += 1
        entrant.wins += place == 1
        entrant.points += int(won * PARTS)
        entrant.since_ms = change.now_ms
        entrant.playing = [open_ for open_ in entrant.playing if open_ != table.number]
        if not entrant.anchor:
            met = [other for other in table.entrants if other != number]
            entrant.recent = [*entrant.recent, *met][-RECENT:]
        change.put(number, entrant)


async def _histories(
    change: LadderChange, entrants: dict[int, LadderEntrantRecord]
) -> dict[int, tuple[str, list[RatingStepRecord]]]:
    """Return the part that each entrant's next step goes to, and what it holds."""
    places = {n: divmod(entrant.games, RESULTS_A_PART) for n, entrant in entrants.items()}
    parts = {n: history_part(n, index) for n, (index, _) in places.items()}
    found = await change.ctx.store.parts(LADDERS, change.id, list(parts.values()))
    return {
        number: (part, LADDER_HISTORY.decode(data) if data and places[number][1] else [])
        for (number, part), data in zip(parts.items(), found, strict=True)
    }


def _step(
    change: LadderChange,
    table: OpenTableRecord,
    entrant: LadderEntrantRecord,
    place: int,
    after: Rating,
) -> RatingStepRecord:
    return RatingStepRecord(
        result=change.record.results,
        table=table.number,
        season=change.record.season,
        at_ms=change.now_ms,
        place=place,
        seats=len(table.entrants),
        mean_before=entrant.mean,
        deviation_before=entrant.deviation,
        mean=millionths(after.mean),
        deviation=millionths(after.deviation),
    )
