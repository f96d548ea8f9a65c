"""Fixtures of tests with several processes."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator

import pytest
from prometheus_client import CollectorRegistry

from services.state.client import connect
from services.state.context import Context
from services.state.meters import Meters
from services.state.store import Store


@pytest.fixture
async def second(ctx: Context, valkey_url: str) -> AsyncIterator[Context]:
    """Another process: its own connections, its own line at each tournament."""
    meters = Meters(CollectorRegistry())
    store = Store(connect(valkey_url), meters)
    yield dataclasses.replace(ctx, store=store, meters=meters)
    await store.close()
