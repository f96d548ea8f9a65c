"""The marker that ties a rule case to the clauses of the rule book that it checks."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", "clause(*ids): the rule book's clauses that a case checks")
