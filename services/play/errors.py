"""Why a use case on a table refused."""

from __future__ import annotations


class NotSeated(Exception):
    """The player has no seat at this table, so it cannot act there."""

    def __init__(self, table_id: str, player_id: str) -> None:
        super().__init__(f"player {player_id} has no seat at table {table_id}")
        self.table_id = table_id
        self.player_id = player_id


class HouseBotSeat(Exception):
    """A house bot plays this seat; nobody else may act for it."""

    def __init__(self, table_id: str, seat: int, bot: str) -> None:
        super().__init__(f"seat {seat} of table {table_id} is played by the house bot {bot}")
        self.table_id = table_id
        self.seat = seat
        self.bot = bot


class SlowConsumer(Exception):
    """A watcher did not read as fast as its table played; it can go on after ``after_sequence``."""

    def __init__(self, after_sequence: int) -> None:
        super().__init__(f"too much waits for a watcher that has everything up to {after_sequence}")
        self.after_sequence = after_sequence
