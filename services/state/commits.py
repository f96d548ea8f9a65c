"""What a write consists of: what is held for it, and the keys and arguments of its scripts."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from . import keys
from .errors import CorruptRecord, RequestReused
from .logs import Batch
from .parts import part_words
from .scripts import Argument
from .turns import Turn

ANSWERS_KEPT = 128  # at least so many of an aggregate's last answers, at most twice as many


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request led to, kept under its id for a repeat."""

    request_id: str
    fingerprint: bytes  # tells one content from another; of one length everywhere
    reply: bytes


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A record as it was read."""

    data: bytes
    version: int
    seq: int  # the last sequence of its log


@dataclass(frozen=True, slots=True)
class Held:
    """A lease, and the record as it was when the lease was taken or the last commit made.

    ``reply`` is set when the request named to ``acquire`` was answered before: then there is no
    lease, no record, and nothing to release.
    """

    aggregate: str
    id: str
    token: str
    lease_ms: int
    fence: int  # the number of this holding, counted per record
    data: bytes
    version: int
    seq: int
    turn: Turn
    reply: bytes | None = None


def fingerprint_of(content: Sequence[object]) -> bytes:
    """Return what tells the content of one request from that of another: 16 bytes."""
    return hashlib.sha256(msgspec.msgpack.encode(content)).digest()[:16]


def create_keys(aggregate: str, entity: str) -> list[str]:
    """Return the keys of the script that creates an aggregate."""
    shard = keys.shard_of(entity)
    return [
        keys.record(aggregate, entity),
        keys.log(aggregate, entity),
        keys.outbox(shard),
        keys.deadlines(shard),
        keys.parts(aggregate, entity),
    ]


def create_arguments(
    aggregate: str,
    entity: str,
    creation_id: str,
    data: bytes,
    events: Batch,
    messages: Sequence[bytes],
    deadline_ms: int | None,
    parts: Mapping[str, bytes],
) -> list[Argument]:
    """Return the arguments of the script that creates an aggregate; ValueError: too many parts."""
    return [
        creation_id,
        data,
        checksum(data, 1),
        events.count,
        events.data,
        zlib.crc32(events.data),
        _or_empty(deadline_ms),
        keys.member(aggregate, entity),
        keys.wake_channel(aggregate, entity),
        events.at_ms,
        len(parts),
        *part_words(aggregate, entity, parts),
        *messages,
    ]


def commit_keys(held: Held) -> list[str]:
    """Return the keys of the script that commits."""
    shard = keys.shard_of(held.id)
    return [
        keys.record(held.aggregate, held.id),
        keys.log(held.aggregate, held.id),
        keys.lease(held.aggregate, held.id),
        keys.requests(held.aggregate, held.id),
        keys.older_requests(held.aggregate, held.id),
        keys.results(held.aggregate, held.id),
        keys.outbox(shard),
        keys.deadlines(shard),
        keys.parts(held.aggregate, held.id),
    ]


def commit_arguments(
    held: Held,
    data: bytes,
    events: Batch,
    messages: Sequence[bytes],
    deadline_ms: int | None,
    answer: Answer | None,
    keep: bool,
    expected_results: int | None,
    ttl_ms: int | None,
    parts: Mapping[str, bytes],
) -> tuple[Argument, ...]:
    """Return the arguments of the script that commits; ValueError: too many parts."""
    return (
        held.token,
        held.version,
        f"{held.fence}:{held.version}:{zlib.crc32(data):x}",
        data,
        checksum(data, held.version + 1),
        events.count,
        events.data,
        zlib.crc32(events.data),
        answer.request_id if answer else "",
        answer.fingerprint + answer.reply if answer else b"",
        ANSWERS_KEPT,
        _or_empty(deadline_ms),
        keys.member(held.aggregate, held.id),
        held.lease_ms if keep else "",
        _or_empty(expected_results),
        _or_empty(ttl_ms),
        keys.wake_channel(held.aggregate, held.id),
        events.at_ms,
        keys.teller(held.aggregate, held.id),
        len(parts),
        *(part_words(held.aggregate, held.id, parts) if parts else ()),
        *messages,
    )


def same(request_id: str, fingerprint: bytes, stored: bytes) -> bytes:
    """Return the reply of a stored answer; raises RequestReused when it answers other content."""
    size = len(fingerprint)
    if stored[:size] != fingerprint:
        raise RequestReused(request_id)
    return bytes(stored[size:])


def checksum(data: bytes, version: int) -> int:
    """Return a record's. The version is in, so that fields of two commits do not pass for one."""
    return zlib.crc32(data, version)


def verify(aggregate: str, entity: str, data: bytes, version: bytes, crc: bytes) -> None:
    """Raise CorruptRecord unless the record's checksum is that of its data and version."""
    if checksum(data, int(version)) != int(crc):
        raise CorruptRecord(f"{aggregate} {entity}", "its checksum does not match")


def _or_empty(number: int | None) -> int | str:
    return "" if number is None else number
