"""Why a use case on players or tournaments refused."""

from __future__ import annotations


class InvalidOption(Exception):
    """An option cannot be used; ``option`` is its name and ``reason`` says what would do."""

    def __init__(self, option: str, reason: str) -> None:
        super().__init__(f"{option}: {reason}")
        self.option = option
        self.reason = reason


class WrongStatus(Exception):
    """The tournament is not in a status in which this can be done."""

    def __init__(self, tournament_id: str, status: str, wanted: str) -> None:
        super().__init__(f"tournament {tournament_id} is {status}; it would have to be {wanted}")
        self.tournament_id = tournament_id
        self.status = status
        self.wanted = wanted


class TableNotOpen(Exception):
    """The table is paired and about to be opened; trying again in a moment finds it."""

    def __init__(self, table_id: str) -> None:
        super().__init__(f"table {table_id} is paired and will open in a moment; try again")
        self.table_id = table_id


class TournamentFull(Exception):
    """Every place is taken."""

    def __init__(self, tournament_id: str, capacity: int) -> None:
        super().__init__(f"tournament {tournament_id} is full: all {capacity} places are taken")
        self.tournament_id = tournament_id
        self.capacity = capacity


class LadderFull(Exception):
    """Every place of a ladder is taken."""

    def __init__(self, ladder_id: str, capacity: int) -> None:
        super().__init__(f"ladder {ladder_id} is full: all {capacity} places are taken")
        self.ladder_id = ladder_id
        self.capacity = capacity


class LadderOver(Exception):
    """A ladder has ended, or is about to: it opens no more tables."""

    def __init__(self, ladder_id: str) -> None:
        super().__init__(f"ladder {ladder_id} has ended")
        self.ladder_id = ladder_id


class NotEntered(Exception):
    """The player never entered the ladder."""

    def __init__(self, ladder_id: str, player_id: str) -> None:
        super().__init__(f"player {player_id} never entered ladder {ladder_id}")
        self.ladder_id = ladder_id
        self.player_id = player_id


class EntryRefused(Exception):
    """The player does not meet a condition of entry; ``condition`` names it."""

    def __init__(self, condition: str, reason: str) -> None:
        super().__init__(f"{condition}: {reason}")
        self.condition = condition
        self.reason = reason


class UnknownEntrant(Exception):
    """The player, or the number, is no entrant of the tournament."""

    def __init__(self, tournament_id: str, entrant: str) -> None:
        super().__init__(f"{entrant} is no entrant of tournament {tournament_id}")
        self.tournament_id = tournament_id
        self.entrant = entrant


class NotNow(Exception):
    """What is asked for has its time, and it is not now; ``reason`` says when."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"{what}: {reason}")
        self.what = what
        self.reason = reason


class NotAuthenticated(Exception):
    """The token is missing, unknown, or has expired."""


class NotAllowed(Exception):
    """The caller may not do this; ``needed`` lists the roles, or whose role, that may."""

    def __init__(self, role: str, needed: tuple[str, ...]) -> None:
        super().__init__(f"role {role} may not do this; needed: {' or '.join(needed)}")
        self.role = role
        self.needed = needed


class ScopeMissing(Exception):
    """The token lacks the ``scope`` that this needs; ``held`` are those that it has."""

    def __init__(self, scope: str, held: tuple[str, ...]) -> None:
        super().__init__(f"the token lacks the scope {scope}; it has {', '.join(held) or 'none'}")
        self.scope = scope
        self.held = held


class TooManyTokens(Exception):
    """The player has as many live tokens as one may have."""

    def __init__(self, player_id: str, most: int) -> None:
        super().__init__(f"player {player_id} has {most} live tokens; revoke some first")
        self.player_id = player_id
        self.most = most


class TokenReplaced(Exception):
    """The token was rotated before; its successor is the one to use."""

    def __init__(self, token_id: str, successor: str) -> None:
        super().__init__(f"token {token_id} was rotated into {successor}")
        self.token_id = token_id
        self.successor = successor


class OperatorsToken(Exception):
    """The token is set where the servers run, and would come back."""
