"""Why an action was refused: three causes, three types, one base."""

from __future__ import annotations


class RuleViolation(Exception):
    """An action was refused; the state is untouched.

    ``code`` is stable and upper snake case, ``clause`` the rule book's id, ``facts`` what a client
    may show or act on.
    """

    def __init__(self, code: str, clause: str, **facts: object) -> None:
        super().__init__(code, clause, facts)
        self.code = code
        self.clause = clause
        self.facts = facts

    def __str__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.facts.items())
        return f"{self.code} ({self.clause}){': ' + shown if shown else ''}"


class Malformed(RuleViolation):
    """The action does not make sense in any state: a card that is not held, an unknown meld."""


class NotYourTurn(RuleViolation):
    """Another seat must decide."""


class IllegalHere(RuleViolation):
    """Well formed and in turn, but the rules forbid it in this state."""
