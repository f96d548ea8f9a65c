"""Which calls need no token: everything else does."""

from __future__ import annotations

OPEN = frozenset(
    {
        "/rummy_arena.api.v1.RuleService/ListRuleSets",
        "/rummy_arena.api.v1.RuleService/GetRuleSet",
    }
)
"""What anybody may ask. Health and reflection lie outside our services and are open too."""


def is_open(method: str) -> bool:
    """Return whether a call, named ``/package.Service/Method``, needs no token."""
    return method in OPEN
