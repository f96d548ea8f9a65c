"""What is refused about a private table tells a stranger nothing, not even that it is there."""

from __future__ import annotations

from services.play.delayed import delay_of
from services.play.errors import NotInvited, WrongLife
from services.play.rights import directs, require_sight
from services.play.table import TABLES
from services.play.table_then import record_listed
from services.state.context import Context
from services.state.errors import NotFound, StoreUnavailable
from services.state.records import TableRecord
from services.state.tables import table_record

from .interceptors import caller
from .not_open import raise_if_opening

_NO_NEWS = (NotInvited, StoreUnavailable)


class as_seen:  # noqa: N801  reads as a phrase where it is used
    """Stand around a use case on a table; turn what it refuses into NotInvited for a stranger.

    NotInvited is told as if there were no such table. Whatever the use case found wrong first, its
    caller may not learn it of a table that it may not see. A table that is paired and about to be
    opened is told as such.
    """

    __slots__ = ("_ctx", "_table_id")

    def __init__(self, ctx: Context, table_id: str) -> None:
        self._ctx = ctx
        self._table_id = table_id

    async def __aenter__(self) -> None:
        """Do nothing."""

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, NotFound):
            await raise_if_opening(self._ctx, self._table_id, error)
        elif isinstance(error, Exception) and not isinstance(error, _NO_NEWS):
            # That it is busy, or that a request id is known, tells that there is one, too.
            stored = await self._ctx.store.read(TABLES, self._table_id)
            record, _ = table_record(self._table_id, stored.data)
            require_sight(self._table_id, record, caller())
            self._require_no_news(error, record)

    def _require_no_news(self, error: Exception, record: TableRecord) -> None:
        """Tell who follows with a delay, and may not direct, no more of the table than lists do."""
        if not isinstance(error, WrongLife) or directs(record, caller()):
            return
        if delay_of(record, caller().player_id) is not None:
            listed = record_listed(record, self._ctx.now_ms())
            raise WrongLife(self._table_id, listed.life, *error.wanted_lives) from error
