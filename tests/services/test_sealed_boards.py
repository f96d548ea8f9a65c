"""Tables that share their deals: what is told while they are played, and what afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from dataclasses import replace
from pathlib import Path

from rummy_arena.api.v1.format_pb2 import Stage
from rummy_arena.api.v1.table_pb2 import TABLE_STATUS_FINISHED, TABLE_STATUS_PLAYING
from rummy_arena.api.v1.terms_pb2 import DEAL_SEEDS_DERIVED, DEAL_SEEDS_SHARED
from rummy_arena.api.v1.tournament_pb2 import Tournament, TournamentOptions
from rummy_arena.client import Arena
from rummy_arena.game.chance import deal_seed
from rummy_arena.game.events import DealRevealed, DealStarted
from rummy_arena.game.fairness import verify
from rummy_arena.game.notation import parse_game
from rummy_arena.rulesets.registry import get_rule_set
from services.events.boards import tables_to_unseal
from services.play.archive_table import archive_table
from services.play.unseal_table import SOONEST_LOOK_MS, unseal_table
from services.runtime.archiving import FORMS
from services.runtime.cli import run
from services.state.archive import FolderArchive
from services.state.context import Context
from services.state.messages import ArchiveTable, Message, UnsealTables
from tests.workers.carrying import drain, sweep, take

from .event_world import World, refusal

TURN_MS = 100_000


async def duplicate(world: World) -> tuple[Tournament, str, str, Arena]:
    """Return an event whose round waits for a person, her table, the other one, and her calls."""
    options = TournamentOptions(
        title="Boards",
        rule_set_id="kalooki-bonus",
        rule_set_options={"contract": "1"},
        stages=[Stage(format_id="duplicate", seats_per_table=3, options={"rounds": "2"})],
    )
    cup = await world.admin.tournaments.open(options, seed="boards")
    person = (await world.admin.players.create("Ann")).id
    await world.enter(cup, [person, *await world.players(5)])
    await world.admin.tournaments.start(cup.id)
    await world.work()
    [round_] = await world.admin.tournaments.bracket(cup.id)
    [board] = {pairing.board for pairing in round_.pairings}
    assert board
    hers, other = sorted(round_.pairings, key=lambda one: 1 not in one.entrants)
    token = await world.admin.players.create_token(person)
    return cup, hers.table_id, other.table_id, world.admin.as_bearer(token.secret)


async def play_round(world: World, cup: Tournament, *, lose: bool = False) -> None:
    """Let time pass until the first round is over."""

    def lost(message: Message) -> bool:
        return lose and isinstance(message, UnsealTables)

    for _ in range(1_000):
        world.clock.now_ms += TURN_MS
        await sweep(world.ctx)
        await drain(world.ctx, lose=lost)
        if len(await world.admin.tournaments.bracket(cup.id)) > 1:
            return
    raise AssertionError("the round does not end")


async def text_of(arena: Arena, table_id: str) -> str:
    return b"".join([part async for part in arena.tables.export(table_id)]).decode()


async def test_while_others_play_the_same_deals_a_table_is_for_its_seats(world: World) -> None:
    cup, hers, other, ann = await duplicate(world)
    admin = world.admin
    seen = await admin.tables.get(other)
    assert (seen.status, seen.deal_seeds) == (TABLE_STATUS_FINISHED, DEAL_SEEDS_SHARED)
    assert not seen.HasField("view")
    assert not seen.HasField("score_sheet")
    assert (seen.sequence, seen.actions) == (0, 0)
    for table_id in (hers, other):
        for call in _looks(admin, table_id):
            assert await refusal(call) == "TABLE_SEALED"
    strangers = await admin.players.create_token((await admin.players.create("Eve")).id)
    for who in (ann, admin.as_bearer(strangers.secret)):
        for call in (who.tables.get(other), *_looks(who, other)):
            assert await refusal(call) == "NOT_FOUND"
    own = await ann.tables.get(hers)
    assert (own.status, bool(own.view.hand)) == (TABLE_STATUS_PLAYING, True)
    kinds = [event.WhichOneof("event") async for event in ann.tables.history(hers)]
    assert kinds[:2] == ["deal_committed", "deal_started"]
    assert await refusal(anext(ann.tables.export(hers))) == "TABLE_SEALED"
    await admin.tables.pause(hers, "lunch")
    await admin.tables.resume(hers)
    assert not [table async for table in admin.tables.list()]
    events = [event async for event in _so_far(admin, cup)]
    assert "round_finished" not in events


def _looks(who: Arena, table_id: str) -> list[Awaitable[object]]:
    tables = who.tables
    return [
        anext(tables.export(table_id)),
        anext(tables.history(table_id)),
        anext(tables.watch(table_id)),
    ]


async def _so_far(arena: Arena, cup: Tournament) -> AsyncIterator[str | None]:
    last = (await arena.tournaments.get(cup.id)).sequence
    async for event in arena.tournaments.events(cup.id):
        yield event.WhichOneof("event")
        if event.sequence == last:
            return


async def test_when_the_round_is_over_everybody_can_verify_that_the_deals_were_the_same(
    world: World, tmp_path: Path
) -> None:
    cup, hers, other, ann = await duplicate(world)
    await play_round(world, cup)
    log = world.admin.tournaments.events(cup.id)
    event = await anext(log)
    while event.WhichOneof("event") != "round_finished":
        event = await anext(log)
    [told] = event.round_finished.board_seeds
    rules = get_rule_set("kalooki-bonus", {"contract": "1"})
    decks = []
    for table_id in (hers, other):
        text = await text_of(ann, table_id)
        file, game = tmp_path / "game.txt", parse_game(text)
        file.write_text(text)
        assert run(["verify", str(file)]) == 0
        assert verify(rules, 3, game.events).good
        seeds = {(e.number, e.attempt): e.seed for e in game.events if isinstance(e, DealRevealed)}
        assert seeds == {deal: deal_seed(told.seed, *deal) for deal in seeds}
        decks.append([e.deck for e in game.events if isinstance(e, DealStarted) and not e.attempt])
    common = min(map(len, decks))
    assert decks[0][:common] == decks[1][:common]
    assert told.board
    assert common == 1
    again = await ann.tables.get(other)
    assert again.HasField("view")
    kinds = [event.WhichOneof("event") async for event in ann.tables.history(other)]
    assert kinds[-1] == "deal_revealed"


async def test_a_table_that_nobody_unsealed_asks_again_by_itself(world: World) -> None:
    cup, hers, other, ann = await duplicate(world)
    await play_round(world, cup, lose=True)
    assert await refusal(anext(ann.tables.export(other))) in ("NOT_FOUND", "TABLE_SEALED")
    for _ in range(3):
        await world.work(SOONEST_LOOK_MS * 20)
    for table_id in (hers, other):
        assert "seed of deal 1: " in await text_of(ann, table_id)


async def test_a_table_that_is_played_again_has_deals_of_its_own(world: World) -> None:
    cup, *_ = await duplicate(world)
    replayed = (await world.admin.directors.replay_table(cup.id, 1, "a cat")).table_id
    await world.work()
    again = await world.admin.tables.get(replayed)
    assert again.deal_seeds == DEAL_SEEDS_DERIVED
    first = replayed.removesuffix("-a2")
    assert (await world.admin.tables.get(first)).deal_seeds == DEAL_SEEDS_SHARED
    assert not (await world.admin.tables.get(first)).HasField("view")


async def test_tables_of_an_event_that_was_called_off_are_unsealed(world: World) -> None:
    cup, hers, other, ann = await duplicate(world)
    await world.admin.directors.cancel(cup.id, "fire")
    await world.work()
    assert await refusal(anext(world.admin.tables.export(hers))) == "TABLE_SEALED"
    for _ in range(2):
        await world.work(SOONEST_LOOK_MS * 20)
    for table_id in (hers, other):
        assert "seed of deal 1: " in await text_of(ann, table_id)


async def test_seeds_are_told_once_however_often_a_table_is_unsealed(
    world: World, tmp_path: Path
) -> None:
    cup, _, other, ann = await duplicate(world)
    kept = replace(world.ctx, archive=FolderArchive(tmp_path))
    assert not await unseal_early(kept, cup)
    await play_round(world, cup, lose=True)
    assert not await archive_table(kept, other, FORMS)
    once = await asyncio.gather(*[unseal_table(kept, other) for _ in range(5)])
    assert once.count(True) == 1
    assert ArchiveTable(other) in await take(kept)
    assert (await text_of(ann, other)).count("seed of deal 1: ") == 1
    assert await archive_table(kept, other, FORMS)


async def unseal_early(ctx: Context, cup: Tournament) -> bool:
    """Carry a message that came too early, perhaps from a table itself; say what it may unseal."""
    return bool(await tables_to_unseal(ctx, cup.id, 1, 1, 1))
