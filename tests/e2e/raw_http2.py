"""Just enough of HTTP/2 to misbehave in it: calls whose answers are never let through."""

from __future__ import annotations

import struct

_DATA, _HEADERS, _SETTINGS = 0, 1, 4
_END_STREAM, _END_HEADERS = 1, 4
_INITIAL_WINDOW_SIZE = 4
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def greeting() -> bytes:
    """Return what a connection begins with; it leaves no room for any byte of an answer."""
    return _PREFACE + _frame(_SETTINGS, 0, 0, struct.pack(">HI", _INITIAL_WINDOW_SIZE, 0))


def call(nth: int, path: str, token: str, message: bytes) -> bytes:
    """Return the frames of the connection's ``nth`` call, from 0."""
    stream = 2 * nth + 1
    fields = (
        (":method", "POST"),
        (":scheme", "http"),
        (":path", path),
        (":authority", "arena"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
        ("authorization", f"Bearer {token}"),
    )
    body = b"\0" + struct.pack(">I", len(message)) + message
    return _frame(_HEADERS, _END_HEADERS, stream, b"".join(map(_field, fields))) + _frame(
        _DATA, _END_STREAM, stream, body
    )


def _field(field: tuple[str, str]) -> bytes:
    """A header field as it is, neither indexed nor packed; its parts are short."""
    name, value = (part.encode() for part in field)
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    head = struct.pack(">I", len(payload))[1:] + bytes([kind, flags])
    return head + struct.pack(">I", stream) + payload
