"""What is stored comes back as it was, at every step; what is damaged is called so."""

from __future__ import annotations

import contextlib
import dataclasses
import typing
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy_arena.game.events import EVENT_TYPES, DealStarted, GameEnded
from rummy_arena.game.state import Deal, Game
from services.play.table import load_table, new_table, no_dice
from services.state import codec, event_codec, messages, records, tournament_log
from services.state.errors import CorruptRecord
from services.state.records import GameRecord, SeatRecord, TableRecord
from services.state.table_log import LIFE_EVENT_TYPES
from tests.game.plays import Play, Setting, examples, play_settings

from .whole_games import Sample, WholeGame, every_game, played

GAMES = codec.Codec(GameRecord)
LARGEST = 1_600  # bytes of a game, which leaves the rest of 2 KiB to a table's seats


def stored_and_read(game: Game) -> Game:
    """Return the game after a trip through its stored bytes."""
    return codec.game_of(game.rules, GAMES.decode(GAMES.encode(codec.game_record(game))))


@examples(12)
@given(play_settings())
def test_a_game_comes_back_at_every_step(chosen: Setting) -> None:
    play = Play(chosen)
    for step in play:
        assert stored_and_read(step.game) == step.game
    events = play.events
    assert event_codec.decode_events(event_codec.encode_events(events)) == events


@every_game
def test_whole_games_come_back_with_their_types(sample: Sample) -> None:
    """Equality is blind to 1 and Phase(1), to a list and a tuple inside a field: types are not."""
    whole = WholeGame(sample)
    phases, largest = set(), 0
    for number, (game, _, _) in enumerate(whole):
        phase = game.deal.phase
        if number % 11 and phase in phases:
            continue
        phases.add(phase)
        assert same(stored_and_read(game), game)
        largest = max(largest, len(GAMES.encode(codec.game_record(game))))
    assert same(stored_and_read(whole.game), whole.game)
    assert largest < LARGEST
    read = event_codec.decode_events(event_codec.encode_events(whole.log))
    assert read == whole.log
    assert list(map(shape, read)) == list(map(shape, whole.log))


def test_the_largest_game_is_small() -> None:
    """Sixty scored deals at five seats, and as many melds as there can be."""
    game, _ = played(Sample("kaluki-european", 5, 1))
    game.scores = [(150, 149, 148, 147, 146)] * 60
    game.winners = [0] * 60
    assert len(GAMES.encode(codec.game_record(game))) < LARGEST


def same(back: Game, game: Game) -> bool:
    """Return whether a game came back equal and of the same types throughout."""
    for part, other in ((game.deal, back.deal), (game, back)):
        for field in dataclasses.fields(part):
            if field.compare:  # the others are worked out again when they are needed
                was, found = getattr(part, field.name), getattr(other, field.name)
                assert shape(found) == shape(was), field.name
    return back == game


def shape(value: object) -> object:
    """Return the types of a value and of what it holds."""
    if isinstance(value, list | tuple):
        return (type(value), [shape(item) for item in value])
    if dataclasses.is_dataclass(value) and not isinstance(value, Deal | type):
        return (type(value), [shape(getattr(value, f.name)) for f in dataclasses.fields(value)])
    return type(value)


def test_every_event_type_is_stored() -> None:
    assert len(set(EVENT_TYPES)) == len(EVENT_TYPES)
    assert len(event_codec._TAGS) == len(EVENT_TYPES) + len(LIFE_EVENT_TYPES)
    assert len(EVENT_TYPES) <= event_codec.FIRST_LIFE_TAG


TABLE, _ = new_table(
    "t",
    "kalooki-jamaican",
    [SeatRecord(f"p{n}", f"player {n}", "") for n in range(4)],
    bytes(32),
    now_ms=1,
    dice=no_dice,
)


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
    with pytest.raises(CorruptRecord, match=r"table t .*no-such.*known: kalooki-jamaican"):
        load_table("t", codec.TABLE.encode(record))


def test_a_table_with_another_option_is_not_played() -> None:
    record = msgspec.structs.replace(TABLE.record, options={"wild_deuces": "on"})
    with pytest.raises(CorruptRecord, match=r"table t .*no option 'wild_deuces'"):
        load_table("t", codec.TABLE.encode(record))


def test_a_damaged_log_tells_the_place() -> None:
    _, log = played(Sample("carioca-argentine", 2, 1))
    rows = msgspec.msgpack.decode(event_codec.encode_events(log))
    for broken in ([99, 1], [-1], [1], "x", 7, [1, 2, 3, 4, 5], [3, 0, 1]):
        rows[7] = broken
        with pytest.raises(CorruptRecord, match="the log of t is damaged: event 108"):
            event_codec.decode_events(msgspec.msgpack.encode(rows), what="the log of t", first=101)


def test_an_event_of_before_has_the_defaults_of_new_fields() -> None:
    old = msgspec.msgpack.encode([[0, 1, 0, 0, b"ab", 3, 1, [0, 1]], [16, [1, 2], [1, 2]]])
    started, ended = event_codec.decode_events(old)
    assert started == DealStarted(1, 0, 0, b"ab", 3, 1, (0, 1))
    assert ended == GameEnded((1, 2), (1, 2))
