"""Decided standings are kept: no later code can change them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rummy_arena.tournament.rounds import Standing
from rummy_arena.tournament.stages import standings
from services.events.final_standings import ROWS, final_parts, read_final, standings_part
from services.events.pairing import course_of
from services.events.read_standings import read_standings
from services.events.tournament import TOURNAMENTS
from services.events.tournament_parts import Draft, read_whole
from services.state.codec import TOURNAMENT
from services.state.context import Context
from services.state.errors import CorruptRecord
from services.state.kept import Kept

from .carrying import drain, final_lines, started


def line(entrant: int) -> Standing:
    """Return a line with a fraction of every kind."""
    return Standing(
        rank=entrant,
        entrant=entrant,
        reached_round=9,
        eliminated=entrant > 1,
        points=Fraction(7, 3),
        tables=9,
        total=-12,
        deals_won=4,
        score=Fraction(-(10**30), 10**29 + 1),
        tiebreaks=(("buchholz", "7/2"), ("lots", "3")),
        group="A",
    )


async def test_the_standings_of_a_finished_tournament_are_those_that_were_decided(
    ctx: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = await started(ctx, 8, seed=b"final")
    await drain(ctx)
    before = await final_lines(ctx, cup)
    snapshot, entrants, rounds = await read_whole(ctx, cup)
    decided = standings(course_of(snapshot.record, entrants, rounds))
    assert await read_final(ctx, cup, snapshot.record.standing_parts) == decided

    def otherwise(*_: object) -> None:
        raise AssertionError("standings that were decided are worked out again")

    monkeypatch.setattr("services.events.read_standings.standings", otherwise)
    ctx.store.kept = Kept()
    assert await final_lines(ctx, cup) == before
    assert (await read_standings(ctx, cup))[0].sequence == snapshot.sequence


async def test_standings_of_the_largest_field_are_kept_in_parts(ctx: Context) -> None:
    cup = await started(ctx, 4, seed=b"large", people=range(5))
    rows = [line(number) for number in range(1, 20_001)]
    held = await ctx.store.acquire(TOURNAMENTS, cup, lease_ms=5_000, wait_s=1)
    draft = Draft(TOURNAMENT.decode(held.data))
    draft.put_standings(final_parts(rows))
    assert draft.record.standing_parts == len(rows) // ROWS
    assert max(map(len, draft.parts.values())) < 150_000
    await ctx.store.commit(held, TOURNAMENT.encode(draft.record), parts=draft.parts)
    assert await read_final(ctx, cup, draft.record.standing_parts) == tuple(rows)
    with pytest.raises(CorruptRecord, match=standings_part(21)):
        await read_final(ctx, cup, draft.record.standing_parts + 1)
