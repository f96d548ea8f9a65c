from __future__ import annotations

import pytest

from rummy_arena.tournament.errors import UnknownFormat
from rummy_arena.tournament.registry import FORMATS, get_format


def test_formats_are_found_by_their_id() -> None:
    assert all(get_format(format_id).id == format_id for format_id in FORMATS)


def test_an_unknown_format_says_which_are_known() -> None:
    with pytest.raises(UnknownFormat, match=r"known: .*knockout"):
        get_format("ladder")
