"""A process that delivers one webhook, for a test to kill: ``... <store's URL> <id>``."""

from __future__ import annotations

import asyncio
import sys

from services.events.deliver_webhook import deliver_webhook
from services.events.post_webhook import Poster
from services.runtime.settings import load_settings
from services.runtime.webhook_forms import FORMS
from services.runtime.wiring import open_context


async def main(url: str, webhook_id: str) -> None:
    """Deliver what is owed."""
    settings = load_settings(redis_url=url, webhook_allow_private=True)
    ctx = await open_context(settings)
    await deliver_webhook(ctx, webhook_id, Poster(allow_private=True).to, FORMS)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
