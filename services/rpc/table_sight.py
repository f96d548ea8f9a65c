"""What is refused about a private table tells a stranger nothing, not even that it is there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rummy_arena.game.errors import RuleViolation
from services.play.errors import NotInvited
from services.play.rights import require_sight
from services.play.table import TABLES
from services.state.context import Context
from services.state.errors import StoreError
from services.state.tables import table_record

from .interceptors import caller
from .not_open import told_if_not_open


@asynccontextmanager
async def as_seen(ctx: Context, table_id: str) -> AsyncIterator[None]:
    """Stand around a use case on a table; turn what it refuses into NotInvited for a stranger.

    NotInvited is told as if there were no such table. Whatever the use case found wrong first, its
    caller may not learn it of a table that it may not see.
    """
    async with told_if_not_open(ctx, table_id):
        try:
            yield
        except (NotInvited, RuleViolation, StoreError):
            raise  # who broke a rule sits there
        except Exception:
            stored = await ctx.store.read(TABLES, table_id)
            record, _ = table_record(table_id, stored.data)
            require_sight(table_id, record, caller())
            raise
