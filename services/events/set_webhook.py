"""A host says where to be told what happens in a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from services.state.commits import fingerprint_of
from services.state.context import Context
from services.state.errors import NotFound, RequestReused
from services.state.store import Answer, Held
from services.state.webhooks import WEBHOOK, WEBHOOKS, WebhookRecord

from .errors import InvalidOption
from .principals import Principal
from .tournament import TOURNAMENTS
from .webhook import (
    WebhookSnapshot,
    hold_webhook,
    last_of_own,
    let_go,
    new_secret,
    no_longer_failing,
    start_over,
)
from .webhook_url import check_url

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class WebhookWish:
    """What a host asks for; ``after`` None leaves a webhook where it is, a new one at the end."""

    url: str
    kinds: Sequence[str] = ()
    after: int | None = None


async def set_webhook(
    ctx: Context, principal: Principal, wish: WebhookWish, *, tournament_id: str, request_id: str
) -> tuple[WebhookSnapshot, str]:
    """Make or change a tournament's webhook; return it, and its secret if this request made it.

    A change enables it and begins at once. Raises NotFound, NotAllowed, InvalidOption, Busy,
    RequestReused.
    """
    last = await last_of_own(ctx, principal, tournament_id)
    check_url(wish.url, allow_private=ctx.private_webhooks)
    if wish.after is not None and wish.after > last:
        raise InvalidOption("after_sequence", f"give at most {last}, where the log ends")
    fingerprint = fingerprint_of(("set_webhook", wish.url, list(wish.kinds), wish.after))
    while True:
        try:
            held = await hold_webhook(
                ctx, tournament_id, request_id=request_id, fingerprint=fingerprint
            )
        except NotFound:
            record = _made(ctx, principal, wish, last, request_id, fingerprint)
            if await ctx.store.create(
                WEBHOOKS, tournament_id, WEBHOOK.encode(record), deadline_ms=ctx.now_ms()
            ):
                log.info("webhook made", tournament=tournament_id, by=principal.player_id)
                return WebhookSnapshot(tournament_id, record, last), record.secret
            continue  # somebody else made one meanwhile
        return await _changed(ctx, held, wish, last, request_id, fingerprint)


async def _changed(
    ctx: Context, held: Held, wish: WebhookWish, last: int, request_id: str, fingerprint: bytes
) -> tuple[WebhookSnapshot, str]:
    if held.reply is not None:  # a repeat of a change
        stored = await ctx.store.read(WEBHOOKS, held.id)
        return WebhookSnapshot(held.id, WEBHOOK.decode(stored.data), last), ""
    try:
        record = WEBHOOK.decode(held.data)
        if record.made_by == request_id:
            if record.made_as != fingerprint:
                raise RequestReused(request_id)
            return WebhookSnapshot(held.id, record, last), record.secret
        record.url, record.kinds = wish.url, list(wish.kinds)
        if wish.after is not None:
            record.delivered = wish.after
        record.revision += 1
        let_go(record)
        start_over(record)
        data, answer = WEBHOOK.encode(record), Answer(request_id, fingerprint, b"")
        await ctx.store.commit(held, data, deadline_ms=ctx.now_ms(), answer=answer)
    finally:
        await ctx.store.release(held)  # nothing happens after a commit
    await no_longer_failing(ctx, held.id)
    return WebhookSnapshot(held.id, record, last), ""


def _made(
    ctx: Context,
    principal: Principal,
    wish: WebhookWish,
    last: int,
    request_id: str,
    fingerprint: bytes,
) -> WebhookRecord:
    return WebhookRecord(
        source=TOURNAMENTS,
        url=wish.url,
        kinds=list(wish.kinds),
        secret=new_secret(ctx),
        delivered=last if wish.after is None else wish.after,
        created_ms=ctx.now_ms(),
        created_by=principal.player_id,
        made_by=request_id,
        made_as=fingerprint,
    )
