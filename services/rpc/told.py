"""What a caller is told of a refusal, and how most of it is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import grpc

from .violations import InvalidRequest, Violation


class Told(NamedTuple):
    """What a caller is told about one refusal."""

    code: grpc.StatusCode
    reason: str
    message: str
    facts: Mapping[str, str] = {}
    violations: tuple[Violation, ...] = ()
    retry_ms: int = 0  # when the same call may be made again


@dataclass(frozen=True)
class Row:
    """A line of the table: ``facts`` names attributes of the exception that callers may see."""

    code: grpc.StatusCode
    reason: str
    message: str
    facts: tuple[str, ...] = ()

    def __call__(self, error: Any) -> Told:
        """Return what this row tells of one exception."""
        facts = {name: fact_text(getattr(error, name)) for name in self.facts}
        return Told(self.code, self.reason, self.message.format(**facts), facts)


def invalid(error: InvalidRequest) -> Told:
    """Return what is told of fields that cannot be used."""
    message = "the request has fields that cannot be used; correct them and send it again"
    return Told(
        grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST", message, violations=error.violations
    )


def fact_text(value: object) -> str:
    """Return a fact as metadata holds it."""
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, (tuple, list)):
        return ", ".join(map(fact_text, value))
    return str(value)
