"""A host tries a webhook out: a ping is asked for, and a worker sends it."""

from __future__ import annotations

import asyncio

from services.state.commits import fingerprint_of
from services.state.context import Context
from services.state.store import Answer
from services.state.webhooks import WEBHOOK, WEBHOOKS, WebhookRecord

from .principals import Principal
from .webhook import WebhookSnapshot, hold_webhook, last_of_own

LONGEST_WAIT_S = 12.0
LOOK_S = 1.0  # a wake-up may be lost
_FINGERPRINT = fingerprint_of(("ping_webhook",))


async def ping_webhook(
    ctx: Context, principal: Principal, *, tournament_id: str, request_id: str, wait_s: float
) -> tuple[WebhookSnapshot, bool]:
    """Ask for a ping and wait for its end, up to ``wait_s``; return whether it has ended.

    The server that is asked connects to nobody: only workers do. Raises NotFound, NotAllowed, Busy,
    RequestReused.
    """
    last = await last_of_own(ctx, principal, tournament_id)
    held = await hold_webhook(ctx, tournament_id, request_id=request_id, fingerprint=_FINGERPRINT)
    if held.reply is not None:
        number = int(held.reply)
    else:
        try:
            record = WEBHOOK.decode(held.data)
            record.pings += 1
            number = record.pings
            answer = Answer(request_id, _FINGERPRINT, str(number).encode())
            await ctx.store.commit(
                held, WEBHOOK.encode(record), deadline_ms=ctx.now_ms(), answer=answer
            )
        finally:
            await ctx.store.release(held)  # nothing happens after a commit
    record = await _ended(ctx, tournament_id, number, wait_s)
    return WebhookSnapshot(tournament_id, record, last), record.pinged >= number


async def _ended(ctx: Context, webhook_id: str, number: int, wait_s: float) -> WebhookRecord:
    loop = asyncio.get_running_loop()
    until_s = loop.time() + wait_s
    async with ctx.store.wakeups.listen(WEBHOOKS, webhook_id) as bell:
        while True:
            bell.clear()
            stored = await ctx.store.read(WEBHOOKS, webhook_id)
            record = WEBHOOK.decode(stored.data)
            left_s = until_s - loop.time()
            if record.pinged >= number or left_s <= 0:
                return record
            await bell.wait(min(LOOK_S, left_s))
