"""Tournaments: one step at a time."""

from __future__ import annotations

from celery import shared_task

from services.events.advance_tournament import advance_tournament as advance
from workers.task import ArenaTask, context


@shared_task(base=ArenaTask, bind=True, name="workers.advance_tournament")
def advance_tournament(task: ArenaTask, tournament_id: str) -> None:
    """Close the round if it is complete, and go on."""
    task.perform(advance(context(), tournament_id))
