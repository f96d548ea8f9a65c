"""How a token is written, hashed, and made again for a caller that lost the answer.

A token is ``ra_<id>_<secret>``. Its id may be shown; of the secret only the SHA-256 of the whole
token is stored. The secret is HMAC-SHA-256 of a stored salt and the id, under a key that comes
from the token of the caller who asked for it and is not stored: so the same caller who repeats its
request gets the same secret, while neither the store's content nor a caller's old token alone
gives it away.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from typing import NamedTuple

_SHAPE = re.compile(r"ra_([a-z2-7]{24})_[A-Za-z0-9_-]{43}")
SALT_BYTES = 32


class Presented(NamedTuple):
    """What can be told of a token from its text alone."""

    token_id: str
    digest: bytes


def presented(token: str) -> Presented:
    """Return a token's id and SHA-256; a token that an operator made up has its hash for an id."""
    digest = hashlib.sha256(token.encode()).digest()
    shaped = _SHAPE.fullmatch(token)
    return Presented(shaped[1] if shaped else digest.hex(), digest)


def matches(what: Presented, stored_digest: bytes) -> bool:
    """Return, in a time that tells nothing, whether a stored digest is that of the token.

    A record without one was stored under the hash itself.
    """
    stored = stored_digest or bytes.fromhex(what.token_id) if _is_hash(what) else stored_digest
    return hmac.compare_digest(stored, what.digest)


def _is_hash(what: Presented) -> bool:
    return what.token_id == what.digest.hex()


def issuing_key(token: str) -> bytes:
    """Return the key under which the bearer of a token has secrets made."""
    return hashlib.sha256(b"issuing\n" + token.encode()).digest()


def token_text(key: bytes, salt: bytes, token_id: str) -> str:
    """Return the whole token that this key, salt and id make."""
    secret = hmac.digest(key, salt + token_id.encode(), "sha256")
    return f"ra_{token_id}_{base64.urlsafe_b64encode(secret).decode().rstrip('=')}"
