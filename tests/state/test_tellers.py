"""An event wakes the webhook that tells of it, in the same script."""

from __future__ import annotations

import pytest

from services.state import keys
from services.state.store import Batch, Store

ID = "a1"
FAR_MS = 9_000_000


async def deadline(store: Store) -> float | None:
    score = await store._client.zscore(
        keys.deadlines(keys.shard_of(ID)), keys.member("webhook", ID)
    )
    return None if score is None else float(score)


async def commit(store: Store, aggregate: str, events: Batch) -> None:
    held = await store.acquire(aggregate, ID, lease_ms=5_000, wait_s=1.0)
    await store.commit(held, held.data, events=events, expected_results=9)


@pytest.mark.parametrize("aggregate", sorted(keys.TOLD))
async def test_an_event_brings_the_deadline_of_its_webhook_to_now(
    store: Store, aggregate: str
) -> None:
    """I-17. By commit and by report."""
    await store.create(aggregate, ID, b"x")
    await commit(store, aggregate, Batch(1, b"e", 5_000))
    assert await deadline(store) is None  # there is no webhook
    await store.create("webhook", ID, b"hook", deadline_ms=FAR_MS)
    await commit(store, aggregate, Batch(0, b"", 5_000))
    assert await deadline(store) == FAR_MS  # nothing happened
    await commit(store, aggregate, Batch(1, b"e", 5_000))
    assert await deadline(store) == 5_000
    await store.report(
        aggregate, ID, "1", b"r", events=Batch(1, b"e", 4_000), message=b"m", look_ms=1
    )
    assert await deadline(store) == 4_000
    await commit(store, aggregate, Batch(1, b"e", 6_000))
    assert await deadline(store) == 4_000  # and never puts it off


async def test_an_event_of_what_no_webhook_tells_wakes_none(store: Store) -> None:
    """I-17. A table of the same id."""
    await store.create("webhook", ID, b"hook", deadline_ms=FAR_MS)
    await store.create("table", ID, b"x")
    await commit(store, "table", Batch(1, b"e", 5_000))
    assert await deadline(store) == FAR_MS
