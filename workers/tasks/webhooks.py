"""Webhooks: what they owe is handed to this process's courier."""

from __future__ import annotations

from celery import shared_task

from workers.process import current_process
from workers.task import ArenaTask


@shared_task(base=ArenaTask, bind=True, name="workers.deliver_webhook")
def deliver_webhook(task: ArenaTask, webhook_id: str) -> None:
    """Have what a webhook owes sent, and do not wait for it."""
    current_process().courier.hand(webhook_id)
