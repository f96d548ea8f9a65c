"""A director lets a paused table go on."""

from __future__ import annotations

from rummy_arena.game.rules import RuleSet
from services.state.context import Context
from services.state.records import Life, TableRecord
from services.state.table_log import TableResumed

from .change import Alteration, Ask, Changed, change, require_life
from .clocks import thaw
from .commit import commit_of
from .errors import HeldByTournament
from .rights import Person, require_director
from .stand_in import answer_for_absent
from .table import table_of


async def resume_table(ctx: Context, person: Person, table_id: str, ask: Ask) -> Changed:
    """Let the clocks run on from where they stood; a table that is being played stays so.

    Raises NotFound, WrongLife, NotDirector, HeldByTournament, Busy or RequestReused.
    """

    def alter(record: TableRecord, rules: RuleSet) -> Alteration:
        require_director(table_id, record, person)
        if record.life is Life.PLAYING:
            return Alteration(None)
        require_life(table_id, record, Life.PAUSED)
        if record.held and record.origin is not None:
            raise HeldByTournament(table_id, record.origin.tournament_id)
        return resumed(ctx, table_id, record, rules, person.player_id)

    return await change(ctx, table_id, ask, ("resume", person.player_id, table_id), alter)


def resumed(
    ctx: Context, table_id: str, record: TableRecord, rules: RuleSet, by: str
) -> Alteration:
    """Return what lets a paused table go on."""
    now_ms = ctx.now_ms()
    record.life, record.held = Life.PLAYING, False
    thaw(record, now_ms)
    table = table_of(table_id, record, rules, ctx.random_bytes)
    before = table.decision()
    # Who left in the pause was asked all the same, and nobody waits for them.
    events = [TableResumed(by), *answer_for_absent(table)]
    wake = table.bots_waiting or table.abandoned
    return Alteration(commit_of(table, events, before, now_ms=now_ms, wake=wake))
