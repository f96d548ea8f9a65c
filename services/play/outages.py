"""Time in which the whole arena was away, so that nobody could act: it is charged to nobody."""

from __future__ import annotations

from services.state.context import Context

SILENCE_MS = 3_000
"""API processes say every second that they live; so long without a word is an outage."""
FRESH_MS = 1_000


async def say_alive(ctx: Context) -> bool:
    """Say that this API process can serve; return whether that ended an outage."""
    return await ctx.store.pulse(ctx.now_ms(), SILENCE_MS)


async def outages(ctx: Context, after_ms: int) -> list[tuple[int, int]]:
    """Return (first, last) in ms since the epoch of the outages that ended after ``after_ms``.

    One that is going on ends now: after a restart the sweep may be there before any API process.
    """
    spans = await ctx.store.outages(after_ms)
    since_ms, now_ms = await ctx.store.silent_since(), ctx.now_ms()
    if since_ms is not None and since_ms < now_ms:
        spans.append((since_ms, now_ms))
    return spans


class KnownOutages:
    """The outages as this process last read them, for telling deadlines: many look each second."""

    def __init__(self) -> None:
        self._read_ms = 0
        self._spans: list[tuple[int, int]] = []

    async def spans(self, ctx: Context) -> list[tuple[int, int]]:
        """Return outages of the last day, by ``FRESH_MS`` late at most."""
        now_ms = ctx.now_ms()
        if not 0 <= now_ms - self._read_ms < FRESH_MS:
            self._spans, self._read_ms = await ctx.store.outages(0), now_ms
        return self._spans
