"""When a process that died is started again, and when it is given up."""

from __future__ import annotations

import pytest

from services.runtime.restarts import WITHIN_S, Restarts


class Hands:
    """A clock that is set by hand."""

    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Hands:
    return Hands()


def test_pauses_grow_and_the_sixth_death_of_a_minute_is_the_last(clock: Hands) -> None:
    restarts = Restarts(5, clock=clock)
    pauses = []
    for _ in range(5):
        assert restarts.ended("relay", "exited with status 1", as_told=False)
        died_s = clock.now_s
        while not restarts.due():
            clock.now_s += 0.05
        pauses.append(clock.now_s - died_s)
    assert pauses == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6], abs=0.051)
    assert not restarts.ended("relay", "exited with status 1", as_told=False)


def test_deaths_of_an_earlier_minute_and_of_others_are_forgiven(clock: Hands) -> None:
    restarts = Restarts(1, clock=clock)
    assert restarts.ended("relay", "was killed by SIGKILL", as_told=False)
    assert restarts.ended("beat", "was killed by SIGKILL", as_told=False)
    clock.now_s += WITHIN_S + 1
    assert restarts.ended("relay", "was killed by SIGKILL", as_told=False)
    assert not restarts.ended("relay", "was killed by SIGKILL", as_told=False)


def test_who_was_told_to_end_is_replaced_at_once_and_without_bound(clock: Hands) -> None:
    restarts = Restarts(1, clock=clock)
    for count in range(1, 20):
        assert restarts.ended("api-1", "exited with status 0", as_told=True)
        assert restarts.waits("api-1")
        assert restarts.due() == ["api-1"]
        assert restarts.due() == []
        assert restarts.starts("api-1") == count
    assert restarts.facts("api-1") == {"restarts": 19, "last_end": "exited with status 0"}
    assert restarts.facts("api-2") == {}


def test_none_bears_with_nothing(clock: Hands) -> None:
    restarts = Restarts(0, clock=clock)
    assert not restarts.wanted
    assert not restarts.ended("api", "exited with status 0", as_told=True)
