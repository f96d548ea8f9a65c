"""Page tokens: opaque to callers, and good only for the list that gave them."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Sequence

from services.state.indexes import Place

from .violations import Fields

_WRONG = "give next_page_token of the same list as it came, or leave it empty"
_OFFSET = re.compile("[0-9]{1,15}")  # beyond any list, and within the store's 64 bits
_PLACE = re.compile("([^:]*):([0-9]{1,15}):(.+)", re.DOTALL)


def page_token(of: str, position: str) -> str:
    """Return a token for going on after ``position`` in the list named ``of``."""
    body = position.encode()
    return base64.urlsafe_b64encode(_check(of, body) + body).decode()


def page_position(fields: Fields, of: str, token: str) -> str:
    """Return the position that a token stands for, "" without one; refuse one of another list."""
    if not token:
        return ""
    try:
        data = base64.b64decode(token.encode(), altchars=b"-_", validate=True)
        check, position = data[:4], data[4:].decode()
    except (binascii.Error, ValueError):
        check, position = b"", ""
    if check != _check(of, position.encode()):
        fields.refuse("page_token", _WRONG)
        return ""
    return position


def page_offset(fields: Fields, of: str, token: str) -> int:
    """Return the number that a token stands for, 0 without one; refuse one of another list."""
    position = page_position(fields, of, token)
    if not position:
        return 0
    if not _OFFSET.fullmatch(position):  # the check in a token keeps mistakes out, not forgers
        fields.refuse("page_token", _WRONG)
        return 0
    return int(position)


def place_token(of: str, place: Place | None) -> str:
    """Return a token for going on after a place in the list named ``of``; "" at its end."""
    if place is None:
        return ""
    return page_token(of, f"{place.index}:{place.score}:{place.entity}")


def page_place(fields: Fields, of: str, token: str, *, indexes: Sequence[str]) -> Place | None:
    """Return the place that a token stands for, in one of the list's indexes; None without one."""
    position = page_position(fields, of, token)
    if not position:
        return None
    match = _PLACE.fullmatch(position)
    if match is None or match[1] not in indexes:
        fields.refuse("page_token", _WRONG)
        return None
    return Place(match[1], int(match[2]), match[3])


def _check(of: str, body: bytes) -> bytes:
    return zlib.crc32(of.encode(), zlib.crc32(body)).to_bytes(4, "big")
