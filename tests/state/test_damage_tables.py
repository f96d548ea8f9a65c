"""A table whose life, seats, clocks, terms or seeds cannot be is called damaged."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from rummy_arena.game.chance import deal_seed
from services.play.commit import commit_of
from services.play.table import new_table
from services.state import codec
from services.state.errors import CorruptRecord
from services.state.records import (
    Life,
    Origin,
    SeatRecord,
    SeedPolicy,
    TableRecord,
    Terms,
    TimeControl,
)
from services.state.tables import table_game, table_record
from services.state.terms import LONGEST_MS

RULES = "kalooki-jamaican"
NOW_MS = 1_800_000_000_000
Damage = Callable[[TableRecord], None]


def playing(policy: SeedPolicy = SeedPolicy.SYSTEM) -> TableRecord:
    """Return the record of a table whose game has just begun."""
    seats = [SeatRecord(f"p{seat}", f"P{seat}", "") for seat in range(3)]
    table, events = new_table(
        *("t", RULES, seats, bytes(32)),
        now_ms=NOW_MS,
        dice=secrets.token_bytes,
        origin=Origin("cup", 1, 1) if policy is SeedPolicy.SHARED else None,
        terms=Terms(seeds=policy),
    )
    data = commit_of(table, events, (), now_ms=NOW_MS, wake=False).data
    return codec.TABLE.decode(data)


def at(life: str) -> TableRecord:
    """Return the record of a table at a stage of its life."""
    record = playing()
    match life:
        case "open":
            record.life, record.game, record.deal_seeds = Life.OPEN, None, []
            record.deadline_ms = record.decided_ms = 0
            record.seats = [SeatRecord("", "", "") for _ in record.seats]
        case "paused":
            record.life, record.paused_ms = Life.PAUSED, NOW_MS
        case "adjudicated":
            record.life, record.finished_ms, record.deadline_ms = Life.FINISHED, NOW_MS, 0
            record.places = (1, 2, 2)
        case "closed":
            record.life, record.finished_ms, record.deadline_ms = Life.CLOSED, NOW_MS, 0
        case "never dealt":
            record = at("open")
            record.life, record.finished_ms = Life.CLOSED, NOW_MS
        case "sealed":
            record = playing(SeedPolicy.SHARED)
        case "sealed still" | "unsealed":
            record = playing(SeedPolicy.SHARED)
            record.life, record.finished_ms, record.deadline_ms = Life.CLOSED, NOW_MS, 0
            if life == "unsealed":
                record.deal_seeds, record.unsealed_ms = [], NOW_MS
        case _:
            assert life == "playing"
    return record


LIVES = ("open", "playing", "paused", "adjudicated", "closed", "never dealt")
SHARING = ("sealed", "sealed still", "unsealed")


@pytest.mark.parametrize("life", LIVES + SHARING)
def test_a_whole_table_is_read(life: str) -> None:
    record, rules = table_record("t", codec.TABLE.encode(at(life)))
    if record.game is not None:
        table_game("t", record, rules)


def sets(**fields: Any) -> Damage:
    """Return the damage that puts other values into fields."""

    def damage(record: TableRecord) -> None:
        for name, value in fields.items():
            setattr(record, name, value)

    return damage


def clock(**times: int) -> Damage:
    """Return the damage that changes the time control."""
    control = msgspec.structs.replace(TimeControl(), **times)
    return sets(terms=Terms(seeds=SeedPolicy.SYSTEM, clock=control))


def seat(**fields: Any) -> Damage:
    """Return the damage that changes the second seat."""

    def damage(record: TableRecord) -> None:
        record.seats[1] = msgspec.structs.replace(record.seats[1], **fields)

    return damage


def withheld_without_its_seed(record: TableRecord) -> None:
    assert record.game is not None
    record.game.attempt, record.game.withheld = 1, [(1, 0)]
    record.deal_seeds = [(1, 1, bytes(32))]


def a_seat_less(record: TableRecord) -> None:
    del record.seats[0]


SEED = bytes(32)
DAMAGES: list[tuple[str, Damage, str]] = [
    ("playing", sets(life=Life.OPEN), "OPEN with a game"),
    ("playing", sets(life=Life.PAUSED), "PAUSED, paused at 0"),
    ("playing", sets(life=Life.FINISHED, finished_ms=NOW_MS), "FINISHED with a game that goes on"),
    ("playing", sets(life=Life.CLOSED), "CLOSED, finished at 0"),
    ("playing", sets(paused_ms=NOW_MS), "PLAYING, paused at"),
    ("playing", sets(places=(1, 2, 3)), "PLAYING with places"),
    ("playing", sets(game=None), "PLAYING with no game"),
    ("playing", sets(deadline_ms=1), "a decision of"),
    ("playing", sets(deadline_ms=NOW_MS + 4 * LONGEST_MS), "a decision of"),
    ("playing", sets(decided_ms=1), "a decision of"),
    ("playing", sets(credited_ms=1 << 30), "a decision of"),
    ("playing", sets(seats=[]), "0 seats"),
    ("playing", seat(player_id=""), "nobody at seat 1"),
    ("playing", seat(bank_ms=LONGEST_MS + 1), "seat 1 with"),
    ("playing", seat(grace_ms=LONGEST_MS + 1), "seat 1 with"),
    ("playing", clock(draw_ms=LONGEST_MS + 1), "a clock of"),
    ("playing", clock(between_deals_ms=1 << 30), "a clock of"),
    ("playing", clock(absent_after=0), "absent from the start"),
    ("playing", sets(terms=Terms(delay_deals=200, seeds=SeedPolicy.SYSTEM)), "200 deals"),
    ("playing", sets(terms=Terms(delay_ms=1 << 30, seeds=SeedPolicy.SYSTEM)), "behind"),
    ("playing", sets(unsealed_ms=NOW_MS), "never sealed"),
    ("sealed", sets(unsealed_ms=NOW_MS), "PLAYING, unsealed"),
    ("sealed", sets(origin=None), "shared with no other"),
    ("sealed", sets(deal_seeds=[]), "no seeds of the deals"),
    ("sealed", sets(deal_seeds=[(1, 0, SEED)]), "not the one that is shared"),
    ("sealed", sets(seed=b"1" * 32), "not the one that is shared"),
    ("unsealed", sets(deal_seeds=[(1, 0, deal_seed(bytes(32), 1, 0))]), "CLOSED, unsealed"),
    ("playing", sets(deal_seeds=[]), r"no seeds of the deals \[\(1, 0\)\]"),
    ("playing", sets(deal_seeds=[(2, 0, SEED)]), "no seeds"),
    ("playing", sets(deal_seeds=[(1, 0, SEED), (1, 0, SEED)]), "two seeds"),
    ("playing", sets(deal_seeds=[(1, 0, b"short")]), "a seed of 5 bytes"),
    ("playing", withheld_without_its_seed, r"no seeds of the deals \[\(1, 0\)\]"),
    ("playing", a_seat_less, "2 seats|3 hands for 2 seats"),
    ("paused", sets(deal_seeds=[]), "no seeds"),
    ("paused", sets(paused_ms=0), "PAUSED, paused at 0"),
    ("paused", sets(finished_ms=NOW_MS), "PAUSED, finished at"),
    ("paused", sets(life=Life.PLAYING), "PLAYING, paused at"),
    ("open", sets(life=Life.PLAYING), "PLAYING with no game"),
    ("open", sets(life=Life.FINISHED, finished_ms=NOW_MS), "FINISHED with no game"),
    ("open", sets(finished_ms=NOW_MS), "OPEN, finished at"),
    ("open", seat(bot="greedy"), "a bot at seat 1"),
    ("adjudicated", sets(places=()), "FINISHED with a game that goes on"),
    ("adjudicated", sets(places=(1, 2)), "FINISHED with places"),
    ("adjudicated", sets(places=(1, 2, 2, 4)), "FINISHED with places"),
    ("adjudicated", sets(places=(1, 1, 2)), "FINISHED with places"),
    ("adjudicated", sets(places=(0, 1, 2)), "FINISHED with places"),
    ("adjudicated", sets(finished_ms=0), "FINISHED, finished at 0"),
    ("adjudicated", sets(life=Life.CLOSED), "CLOSED with places"),
    ("closed", sets(finished_ms=0), "CLOSED, finished at 0"),
    ("never dealt", sets(life=Life.OPEN), "OPEN, finished at"),
]


@pytest.mark.parametrize(
    ("life", "damage", "told"),
    DAMAGES,
    ids=[f"{nth} {life}" for nth, (life, _, _) in enumerate(DAMAGES)],
)
def test_what_cannot_have_been_is_not_used(life: str, damage: Damage, told: str) -> None:
    record = at(life)
    damage(record)
    with pytest.raises(CorruptRecord, match=f"table t is damaged: .*({told})"):
        table_game("t", *table_record("t", codec.TABLE.encode(record)))


def test_seeds_that_can_be_derived_again_need_not_be_kept() -> None:
    record = playing(SeedPolicy.DERIVED)
    record.deal_seeds = []
    table_game("t", *table_record("t", codec.TABLE.encode(record)))


def test_a_table_that_has_ended_owes_no_seeds() -> None:
    record = at("closed")
    record.deal_seeds = []
    table_record("t", codec.TABLE.encode(record))
