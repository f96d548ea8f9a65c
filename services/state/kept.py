"""What this process has read or worked out and that never changes, kept so far as there is room."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar

ROOM = 200_000
"""Items, such as entrants or seats of results: some 60 MB of them."""
T = TypeVar("T")


class Kept:
    """Values by a key and a stamp, which says of what moment they are; one value a key.

    When there is no more room, those that nobody asked for longest go first. Whoever gets a value
    shares it with others, and does not change it.
    """

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._values: OrderedDict[Hashable, tuple[Hashable, Any, int]] = OrderedDict()
        self._making: dict[Hashable, asyncio.Future[Any]] = {}
        self.items = 0

    def get(self, key: Hashable, stamp: Hashable) -> Any:
        """Return the value, or None when there is none or it is of another moment."""
        found = self._values.get(key)
        if found is None or found[0] != stamp:
            return None
        self._values.move_to_end(key)
        return found[1]

    def put(self, key: Hashable, stamp: Hashable, value: object, items: int) -> None:
        """Keep a value of so many items; one that would fill half of the room is not kept.

        One that holds nothing counts as an item: it takes room as well.
        """
        items = max(items, 1)
        _, _, before = self._values.pop(key, (None, None, 0))
        self.items -= before
        if items > self._room // 2:
            return
        self._values[key] = (stamp, value, items)
        self.items += items
        while self.items > self._room:
            _, (_, _, gone) = self._values.popitem(last=False)
            self.items -= gone

    async def once(
        self,
        key: Hashable,
        stamp: Hashable,
        make: Callable[[], Awaitable[T]],
        items: Callable[[T], int],
    ) -> T:
        """Return the value, made once for all who ask at the same time; raises what ``make`` does.

        ``items`` says how many it holds.
        """
        found: T | None = self.get(key, stamp)
        if found is not None:
            return found
        making = self._making.get((key, stamp))
        if making is None:
            making = asyncio.ensure_future(self._made(key, stamp, make, items))
            making.add_done_callback(lambda made: made.cancelled() or made.exception())
            self._making[key, stamp] = making
        value: T = await asyncio.shield(making)  # one caller that gives up does not stop the others
        return value

    async def _made(
        self,
        key: Hashable,
        stamp: Hashable,
        make: Callable[[], Awaitable[T]],
        items: Callable[[T], int],
    ) -> T:
        try:
            value = await make()
            self.put(key, stamp, value, items(value))
            return value
        finally:
            del self._making[key, stamp]
