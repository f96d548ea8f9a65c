"""Which webhooks fail, for whoever runs the arena."""

from __future__ import annotations

from services.state.context import Context
from services.state.errors import NotFound
from services.state.webhooks import WEBHOOK, WEBHOOKS

from .webhook import FAILING, no_longer_failing


async def oldest_owed_ms(ctx: Context) -> int:
    """Return the age of the oldest event that a failing webhook owes; 0 if none fails."""
    while True:
        places = await ctx.store.index_page(FAILING, after=None, limit=1)
        if not places:
            return 0
        if await _fails(ctx, places[0].entity):
            return max(0, ctx.now_ms() - places[0].score)
        # The index is written beside the record: whoever died between the two left this one.
        await no_longer_failing(ctx, places[0].entity)


async def _fails(ctx: Context, webhook_id: str) -> bool:
    try:
        stored = await ctx.store.read(WEBHOOKS, webhook_id)
    except NotFound:
        return False
    record = WEBHOOK.decode(stored.data)
    return bool(record.failing_since_ms) and not record.disabled_ms
