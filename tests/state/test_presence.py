"""Who is there, and when nobody could be: streams that live, end, or are left; pulses and gaps."""

from __future__ import annotations

import asyncio

import pytest

from services.state import keys, presence
from services.state.store import Presence, Store

NOW = 1_700_000_000_000
HOLD = 5_000
GAP = 3_000


async def test_nobody_was_seen(store: Store) -> None:
    assert await store.presences(["p1", "p2"], NOW) == {}
    assert await store.presences([], NOW) == {}


async def test_a_stream_lives_until_its_hold_is_over(store: Store) -> None:
    await store.seen("p1", "s1", NOW, HOLD)
    for later, live in ((0, True), (HOLD - 1, True), (HOLD, False), (HOLD + 1, False)):
        assert await store.presences(["p1"], NOW + later) == {"p1": Presence(live, NOW)}
    await store.seen("p1", "s1", NOW + 4_000, HOLD)
    assert await store.presences(["p1"], NOW + HOLD) == {"p1": Presence(True, NOW + 4_000)}


async def test_a_stream_that_left_is_not_live(store: Store) -> None:
    await store.seen("p1", "s1", NOW, HOLD)
    await store.left("p1", "s1", NOW + 100)
    assert await store.presences(["p1"], NOW + 200) == {"p1": Presence(False, NOW + 100)}
    await store.left("p1", "s1", NOW + 100)
    assert await store.presences(["p1"], NOW + 200) == {"p1": Presence(False, NOW + 100)}


async def test_one_of_two_streams_left(store: Store) -> None:
    await store.seen("p1", "s1", NOW, HOLD)
    await store.seen("p1", "s2", NOW + 10, HOLD)
    await store.left("p1", "s1", NOW + 20)
    assert await store.presences(["p1"], NOW + 30) == {"p1": Presence(True, NOW + 20)}
    await store.left("p1", "s2", NOW + 40)
    assert await store.presences(["p1"], NOW + 50) == {"p1": Presence(False, NOW + 40)}


async def test_many_players_at_once(store: Store) -> None:
    players = [f"p{number}" for number in range(40)]  # of every shard
    await asyncio.gather(*(store.seen(player, "s", NOW, HOLD) for player in players[::2]))
    found = await store.presences([*players, "p0"], NOW)
    assert sorted(found) == sorted(players[::2])
    assert all(each == Presence(True, NOW) for each in found.values())


async def test_dead_streams_are_swept(store: Store) -> None:
    for number in range(50):
        await store.seen("p1", f"s{number}", NOW + number * HOLD, HOLD)
    assert await store._client.zcard(keys.presence("p1")) <= 3


async def test_a_clock_behind_takes_nothing_back(store: Store) -> None:
    await store.seen("p1", "s1", NOW, HOLD)
    await store.seen("p1", "s1", NOW - 1_000, HOLD)
    await store.left("p1", "s2", NOW - 1_000)
    assert await store.presences(["p1"], NOW + HOLD - 1) == {"p1": Presence(True, NOW)}


async def test_a_presence_is_kept_for_hours(store: Store) -> None:
    await store.seen("p1", "s1", NOW, HOLD)
    left_ms = await store._client.pttl(keys.presence("p1"))
    assert presence.KEPT_MS - 60_000 < left_ms <= presence.KEPT_MS


async def test_no_outage_while_any_process_pulses(store: Store, other: Store) -> None:
    for second in range(0, 20_000, 1_000):  # the first of two is gone for most of the time
        await (store if second < 3_000 else other).pulse(NOW + second, GAP)
    await store.pulse(NOW + 19_000 + GAP, GAP)
    assert await store.outages(0) == []


async def test_an_outage_is_kept_once(store: Store, other: Store) -> None:
    assert not await store.pulse(NOW, GAP)
    both = await asyncio.gather(*(each.pulse(NOW + 60_000, GAP) for each in (store, other)))
    assert sorted(both) == [False, True]
    assert await store.outages(0) == [(NOW, NOW + 60_000)]


async def test_silence_goes_on_until_the_next_pulse(store: Store, other: Store) -> None:
    assert await store.silent_since() is None  # who never came is not away
    await store.pulse(NOW, GAP)
    assert await other.silent_since() is None
    await store.pulse(NOW + 1_000, 1)
    await asyncio.sleep(0.02)
    assert await other.silent_since() == NOW + 1_000
    await other.pulse(NOW + 500, GAP)  # by a clock that is behind
    assert await store.silent_since() is None


async def test_outages_after_a_moment(store: Store) -> None:
    for at_ms in (0, 10_000, 11_000, 30_000):
        await store.pulse(NOW + at_ms, GAP)
    spans = [(NOW, NOW + 10_000), (NOW + 11_000, NOW + 30_000)]
    assert await store.outages(0) == spans
    assert await store.outages(NOW + 9_999) == spans
    assert await store.outages(NOW + 10_000) == spans[1:]
    assert await store.outages(NOW + 30_000) == []


async def test_a_clock_behind_makes_no_outage(store: Store) -> None:
    await store.pulse(NOW, GAP)
    await store.pulse(NOW - 3_600_000, GAP)
    await store.pulse(NOW + 1_000, GAP)
    assert await store.outages(0) == []


async def test_a_clock_ahead_makes_one_outage_and_no_more(store: Store) -> None:
    for second in range(0, 10_000, 1_000):
        await store.pulse(NOW + second, GAP)
        await store.pulse(NOW + second + 3_600_000, GAP)
    assert await store.outages(0) == [(NOW, NOW + 3_600_000)]


async def test_outages_are_forgotten_after_a_day(store: Store) -> None:
    day_ms = presence.OUTAGES_KEPT_MS
    for at_ms in (0, 10_000, 20_000, day_ms + 15_000):
        await store.pulse(NOW + at_ms, GAP)
    spans = await store.outages(0)
    assert spans == [(NOW + 10_000, NOW + 20_000), (NOW + 20_000, NOW + day_ms + 15_000)]


async def test_only_so_many_outages_are_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "MOST_OUTAGES", 3)
    for number in range(6):
        await store.pulse(NOW + number * 10_000, GAP)
    assert [first - NOW for first, _ in await store.outages(0)] == [20_000, 30_000, 40_000]
