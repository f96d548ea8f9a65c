"""A tournament's entrants and rounds: parts beside its record, read and written one by one.

The record says by digests which content it goes with, so what was read once is kept under them: a
finished round never changes, the field only when somebody enters or something happens to an
entrant. What is returned from there is shared: who wants to change a round or an entrant makes a
copy (``copied``) and puts it into a ``Draft``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from services.state.codec import ENTRANT, ROUND, TABLE_RESULT
from services.state.context import Context
from services.state.errors import CorruptRecord
from services.state.records import (
    EntrantRecord,
    Record,
    RoundHead,
    RoundRecord,
    TableResultRecord,
    TournamentRecord,
)

from .final_standings import standings_part
from .tournament import TOURNAMENTS, TournamentSnapshot, read_tournament, result_field

DIGEST_BYTES = 8
LOOKS = 5
"""How often a tournament is read again because it changed between its record and its parts."""
R = TypeVar("R", bound=Record)


def entrant_part(number: int) -> str:
    """Return the part of an entrant."""
    return f"entrant:{number}"


def player_part(player_id: str) -> str:
    """Return the part that says which entrant a player is."""
    return f"player:{player_id}"


def round_part(number: int) -> str:
    """Return the part of a round."""
    return f"round:{number}"


def copied(record: R, **changes: object) -> R:
    """Return a record with changes, leaving the shared one as it is."""
    return msgspec.structs.replace(record, **changes)


@dataclass(slots=True)
class Draft:
    """A tournament that is about to be committed: its record, and the parts that change with it."""

    record: TournamentRecord
    parts: dict[str, bytes] = field(default_factory=dict)

    def enter(self, entrant: EntrantRecord) -> int:
        """Add an entrant and its player; return its number."""
        self.record.entrant_count += 1
        self.record.active += 1
        self.put_entrant(self.record.entrant_count, entrant)
        self.put_player(entrant.player_id, self.record.entrant_count)
        return self.record.entrant_count

    def put_entrant(self, number: int, entrant: EntrantRecord) -> None:
        """Write an entrant as it is now."""
        data = ENTRANT.encode(entrant)
        self.parts[entrant_part(number)] = data
        self.record.field = _following(self.record.field, number, data)

    def put_player(self, player_id: str, number: int) -> None:
        """Say which entrant a player is."""
        self.parts[player_part(player_id)] = str(number).encode()

    def put_round(self, round_: RoundRecord) -> None:
        """Write a round as it is now, the next one or one that there is."""
        data = ROUND.encode(round_)
        self.parts[round_part(round_.number)] = data
        head = RoundHead(
            round_.number,
            len(round_.tables),
            round_.started_ms,
            round_.finished_ms,
            round_.begins_ms,
            _digest(data),
            round_.ends_ms,
        )
        self.record.rounds[round_.number - 1 : round_.number] = [head]
        self.record.stage = round_.stage

    def put_standings(self, rows: Sequence[bytes]) -> None:
        """Write the final standings, which nothing changes any more."""
        for number, data in enumerate(rows, start=1):
            self.parts[standings_part(number)] = data
        self.record.standing_parts = len(rows)


async def entrant_number(ctx: Context, tournament_id: str, player_id: str) -> int | None:
    """Return the number of a player's entrant, None for one who never entered."""
    (stored,) = await ctx.store.parts(TOURNAMENTS, tournament_id, [player_part(player_id)])
    return None if stored is None else int(stored)


async def read_some_entrants(
    ctx: Context, tournament_id: str, numbers: Sequence[int]
) -> list[EntrantRecord]:
    """Return the entrants with these numbers, which there must be, for the caller alone."""
    return [ENTRANT.decode(data) for data in await _stored(ctx, tournament_id, numbers)]


async def read_entrants(
    ctx: Context, tournament_id: str, record: TournamentRecord
) -> Sequence[EntrantRecord]:
    """Return every entrant, number 1 first, as ``record`` knows them, or newer; shared."""
    key = ("entrants", tournament_id)
    kept: tuple[bytes, list[EntrantRecord]] | None = ctx.store.kept.get(key, None)
    digest, entrants = kept or (b"", [])
    if digest == record.field:
        return entrants
    if len(entrants) < record.entrant_count:  # mostly others have entered, and nothing else
        first = len(entrants) + 1
        added = await _stored(ctx, tournament_id, range(first, record.entrant_count + 1))
        for number, data in enumerate(added, start=first):
            digest = _following(digest, number, data)
        entrants = [*entrants, *map(ENTRANT.decode, added)]
    if digest != record.field:
        stored = await _stored(ctx, tournament_id, range(1, record.entrant_count + 1))
        entrants = list(map(ENTRANT.decode, stored))
        if (await read_tournament(ctx, tournament_id)).record.field != record.field:
            return entrants  # some are newer than the digest says
    ctx.store.kept.put(key, None, (record.field, entrants), len(entrants))
    return entrants


async def _stored(ctx: Context, tournament_id: str, numbers: Iterable[int]) -> list[bytes]:
    fields = [entrant_part(number) for number in numbers]
    found = await ctx.store.parts(TOURNAMENTS, tournament_id, fields)
    for name, data in zip(fields, found, strict=True):
        if data is None:
            raise CorruptRecord(f"part {name} of {TOURNAMENTS} {tournament_id}", "it is not there")
    return [data for data in found if data is not None]


async def read_round(ctx: Context, tournament_id: str, head: RoundHead) -> RoundRecord:
    """Return a round as the record that ``head`` is from knows it, or newer; shared."""
    key = ("round", tournament_id, head.number)
    kept: RoundRecord | None = ctx.store.kept.get(key, head.digest)
    if kept is not None:
        return kept
    name = round_part(head.number)
    (data,) = await ctx.store.parts(TOURNAMENTS, tournament_id, [name])
    if data is None:
        raise CorruptRecord(f"part {name} of {TOURNAMENTS} {tournament_id}", "it is not there")
    round_ = ROUND.decode(data)
    seats = sum(map(len, round_.tables))
    ctx.store.kept.put(key, _digest(data), round_, seats + 1)
    return round_


async def read_rounds(
    ctx: Context, tournament_id: str, record: TournamentRecord
) -> list[RoundRecord]:
    """Return every round as ``record`` knows them, or newer; shared."""
    return [await read_round(ctx, tournament_id, head) for head in record.rounds]


async def read_whole(
    ctx: Context, tournament_id: str
) -> tuple[TournamentSnapshot, Sequence[EntrantRecord], list[RoundRecord]]:
    """Return a tournament with its entrants and rounds, all of one moment; raises NotFound."""
    snapshot = await read_tournament(ctx, tournament_id)
    for _ in range(LOOKS):
        entrants = await read_entrants(ctx, tournament_id, snapshot.record)
        rounds = await read_rounds(ctx, tournament_id, snapshot.record)
        again = await read_tournament(ctx, tournament_id)
        if content_of(again.record) == content_of(snapshot.record):
            break
        snapshot = again
    return snapshot, entrants, rounds


def content_of(record: TournamentRecord) -> tuple[bytes, ...]:
    """Return what tells the entrants and rounds of one moment from those of another."""
    return (record.field, *(head.digest for head in record.rounds))


async def results_so_far(
    ctx: Context, tournament_id: str, round_: RoundRecord
) -> list[TableResultRecord]:
    """Return the results of a round that have been counted, by table number."""
    if round_.results:
        return round_.results
    fields = [
        result_field(round_.number, number, round_.attempts.get(number, 1))
        for number in range(1, len(round_.tables) + 1)
    ]
    stored = await ctx.store.results(TOURNAMENTS, tournament_id, fields)
    return [TABLE_RESULT.decode(data) for data in stored if data is not None]


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES).digest()


def _following(before: bytes, number: int, data: bytes) -> bytes:
    """Return the digest of what was written before and this."""
    return _digest(before + number.to_bytes(4, "big") + data)
