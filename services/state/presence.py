"""Who is there: the streams of players, and the pulses of the API processes that carry them.

A player who is away too long may lose its seat's time or the seat; time in which the whole platform
was away counts for nobody. All times are the callers' clocks, in milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from . import keys
from .link import Link
from .scripts import unavailable

KEPT_MS = 6 * 3_600_000
"""A player not seen for so long is as one never seen."""
OUTAGES_KEPT_MS = 24 * 3_600_000
MOST_OUTAGES = 1_000


@dataclass(frozen=True, slots=True)
class Presence:
    """Whether a player has a live stream, and when it was last seen."""

    live: bool
    last_seen_ms: int


class Presences(Link):
    """One sorted set a player, streams by the time until which they count as live."""

    async def seen(self, player_id: str, stream_id: str, now_ms: int, hold_ms: int) -> None:
        """Count the player's stream as live for ``hold_ms`` from now; repeat it before that.

        So the streams of a process that dies end by themselves.
        """
        await self._note(player_id, stream_id, now_ms, now_ms + hold_ms)

    async def left(self, player_id: str, stream_id: str, now_ms: int) -> None:
        """Count the player's stream as ended; its other streams live on."""
        await self._note(player_id, stream_id, now_ms, "")

    async def _note(self, player_id: str, stream_id: str, now_ms: int, until_ms: int | str) -> None:
        key = keys.presence(player_id)
        await self._scripts.run("presence", [key], stream_id, now_ms, until_ms, KEPT_MS)

    async def presences(self, player_ids: Iterable[str], now_ms: int) -> dict[str, Presence]:
        """Return what is known of each player; one never seen, or not for long, is left out."""
        wanted = list(dict.fromkeys(player_ids))
        if not wanted:
            return {}
        found = await self._together(
            *(("ZRANGE", keys.presence(player_id), 0, -1, "WITHSCORES") for player_id in wanted)
        )
        return {
            player_id: _presence(
                dict(zip(scores[::2], map(int, scores[1::2]), strict=True)), now_ms
            )
            for player_id, scores in zip(wanted, found, strict=True)
            if scores
        }

    async def pulse(self, now_ms: int, gap_ms: int) -> bool:
        """Say that this API process lives, about once a second; return whether an outage ended.

        When no process pulsed for longer than ``gap_ms``, the time since is kept as an outage.
        """
        where = [keys.last_pulse(), keys.outages(), keys.alive()]
        arguments = (now_ms, gap_ms, OUTAGES_KEPT_MS, MOST_OUTAGES)
        return bool(await self._scripts.run("pulse", where, *arguments))

    async def outages(self, after_ms: int) -> list[tuple[int, int]]:
        """Return the (first, last) moment of outages that ended after ``after_ms``, in order.

        They do not overlap. Outages are kept for a day.
        """
        with unavailable():
            spans = await self._client.zrange(keys.outages(), f"({after_ms}", "+inf", byscore=True)
        return [(int(first), int(last)) for first, _, last in (s.partition(b"-") for s in spans)]

    async def silent_since(self) -> int | None:
        """Return when the last pulse came if an outage is going on now; else None.

        None too before the first pulse of all: who never came is not away.
        """
        last, alive = await self._together(("GET", keys.last_pulse()), ("EXISTS", keys.alive()))
        return None if alive or last is None else int(last)


def _presence(scores: dict[bytes, int], now_ms: int) -> Presence:
    last_seen_ms = scores.pop(b"", 0)
    return Presence(any(until_ms > now_ms for until_ms in scores.values()), last_seen_ms)
