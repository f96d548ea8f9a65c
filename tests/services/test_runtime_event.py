"""``rummy-arena event`` on a real server, and what an oracle makes of the export."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from rummy_arena.rulesets.registry import get_rule_set
from rummy_arena.tournament.field import Entrant
from rummy_arena.tournament.registry import stage_of
from rummy_arena.tournament.results import SeatResult, TableResult
from rummy_arena.tournament.rounds import PlayedRound
from rummy_arena.tournament.stages import Course, Stage, standings
from rummy_arena.tournament.tables import TableLimits
from services.events.create_player import create_player
from services.events.create_tournament import TournamentOptions, create_tournament
from services.events.register import register
from services.events.stage_choices import StageChoice
from services.events.start_tournament import start_tournament
from services.rpc.convert_tournament import decimal
from services.runtime import event_view
from services.runtime.cli import run
from services.runtime.event_fetch import fetch
from services.runtime.event_record import event_of
from services.runtime.event_svg import picture
from tests.workers.carrying import HOST, drain

from .conftest import ADMIN_TOKEN, Api

SEED = b"known to the host"
ENTRANTS = 7


async def started(api: Api) -> str:
    """Return the id of an event of two stages whose first tables wait to be opened."""
    stages = (
        StageChoice("danish", 4, options={"rounds": "2"}, take=4),
        StageChoice("knockout", 4, options={"advance": "2"}),
    )
    options = TournamentOptions("=Cup", "kalooki-jamaican", stages, seed=SEED)
    tournament = await create_tournament(api.ctx, HOST, options, tournament_id=api.ctx.new_id())
    for number in range(1, ENTRANTS + 1):
        player_id, _ = await create_player(
            api.ctx,
            HOST,
            name=f"+bot-{number}",
            role="bot",
            bot="greedy",
            player_id=api.ctx.new_id(),
        )
        await register(api.ctx, HOST, tournament_id=tournament.id, player_id=player_id)
    await start_tournament(api.ctx, HOST, tournament_id=tournament.id)
    return tournament.id


async def command(api: Api, *arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.runtime.cli", "event"),
        *(*arguments, "--server", api.address, "--token", ADMIN_TOKEN),
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    return out.decode()


def stages_of(document: dict[str, Any]) -> tuple[Stage, ...]:
    options = document["tournament"]["options"]
    rules = get_rule_set(options["rule_set_id"], options["rule_set_options"])
    return tuple(
        stage_of(
            stage["format_id"],
            TableLimits(stage["seats_per_table"], stage["smallest_table"], rules.max_seats),
            stage["options"],
            take=stage["take"],
            chain=tuple(stage["tie_breaks"]),
        )
        for stage in options["stages"]
    )


def result_of(pairing: dict[str, Any]) -> TableResult:
    return TableResult(
        pairing["number"],
        tuple(
            SeatResult(
                entrant=seat["entrant"],
                total=seat["total"],
                place=seat["place"],
                deals_won=seat["deals_won"],
                down_and_outs=seat["down_and_outs"],
                calls=seat["calls"],
                deal_points=tuple(seat["deal_points"]),
                forfeit=seat["forfeit"],
                left_out=tuple(seat["left_out_deals"]),
                sudden_wins=seat["sudden_death_wins"],
            )
            for seat in pairing["result"]["seats"]
        ),
    )


def course_of(document: dict[str, Any], seed: bytes) -> Course:
    """Return an event that is over as the pure rules take it, from its export alone.

    But for the seed, which is never told: only lots depend on it.
    """
    return Course(
        stages_of(document),
        tuple(
            Entrant(entrant["number"], seeding=entrant["seeding"], owner=entrant["owner"])
            for entrant in document["entrants"]
        ),
        tuple(
            PlayedRound(
                number=round_["number"],
                tables=tuple(tuple(pairing["entrants"]) for pairing in round_["pairings"]),
                results=tuple(map(result_of, round_["pairings"])),
                byes=tuple(round_["byes"]),
                stage=round_["stage"],
                labels=tuple(pairing["label"] for pairing in round_["pairings"]),
                boards=tuple(pairing["board"] for pairing in round_["pairings"]),
                options=tuple(round_["rule_set_options"].items()),
            )
            for round_ in document["rounds"]
        ),
        seed,
    )


async def test_an_oracle_finds_the_same_standings_in_the_export(api: Api) -> None:
    tournament_id = await started(api)
    running = await fetch(api.admin, tournament_id)
    assert not running.final
    assert len(running.entrants) == ENTRANTS
    await drain(api.ctx)

    document = json.loads(await command(api, "export", tournament_id))
    assert document["standings"]["final"] is True
    lines = standings(course_of(document, SEED))
    assert [
        (row["place"], row["entrant"]["number"], row["total"], row["tables"], row["score"])
        for row in document["standings"]["rows"]
    ] == [
        (
            line.rank,
            line.entrant,
            line.total,
            line.tables,
            decimal(line.score) if line.score else "",
        )
        for line in lines
    ]
    kinds = {next(iter(set(one["event"]) - {"sequence"})) for one in document["log"]}
    assert {"entrant_registered", "tournament_finished"} <= kinds

    told = await fetch(api.admin, tournament_id, log=False)
    event = event_of(told.tournament, told.entrants, told.rounds, told.standings)
    views = "\n".join([*event_view.bracket(event, 80), *event_view.standings(event, 80)])
    assert all(f"+bot-{number}" in views for number in range(1, ENTRANTS + 1))
    assert "Stage 2: knockout" in views
    assert "wins" in picture(event)

    text = await command(api, "export", tournament_id, "--format", "csv")
    table = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["entrant"] for row in table] == [str(line.entrant) for line in lines]
    assert all(row["name"].startswith("'+bot-") for row in table)


async def test_what_is_played_is_shown_as_such(api: Api, tmp_path: Path) -> None:
    tournament_id = await started(api)
    shown = await command(api, "bracket", tournament_id, "--width", "60")
    assert "running round 1" in shown
    svg = tmp_path / "bracket.svg"
    assert await command(api, "bracket", tournament_id, "--svg", str(svg)) == ""
    assert svg.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", "t", "--format", "csv", "--what", "all"), "CSV has one table"),
        (("export", "t", "--server", "127.0.0.1:1"), "give the token as well"),
        (("standings", "t", "--server", "127.0.0.1:1", "--token", "\x01"), "printable ASCII"),
        (("crosstable", "t", "--data-dir", "/no/where"), "nothing runs in /no/where"),
        (("bracket", "t", "--width", "3"), "--width"),
        ((), "Missing command"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    arguments: tuple[str, ...],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("RUMMY_ARENA_TOKEN", raising=False)
    assert run(["event", *arguments]) == 2
    errors = capsys.readouterr().err
    assert said in errors
    assert errors.count("\n") == 1
