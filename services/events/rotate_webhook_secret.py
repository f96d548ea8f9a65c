"""A host has the secret of a webhook replaced."""

from __future__ import annotations

from services.state.commits import fingerprint_of
from services.state.context import Context
from services.state.store import Answer
from services.state.webhooks import WEBHOOK, WEBHOOKS

from .errors import InvalidOption
from .principals import Principal
from .webhook import DAY_MS, WebhookSnapshot, hold_webhook, last_of_own, new_secret

LONGEST_GRACE_MS = 7 * DAY_MS


async def rotate_webhook_secret(
    ctx: Context, principal: Principal, *, tournament_id: str, grace_ms: int, request_id: str
) -> tuple[WebhookSnapshot, str]:
    """Make a new secret and return it; payloads bear the old one's signature for the grace too.

    A secret that was in such a grace ends. Raises NotFound, NotAllowed, InvalidOption, Busy,
    RequestReused.
    """
    if not 0 <= grace_ms <= LONGEST_GRACE_MS:
        raise InvalidOption("grace", f"give 0 to {LONGEST_GRACE_MS // 1000} seconds")
    last = await last_of_own(ctx, principal, tournament_id)
    fingerprint = fingerprint_of(("rotate_webhook_secret", grace_ms))
    held = await hold_webhook(ctx, tournament_id, request_id=request_id, fingerprint=fingerprint)
    if held.reply is not None:
        stored = await ctx.store.read(WEBHOOKS, tournament_id)
        record = WEBHOOK.decode(stored.data)
        return WebhookSnapshot(tournament_id, record, last), held.reply.decode()
    try:
        record = WEBHOOK.decode(held.data)
        now_ms = ctx.now_ms()
        record.old_secret = record.secret if grace_ms else ""
        record.old_secret_end_ms = now_ms + grace_ms if grace_ms else 0
        record.secret = new_secret(ctx)
        answer = Answer(request_id, fingerprint, record.secret.encode())
        # Due at once, for what was due stays so: whoever looks finds in the record when that is.
        await ctx.store.commit(held, WEBHOOK.encode(record), deadline_ms=now_ms, answer=answer)
    finally:
        await ctx.store.release(held)  # nothing happens after a commit
    return WebhookSnapshot(tournament_id, record, last), record.secret
