"""A damaged table that is not called so can be shown and played on."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from rummy_arena.game import series
from rummy_arena.game.actions import NONE
from rummy_arena.game.engine import deciders, standard_move
from rummy_arena.game.state import Leg
from services.play.read_table import snapshot_of
from services.play.table import Table, load_table
from services.rpc.convert_table import table_message
from services.state import codec
from services.state.errors import CorruptRecord
from services.state.records import GameRecord, TableRecord
from tests.game.plain_player import PlainPlayer
from tests.game.plays import examples

from .stored_tables import THREE_LEGS, at_many_steps, begun, met, stored
from .whole_games import Sample


@examples(120)
@given(st.integers(0, 2**32))
def test_damaged_bytes_are_called_damaged_or_played(seed: int) -> None:
    """Bytes may be damaged before they are checksummed: a decoder still never fails otherwise."""
    dice = random.Random(seed)
    data = bytearray(dice.choice(at_many_steps()))
    for _ in range(dice.randint(1, 4)):
        data[dice.randrange(len(data))] = dice.randrange(256)
    if dice.random() < 0.1:
        del data[dice.randrange(len(data)) :]
    play_on(bytes(data), dice)


@examples(250)
@given(st.integers(0, 2**32))
def test_damaged_values_are_called_damaged_or_played(seed: int) -> None:
    """Single values of a record change, which bytes at random seldom hit."""
    dice = random.Random(seed)
    record = msgspec.msgpack.decode(dice.choice(at_many_steps()))
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        damage_value(record, dice)
    play_on(msgspec.msgpack.encode(record), dice)


def damage_value(part: list[Any], dice: random.Random) -> None:
    """Change one value somewhere in a nest of lists."""
    while True:
        at = dice.randrange(len(part))
        value = part[at]
        if not isinstance(value, list) or not value or dice.random() < 0.05:
            part[at] = other_value(value, dice)
            return
        part = value


def other_value(value: Any, dice: random.Random) -> Any:
    """Return a value of the same type, near or far."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        near = (value - 1, value + 1, -value, dice.randrange(8), dice.randrange(256))
        return dice.choice((*near, -1, 0, 256, 10**9, -(10**9)))
    if isinstance(value, bytes | list) and value:
        changed = list(value)
        at = dice.randrange(len(changed))
        changed = dice.choice((changed[:at], changed[1:], changed + changed[at:], changed[::-1]))
        return bytes(changed) if isinstance(value, bytes) else changed
    return value


def play_on(data: bytes, dice: random.Random, *, whole: bool = False) -> None:
    """Read a table and, unless it is called damaged, which a whole one is not, play it a while."""
    with contextlib.nullcontext() if whole else contextlib.suppress(CorruptRecord):
        table = load_table("t", data)
        show(table)
        game, player = table.game, PlainPlayer(dice)
        for _ in range(40):
            if not table.playing:  # over, or the damage says that it is paused
                break
            assert table.waiting
            seat = dice.choice(deciders(game.deal))
            plain = dice.random() < 0.5
            action = standard_move(game.deal, seat) if plain else player.choose(game.deal, seat)
            series.apply(game, seat, action, table.chance)
        show(load_table("t", stored(game)))


def show(table: Table) -> None:
    """Make of a table what its viewers are sent."""
    game, record = table.game, table.record
    for seat in (NONE, *range(game.seats)):
        snapshot = snapshot_of(table.id, record, game, seat, 1)
        table_message(snapshot).SerializeToString()


# --- what is whole and rare -----------------------------------------------------------------------


def _game(record: TableRecord) -> GameRecord:
    assert record.game is not None
    return record.game


def _sudden_death(game: GameRecord, rows: list[tuple[int, ...]]) -> None:
    """Make of a new game one in which seats 0 and 1 play the last contract once more."""
    deal = game.deal
    game.scores, game.winners, game.playoff = rows, [NONE] * len(rows), (0, 1)
    deal.number, deal.contract_number, deal.players = len(rows) + 1, 7, (0, 1)
    deal.turn, deal.dealer = 1, 0
    deal.stock += deal.hands[2]
    deal.hands[2] = b""


def test_the_highest_stakes_can_be_played_on() -> None:
    sample = Sample("kalooki-bonus", 6, 1, {"stakes": "1000000", "best_of": "3"})
    record = codec.TABLE.decode(met(sample, begun))
    _game(record).ledger = [-54_000_000] * 5 + [270_000_000]  # 27 deals, all won by one
    play_on(codec.TABLE.encode(record), random.Random(1), whole=True)


def test_sudden_death_can_be_played_on() -> None:
    record = codec.TABLE.decode(met(THREE_LEGS, begun))
    _sudden_death(_game(record), [(1, 1, 2)] * 7)
    play_on(codec.TABLE.encode(record), random.Random(1), whole=True)


def test_sudden_death_for_three_games_can_be_played_on() -> None:
    record = codec.TABLE.decode(met(THREE_LEGS, begun))
    game, one, two, three = _game(record), (0, 9, 9), (9, 0, 9), (9, 9, 0)
    _sudden_death(game, [*[one] * 7, *[two] * 7, *[three] * 7])
    legs = (((0, 63, 63), (1, 2, 2)), ((63, 0, 63), (2, 1, 2)), ((63, 63, 0), (2, 2, 1)))
    game.legs, game.leg_start = [Leg(*leg) for leg in legs], 14
    play_on(codec.TABLE.encode(record), random.Random(1), whole=True)
