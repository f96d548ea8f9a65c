"""Ids of what a request creates: derived from it, so that a repeat creates nothing."""

from __future__ import annotations

import base64
import hashlib

from services.events.principals import Principal

ID_BYTES = 15


def derived_id(kind: str, principal: Principal, request_id: str) -> str:
    """Return the id of the ``kind`` of thing that this caller's request creates: 24 characters."""
    text = "\n".join((kind, principal.role, principal.player_id, request_id))
    digest = hashlib.sha256(text.encode()).digest()[:ID_BYTES]
    return base64.b32encode(digest).decode().lower()
