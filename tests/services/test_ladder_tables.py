"""Tables of ladders: of every size, decided by a host, and sent for again."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from services.events.ladders.advance_ladder import advance_ladder
from services.events.ladders.count_result import count_result
from services.events.ladders.create_ladder import LadderOptions, create_ladder
from services.events.ladders.enter_ladder import enter_ladder
from services.events.ladders.ladder import read_ladder, table_id
from services.events.ladders.read_results import read_results
from services.play.adjudicate_table import adjudicate_table
from services.play.change import Ask
from services.play.close_table import close_table
from services.play.errors import InTournament
from services.state.context import Context
from tests.workers.carrying import Clock, drain, sweep, take

from .laddered import HOST, QUICK, bots, ended, entrants_of, ladder, player


async def test_a_host_decides_a_table_that_does_not_end(timed: Context) -> None:
    ladder_id = await ladder(timed)
    for name in "abcd":
        person = await player(timed, name, role="player")
        await enter_ladder(timed, HOST, ladder_id=ladder_id, player_id=person)
    await drain(timed)
    [table] = (await read_ladder(timed, ladder_id)).record.open
    at = table_id(ladder_id, table.number)
    with pytest.raises(InTournament):
        await close_table(timed, HOST, at, Ask("c"), reason="rain")
    await adjudicate_table(timed, HOST, at, Ask("a"), places=(2, 1, 3, 4), reason="rain")
    await drain(timed)
    [result] = await read_results(timed, ladder_id, [1])
    assert [place for _, place, _ in result.seats] == [2, 1, 3, 4]


@pytest.mark.parametrize(
    ("rule_set", "chosen", "seats"),
    [
        ("carioca-argentine", {"contract": "1"}, 2),
        ("kalooki-bonus", {"contract": "1", "packs": "3"}, 5),
        ("kalooki-bonus", {"contract": "1", "packs": "3"}, 8),
    ],
)
async def test_tables_of_every_size_are_played_and_rated(
    timed: Context, rule_set: str, chosen: dict[str, str], seats: int
) -> None:
    terms = replace(QUICK, seats=seats, fewest=seats, again=200)
    options = LadderOptions("Bots", rule_set, terms, rule_set_options=chosen)
    made = await create_ladder(timed, HOST, options, ladder_id="sized")
    await bots(timed, made.id, seats)
    await drain(timed)
    [first, *_] = await read_results(timed, made.id, [1])
    assert sorted(entrant for entrant, _, _ in first.seats) == list(range(1, seats + 1))
    rated = await entrants_of(timed, made.id)
    assert all(entrant.games and entrant.deviation < 350_000_000 for entrant in rated.values())


async def test_a_lost_call_is_made_good_though_results_keep_coming(
    timed: Context, clock: Clock
) -> None:
    ladder_id = await ladder(timed)
    await bots(timed, ladder_id, 8)
    await advance_ladder(timed, ladder_id)
    one, other = (await read_ladder(timed, ladder_id)).record.open
    dice = random.Random(1)
    await count_result(timed, ladder_id, one.number, ended(one.entrants, dice))
    await take(timed)  # and lose it
    clock.now_ms += 4_000
    await count_result(timed, ladder_id, other.number, ended(other.entrants, dice))
    assert await take(timed) == []
    clock.now_ms += 1_000
    await sweep(timed)
    assert (await read_ladder(timed, ladder_id)).record.tables == 4
