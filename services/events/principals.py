"""Who a caller is, and what it may do."""

from __future__ import annotations

from dataclasses import dataclass, field

from .errors import NotAllowed, ScopeMissing
from .scopes import ALL, ROLE_SCOPES, Scope, names, roles_with

ROLES = tuple(ROLE_SCOPES)
HOSTS = ("admin", "host")
PLAYING = ("admin", "host", "player", "bot")  # whoever may hold a seat


@dataclass(frozen=True, slots=True)
class Principal:
    """An authenticated caller, and what its token adds and takes away."""

    player_id: str
    role: str
    scopes: Scope = ALL
    token_id: str = ""
    expires_ms: int = 0  # of its token; 0 where there is none
    spent: bool = False  # rotated out: may only ask again for what its rotation gave
    key: bytes = field(default=b"", repr=False)
    """What only the bearer can give rise to; new secrets are made with it."""

    def require(self, *roles: str) -> None:
        """Raise NotAllowed unless the caller has one of the roles."""
        if self.role not in roles:
            raise NotAllowed(self.role, roles)

    def require_scope(self, scope: Scope) -> None:
        """Raise NotAllowed where the role never has it, ScopeMissing where the token lacks it."""
        if scope not in self.scopes:
            if scope not in ROLE_SCOPES[self.role]:
                raise NotAllowed(self.role, roles_with(scope))
            raise ScopeMissing(scope.name or "", names(self.scopes))

    def is_host_of(self, created_by: str) -> bool:
        """Return whether the caller is an administrator or the host who created this."""
        return self.role == "admin" or (self.role in HOSTS and self.player_id == created_by)

    def require_host_of(self, what: str, created_by: str) -> None:
        """Raise NotAllowed unless the caller is an administrator or the host who created this."""
        self.require(*HOSTS)
        if not self.is_host_of(created_by):
            raise NotAllowed(self.role, ("admin", f"the host of this {what}"))

    @property
    def issues_freely(self) -> bool:
        """Whether tokens that this caller issues may hold more, or last longer, than its own."""
        return self.role in HOSTS and Scope.PLAYERS in self.scopes
