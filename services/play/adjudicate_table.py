"""A director ends a game and says who came where."""

from __future__ import annotations

from collections.abc import Sequence

from rummy_arena.game.rules import RuleSet
from rummy_arena.game.series import tally
from services.state.context import Context
from services.state.messages import ReportResult
from services.state.records import Life, TableRecord
from services.state.table_log import TableAdjudicated
from services.state.tables import is_sealed, table_game

from .change import Alteration, Ask, Changed, change, plain, require_life
from .errors import InvalidPlaces
from .rights import Person, require_director


async def adjudicate_table(
    ctx: Context,
    person: Person,
    table_id: str,
    ask: Ask,
    *,
    reason: str,
    places: Sequence[int] = (),
) -> Changed:
    """End the game with these places by seat, 1 being first; without any, as the deals stand.

    Equal seats share a place, and as many places after it are left out. The deal that is being
    played does not count. Raises NotFound, WrongLife, NotDirector, InvalidPlaces, Busy or
    RequestReused.
    """

    def alter(record: TableRecord, rules: RuleSet) -> Alteration:
        require_director(table_id, record, person)
        require_life(table_id, record, Life.PLAYING, Life.PAUSED)
        decided = tuple(places) or tally(table_game(table_id, record, rules)).places
        check_places(decided, len(record.seats))
        now_ms = ctx.now_ms()
        record.life, record.reason, record.places = Life.FINISHED, reason, decided
        record.ruled_by = person.player_id
        record.finished_ms, record.deadline_ms, record.paused_ms = now_ms, 0, 0
        messages = (ReportResult(table_id),) if record.origin is not None else ()
        event = TableAdjudicated(person.player_id, decided, reason)
        told = () if ask.preview and is_sealed(record) else decided  # they follow from the cards
        return Alteration(plain(record, [event], now_ms, messages=messages), places=told)

    content = ("adjudicate", person.player_id, table_id, reason, tuple(places))
    return await change(ctx, table_id, ask, content, alter)


def check_places(places: Sequence[int], seats: int) -> None:
    """Raise InvalidPlaces unless each seat has the place that the seats before it leave it."""
    if len(places) != seats:
        raise InvalidPlaces(f"give a place for each of the {seats} seats")
    if any(place != 1 + sum(other < place for other in places) for place in places):
        raise InvalidPlaces("give 1 for the first, the same for equal seats, as in 1, 2, 2, 4")
