"""The README's receiver of webhooks takes what an arena sends."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

from services.events.deliver_webhook import deliver_webhook
from services.events.post_webhook import Poster
from services.events.set_webhook import WebhookWish, set_webhook
from services.events.webhook import read_webhook
from services.runtime.webhook_forms import FORMS
from services.state.context import Context
from tests.ports import free_port

from .logged import ADMIN, grow, with_log

README = Path(__file__).parents[2] / "README.md"


async def test_the_receiver_prints_each_event_once(ctx: Context) -> None:
    [code] = re.findall(r"^```py\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    ctx, port = dataclasses.replace(ctx, private_webhooks=True), free_port()
    tournament_id = await with_log(ctx, 2)
    url = f"http://127.0.0.1:{port}/"

    async def send(after: int | None, request_id: str) -> str:
        wish = WebhookWish(url, after=after)
        _, secret = await set_webhook(
            ctx, ADMIN, wish, tournament_id=tournament_id, request_id=request_id
        )
        return secret

    environment = {**os.environ, "HOOK_SECRET": await send(0, "a"), "PORT": str(port)}
    process = subprocess.Popen(  # noqa: ASYNC220  it lives beside the test
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True
    )
    poster = Poster(allow_private=True)
    try:
        await _listening(port)
        for after, request_id in ((0, "b"), (None, "c"), (1, "d")):
            await deliver_webhook(ctx, tournament_id, poster.to, FORMS)
            record = (await read_webhook(ctx, ADMIN, tournament_id)).record
            assert (record.failed_tries, record.last_error) == (0, "")
            await grow(ctx, tournament_id)
            await send(after, request_id)
    finally:
        process.kill()
        poster.close()
    printed = process.communicate()[0].splitlines()
    assert [line.split()[1:] for line in printed] == [
        [str(number), "entrant_registered"] for number in range(1, 5)
    ]


async def _listening(port: int) -> None:
    async with asyncio.timeout(10):
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            await asyncio.sleep(0.05)
