"""Every Redis key, made here and nowhere else.

An aggregate's keys, and its shard's outbox and deadlines, share the hash tag ``{shard}``, so that
one script may change them all on a Redis Cluster.
"""

from __future__ import annotations

import zlib
from functools import lru_cache

PREFIX = "ra"
SHARDS = 16
TOLD = frozenset({"ladder", "tournament"})
"""Aggregates whose logs webhooks may tell."""


@lru_cache(maxsize=1024)  # a commit asks ten times
def shard_of(entity: str) -> int:
    """Return the shard of an id."""
    return zlib.crc32(entity.encode()) % SHARDS


def _own(aggregate: str, entity: str, part: str) -> str:
    return f"{PREFIX}:{{{shard_of(entity)}}}:{aggregate}:{entity}:{part}"


def record(aggregate: str, entity: str) -> str:
    """Hash of what one commit writes.

    version (commits so far), data (encoded record) with its crc, seq (last sequence of the log),
    fence (holders so far), by (ids of the last commits), expected (results awaited).
    """
    return _own(aggregate, entity, "record")


def log(aggregate: str, entity: str) -> str:
    """Stream: one entry a commit, id ``<last sequence>-0``; n (events), b (batch), c (its crc),
    t (when it was committed, in milliseconds).
    """
    return _own(aggregate, entity, "log")


def lease(aggregate: str, entity: str) -> str:
    """String: the token of the holder; expires by itself."""
    return _own(aggregate, entity, "lease")


def requests(aggregate: str, entity: str) -> str:
    """Hash: request id to fingerprint and answer, the newer generation."""
    return _own(aggregate, entity, "requests")


def older_requests(aggregate: str, entity: str) -> str:
    """Hash: what ``requests`` held when it was last full; the next full one replaces it."""
    return _own(aggregate, entity, "requests:older")


def results(aggregate: str, entity: str) -> str:
    """Hash: what was reported to the aggregate, by field."""
    return _own(aggregate, entity, "results")


def parts(aggregate: str, entity: str) -> str:
    """Hash: values that commits write beside the record, by field, each with its checksum."""
    return _own(aggregate, entity, "parts")


def outbox(shard: int) -> str:
    """Stream: messages that commits owe."""
    return f"{PREFIX}:{{{shard}}}:outbox"


def deadlines(shard: int) -> str:
    """Sorted set: ``<aggregate>:<id>`` by due time in milliseconds."""
    return f"{PREFIX}:{{{shard}}}:deadlines"


def index(name: str) -> str:
    """Sorted set: ids by a time, such as that of their creation, in milliseconds."""
    return f"{PREFIX}:{{index}}:{name}"


def token(token_id: str) -> str:
    """String: what a bearer token stands for."""
    return f"{PREFIX}:{{{shard_of(token_id)}}}:token:{token_id}"


def player_tokens(player_id: str) -> str:
    """Sorted set: the ids of a player's tokens by the time when they end, in milliseconds."""
    return _own("player", player_id, "tokens")


def wake_channel(aggregate: str, entity: str) -> str:
    """Channel on which a change of the aggregate is announced."""
    return f"{PREFIX}:wake:{aggregate}:{entity}"


def member(aggregate: str, entity: str) -> str:
    """Return the aggregate's member of its shard's deadlines."""
    return f"{aggregate}:{entity}"


def teller(aggregate: str, entity: str) -> str:
    """Return the deadlines' member of the webhook that may tell of a log; "" if none ever does.

    It has the id of what it tells about, and so is in the same shard.
    """
    return member("webhook", entity) if aggregate in TOLD else ""


def presence(player_id: str) -> str:
    """Sorted set: the player's streams by the time each is live until; "" by when last seen."""
    return f"{PREFIX}:{{{shard_of(player_id)}}}:presence:{player_id}"


def last_pulse() -> str:
    """String: when an API process last said that it lives, in milliseconds."""
    return f"{PREFIX}:{{pulse}}:last"


def alive() -> str:
    """String: there while pulses come."""
    return f"{PREFIX}:{{pulse}}:alive"


def outages() -> str:
    """Sorted set: ``<from>-<to>`` in milliseconds, spans without a pulse, by their end."""
    return f"{PREFIX}:{{pulse}}:outages"
