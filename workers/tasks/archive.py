"""The archive: a table that has ended is put there."""

from __future__ import annotations

import structlog
from celery import shared_task

from services.play.archive_table import archive_table as archive_once
from services.runtime.archiving import FORMS
from services.state.archive import ArchiveUnavailable
from services.state.context import Context
from workers.task import ArenaTask, context

log = structlog.get_logger(__name__)


@shared_task(base=ArenaTask, bind=True, name="workers.archive_table")
def archive_table(task: ArenaTask, table_id: str) -> None:
    """Put a table into the archive, unless it is there."""
    task.perform(_archive(context(), table_id))


async def _archive(ctx: Context, table_id: str) -> None:
    """An archive that is away is tried again when the table's deadline comes, not before."""
    try:
        await archive_once(ctx, table_id, FORMS)
    except ArchiveUnavailable as error:
        log.warning("not archived", table=table_id, reason=str(error))
