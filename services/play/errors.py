"""Why a use case on a table refused."""

from __future__ import annotations

from services.state.records import Life


class TooLate(Exception):
    """The time of the decision was over when the call came; the arena makes it."""

    def __init__(self, table_id: str, deadline_ms: int, arrived_ms: int) -> None:
        super().__init__(f"the time at table {table_id} was over {arrived_ms - deadline_ms} ms ago")
        self.table_id = table_id
        self.late_ms = arrived_ms - deadline_ms


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


class WrongLife(Exception):
    """The table is not where it would have to be in its life for this.

    ``status`` is where it is, and ``wanted`` where it would have to be, in words.
    """

    def __init__(self, table_id: str, life: Life, *wanted: Life) -> None:
        self.table_id = table_id
        self.status = life.name.lower()
        self.wanted_lives = wanted
        self.wanted = " or ".join(one.name.lower() for one in wanted)
        super().__init__(f"table {table_id} is {self.status}; it would have to be {self.wanted}")


class NeverPlayed(Exception):
    """The table was called off before its game began, so there is no game to write."""

    def __init__(self, table_id: str) -> None:
        super().__init__(f"no card was dealt at table {table_id}")
        self.table_id = table_id


class NotDirector(Exception):
    """Only who created the table, and administrators, may do this."""

    def __init__(self, table_id: str) -> None:
        super().__init__(f"table {table_id} is directed by who created it")
        self.table_id = table_id


class NotInvited(Exception):
    """The table is private, and the player is not invited."""

    def __init__(self, table_id: str) -> None:
        super().__init__(f"table {table_id} is private")
        self.table_id = table_id


class CannotSit(Exception):
    """A player of this role holds no seat."""

    def __init__(self, player_id: str, role: str) -> None:
        super().__init__(f"player {player_id} has the role {role}, which holds no seat")
        self.player_id = player_id
        self.role = role


class SeatOccupied(Exception):
    """Somebody else sits there."""

    def __init__(self, table_id: str, seat: int) -> None:
        super().__init__(f"seat {seat} of table {table_id} is taken")
        self.table_id = table_id
        self.seat = seat


class NoSuchSeat(Exception):
    """The table has no seat of this number."""

    def __init__(self, table_id: str, seat: int, seats: int) -> None:
        super().__init__(f"table {table_id} has seats 0 to {seats - 1}, not {seat}")
        self.table_id = table_id
        self.seat = seat
        self.last_seat = seats - 1


class AlreadySeated(Exception):
    """The player sits at another seat of this table."""

    def __init__(self, table_id: str, seat: int) -> None:
        super().__init__(f"the player has seat {seat} of table {table_id} already")
        self.table_id = table_id
        self.seat = seat


class TableFull(Exception):
    """Every seat is taken."""

    def __init__(self, table_id: str, seats: int) -> None:
        super().__init__(f"all {seats} seats of table {table_id} are taken")
        self.table_id = table_id
        self.seats = seats


class SeatsFree(Exception):
    """The game cannot start before every seat is taken."""

    def __init__(self, table_id: str, free: int) -> None:
        super().__init__(f"{free} seats of table {table_id} are free")
        self.table_id = table_id
        self.free = free


class TooManyTables(Exception):
    """The player created as many tables as one may have, and none of them has ended."""

    def __init__(self, player_id: str, most: int) -> None:
        super().__init__(f"player {player_id} has {most} tables that have not ended")
        self.player_id = player_id
        self.most = most


class InTournament(Exception):
    """The table belongs to a tournament, which waits for its result."""

    def __init__(self, table_id: str, tournament_id: str) -> None:
        super().__init__(f"table {table_id} belongs to tournament {tournament_id}")
        self.table_id = table_id
        self.tournament_id = tournament_id


class HeldByTournament(Exception):
    """The table stands still with its tournament, and goes on with it."""

    def __init__(self, table_id: str, tournament_id: str) -> None:
        super().__init__(f"table {table_id} is paused with tournament {tournament_id}")
        self.table_id = table_id
        self.tournament_id = tournament_id


class InvalidPlaces(Exception):
    """The places of an adjudication are none; the text says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TableSealed(Exception):
    """Other tables still play the same deals; until all have ended, its cards are for its seats."""

    def __init__(self, table_id: str) -> None:
        super().__init__(f"table {table_id} plays deals that others are still playing")
        self.table_id = table_id


class SlowConsumer(Exception):
    """A watcher did not read as fast as its table played; it can go on after ``after_sequence``."""

    def __init__(self, after_sequence: int) -> None:
        super().__init__(f"too much waits for a watcher that has everything up to {after_sequence}")
        self.after_sequence = after_sequence
