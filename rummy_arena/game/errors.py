"""Why an action was refused: three causes, three types, one base."""

from __future__ import annotations

from enum import Enum


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
        shown = ", ".join(f"{name}={fact_words(value)}" for name, value in self.facts.items())
        return f"{self.code} ({self.clause}){': ' + shown if shown else ''}"


def fact_words(value: object) -> str:
    """Return a fact for people to read: members of enums by their names in lower case."""
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, tuple) and any(isinstance(item, Enum) for item in value):
        return " or ".join(map(fact_words, value))
    return repr(value)


class Malformed(RuleViolation):
    """The action does not make sense in any state: a card that is not held, an unknown meld."""


class NotYourTurn(RuleViolation):
    """Another seat must decide."""


class IllegalHere(RuleViolation):
    """Well formed and in turn, but the rules forbid it in this state."""
