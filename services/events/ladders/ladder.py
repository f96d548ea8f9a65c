"""A ladder in the hands of a use case: loading, ids, and the bridge to the pure rules."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import msgspec

from rummy_arena.tournament.ladder import Contender, LadderTerms
from rummy_arena.tournament.ladder_standings import (
    PARTS,
    LadderStanding,
    Tally,
    arena_standings,
    ladder_standings,
)
from rummy_arena.tournament.ratings import Rating, RatingRules, after_idle_season
from services.state.codec import LADDER, LADDER_ENTRANT, LADDER_NUMBERS
from services.state.context import Context
from services.state.ladder_records import (
    MILLION,
    LadderEntrantRecord,
    LadderRecord,
    PairingRecord,
    RatingRulesRecord,
)

LADDERS = "ladder"
INDEX = "ladders"
LEASE_MS = 10_000
WAIT_S = 10.0
ACTIVE_PART = "active"
_TABLE_ID = re.compile(r"(.+)-l([1-9]\d{0,9})")


@dataclass(frozen=True, slots=True)
class LadderSnapshot:
    """A ladder at one moment."""

    id: str
    record: LadderRecord
    sequence: int


async def read_ladder(ctx: Context, ladder_id: str) -> LadderSnapshot:
    """Return the ladder; raises NotFound."""
    snapshot = await ctx.store.read(LADDERS, ladder_id)
    return LadderSnapshot(ladder_id, LADDER.decode(snapshot.data), snapshot.seq)


async def read_entrants(
    ctx: Context, ladder_id: str, record: LadderRecord, numbers: Iterable[int] | None = None
) -> dict[int, LadderEntrantRecord]:
    """Return entrants by number, as they stand in the ladder's season; everybody by default."""
    wanted = list(range(1, record.entrants + 1) if numbers is None else dict.fromkeys(numbers))
    found = await ctx.store.parts(LADDERS, ladder_id, [entrant_part(n) for n in wanted])
    entrants = {}
    for number, data in zip(wanted, found, strict=True):
        if data is not None:  # else it entered after the record was read
            entrants[number] = in_season(LADDER_ENTRANT.decode(data), record)
    return entrants


async def read_active(
    ctx: Context, ladder_id: str, record: LadderRecord
) -> dict[int, LadderEntrantRecord]:
    """Return those who take part, by number: what it costs does not grow with who has left."""
    return await read_entrants(ctx, ladder_id, record, await active_numbers(ctx, ladder_id))


async def active_numbers(ctx: Context, ladder_id: str) -> list[int]:
    """Return the numbers of those who take part, ascending."""
    [found] = await ctx.store.parts(LADDERS, ladder_id, [ACTIVE_PART])
    return LADDER_NUMBERS.decode(found) if found else []


async def number_of(ctx: Context, ladder_id: str, player_id: str) -> int | None:
    """Return a player's number on a ladder, None if it never entered."""
    [found] = await ctx.store.parts(LADDERS, ladder_id, [player_part(player_id)])
    return None if found is None else int(found)


def in_season(entrant: LadderEntrantRecord, record: LadderRecord) -> LadderEntrantRecord:
    """Bring an entrant into the ladder's season: seasons without a result make it less sure."""
    rules = rules_of(record)
    while entrant.season < record.season:
        if not entrant.season_games and entrant.games and not entrant.anchor:
            set_rating(entrant, after_idle_season(rating_of(entrant), rules))
        entrant.season_games = entrant.credit = 0
        entrant.season += 1
    return entrant


def table_id(ladder_id: str, number: int) -> str:
    """Return the id of a ladder's table: derived, so that creating it twice creates it once."""
    return f"{ladder_id}-l{number}"


def ladder_table_of(table_id: str) -> tuple[str, int] | None:
    """Return ladder and number of a table's id, or None if it is no ladder's."""
    found = _TABLE_ID.fullmatch(table_id)
    return (found[1], int(found[2])) if found else None


def table_seed(seed: bytes, number: int) -> bytes:
    """Return the 32-byte seed of a table's luck."""
    return hmac.digest(seed, b"ladder table" + number.to_bytes(8, "big"), "sha256")


def entrant_part(number: int) -> str:
    """Return the part that holds an entrant."""
    return f"entrant:{number}"


def player_part(player_id: str) -> str:
    """Return the part that holds a player's number."""
    return f"player:{player_id}"


def results_part(index: int) -> str:
    """Return the part that holds results, the first of which is 0."""
    return f"results:{index}"


def history_part(number: int, index: int) -> str:
    """Return the part that holds results of one entrant, the first of which is 0."""
    return f"history:{number}:{index}"


def season_part(season: int) -> str:
    """Return the part that holds how a season ended."""
    return f"season:{season}"


def rating_of(entrant: LadderEntrantRecord) -> Rating:
    """Return an entrant's rating."""
    return Rating(entrant.mean / MILLION, entrant.deviation / MILLION)


def set_rating(entrant: LadderEntrantRecord, rating: Rating) -> None:
    """Set an entrant's rating; it is stored exactly, for ratings have six decimals."""
    entrant.mean, entrant.deviation = millionths(rating.mean), millionths(rating.deviation)


def millionths(points: float) -> int:
    """Return points as they are stored."""
    return round(points * MILLION)


def rules_of(record: LadderRecord) -> RatingRules:
    """Return the rules of a ladder's ratings."""
    stored = msgspec.structs.asdict(record.ratings)
    return RatingRules(**{name: value / MILLION for name, value in stored.items()})


def rules_record(rules: RatingRules) -> RatingRulesRecord:
    """Return rules of ratings as they are stored."""
    return RatingRulesRecord(
        millionths(rules.start_mean),
        millionths(rules.start_deviation),
        millionths(rules.floor),
        millionths(rules.season_drift),
    )


def pairing_terms(record: PairingRecord) -> LadderTerms:
    """Return how a ladder pairs, as the pure rules take it; raises InvalidFormat."""
    return LadderTerms(**msgspec.structs.asdict(record))


def contender(number: int, entrant: LadderEntrantRecord) -> Contender:
    """Return an entrant as pairing sees it."""
    return Contender(
        number,
        entrant.mean / MILLION,
        entrant.since_ms,
        entrant.owner,
        entrant.season_games + entrant.credit,
        tuple(entrant.recent),
        len(entrant.playing),
        entrant.at_once,
        entrant.anchor,
    )


def pool_of(entrants: dict[int, LadderEntrantRecord]) -> list[Contender]:
    """Return everybody who takes part, as pairing sees them."""
    return [contender(n, entrant) for n, entrant in entrants.items() if not entrant.gone]


def standings_of(
    record: LadderRecord, entrants: dict[int, LadderEntrantRecord]
) -> Sequence[LadderStanding]:
    """Return everybody's line: an arena's by points, a ladder's by rating."""
    tallies = [
        Tally(
            number,
            rating_of(entrant),
            entrant.games,
            entrant.wins,
            Fraction(entrant.points, PARTS),
            entrant.anchor,
            entrant.gone,
        )
        for number, entrant in entrants.items()
    ]
    if record.arena:
        return arena_standings(tallies)
    return ladder_standings(tallies, ranked_from=record.ranked_from)
