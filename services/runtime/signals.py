"""The signals that ask a command to end: Ctrl-C, SIGTERM, and the hang-up of a closed terminal."""

from __future__ import annotations

import signal
from types import FrameType

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopSignals:
    """Counts the requests to stop; the first asks for a drain, the next ones for haste."""

    def __init__(self) -> None:
        self._count = 0
        self.first: signal.Signals | None = None

    def install(self) -> None:
        """Handle the signals from now on; call from the main thread."""
        for number in STOPPING:
            signal.signal(number, self._note)

    def received(self) -> bool:
        """True once a signal asked for the end."""
        return self._count > 0

    def hurried(self) -> bool:
        """True once a second signal said that the drain takes too long."""
        return self._count > 1

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self._count += 1
        self.first = self.first or signal.Signals(number)
