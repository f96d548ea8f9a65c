"""Tests of the client against the real server."""

from __future__ import annotations

from tests.services.conftest import api

__all__ = ["api"]
