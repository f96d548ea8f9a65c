"""A table that has ended is written whole: what is read back is the log, with every card."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict

from rummy_arena.api.v1.table_export_pb2 import TableExportEvent, TableExportHeader
from rummy_arena.client.wire import card_texts
from rummy_arena.game.chance import commitment_of
from rummy_arena.game.events import DealStarted, Drew, Source
from rummy_arena.game.fairness import verify
from rummy_arena.game.notation import parse_game
from rummy_arena.game.replay import replay
from rummy_arena.rulesets.registry import RULE_SETS
from services.events.principals import Principal
from services.play.adjudicate_table import adjudicate_table
from services.play.change import Ask
from services.play.close_table import close_table
from services.play.create_table import NewTable, create_table, open_table
from services.play.delayed import PastLogs
from services.play.errors import NeverPlayed, NotInvited, WrongLife
from services.play.export_notation import notation
from services.play.export_table import Export, export_table
from services.play.history import stored_events
from services.play.table import TABLES
from services.rpc.export_lines import json_lines
from services.state.codec import game_record
from services.state.context import Context
from services.state.records import SeatRecord, Terms, Visibility
from services.state.table_log import game_events
from services.state.tables import table_record
from tests.workers.carrying import Clock

from .played import SEED, Played, played_table

ADMIN = Principal("admin", "admin")
HAND = re.compile(r" +hand (\d): (.+)")
STRANGER = Principal("stranger", "player")


async def exported(ctx: Context, table_id: str, person: Principal = STRANGER) -> Export:
    return await export_table(ctx, PastLogs(), table_id, person)


def lines_of(export: Export) -> list[dict[str, Any]]:
    return [json.loads(line) for line in b"".join(json_lines(export)).splitlines()]


GAMES: list[tuple[str, dict[str, str]]] = [
    *((rule_set, {}) for rule_set in RULE_SETS),
    ("kalooki-bonus", {"short_form": "on", "open_hands": "on", "stakes": "2"}),
    ("kalooki-bonus", {"short_form": "on", "best_of": "3", "calls": "off"}),
    ("kaluki-european", {"rebuys": "unlimited"}),
    ("kaluki-american", {"rebuys": "2", "ace": "high_or_low"}),
]
every_game = pytest.mark.parametrize(
    ("rule_set", "options"), GAMES, ids=[" ".join([name, *chosen]) for name, chosen in GAMES]
)


async def played(ctx: Context, rule_set: str, options: dict[str, str]) -> Played:
    """Return a table whose game was played to its end, with a commit for each deal."""
    seats = [SeatRecord(name, name, "") for name in ("a", "b", "c")]
    table = Played(ctx, ctx.new_id())
    await create_table(ctx, table.id, rule_set, seats, SEED, options=options)
    while not table.over:
        await table.deal()
    return table


@every_game
async def test_the_notation_is_the_log_and_verifies(
    ctx: Context, rule_set: str, options: dict[str, str]
) -> None:
    table = await played(ctx, rule_set, options)
    parsed = parse_game(b"".join(notation(await exported(ctx, table.id))).decode())
    stored, more = await stored_events(ctx, table.id, after=0, limit=100_000)
    assert not more
    assert list(parsed.events) == game_events(item.event for item in stored)
    record, rules = table_record(table.id, (await ctx.store.read(TABLES, table.id)).data)
    assert (parsed.rule_set, parsed.options) == (record.rule_set, record.options)
    assert list(parsed.names.values()) == [seat.name for seat in record.seats]
    assert game_record(replay(rules, parsed.seats, parsed.events)) == record.game
    found = verify(rules, parsed.seats, parsed.events)
    assert found.good
    assert all(deal.seed for deal in found.deals)


@every_game
async def test_json_lines_are_the_log_with_every_card(
    ctx: Context, rule_set: str, options: dict[str, str]
) -> None:
    table = await played(ctx, rule_set, options)
    head, *rows = lines_of(await exported(ctx, table.id))
    header = ParseDict(head, TableExportHeader())
    assert (header.format, header.table.id) == ("rummy-arena table log 1", table.id)
    assert list(header.table.score_sheet.places)
    assert dict(header.table.rule_set_options) == options
    assert header.table.HasField("finish_time")
    assert not header.table.HasField("view")
    assert not header.untold_seeds
    events = [ParseDict(row, TableExportEvent()) for row in rows]
    assert [one.event.sequence for one in events] == list(range(1, table.last + 1))
    times = [one.time.ToMilliseconds() for one in events]
    assert times == sorted(times)
    assert times[0] >= header.table.create_time.ToMilliseconds() > 0
    stored, _ = await stored_events(ctx, table.id, after=0, limit=100_000)
    drawn = 0
    for item, one in zip(stored, events, strict=True):
        if isinstance(item.event, Drew) and item.event.source is Source.STOCK:
            drawn += 1
            assert [one.event.drew.card] == card_texts([item.event.card])
    hands = [
        {seat: set(hand.cards) for seat, hand in enumerate(started.hands) if hand.cards}
        for started in (one.event.deal_started for one in events)
        if started.hands
    ]
    assert hands == await _hands_in_notation(ctx, table.id)
    assert len(hands) == sum(isinstance(item.event, DealStarted) for item in stored) > 1
    assert drawn > len(hands)


async def _hands_in_notation(ctx: Context, table_id: str) -> list[dict[int, set[str]]]:
    """Return the dealt hands by seat, deal by deal."""
    hands: list[dict[int, set[str]]] = []
    dealing = False
    for line in b"".join(notation(await exported(ctx, table_id))).decode().splitlines():
        if not line.startswith(" "):
            dealing = ": contract " in line
            hands += [{}] if dealing else []
        elif dealing and (found := HAND.fullmatch(line)):
            hands[-1][int(found[1])] = set(found[2].split())
    return hands


async def test_the_same_export_is_the_same_bytes(ctx: Context) -> None:
    table = await played_table(ctx)
    await table.finish()
    one, other = await exported(ctx, table.id), await exported(ctx, table.id)
    assert list(json_lines(one)) == list(json_lines(other))
    assert list(notation(one)) == list(notation(other))
    assert len(list(json_lines(one))) > 1  # in pieces


async def test_a_game_that_goes_on_is_refused(ctx: Context) -> None:
    table = await played_table(ctx)
    await table.deal()
    for person in (STRANGER, ADMIN, Principal("a", "player")):
        with pytest.raises(WrongLife, match="playing"):
            await exported(ctx, table.id, person)


async def test_a_spectator_has_it_when_the_delay_has_passed(ctx: Context) -> None:
    clock = Clock()
    ctx = clock.of(ctx)
    table = await played_table(ctx, terms=Terms(delay_ms=60_000))
    await table.deal()
    clock.now_ms += 60_000
    await table.finish()
    assert (await exported(ctx, table.id, Principal("b", "player"))).events
    clock.now_ms += 59_999
    for person in (STRANGER, ADMIN):
        with pytest.raises(WrongLife, match="is playing"):  # nor that it is over
            await exported(ctx, table.id, person)
    clock.now_ms += 1
    assert (await exported(ctx, table.id)).events[-1].sequence == table.last


async def test_a_private_game_is_for_who_may_see_it(ctx: Context) -> None:
    terms = Terms(visibility=Visibility.PRIVATE, invited=("guest",))
    table = await played_table(ctx, terms=terms)
    await table.finish()
    with pytest.raises(NotInvited):
        await exported(ctx, table.id)
    for person in (ADMIN, Principal("guest", "player"), Principal("a", "player")):
        assert (await exported(ctx, table.id, person)).events


async def test_an_adjudicated_game_can_be_verified_to_its_last_deal(ctx: Context) -> None:
    table = await played_table(ctx)
    await table.deal()
    await table.steps(3)
    await adjudicate_table(ctx, ADMIN, table.id, Ask("r"), reason="fire\nalarm", places=[2, 1, 3])
    export = await exported(ctx, table.id)
    text = b"".join(notation(export)).decode()
    assert "# adjudicated, places by seat: 2 1 3; fire alarm" in text
    parsed = parse_game(text)
    found = verify(export.rules, parsed.seats, parsed.events)
    assert found.good
    *_, running = found.deals
    assert not running.seed
    assert [one.number for one in export.unrevealed] == [2]
    seed = export.unrevealed[0].seed
    assert f"# seed of deal 2, attempt 0, not told in the game: {seed.hex()}" in text
    assert commitment_of(seed, 2, 0) == running.commitment
    head, *rows = lines_of(export)
    header = ParseDict(head, TableExportHeader())
    assert list(header.table.adjudicated_places) == [2, 1, 3]
    assert [(one.number, one.seed) for one in header.untold_seeds] == [(2, seed)]
    assert "table_adjudicated" in rows[-1]["event"]


async def test_what_was_called_off_before_a_card_has_only_lines(ctx: Context) -> None:
    table_id = ctx.new_id()
    new = NewTable("kalooki-jamaican", 3)
    await open_table(ctx, ADMIN, new, table_id=table_id)
    with pytest.raises(WrongLife, match="open"):
        await exported(ctx, table_id)
    await close_table(ctx, ADMIN, table_id, Ask("r"), reason="rain")
    export = await exported(ctx, table_id)
    with pytest.raises(NeverPlayed):
        list(notation(export))
    head, *rows = lines_of(export)
    assert head["table"]["status"] == "TABLE_STATUS_CLOSED"
    assert [list(row["event"])[-1] for row in rows] == ["table_opened", "table_closed"]
