"""Who may enter a tournament, and why somebody may not."""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from services.state.records import Entry, PlayerRecord

from .errors import EntryRefused, InvalidOption
from .principals import PLAYING

MOST_ALLOWED = 10_000
SHORTEST_CODE, LONGEST_CODE = 4, 64
OWNER_LENGTH = 64
MOST_PER_OWNER = 10_000
PROGRAMS = ("bot",)
ALLOWED_PART = "allowed"
"""The part that lists who alone may enter."""


@dataclass(frozen=True, slots=True)
class Applicant:
    """A player who wants to enter, and what is known of it."""

    player_id: str
    player: PlayerRecord
    code: str = ""  # that it sent
    allowed: bool = True  # whether it stands on the allow list, where there is one
    rating: float | None = None  # on the ladder that counts
    of_its_owner: int = 0  # entrants of the same owner


def code_digest(code: str) -> bytes:
    """Return what is stored of an invitation code."""
    return hashlib.sha256(b"invitation\n" + code.encode()).digest()


def allowed_digest(players: Iterable[str]) -> bytes:
    """Return what tells one list of players from another; nothing for an empty one."""
    listed = sorted(set(players))
    return hashlib.sha256("\n".join(listed).encode()).digest() if listed else b""


def encode_allowed(players: Iterable[str]) -> bytes:
    """Return who alone may enter as it is stored."""
    return msgspec.msgpack.encode(sorted(set(players)))


def decode_allowed(data: bytes | None) -> list[str]:
    """Return who alone may enter, nobody where there is no list."""
    return [] if data is None else msgspec.msgpack.decode(data, type=list[str])


def owner_part(owner: str) -> str:
    """Return the part that counts an owner's entrants."""
    return f"owner:{owner}"


def check_entry(entry: Entry) -> None:
    """Raise InvalidOption for conditions that cannot be used."""
    unknown = [role for role in entry.roles if role not in PLAYING]
    if unknown:
        reason = f"{unknown[0]} is no role that plays; take {', '.join(PLAYING)}"
        raise InvalidOption("entry.roles", reason)
    limits = [limit for limit in (entry.min_rating, entry.max_rating) if limit is not None]
    if limits and not entry.ladder_id:
        raise InvalidOption("entry.ladder_id", "name the ladder whose ratings count")
    if not all(map(math.isfinite, limits)) or limits != sorted(limits):
        raise InvalidOption("entry.max_rating", "give a number that is not below min_rating")
    if not 0 <= entry.max_per_owner <= MOST_PER_OWNER:
        raise InvalidOption("entry.max_per_owner", f"give 1 to {MOST_PER_OWNER}, or 0")


def require_entry(entry: Entry, who: Applicant) -> None:
    """Raise EntryRefused for the first condition that the applicant does not meet."""
    player = who.player
    if entry.roles and player.role not in entry.roles:
        raise EntryRefused("roles", f"this is for {' and '.join(entry.roles)}, not {player.role}")
    if entry.no_bots and (player.bot or player.role in PROGRAMS):
        raise EntryRefused("no_bots", "programs and house bots are kept out")
    if entry.allowed and not who.allowed:
        raise EntryRefused("allowed_player_ids", "the player is not on the list of who may enter")
    if entry.code and not hmac.compare_digest(entry.code, code_digest(who.code)):
        raise EntryRefused("invitation_code", "send the code that the host gave you")
    _require_rating(entry, who.rating)
    require_owner(entry, who.of_its_owner)


def require_owner(entry: Entry, entrants: int) -> None:
    """Raise EntryRefused where an owner who has so many entrants may have no more."""
    if entry.max_per_owner and entrants >= entry.max_per_owner:
        raise EntryRefused("max_per_owner", f"its owner has {entrants} entrants, which is the most")


def _require_rating(entry: Entry, rating: float | None) -> None:
    low, high = entry.min_rating, entry.max_rating
    if low is not None and (rating is None or rating < low):
        shown = "none" if rating is None else f"{rating:.0f}"
        raise EntryRefused("min_rating", f"the rating must be {low:.0f} or more; it is {shown}")
    if high is not None and rating is not None and rating > high:
        raise EntryRefused("max_rating", f"it may be {high:.0f} at most; it is {rating:.0f}")
