"""What ``make test`` tries a part of, and ``make sweeps`` the whole.

A test that tries every size of a field, or many seeds where each tells little more than the one
before, is marked as ``sweeping``: it tries the ends and a sample that is the same on every run.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from typing import TypeVar

import pytest

Tried = TypeVar("Tried")

WHOLE = bool(os.environ.get("RUMMY_ARENA_SWEEPS"))
"""Whether everything is tried."""

sweeping = pytest.mark.sweep
"""Marks what ``make sweeps`` runs."""


def some(
    values: Iterable[Tried], count: int, *, first: int = 1, last: int = 1, of: object = ""
) -> list[Tried]:
    """Return the values, or the first and the last of them and ``count`` drawn from those between.

    ``of`` says what they are tried with: another one, another sample.
    """
    every = list(values)
    between = range(first, len(every) - last)
    if WHOLE or count >= len(between):
        return every
    drawn = random.Random(str(of)).sample(between, count)
    places = [*range(first), *sorted(drawn), *range(len(every) - last, len(every))]
    return [every[place] for place in places]


def times(few: int, many: int) -> int:
    """Return how often to try: few times, or many where everything is tried."""
    return many if WHOLE else few
