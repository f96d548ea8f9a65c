"""What each part of the store works through: the client, its lines, and its scripts."""

from __future__ import annotations

from typing import Any

from .client import Client, lines_of, together
from .scripts import Scripts, unavailable


class Link:
    """A client, which replies in bytes, and the scripts loaded through it."""

    def __init__(self, client: Client) -> None:
        self._client: Any = client  # its stubs allow for str replies; here all are bytes
        self._lines = lines_of(client)
        self._ask: Any = client.execute_command if self._lines is None else self._lines.ask
        self._scripts = Scripts(self._ask)

    async def _together(self, *commands: tuple[Any, ...]) -> list[Any]:
        """Send commands that only read, or may run twice, in one go; return their replies."""
        with unavailable():
            return await together(self._client, commands)
