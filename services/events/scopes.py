"""What a token may be used for: a small closed set, never more than its player's role has."""

from __future__ import annotations

from enum import IntFlag


class Scope(IntFlag):
    """One kind of use each; stored as a number, so values never change."""

    WATCH = 1  # read and follow tables and tournaments, one's own cards included
    PLAY = 2  # take seats and act
    ENTER = 4  # enter tournaments and leave them
    MANAGE = 8  # create tables and tournaments and direct them
    PLAYERS = 16  # create players, and tokens of others


ALL = Scope.WATCH | Scope.PLAY | Scope.ENTER | Scope.MANAGE | Scope.PLAYERS
_PLAYS = Scope.WATCH | Scope.PLAY | Scope.ENTER | Scope.MANAGE
ROLE_SCOPES = {
    "admin": ALL,
    "host": ALL,
    "player": _PLAYS,
    "bot": _PLAYS,
    "spectator": Scope.WATCH,
}
"""The most that a token of each role may hold; roles themselves are looked at besides."""


def roles_with(scope: Scope) -> tuple[str, ...]:
    """Return the roles whose tokens can hold a scope."""
    return tuple(role for role, scopes in ROLE_SCOPES.items() if scope in scopes)


def names(scopes: Scope) -> tuple[str, ...]:
    """Return the names of the single scopes, in order."""
    return tuple(scope.name or "" for scope in Scope if scope in scopes)
