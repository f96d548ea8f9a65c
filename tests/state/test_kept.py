"""What a process keeps of what never changes: bounded, of the right moment, made once."""

from __future__ import annotations

import asyncio

import pytest

from services.state.kept import Kept


def test_a_value_is_of_its_moment() -> None:
    kept = Kept(100)
    kept.put("a", 1, "one", 10)
    assert kept.get("a", 1) == "one"
    assert kept.get("a", 2) is None
    kept.put("a", 2, "two", 20)
    assert (kept.get("a", 1), kept.get("a", 2)) == (None, "two")
    assert kept.items == 20


def test_what_nobody_asked_for_longest_goes_first() -> None:
    kept = Kept(100)
    for key in "abc":
        kept.put(key, 0, key, 30)
    kept.get("a", 0)
    kept.put("d", 0, "d", 30)
    assert [kept.get(key, 0) for key in "abcd"] == ["a", None, "c", "d"]
    assert kept.items == 90


def test_what_would_fill_half_of_the_room_is_not_kept() -> None:
    kept = Kept(100)
    kept.put("a", 0, "small", 30)
    kept.put("b", 0, "b", 30)
    kept.put("a", 1, "large", 51)
    assert (kept.get("a", 0), kept.get("a", 1), kept.get("b", 0)) == (None, None, "b")
    assert kept.items == 30


def test_values_that_hold_nothing_take_room_as_well() -> None:
    kept = Kept(10)
    for number in range(100):
        kept.put(number, 0, [], 0)
    assert [number for number in range(100) if kept.get(number, 0) is not None] == [*range(90, 100)]


async def test_a_value_is_made_once_for_all_who_ask_at_once() -> None:
    kept, made = Kept(100), 0

    async def make() -> list[int]:
        nonlocal made
        made += 1
        await asyncio.sleep(0.01)
        return [made]

    asked = [asyncio.create_task(kept.once("a", 0, make, len)) for _ in range(20)]
    await asyncio.sleep(0)
    asked[0].cancel()  # whoever began may go: the others are served
    values = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(values[0], asyncio.CancelledError)
    assert values[1:] == [[1]] * 19
    assert await kept.once("a", 0, make, len) == [1]
    assert await kept.once("a", 1, make, len) == [2]
    assert not kept._making


async def test_a_failure_is_told_to_all_and_not_kept() -> None:
    kept = Kept(100)

    async def fail() -> list[int]:
        await asyncio.sleep(0)
        raise LookupError("gone")

    async def make() -> list[int]:
        return [1]

    told = await asyncio.gather(
        *(kept.once("a", 0, fail, len) for _ in range(3)), return_exceptions=True
    )
    assert [type(error) for error in told] == [LookupError] * 3
    with pytest.raises(LookupError):
        await kept.once("a", 0, fail, len)
    assert await kept.once("a", 0, make, len) == [1]
