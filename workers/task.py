"""The one base of all tasks: what is retried, what is logged."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

import structlog
from celery import Task

from services.state.context import Context
from services.state.store import Busy, Conflict, LeaseLost, NotFound, StoreUnavailable

from .process import current_process

RETRIED = (Busy, Conflict, LeaseLost, StoreUnavailable)
MOST_RETRIES = 5
BACKOFF_S = 0.2

T = TypeVar("T")

log = structlog.get_logger(__name__)


class ArenaTask(Task):  # type: ignore[misc]  # Celery has no types
    """Runs a coroutine on the process's loop; retries only what another try may mend.

    A task that gives up loses nothing: the state still owes the work, and the sweep sends for it.
    """

    max_retries = MOST_RETRIES
    ignore_result = True

    def perform(self, work: Coroutine[Any, Any, object]) -> None:
        """Run the use case; retry declared errors, and let go of what is no longer there."""
        self.performed(work)

    def performed(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Do as ``perform`` does, and return what the use case does; None if it found nothing."""
        try:
            return current_process().run(work)
        except NotFound as gone:
            log.info("nothing to do", task=self.name, reason=str(gone))
            return None
        except RETRIED as error:
            tries = self.request.retries
            log.warning("trying again", task=self.name, reason=str(error), tries=tries)
            raise self.retry(exc=error, countdown=BACKOFF_S * 2**tries) from error


def context() -> Context:
    """Return the context of this worker process."""
    return current_process().context
