"""Who may do what at a table: everything that everybody might try, and what they are told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from rummy_arena.api.v1.table_pb2 import Table
from rummy_arena.api.v1.terms_pb2 import VISIBILITY_PRIVATE, VISIBILITY_UNLISTED
from rummy_arena.client import ArenaError
from rummy_arena.game import actions

from .conftest import Api
from .table_life import RULES, SEATS, Guest, Party, party_of, told

ROLES = ("admin", "creator", "host", "seated", "elsewhere", "spectator")
Try = Callable[[Guest, Party, str], Awaitable[object]]


@pytest.fixture
async def party(api: Api) -> Party:
    return await party_of(api)


DIRECTORS = "ok ok NOT_DIRECTOR NOT_DIRECTOR NOT_DIRECTOR NOT_ALLOWED"
SITTERS = "NOT_SEATED NOT_SEATED NOT_SEATED ok NOT_SEATED NOT_ALLOWED"
MATRIX: dict[str, tuple[str, Try, str]] = {
    "create": (
        "open",
        lambda who, party, table: who.arena.tables.create(RULES, SEATS),
        "ok ok ok ok ok NOT_ALLOWED",
    ),
    "create with a seed": (
        "open",
        lambda who, party, table: who.arena.tables.create(RULES, SEATS, seed="s"),
        "ok NOT_ALLOWED ok NOT_ALLOWED NOT_ALLOWED NOT_ALLOWED",
    ),
    "see": ("open", lambda who, party, table: who.arena.tables.get(table), "ok ok ok ok ok ok"),
    "list": (
        "open",
        lambda who, party, table: anext(aiter(who.arena.tables.list())),
        "ok ok ok ok ok ok",
    ),
    "take a seat": (
        "open",
        lambda who, party, table: who.arena.tables.take_seat(table),
        "NOT_FOUND ok CANNOT_SIT ok ok NOT_ALLOWED",
    ),
    "seat another": (
        "open",
        lambda who, party, table: who.arena.tables.take_seat(table, player_id=party.others[0].id),
        DIRECTORS,
    ),
    "take another out": (
        "open",
        lambda who, party, table: who.arena.tables.leave_seat(table, player_id=party.seated.id),
        "ok ok NOT_DIRECTOR ok NOT_DIRECTOR NOT_ALLOWED",
    ),
    "leave": ("open", lambda who, party, table: who.arena.tables.leave_seat(table), SITTERS),
    "be ready": ("open", lambda who, party, table: who.arena.tables.ready(table), SITTERS),
    "start": ("full", lambda who, party, table: who.arena.tables.start(table), DIRECTORS),
    "close": ("open", lambda who, party, table: who.arena.tables.close(table, "rain"), DIRECTORS),
    "close in mid-game": (
        "playing",
        lambda who, party, table: who.arena.tables.close(table, "rain"),
        DIRECTORS,
    ),
    "pause": ("playing", lambda who, party, table: who.arena.tables.pause(table), DIRECTORS),
    "resume": ("paused", lambda who, party, table: who.arena.tables.resume(table), DIRECTORS),
    "adjudicate": (
        "paused",
        lambda who, party, table: who.arena.tables.adjudicate(table, "late", (1, 2, 3)),
        DIRECTORS,
    ),
    "leave in mid-game": (
        "playing",
        lambda who, party, table: who.arena.tables.leave_seat(table),
        SITTERS,
    ),
    "take another out in mid-game": (
        "playing",
        lambda who, party, table: who.arena.tables.leave_seat(table, player_id=party.others[0].id),
        "WRONG_STATUS WRONG_STATUS NOT_DIRECTOR NOT_DIRECTOR NOT_DIRECTOR NOT_ALLOWED",
    ),
    "act": (
        "playing",
        lambda who, party, table: who.arena.tables.act(table, actions.PASS),
        "NOT_SEATED NOT_SEATED NOT_SEATED NOT_YOUR_TURN NOT_SEATED NOT_ALLOWED",
    ),
}


@pytest.mark.parametrize("what", MATRIX)
async def test_who_may(party: Party, what: str) -> None:
    life, attempt, expected = MATRIX[what]
    answers = []
    for role in ROLES:
        table = await getattr(party, life)()
        answers.append(await told(attempt(party.role(role), party, table.id)))
    assert " ".join(answers) == expected


STATES = ("open", "playing", "paused", "finished", "closed")
IN_STATE: dict[str, tuple[Try, str]] = {
    "take a seat": (
        lambda who, party, table: party.elsewhere.arena.tables.take_seat(table),
        "ok WRONG_STATUS WRONG_STATUS WRONG_STATUS WRONG_STATUS",
    ),
    "leave": (
        lambda who, party, table: party.seated.arena.tables.leave_seat(table),
        "ok ok ok WRONG_STATUS WRONG_STATUS",
    ),
    "be ready": (
        lambda who, party, table: party.seated.arena.tables.ready(table),
        "ok WRONG_STATUS WRONG_STATUS WRONG_STATUS WRONG_STATUS",
    ),
    "start": (
        lambda who, party, table: who.arena.tables.start(table),
        "SEATS_FREE WRONG_STATUS WRONG_STATUS WRONG_STATUS WRONG_STATUS",
    ),
    "pause": (
        lambda who, party, table: who.arena.tables.pause(table),
        "WRONG_STATUS ok ok WRONG_STATUS WRONG_STATUS",
    ),
    "resume": (
        lambda who, party, table: who.arena.tables.resume(table),
        "WRONG_STATUS ok ok WRONG_STATUS WRONG_STATUS",
    ),
    "adjudicate": (
        lambda who, party, table: who.arena.tables.adjudicate(table, "late"),
        "WRONG_STATUS ok ok WRONG_STATUS WRONG_STATUS",
    ),
    "close": (
        lambda who, party, table: who.arena.tables.close(table, "rain"),
        "ok ok ok WRONG_STATUS ok",
    ),
    "act": (
        lambda who, party, table: party.seated.arena.tables.act(table, actions.PASS),
        "NOT_STARTED NOT_YOUR_TURN WRONG_STATUS WRONG_STATUS WRONG_STATUS",
    ),
    "see": (lambda who, party, table: who.arena.tables.get(table), "ok ok ok ok ok"),
}


async def table_that_is(party: Party, state: str) -> str:
    """Return the id of a table in a state."""
    if state in ("open", "playing", "paused"):
        table: Table = await getattr(party, state)()
        return table.id
    table = await party.playing()
    if state == "closed":
        await party.creator.arena.tables.close(table.id, "rain")
    else:
        await party.creator.arena.tables.adjudicate(table.id, "late")
    return table.id


@pytest.mark.parametrize("what", IN_STATE)
async def test_when_it_may_be_done(party: Party, what: str) -> None:
    attempt, expected = IN_STATE[what]
    answers = [
        await told(attempt(party.creator, party, await table_that_is(party, state)))
        for state in STATES
    ]
    assert " ".join(answers) == expected


ABOUT_A_TABLE = [what for what in (*MATRIX, "watch") if what.split()[0] not in ("create", "list")]


@pytest.mark.parametrize("what", ABOUT_A_TABLE)
async def test_a_private_table_is_not_there_for_strangers(party: Party, what: str) -> None:
    life, attempt, _ = MATRIX.get(what, ("open", watch, ""))
    table = await getattr(party, life)(visibility=VISIBILITY_PRIVATE)
    for stranger in (party.elsewhere, party.host):
        errors = []
        for table_id in (table.id, "nowhere"):
            with pytest.raises(ArenaError) as caught:
                await attempt(stranger, party, table_id)
            errors.append(str(caught.value).replace(table_id, "?"))
        assert errors == ["NOT_FOUND: there is no table ?; check the id"] * 2


async def watch(who: Guest, party: Party, table_id: str) -> None:
    """Read the first message of a stream."""
    async for _ in who.arena.tables.watch(table_id):
        return


async def test_a_private_table_is_there_for_who_is_invited(party: Party) -> None:
    invited, stranger = party.elsewhere, party.others[0]
    table = await party.open(visibility=VISIBILITY_PRIVATE, invited=[invited.id, invited.id])
    for guest in (party.admin, party.creator, party.seated, invited):
        assert (await guest.arena.tables.get(table.id)).visibility == VISIBILITY_PRIVATE
    assert await told(stranger.arena.tables.take_seat(table.id)) == "NOT_FOUND"
    await invited.arena.tables.take_seat(table.id, seat=2)
    await party.creator.arena.tables.take_seat(table.id, player_id=stranger.id)
    assert await told(stranger.arena.tables.get(table.id)) == "ok"


async def test_only_public_tables_are_listed(party: Party) -> None:
    public = await party.open(title="for all")
    for visibility in (VISIBILITY_UNLISTED, VISIBILITY_PRIVATE):
        await party.open(visibility=visibility)
    tables = [table async for table in party.admin.arena.tables.list()]
    assert [(table.id, table.title) for table in tables] == [(public.id, "for all")]
