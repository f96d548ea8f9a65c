"""Whose token is whose, remembered for a moment, and forgotten as soon as one is revoked.

An action costs two round trips to the store; looking the token up each time would be a third. So
a process remembers a token for LIFE_S, never beyond its end. Who revokes or rotates a token rings
a bell in every process, upon which all is forgotten; should a bell not be heard, what is
remembered is soon too old. Open streams are looked after together: one task asks for all their
tokens in one round trip, every RECHECK_S and whenever the bell rings.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import time
from collections.abc import Iterator

from services.events.authenticate import authenticate
from services.events.errors import NotAuthenticated
from services.events.principals import Principal
from services.state.codec import TOKEN
from services.state.context import Context
from services.state.errors import StoreError
from services.state.tokens import CHANGED

logger = logging.getLogger(__name__)

LIFE_S = 1.0
RECHECK_S = 5.0
SETTLE_S = 0.25  # revocations come in crowds: after one, what follows is looked at together
AT_ONCE = 500  # tokens asked for in one go, so that calls need not wait for long
MOST = 10_000
"""Tokens remembered; then the oldest goes."""


class OpenStream:
    """One stream and the task that serves it, which can be told that its token is over."""

    def __init__(self, principal: Principal) -> None:
        self.principal = principal
        self.over = False
        self._task = asyncio.current_task()
        self._waiting = True

    def end(self) -> None:
        """Make the stream raise NotAuthenticated, now if it waits, else when it next comes by."""
        if not self.over:
            self.over = True
            if self._waiting and self._task is not None:
                self._task.cancel()

    def sending(self) -> None:
        """From here on the stream is not interrupted, for what it yields is being sent."""
        self._waiting = False

    def sent(self) -> None:
        """The stream goes on; raises NotAuthenticated if its token ended meanwhile."""
        self._waiting = True
        if self.over:
            raise NotAuthenticated("the token is over")

    @contextlib.contextmanager
    def serving(self) -> Iterator[None]:
        """Stand around the stream; turns the interruption into NotAuthenticated."""
        try:
            yield
        except asyncio.CancelledError:
            if self.over and self._task is not None and self._task.uncancel() == 0:
                raise NotAuthenticated("the token is over") from None
            raise


class Bearers:
    """The tokens of one process; make it and use it inside one running loop."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._known: dict[bytes, tuple[float, Principal]] = {}
        self._streams: set[OpenStream] = set()
        self._forgettings = 0
        self._looking_after: asyncio.Task[None] | None = None

    async def principal(self, token: str) -> Principal:
        """Return whose token this is; raises NotAuthenticated."""
        if self._looking_after is None:
            self._looking_after = asyncio.create_task(self._look_after())
            self._looking_after.add_done_callback(self._looked)
        name = _name(token)
        known = self._remembered(name)
        if known is not None:
            return known
        forgettings = self._forgettings
        principal = await authenticate(self._ctx, token)
        if forgettings == self._forgettings and not principal.spent:
            self._remember(name, principal)
        return principal

    def remembered(self, token: str) -> Principal | None:
        """Return whose token this is if that need not be looked up, else None."""
        return self._remembered(_name(token)) if token else None

    def _remembered(self, name: bytes) -> Principal | None:
        known = self._known.get(name)
        return known[1] if known is not None and time.monotonic() < known[0] else None

    def _remember(self, name: bytes, principal: Principal) -> None:
        self._known.pop(name, None)
        if len(self._known) >= MOST:
            del self._known[next(iter(self._known))]
        left_s = (principal.expires_ms - self._ctx.now_ms()) / 1000
        self._known[name] = (time.monotonic() + min(LIFE_S, left_s), principal)

    def forget(self) -> None:
        """Look every token up anew."""
        self._forgettings += 1
        self._known.clear()

    @contextlib.contextmanager
    def stream(self, principal: Principal) -> Iterator[OpenStream]:
        """Look after a stream while it is open."""
        stream = OpenStream(principal)
        self._streams.add(stream)
        try:
            with stream.serving():
                yield stream
        finally:
            self._streams.discard(stream)

    async def close(self) -> None:
        """Stop looking after streams."""
        task, self._looking_after = self._looking_after, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    def _looked(self, task: asyncio.Task[None]) -> None:
        """Begin again with the next call, should the task ever fail."""
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("open streams are not looked after until the next call", exc_info=error)
            self._looking_after = None

    async def _look_after(self) -> None:
        async with self._ctx.store.wakeups.listen(*CHANGED) as bell:
            while True:
                rang = await bell.wait(RECHECK_S)
                if rang:
                    bell.clear()
                    self.forget()
                await self._end_streams()
                if rang:
                    await asyncio.sleep(SETTLE_S)

    async def _end_streams(self) -> None:
        """End the streams whose token is no more; while the store is away, those past its end."""
        token_ids = list({stream.principal.token_id for stream in self._streams})
        store, now_ms = self._ctx.store, self._ctx.now_ms()
        ends: dict[str, int] = {}
        try:
            for start in range(0, len(token_ids), AT_ONCE):
                some = token_ids[start : start + AT_ONCE]
                for token_id, data in zip(some, await store.get_tokens(some), strict=True):
                    ends[token_id] = 0 if data is None else TOKEN.decode(data).expires_ms
        except StoreError as error:
            logger.warning("open streams go on with the tokens that they have: %s", error)
        for stream in list(self._streams):
            principal = stream.principal
            if ends.get(principal.token_id, principal.expires_ms) <= now_ms:
                stream.end()


def _name(token: str) -> bytes:
    """By its hash: how long a look-up takes must tell nothing of the tokens that are known."""
    return hashlib.sha256(token.encode()).digest()
