"""Ids that are derived from a request and its caller, so that a repeat is known as one."""

from __future__ import annotations

import base64
import hashlib

from services.events.principals import Principal

from .interceptors import caller

ID_BYTES = 15
REQUEST_DIGITS = 24  # 96 bits, and far faster to write than letters


def derived_id(kind: str, principal: Principal, request_id: str) -> str:
    """Return the id of the ``kind`` of thing that this caller's request creates: 24 characters."""
    digest = _of(kind, principal, request_id).digest()[:ID_BYTES]
    return base64.b32encode(digest).decode().lower()


def own_request(request_id: str) -> str:
    """Return the id under which the caller's request is kept: ids of others never meet it.

    So two players may number their requests alike, and nobody learns from the answer to a guessed
    id what another has asked for, such as an answer in an open call window.
    """
    return _of("request", caller(), request_id).hexdigest()[:REQUEST_DIGITS]


def _of(kind: str, principal: Principal, request_id: str) -> hashlib._Hash:
    text = "\n".join((kind, principal.role, principal.player_id, request_id))
    return hashlib.sha256(text.encode())
