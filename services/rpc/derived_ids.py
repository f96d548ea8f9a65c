"""Ids that are derived from a request and its caller, so that a repeat is known as one."""

from __future__ import annotations

import base64
import hashlib

from services.events.principals import Principal

from .interceptors import caller

ID_BYTES = 15


def derived_id(kind: str, principal: Principal, request_id: str) -> str:
    """Return the id of the ``kind`` of thing that this caller's request creates: 24 characters."""
    text = "\n".join((kind, principal.role, principal.player_id, request_id))
    digest = hashlib.sha256(text.encode()).digest()[:ID_BYTES]
    return base64.b32encode(digest).decode().lower()


def own_request(request_id: str) -> str:
    """Return the id under which the caller's request is kept: ids of others never meet it.

    So two players may number their requests alike, and nobody learns from the answer to a guessed
    id what another has asked for, such as an answer in an open call window.
    """
    return derived_id("request", caller(), request_id)
