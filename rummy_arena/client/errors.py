"""What a refused call raises."""

from __future__ import annotations

from typing import NamedTuple

import grpc
from google.protobuf.message import DecodeError
from google.rpc import (  # type: ignore[import-untyped]  # has stubs but does not publish them
    error_details_pb2,
    status_pb2,
)

UNREACHABLE = "UNREACHABLE"
"""Reason when no server answered, so that nobody could give another."""


class FieldViolation(NamedTuple):
    """One field of a request that the server refused, and what it wants there."""

    field: str
    problem: str


class ArenaError(Exception):
    """A call was refused or did not arrive.

    ``code`` is the gRPC status, ``reason`` the stable UPPER_SNAKE cause, ``facts`` what the server
    told about it, and ``violations`` names the fields of a request that was not valid.
    ``retry_after_s`` says when a caller that was too fast may call again.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        message: str,
        facts: dict[str, str] | None = None,
        violations: tuple[FieldViolation, ...] = (),
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(code, reason, message)
        self.code = code
        self.reason = reason
        self.message = message
        self.facts = facts or {}
        self.violations = violations
        self.retry_after_s = retry_after_s

    def __str__(self) -> str:
        fields = "".join(f"; {field}: {problem}" for field, problem in self.violations)
        return f"{self.reason}: {self.message}{fields}"


def arena_error(error: grpc.aio.AioRpcError, address: str) -> ArenaError:
    """Return what a failed call says, with the reason and facts that the server sent along."""
    status = _status(error)
    info = error_details_pb2.ErrorInfo()
    bad = error_details_pb2.BadRequest()
    retry = error_details_pb2.RetryInfo()
    for detail in status.details:
        if not detail.Unpack(info) and not detail.Unpack(retry):
            detail.Unpack(bad)
    if not info.reason and error.code() is grpc.StatusCode.UNAVAILABLE:
        return ArenaError(error.code(), UNREACHABLE, _unreachable(error.details() or "", address))
    return ArenaError(
        error.code(),
        info.reason or error.code().name,
        status.message or error.details() or error.code().name,
        dict(info.metadata),
        tuple(FieldViolation(item.field, item.description) for item in bad.field_violations),
        retry.retry_delay.ToMilliseconds() / 1000 if retry.HasField("retry_delay") else None,
    )


def _unreachable(details: str, address: str) -> str:
    """Return what to look at; gRPC tells what went wrong in its details alone."""
    if "WRONG_VERSION_NUMBER" in details:
        return f"the server at {address} has no TLS; connect without tls= (on a command line, --ca)"
    if "CERTIFICATE_VERIFY_FAILED" in details:
        return (
            f"the server at {address} shows a certificate that is not believed; give the one that "
            "signed it, or its own: Tls(root_certificates=), on a command line --ca"
        )
    if "failed to connect" in details and "Socket closed" in details:
        return (
            f"the server at {address} closes the connection; an arena with TLS wants tls= (on a "
            "command line, --ca), with mutual TLS a certificate and its key too"
        )
    # Of a name with several addresses only the last one's trouble is told, so that TLS may be it.
    return (
        f"no server answers at {address}; is it running, is the address right, and do both sides "
        "speak TLS, or neither?"
    )


def _status(error: grpc.aio.AioRpcError) -> status_pb2.Status:
    status = status_pb2.Status()
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            try:
                status.ParseFromString(value)
            except DecodeError:
                status.Clear()
    return status
