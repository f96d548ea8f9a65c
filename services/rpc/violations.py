"""Requests that are not valid: every field that is wrong, and what to put there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

# What ids look like, here and when they come back to us; none may reach into a key's shape.
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
_REQUEST_ID = re.compile(r"[!-~]{1,64}")

# What options and their values look like; whether there are such is for the rule set to say.
_CHOICE = re.compile(r"[ -~]{1,64}")
_MOST_CHOICES = 64
MOST_TOLD = 20
"""Violations told of a request: gRPC drops answers whose metadata is longer than 8 KiB."""


class Violation(NamedTuple):
    """A field's path in the request, and what to do about it."""

    field: str
    problem: str


class InvalidRequest(Exception):
    """A request has fields that cannot be used; nothing was changed."""

    def __init__(self, *violations: Violation) -> None:
        super().__init__(violations)
        self.violations = violations


class Fields:
    """Checks the fields of one request and gathers what is wrong, to tell all of it at once."""

    def __init__(self) -> None:
        self._violations: list[Violation] = []

    def refuse(self, field: str, problem: str) -> None:
        """Note that a field cannot be used."""
        self._violations.append(Violation(field, problem))

    def done(self) -> None:
        """Raise InvalidRequest if any field was refused; of very many only the first are told."""
        told = self._violations[:MOST_TOLD]
        if more := len(self._violations) - len(told):
            told.append(Violation("", f"{more} more fields cannot be used either"))
        if told:
            raise InvalidRequest(*told)

    def id(self, field: str, value: str) -> str:
        """Return the id of something; refuse what cannot be one."""
        if not _ID.fullmatch(value):
            self.refuse(field, "give the id as the server gave it" if value else "give an id")
        return value

    def request_id(self, value: str) -> str:
        """Return the request id; refuse a missing, long or unprintable one."""
        if not _REQUEST_ID.fullmatch(value):
            self.refuse(
                "request_id",
                "give an id that you make for this request, 1 to 64 printable ASCII characters "
                "without spaces, such as a UUID",
            )
        return value

    def text(self, field: str, value: str, *, longest: int) -> str:
        """Return a text without blanks around it; refuse an empty, long or unprintable one."""
        stripped = value.strip()
        if not 1 <= len(stripped) <= longest or not stripped.isprintable():
            self.refuse(field, f"give 1 to {longest} printable characters")
        return stripped

    def choices(self, field: str, values: Mapping[str, str]) -> dict[str, str]:
        """Return options by name; refuse too many, and texts that cannot be one's name or value."""
        if len(values) > _MOST_CHOICES:
            self.refuse(field, f"give at most {_MOST_CHOICES} options")
        elif not all(map(_CHOICE.fullmatch, (*values.keys(), *values.values()))):
            self.refuse(field, "give names and values as GetRuleSet or ListFormats lists them")
        return dict(values)

    def page_size(self, value: int, *, usual: int, largest: int) -> int:
        """Return how many items a page may hold."""
        if value > largest:
            self.refuse("page_size", f"give at most {largest}, or 0 for {usual}")
        return value or usual
