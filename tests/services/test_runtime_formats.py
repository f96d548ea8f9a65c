"""The command ``rummy-arena formats``."""

from __future__ import annotations

import json

import pytest

from rummy_arena.tournament.registry import FORMATS
from rummy_arena.tournament.tiebreaks import chain_of, rows_of
from services.runtime.cli import run


def squeezed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["formats", *arguments]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_without_an_argument_it_lists_the_formats(capsys: pytest.CaptureFixture[str]) -> None:
    text = squeezed(capsys)
    assert all(format_id in text for format_id in FORMATS)
    listed = json.loads(squeezed(capsys, "--json"))["formats"]
    assert [row["id"] for row in listed] == list(FORMATS)


@pytest.mark.parametrize("format_id", FORMATS)
def test_a_format_is_shown_with_all_that_can_be_chosen(
    format_id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    format_ = FORMATS[format_id]
    text = squeezed(capsys, format_id)
    for name in (option.name for option in format_.options):
        assert name in text
    for row in rows_of(format_.ranks):
        assert row.id in text
    default = ", ".join(row.id for row in chain_of(format_.chain, format_.ranks))
    assert f"Unless others are chosen: {default}." in text
    document = json.loads(squeezed(capsys, format_id, "--json"))
    assert document["tie_breaks"][0].keys() == {"id", "definition"}


def test_an_unknown_format_is_told_with_those_that_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["formats", "pyramid"]) == 2
    assert "known: knockout" in " ".join(capsys.readouterr().err.split())
