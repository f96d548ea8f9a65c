from __future__ import annotations

from typing import Any

import pytest

from .arenas import demo, run_command

OPTIONS = ("--entrants", "16", "--seed", "7")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return demo(*OPTIONS, "--workers", "1")


def test_the_document_tells_the_whole_tournament(document: dict[str, Any]) -> None:
    assert [len(row["tables"]) for row in document["rounds"]] == [4, 2, 1]
    assert sorted(row["entrant"] for row in document["standings"]) == list(range(1, 17))
    assert {row["bot"] for row in document["standings"]} == {"random", "greedy", "careful"}
    final = document["rounds"][-1]["tables"][0]
    sheet = document["score_sheet"]
    assert sheet["seats"] == final["names"]
    assert sheet["totals"] == final["totals"]
    assert [deal["number"] for deal in sheet["deals"]] == list(range(1, 10))
    columns = zip(*(deal["points"] for deal in sheet["deals"]), strict=True)
    assert [sum(column) for column in columns] == sheet["totals"]
    best = min(final["totals"])
    winners = [n for n, total in zip(final["names"], final["totals"], strict=True) if total == best]
    assert document["winners"] == winners


def test_prometheus_and_the_bracket_agree(document: dict[str, Any]) -> None:
    tables = [table for row in document["rounds"] for table in row["tables"]]
    figures = document["figures"]
    assert figures["tournaments"] == 1
    assert figures["tables"] == len(tables) == 7
    assert figures["deals"] == sum(table["deals"] for table in tables)
    assert figures["actions"] == sum(table["actions"] for table in tables)


def test_the_same_seed_gives_the_same_tournament_with_more_workers(
    document: dict[str, Any],
) -> None:
    again = demo(*OPTIONS, "--workers", "2")
    for part in ("standings", "score_sheet", "winners"):
        assert again[part] == document[part]
    assert played(again) == played(document)


def test_without_a_terminal_it_prints_plain_lines(document: dict[str, Any]) -> None:
    done = run_command("demo", *OPTIONS)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    for title in ("Bracket", "Final table", "Standings", "House bots", "Throughput"):
        assert title in done.stdout
    again = " ".join(("rummy-arena", "demo", *OPTIONS))
    assert f"{document['winners'][0]} wins. Again: {again}\n" in done.stdout


def played(document: dict[str, Any]) -> list[Any]:
    return [
        {key: value for key, value in table.items() if key != "table_id"}
        for row in document["rounds"]
        for table in row["tables"]
    ]
