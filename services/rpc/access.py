"""What each call needs of its caller: nothing, any token, or a token with a scope.

Roles and whose things are whose are for the use cases to look at; this is about tokens.
"""

from __future__ import annotations

from enum import Enum

from services.events.errors import NotAuthenticated
from services.events.principals import Principal
from services.events.scopes import Scope


class Need(Enum):
    """What is needed short of a scope."""

    NOTHING = "nothing"
    """Anybody may ask."""
    TOKEN = "token"  # noqa: S105  no password
    """Any token will do; the use case looks at what it is for."""


_API = "/rummy_arena.api.v1."

NEEDS: dict[str, Need | Scope] = {
    f"{_API}RuleService/ListRuleSets": Need.NOTHING,
    f"{_API}RuleService/GetRuleSet": Need.NOTHING,
    f"{_API}RuleService/ListFormats": Need.NOTHING,
    f"{_API}PlayerService/CreatePlayer": Scope.PLAYERS,
    f"{_API}PlayerService/CreateToken": Need.TOKEN,
    f"{_API}PlayerService/ListTokens": Need.TOKEN,
    f"{_API}PlayerService/RevokeToken": Need.TOKEN,
    f"{_API}PlayerService/RotateToken": Need.TOKEN,
    f"{_API}TableService/GetTable": Scope.WATCH,
    f"{_API}TableService/Act": Scope.PLAY,
    f"{_API}TableService/WatchTable": Scope.WATCH,
    f"{_API}TableService/GetHistory": Scope.WATCH,
    f"{_API}TableService/CreateTable": Scope.MANAGE,
    f"{_API}TableService/ListTables": Scope.WATCH,
    f"{_API}TableService/TakeSeat": Scope.PLAY,
    f"{_API}TableService/LeaveSeat": Scope.PLAY,
    f"{_API}TableService/SetReady": Scope.PLAY,
    f"{_API}TableService/StartTable": Scope.MANAGE,
    f"{_API}TableService/PauseTable": Scope.MANAGE,
    f"{_API}TableService/ResumeTable": Scope.MANAGE,
    f"{_API}TableService/AdjudicateTable": Scope.MANAGE,
    f"{_API}TableService/CloseTable": Scope.MANAGE,
    f"{_API}TableService/ExportTable": Scope.WATCH,
    f"{_API}LadderService/CreateLadder": Scope.MANAGE,
    f"{_API}LadderService/EnterLadder": Scope.ENTER,
    f"{_API}LadderService/LeaveLadder": Scope.ENTER,
    f"{_API}LadderService/CloseLadder": Scope.MANAGE,
    f"{_API}LadderService/EndLadderSeason": Scope.MANAGE,
    f"{_API}LadderService/GetLadder": Scope.WATCH,
    f"{_API}LadderService/GetLadderEntrant": Scope.WATCH,
    f"{_API}LadderService/ListLadders": Scope.WATCH,
    f"{_API}LadderService/GetLadderStandings": Scope.WATCH,
    f"{_API}LadderService/ListLadderMatches": Scope.WATCH,
    f"{_API}LadderService/GetHeadToHead": Scope.WATCH,
    f"{_API}LadderService/GetRatingHistory": Scope.WATCH,
    f"{_API}LadderService/ExplainLadder": Scope.WATCH,
    f"{_API}LadderService/CheckLadderRatings": Scope.MANAGE,
    f"{_API}TournamentService/CreateTournament": Scope.MANAGE,
    f"{_API}TournamentService/Register": Scope.ENTER,
    f"{_API}TournamentService/StartTournament": Scope.MANAGE,
    f"{_API}TournamentService/GetTournament": Scope.WATCH,
    f"{_API}TournamentService/ListTournaments": Scope.WATCH,
    f"{_API}TournamentService/GetBracket": Scope.WATCH,
    f"{_API}TournamentService/GetStandings": Scope.WATCH,
    f"{_API}TournamentService/WatchTournament": Scope.WATCH,
    f"{_API}TournamentService/ListTournamentEvents": Scope.WATCH,
    f"{_API}TournamentService/CheckIn": Scope.ENTER,
    f"{_API}TournamentService/Withdraw": Scope.ENTER,
    f"{_API}TournamentService/ReturnToTournament": Scope.ENTER,
    f"{_API}TournamentService/ExplainTournament": Scope.WATCH,
    f"{_API}DirectorService/PauseTournament": Scope.MANAGE,
    f"{_API}DirectorService/ResumeTournament": Scope.MANAGE,
    f"{_API}DirectorService/CancelTournament": Scope.MANAGE,
    f"{_API}DirectorService/ReplayTable": Scope.MANAGE,
    f"{_API}DirectorService/ReplaceEntrant": Scope.MANAGE,
    f"{_API}DirectorService/DisqualifyEntrant": Scope.MANAGE,
    f"{_API}DirectorService/RepairRound": Scope.MANAGE,
    f"{_API}WebhookService/SetWebhook": Scope.MANAGE,
    f"{_API}WebhookService/GetWebhook": Scope.MANAGE,
    f"{_API}WebhookService/RotateWebhookSecret": Scope.MANAGE,
    f"{_API}WebhookService/TestWebhook": Scope.MANAGE,
    f"{_API}WebhookService/DeleteWebhook": Scope.MANAGE,
}
"""A row for each of our RPCs, named ``/package.Service/Method``.

Health and reflection lie outside our services and need nothing.
"""

REPEATS_ROTATION = f"{_API}PlayerService/RotateToken"
"""The one call for which a token that was rotated out is still good, for its repeat."""


COSTS = {
    f"{_API}PlayerService/RevokeToken": 20,
    f"{_API}PlayerService/RotateToken": 20,
    f"{_API}LadderService/CheckLadderRatings": 20,
    f"{_API}LadderService/ExplainLadder": 10,
    f"{_API}LadderService/GetLadderStandings": 10,
    f"{_API}LadderService/GetHeadToHead": 10,
}
"""Calls that count as many in the rates: after some every process looks all tokens up anew, others
read thousands of entrants or results."""


def admit(method: str, principal: Principal) -> None:
    """Raise NotAuthenticated, ScopeMissing or NotAllowed unless the caller's token will do."""
    if principal.spent and method != REPEATS_ROTATION:
        raise NotAuthenticated("the token has been rotated out")
    need = NEEDS[method]
    if isinstance(need, Scope):
        principal.require_scope(need)
