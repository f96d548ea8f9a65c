"""Events of every kind under faults: schedulers at once, work many times over, work lost.

The tables are played by house bots, so whatever happens on the way the same event must come out:
rounds, seats, labels, cards, results, lots and standings. Time stands still but when a test sets it
forward.
"""

from __future__ import annotations

import random
from dataclasses import replace

import msgspec
import pytest

from services.state.context import Context
from services.state.records import Schedule

from .carrying import Clock
from .event_kinds import (
    KINDS,
    Course,
    begun,
    course_of,
    no_timer_is_left,
    run_on,
)

_undisturbed: dict[str, Course] = {}


async def undisturbed(ctx: Context, kind: str) -> Course:
    """Return the event as it is when nothing goes wrong; played once."""
    if kind not in _undisturbed:
        clock = Clock()
        tournament_id = await begun(clock.of(ctx), KINDS[kind])
        await run_on([clock.of(ctx)], clock, tournament_id)
        _undisturbed[kind] = await course_of(ctx, tournament_id)
    return _undisturbed[kind]


@pytest.mark.parametrize("kind", KINDS)
async def test_two_schedulers_and_everything_five_times(
    ctx: Context, second: Context, kind: str
) -> None:
    """Each message goes to both processes at the same instant, five times; both sweep at once."""
    expected = await undisturbed(ctx, kind)
    clock = Clock()
    tournament_id = await begun(clock.of(ctx), KINDS[kind])
    await run_on([clock.of(ctx), clock.of(second)], clock, tournament_id, times=5)
    assert await course_of(ctx, tournament_id) == expected
    await no_timer_is_left(ctx, clock)


@pytest.mark.parametrize("kind", KINDS)
async def test_three_of_ten_messages_are_lost(ctx: Context, kind: str) -> None:
    """Of every sort, again and again: the sweep brings the event to the same end."""
    expected = await undisturbed(ctx, kind)
    clock, dice = Clock(), random.Random(kind)
    tournament_id = await begun(clock.of(ctx), replace(KINDS[kind], schedule=_endless(kind)))
    await run_on([clock.of(ctx)], clock, tournament_id, lose=lambda _: dice.random() < 0.3)
    assert await course_of(ctx, tournament_id) == expected
    await no_timer_is_left(ctx, clock)


def _endless(kind: str) -> Schedule:
    """Return the schedule without an end of rounds: what is late by loss may not be cut short."""
    return msgspec.structs.replace(KINDS[kind].schedule, round_ms=0)
