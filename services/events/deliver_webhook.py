"""Sending what a webhook owes: payload by payload, in the order of the log, each at least once.

A try is claimed in the record before it begins, with the piece of the log that it is about, and
settled there after it has ended. Whoever dies between the two leaves a claim that runs out: then
the same piece is sent again under the same id.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

import structlog
from standardwebhooks import Webhook

from services.state.context import Context
from services.state.errors import CursorTooOld, NotFound
from services.state.logs import LogBatch
from services.state.store import Held
from services.state.webhooks import WEBHOOK, WebhookRecord

from .post_webhook import Outcome
from .webhook import DAY_MS, FAILING, WAIT_S, forget_webhook, hold_webhook, no_longer_failing
from .webhook_tries import CLAIM_MS, Job, due_ms, log_job, look_ms, ping_job, settle

MOST_EVENTS = 50  # of a payload
MOST_PAYLOADS = 50  # of one call; then others have their turn

log = structlog.get_logger(__name__)


class Form(Protocol):
    """Writes a piece of a log as a payload, or returns None if nothing in it is to be sent."""

    def __call__(
        self,
        entity: str,
        batches: Sequence[LogBatch],
        *,
        after: int,
        through: int,
        kinds: Sequence[str],
    ) -> bytes | None:
        """``batches`` may begin before ``after`` and go on behind ``through``."""
        ...


@dataclass(frozen=True, slots=True)
class Forms:
    """What payloads are written as: of each aggregate whose log is sent, and of a ping."""

    logs: Mapping[str, Form]
    ping: Callable[[int], bytes]  # of the time in milliseconds


class Line(Protocol):
    """The way to a receiver."""

    async def post(self, body: bytes, headers: Mapping[str, str]) -> Outcome:
        """Post a body and return how it went."""
        ...


Lines = Callable[[str], AbstractAsyncContextManager[Line]]
"""Gives a line to a URL."""


@dataclass(frozen=True, slots=True)
class _Done:
    """A job that has ended; after the ``last`` of a call no other is taken."""

    job: Job
    outcome: Outcome | None
    last: bool


async def deliver_webhook(ctx: Context, webhook_id: str, lines: Lines, forms: Forms) -> int:
    """Send what is owed until nothing is, or a try fails; return how many payloads arrived.

    Does nothing while somebody else is about it. Raises NotFound, Busy, LeaseLost, Conflict; what
    was not settled then is sent again.
    """
    claim, arrived = ctx.new_id(), 0
    job = await _next_job(ctx, webhook_id, claim, None)
    if job is None:
        return 0
    async with lines(job.url) as line:
        for number in range(1, MOST_PAYLOADS + 1):
            outcome = await _try(ctx, webhook_id, job, line, forms)
            arrived += outcome is not None and not outcome.error
            done = _Done(job, outcome, last=number == MOST_PAYLOADS)
            job = await _next_job(ctx, webhook_id, claim, done)
            if job is None:
                break
    return arrived


async def _try(ctx: Context, webhook_id: str, job: Job, line: Line, forms: Forms) -> Outcome | None:
    """Send one payload; None if nothing in its piece of the log is to be sent."""
    now_ms = ctx.now_ms()
    if job.ping:
        body: bytes | None = forms.ping(now_ms)
    else:
        body = forms.logs[job.source](
            webhook_id, job.batches, after=job.after, through=job.through, kinds=job.kinds
        )
    if body is None:
        return None
    outcome = await line.post(body, signed_headers(job, body, now_ms))
    if not job.ping:
        first_s = (now_ms - job.oldest_ms) / 1000 if job.first_try else None
        ctx.meters.webhook_tried("failed" if outcome.error else "delivered", first_s)
    if outcome.error:
        log.warning("webhook not delivered", webhook=webhook_id, reason=outcome.error)
    return outcome


def signed_headers(job: Job, body: bytes, now_ms: int) -> dict[str, str]:
    """Return the headers of a payload that is sent now, with a signature by each secret."""
    at, text = datetime.fromtimestamp(now_ms // 1000, UTC), body.decode()
    signatures = [Webhook(secret).sign(job.message_id, at, text) for secret in job.secrets]
    return {
        "content-type": "application/json",
        "user-agent": "rummy-arena-webhooks",
        "webhook-id": job.message_id,
        "webhook-timestamp": str(now_ms // 1000),
        "webhook-signature": " ".join(signatures),
    }


async def _next_job(ctx: Context, webhook_id: str, claim: str, done: _Done | None) -> Job | None:
    """Settle what is done, and claim what is to be sent next, in one commit."""
    while True:
        held = await hold_webhook(ctx, webhook_id, wait_s=0.0 if done is None else WAIT_S)
        try:
            record = WEBHOOK.decode(held.data)
            if not await _may_go_on(ctx, held, record, claim, done):
                return None
            was_failing = bool(record.failing_since_ms)
            if done is not None:
                jitter = random.uniform(0.75, 1.25)  # noqa: S311  no secret
                settle(record, done.job, done.outcome, now_ms=ctx.now_ms(), jitter=jitter)
            job = await _claimed(ctx, held, record, claim, done)
        except NotFound:  # the log is no longer kept, so nobody can be told of it
            await forget_webhook(ctx, held)
            raise
        except BaseException:
            await ctx.store.release(held)
            raise
        if done is not None and (was_failing or record.failing_since_ms):
            await _tell_failing(ctx, webhook_id, record, done.job)
        if job is not None or record.next_try_ms or record.disabled_ms:
            return job
        if done is not None and done.last:
            return None
        # An event that came after the log was read and before the commit has moved a deadline that
        # the commit then set anew: so look again.
        if not await ctx.store.read_log(record.source, webhook_id, after=record.delivered, limit=1):
            return None
        done = None


async def _may_go_on(
    ctx: Context, held: Held, record: WebhookRecord, claim: str, done: _Done | None
) -> bool:
    """Return whether to go on with a held webhook; if not, let go of it. Raises NotFound."""
    if done is not None:
        if record.claim == claim:
            return True
        await ctx.store.release(held)  # the host has changed it, or somebody took over
        return False
    due = due_ms(record)
    if due is not None and due <= ctx.now_ms():
        return True
    if due is None:  # disabled: see whether its log is still kept
        await ctx.store.read_log(record.source, held.id, after=record.delivered, limit=1)
        due = ctx.now_ms() + DAY_MS
    # An event, or a claim by the sweep, has moved its deadline.
    await ctx.store.commit(held, held.data, deadline_ms=due)
    return False


async def _claimed(
    ctx: Context, held: Held, record: WebhookRecord, claim: str, done: _Done | None
) -> Job | None:
    """Commit the record with what is to be sent next, if anything, and when to look again."""
    now_ms, job = ctx.now_ms(), None
    deadline_ms = due_ms(record)
    if deadline_ms is None:
        deadline_ms = now_ms + DAY_MS
    elif deadline_ms <= now_ms and not (done is not None and done.last):
        job = await _owed(ctx, held.id, record)
        if job is None:
            deadline_ms = now_ms + look_ms(record)
        else:
            record.claim, record.claimed_until_ms = claim, now_ms + CLAIM_MS
            record.quiet_looks, deadline_ms = 0, record.claimed_until_ms
    await ctx.store.commit(held, WEBHOOK.encode(record), deadline_ms=deadline_ms)
    return job


async def _owed(ctx: Context, webhook_id: str, record: WebhookRecord) -> Job | None:
    """Return what is to be sent next; raises NotFound when the log is gone."""
    ping = ping_job(webhook_id, record, ctx.now_ms())
    if ping is not None:
        return ping
    while True:
        try:
            batches = await ctx.store.read_log(
                record.source, webhook_id, after=record.delivered, limit=MOST_EVENTS
            )
        except CursorTooOld as error:
            record.delivered, record.sending = error.first - 1, 0  # the receiver sees the gap
            continue
        if not batches:
            return None
        return log_job(webhook_id, record, batches, most=MOST_EVENTS, now_ms=ctx.now_ms())


async def _tell_failing(ctx: Context, webhook_id: str, record: WebhookRecord, job: Job) -> None:
    """Keep the index of those that fail, by which the longest delay is measured."""
    if job.ping:
        return
    if record.failing_since_ms and not record.disabled_ms:
        await ctx.store.index_add(FAILING, webhook_id, job.oldest_ms)
    else:
        if record.disabled_ms:
            ctx.meters.webhook_tried("disabled", None)
            log.error("webhook disabled", webhook=webhook_id, reason=record.last_error)
        await no_longer_failing(ctx, webhook_id)
