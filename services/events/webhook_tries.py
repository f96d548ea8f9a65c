"""What a try leads to: pure steps on a webhook's record, and when it is due."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from services.state.logs import LogBatch
from services.state.webhooks import WebhookRecord

from .post_webhook import Outcome
from .webhook import DAY_MS, let_go, secrets_of

CLAIM_MS = 20_000
"""How long a claimed try counts as going on; twice what one may take."""
FIRST_RETRY_MS = 5_000
LONGEST_RETRY_MS = 3_600_000
GIVE_UP_MS = 3 * DAY_MS
FIRST_LOOK_MS = 15_000
LONGEST_LOOK_MS = 3_600_000
"""A webhook that owes nothing is looked at after the first and after twice as long each time, for
an event that came in the instant between the last look at the log and the commit that said so, if
its sender died then."""
MOST_DOUBLINGS = 20


@dataclass(frozen=True, slots=True)
class Job:
    """One payload to send: a piece of a log, or the ping of a number."""

    url: str
    message_id: str
    secrets: tuple[str, ...]
    source: str
    kinds: Sequence[str]
    after: int = 0
    through: int = 0
    batches: Sequence[LogBatch] = ()  # that hold the piece
    first_try: bool = True
    ping: int = 0

    @property
    def oldest_ms(self) -> int:
        """When the first event of the piece happened."""
        return self.batches[0].at_ms


def due_ms(record: WebhookRecord) -> int | None:
    """Return from when on something may be sent, if there is something; None for never."""
    if record.pings > record.pinged:
        return record.claimed_until_ms
    if record.disabled_ms:
        return None
    return max(record.claimed_until_ms, record.next_try_ms)


def ping_job(webhook_id: str, record: WebhookRecord, now_ms: int) -> Job | None:
    """Return the ping that is asked for, if any; of several the last stands for all."""
    if record.pings <= record.pinged:
        return None
    return Job(
        record.url,
        _message_id(webhook_id, record, f"ping-{record.pings}"),
        secrets_of(record, now_ms),
        record.source,
        record.kinds,
        ping=record.pings,
    )


def log_job(
    webhook_id: str, record: WebhookRecord, batches: Sequence[LogBatch], *, most: int, now_ms: int
) -> Job:
    """Return the next piece of the log, of up to ``most`` events; a repeat is the same piece.

    ``batches`` follow what is delivered, and there is one at least.
    """
    first_try = record.sending <= record.delivered
    if first_try:
        record.sending = min(record.delivered + most, batches[-1].last)
    return Job(
        record.url,
        _message_id(webhook_id, record, f"{record.delivered + 1}-{record.sending}"),
        secrets_of(record, now_ms),
        record.source,
        record.kinds,
        record.delivered,
        record.sending,
        batches,
        first_try,
    )


def settle(
    record: WebhookRecord, job: Job, outcome: Outcome | None, *, now_ms: int, jitter: float
) -> None:
    """Enter how a job went; an ``outcome`` of None is a piece in which nothing was to be sent.

    ``jitter``, from 0.75 to 1.25, spreads the next tries of many.
    """
    sending = record.sending
    let_go(record)
    if job.ping:
        _settle_ping(record, job, outcome or Outcome(), now_ms)
        record.sending = sending  # a piece that failed before is still the next
    elif outcome is None or not outcome.error:
        record.delivered = job.through
        record.failed_tries = record.failing_since_ms = record.next_try_ms = 0
        if outcome is not None:
            record.succeeded_ms, record.last_error = now_ms, ""
    else:
        record.sending = sending
        _settle_failure(record, outcome, now_ms, jitter)


def _settle_ping(record: WebhookRecord, job: Job, outcome: Outcome, now_ms: int) -> None:
    record.pinged, record.pinged_ms, record.ping_error = job.ping, now_ms, outcome.error
    if not outcome.error:
        record.next_try_ms = 0  # the receiver is back: what failed is tried again at once


def _settle_failure(record: WebhookRecord, outcome: Outcome, now_ms: int, jitter: float) -> None:
    pause_ms = min(FIRST_RETRY_MS << min(record.failed_tries, MOST_DOUBLINGS), LONGEST_RETRY_MS)
    record.failed_tries += 1
    record.failing_since_ms = record.failing_since_ms or now_ms
    record.last_error = outcome.error
    record.next_try_ms = now_ms + max(round(pause_ms * jitter), outcome.pause_ms)
    if outcome.gone or now_ms - record.failing_since_ms >= GIVE_UP_MS:
        record.disabled_ms = now_ms


def look_ms(record: WebhookRecord) -> int:
    """Return after how long to look again at a webhook that owes nothing, and count the look."""
    pause_ms = min(FIRST_LOOK_MS << min(record.quiet_looks, MOST_DOUBLINGS), LONGEST_LOOK_MS)
    record.quiet_looks += 1
    return pause_ms


def _message_id(webhook_id: str, record: WebhookRecord, what: str) -> str:
    # One id never stands for two contents: not after a change, nor after a removal.
    return f"{webhook_id}_{record.created_ms:x}-{record.revision}_{what}"
