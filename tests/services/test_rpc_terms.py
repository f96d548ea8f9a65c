"""What the .proto files promise about the terms of tables is what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rummy_arena.api.v1 import terms_pb2 as pb
from services.events.principals import HOSTS
from services.play.change import OPEN_MS
from services.play.creators import MOST_TABLES
from services.play.rights import SEEDERS
from services.rpc.convert_terms import time_control_message, time_control_of
from services.rpc.violations import Fields
from services.state.records import TimeControl
from services.state.terms import LONGEST_MS, MOST_DELAY_DEALS, MOST_INVITED, TITLE_LENGTH

PROTO = Path(__file__).parents[2] / "proto/rummy_arena/api/v1"
UNITS_S = {"s": 1, "minutes": 60, "": 1}


def words(name: str) -> str:
    """Return a file's comments and fields as one line, without what makes comments of them."""
    return " ".join((PROTO / name).read_text().replace("//", " ").split())


def told_of(field: str) -> str:
    """Return the comment above a field of TimeControl."""
    message = re.search(
        r"message TimeControl \{(.*?)\n\}", (PROTO / "terms.proto").read_text(), re.S
    )
    assert message
    above = re.search(rf"((?:  //.*\n)+)  [\w. ]+ {field} = ", message[1])
    assert above, field
    return " ".join(above[1].replace("//", " ").split())


@pytest.mark.parametrize("field", [field.name for field in pb.TimeControl.DESCRIPTOR.fields])
def test_the_default_of_a_clock_is_the_one_that_is_told(field: str) -> None:
    default = getattr(time_control_message(TimeControl()), field)
    if field == "stand_in":
        assert f"The bot {default} by default" in told_of(field)
        return
    told = re.search(r"(\d+) ?(s|minutes|) by default", told_of(field))
    assert told, field
    seconds = default if field == "absent_after" else default.seconds + default.nanos / 1e9
    assert int(told[1]) * UNITS_S[told[2]] == seconds


def test_a_clock_of_which_nothing_is_said_has_all_defaults() -> None:
    assert time_control_of(Fields(), "clock", pb.TimeControl()) == TimeControl()


def test_the_bounds_that_are_told_are_those_that_hold() -> None:
    terms, service = words("terms.proto"), words("table_service.proto")
    assert f"at most {LONGEST_MS // 3_600_000} hours" in terms
    assert f"At most {MOST_DELAY_DEALS}." in terms
    assert f"private, at most {MOST_INVITED}." in terms
    assert f"at most {TITLE_LENGTH} characters" in terms
    assert f"at most {MOST_TABLES} tables" in service
    assert OPEN_MS == 3_600_000
    assert "has not started after an hour is closed" in service
    assert set(SEEDERS) == set(HOSTS)
