"""What is stored comes back as it was, at every step; what is damaged is called so."""

from __future__ import annotations

import contextlib
import dataclasses
import random
import typing
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_arena.game.events import EVENT_TYPES
from rummy_arena.game.state import Deal, Game
from rummy_arena.rulesets.registry import RULE_SETS
from services.play.table import load_table, new_table
from services.state import codec, event_codec, messages, records, tournament_log
from services.state.errors import CorruptRecord
from services.state.records import GameRecord, SeatRecord, TableRecord
from tests.game.plays import Play, Setting, examples, play_settings, whole_game

GAMES = codec.Codec(GameRecord)


def stored_and_read(game: Game) -> Game:
    """Return the game after a trip through its stored bytes."""
    return codec.game_of(game.rules, GAMES.decode(GAMES.encode(codec.game_record(game))))


@examples(25)
@given(play_settings())
def test_a_game_comes_back_at_every_step(chosen: Setting) -> None:
    play = Play(chosen)
    for step in play:
        assert stored_and_read(step.game) == step.game
    assert stored_and_read(play.game) == play.game
    events = play.events
    assert event_codec.decode_events(event_codec.encode_events(events)) == events


@examples(5)
@given(play_settings())
def test_a_whole_log_comes_back(chosen: Setting) -> None:
    game, log = whole_game(chosen)
    read = event_codec.decode_events(event_codec.encode_events(log))
    assert read == log
    assert list(map(type, read)) == list(map(type, log))
    assert stored_and_read(game) == game


def test_what_comes_back_has_the_types_that_went_in() -> None:
    """Equality is blind to 1 and Phase(1), to a list and a tuple inside a field: types are not."""
    game, log = whole_game(Setting(RULE_SETS["kalooki-jamaican"], 4, 1, 3))
    read = stored_and_read(game)
    for part, back in ((game.deal, read.deal), (game, read)):
        for field in dataclasses.fields(part):
            if not field.compare:  # worked out again when it is needed
                continue
            assert shape(getattr(back, field.name)) == shape(getattr(part, field.name)), field.name
    for event, back_event in zip(
        log, event_codec.decode_events(event_codec.encode_events(log)), strict=True
    ):
        assert shape(back_event) == shape(event)


def shape(value: object) -> object:
    """Return the types of a value and of what it holds."""
    if isinstance(value, list | tuple):
        return (type(value), [shape(item) for item in value])
    if dataclasses.is_dataclass(value) and not isinstance(value, Deal | type):
        return (type(value), [shape(getattr(value, f.name)) for f in dataclasses.fields(value)])
    return type(value)


def test_every_event_type_is_stored() -> None:
    assert len(set(EVENT_TYPES)) == len(EVENT_TYPES)
    assert len(event_codec._TAGS) == len(EVENT_TYPES)


TABLE, _ = new_table(
    "t",
    "kalooki-jamaican",
    [SeatRecord(f"p{n}", f"player {n}", "") for n in range(4)],
    bytes(32),
    now_ms=1,
)


@examples(200)
@given(st.integers(0, 2**32))
def test_damaged_tables_are_called_damaged(seed: int) -> None:
    """Bytes may be damaged before they are checksummed: a decoder still never fails otherwise."""
    dice = random.Random(seed)
    data = bytearray(codec.TABLE.encode(TABLE.record))
    for _ in range(dice.randint(1, 4)):
        data[dice.randrange(len(data))] = dice.randrange(256)
    if dice.random() < 0.2:
        del data[dice.randrange(len(data)) :]
    with contextlib.suppress(CorruptRecord):
        load_table("t", bytes(data))


@examples(200)
@given(st.binary(max_size=60))
def test_any_bytes_are_events_or_damage(data: bytes) -> None:
    for decode in (event_codec.decode_events, tournament_log.decode_tournament_events):
        with contextlib.suppress(CorruptRecord):
            decode(data)


RECORDS = [
    kind
    for kind in vars(records).values()
    if isinstance(kind, type) and issubclass(kind, records.Record) and kind is not records.Record
]


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_an_older_record_still_decodes(kind: type[records.Record]) -> None:
    """Fields with a default stand at the end, so that a shorter array is an older record."""
    fields = msgspec.structs.fields(kind)
    required = [f.required for f in fields]
    assert required == sorted(required, reverse=True)


@pytest.mark.parametrize("kind", messages.MESSAGE_TYPES, ids=lambda kind: kind.__name__)
def test_messages_come_back(kind: type[messages.Message]) -> None:
    hints = typing.get_type_hints(kind)
    values: dict[str, Any] = {name: 3 if hint is int else "id" for name, hint in hints.items()}
    message = kind(**values)
    assert messages.decode_message(messages.encode_message(message)) == message


def test_a_table_of_another_rule_set_is_not_played() -> None:
    record = TableRecord("no-such", TABLE.record.seats, bytes(32), TABLE.record.game, 1)
    with pytest.raises(CorruptRecord, match="table t .*no-such.*known: kalooki-jamaican"):
        load_table("t", codec.TABLE.encode(record))
