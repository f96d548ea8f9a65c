"""A webhook in the hands of a use case: whose it is, its secrets, and how it is shown.

What a webhook tells is the log of another aggregate, under whose id it is stored:

| at                     | what is written                                                        |
|------------------------|------------------------------------------------------------------------|
| an event, in that log  | in the same script: the webhook's deadline, if it has one, is now      |
| the deadline           | by the sweep: a deadline some seconds away, in case its worker dies    |
| a try begins           | who sends, and up to which event: a repeat is the same payload         |
| a try ends             | what the receiver has, or when to try again, as the deadline           |
| all is delivered       | a deadline far away, so that the next event has one to bring nearer    |

So an event costs no message and no task, however many come at once, and whatever dies, a deadline
is left that leads to the next try.
"""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass

from services.state.context import Context
from services.state.store import Held
from services.state.webhooks import WEBHOOK, WEBHOOKS, WebhookRecord

from .principals import Principal
from .tournament import read_tournament

SECRET_PREFIX = "whsec_"  # noqa: S105  as the specification has it
SECRET_BYTES = 32
LEASE_MS = 5_000
WAIT_S = 5.0
DAY_MS = 24 * 3_600_000
FAILING = "webhooks-failing"
"""Index of webhooks whose last try failed, by when the first event happened that is owed."""


@dataclass(frozen=True, slots=True)
class WebhookSnapshot:
    """A webhook at one moment, and the last sequence of the log that it tells."""

    id: str
    record: WebhookRecord
    last_sequence: int


async def last_of_own(ctx: Context, principal: Principal, tournament_id: str) -> int:
    """Return the last sequence of a tournament's log.

    Raises NotFound, and NotAllowed unless the caller is its host or an administrator.
    """
    tournament = await read_tournament(ctx, tournament_id)
    principal.require_host_of("tournament", tournament.record.created_by)
    return tournament.sequence


async def read_webhook(ctx: Context, principal: Principal, tournament_id: str) -> WebhookSnapshot:
    """Return a tournament's webhook; raises NotFound (of either) or NotAllowed."""
    last = await last_of_own(ctx, principal, tournament_id)
    stored = await ctx.store.read(WEBHOOKS, tournament_id)
    return WebhookSnapshot(tournament_id, WEBHOOK.decode(stored.data), last)


async def hold_webhook(
    ctx: Context,
    webhook_id: str,
    *,
    request_id: str = "",
    fingerprint: bytes = b"",
    wait_s: float = WAIT_S,
) -> Held:
    """Take a webhook's lease; raises NotFound, Busy, RequestReused."""
    return await ctx.store.acquire(
        WEBHOOKS,
        webhook_id,
        lease_ms=LEASE_MS,
        wait_s=wait_s,
        request_id=request_id,
        fingerprint=fingerprint,
    )


def new_secret(ctx: Context) -> str:
    """Return a fresh secret as the specification writes it."""
    return SECRET_PREFIX + base64.b64encode(ctx.random_bytes(SECRET_BYTES)).decode()


def secrets_of(record: WebhookRecord, now_ms: int) -> tuple[str, ...]:
    """Return the secrets by which a payload is signed now, the newest first."""
    if record.old_secret and now_ms < record.old_secret_end_ms:
        return record.secret, record.old_secret
    return (record.secret,)


def let_go(record: WebhookRecord) -> None:
    """Leave a try that may be under way to itself: what it reports is no longer taken."""
    record.claim, record.claimed_until_ms, record.sending = "", 0, 0


def start_over(record: WebhookRecord) -> None:
    """Forget failures: the next try is due at once."""
    record.failed_tries = record.failing_since_ms = record.next_try_ms = record.disabled_ms = 0
    record.quiet_looks = 0


async def forget_webhook(ctx: Context, held: Held) -> None:
    """Remove a held webhook with all that is stored of it."""
    await ctx.store.commit(held, held.data, ttl_ms=1)
    await asyncio.sleep(0.002)  # then it has expired, and whoever asks next finds nothing
    await no_longer_failing(ctx, held.id)


async def no_longer_failing(ctx: Context, webhook_id: str) -> None:
    """Take a webhook out of the index of those that fail."""
    await ctx.store.index_drop(FAILING, [webhook_id], before=1 << 62)
