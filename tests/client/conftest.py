"""Tests of the client against the real server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.services.conftest import Api
from tests.services.conftest import api as served_api

__all__ = ["served_api"]

SETTLE_S = 0.1


@pytest.fixture
async def api(served_api: Api) -> AsyncIterator[Api]:
    """The server, left alone until the streams that a test dropped are gone from it."""
    yield served_api
    await asyncio.sleep(SETTLE_S)
