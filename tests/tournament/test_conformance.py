"""Every format keeps to what all must keep to; the whole sweep is ``make sweeps``."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from rummy_arena.tournament.registry import FORMATS
from tests.sweeps import WHOLE, sweeping

from .conformance import NEVER_TWICE, OPTIONS, Broken, Case, cases, check

FIELDS = range(2, 71) if WHOLE else (2, 3, 5, 6, 7, 8, 11, 13, 17, 24)
EVERY = 1 if WHOLE else 5
"""Of the cases with these numbers of entrants, one in so many is played."""
DIGEST = (
    "import hashlib\n"
    "from tests.tournament.conformance import cases, paired\n"
    "said = [repr(paired(case)) for case in list(cases((7, 10)))[::6]]\n"
    "print(hashlib.sha256(''.join(said).encode()).hexdigest())\n"
)


def sample(format_id: str) -> list[Case]:
    """Return the cases of a format that are played here."""
    own = [case for case in cases(FIELDS) if case.format_id == format_id]
    return own[::EVERY]


@sweeping
@pytest.mark.parametrize("format_id", FORMATS)
def test_a_format_keeps_to_what_all_formats_must(format_id: str) -> None:
    broken, rounds = [], 0
    for case in sample(format_id):
        try:
            rounds += check(case)
        except Broken as fault:
            broken.append(str(fault))
    assert not broken, f"{len(broken)} events: " + "\n".join(broken[:5])
    assert rounds > len(sample(format_id)) // 2


def test_the_sample_has_every_format_in_calm_and_in_storm() -> None:
    for format_id in FORMATS:
        assert {case.storm for case in sample(format_id)} == {False, True}
    assert set(OPTIONS) | NEVER_TWICE <= set(FORMATS)


def test_rounds_do_not_depend_on_the_seed_of_hashes() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
    assert len(said.pop().strip()) == 64
