"""What is stored of deals that were committed to comes back as it was, at every moment."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest

from rummy_arena.game.chance import DealtChance, deal_seed
from rummy_arena.game.events import DealCommitted, DealRevealed, Event
from rummy_arena.game.state import Game
from rummy_arena.rulesets.registry import RULE_SETS
from services.state.codec import Codec, game_of, game_record
from services.state.errors import CorruptRecord
from services.state.event_codec import decode_events, encode_events
from services.state.records import GameRecord
from tests.game.fair_games import TIMID_RULES, TIMID_SEATS, from_the_system, played, timid
from tests.spec.seeker import Timid

GAME = Codec(GameRecord)


def test_a_log_with_commitments_and_seeds_comes_back_with_its_very_types() -> None:
    _, log = timid()
    back = decode_events(encode_events(log))
    assert tuple(back) == log
    told = [event for event in back if isinstance(event, DealCommitted | DealRevealed)]
    assert len(told) == len({(type(event), event.number, event.attempt) for event in told}) > 4


def test_void_deals_whose_seeds_are_withheld_are_stored_at_every_step() -> None:
    withheld = set()

    def stored(game: Game, events: list[Event]) -> None:
        withheld.update(game.withheld)
        assert game_of(TIMID_RULES, GAME.decode(GAME.encode(game_record(game)))) == game

    chance = DealtChance(TIMID_RULES, {}, partial(deal_seed, bytes(32)))
    game, _ = played(TIMID_RULES, TIMID_SEATS, chance, player=Timid, after=stored)
    assert withheld
    assert game.withheld == []


def test_a_game_that_was_stored_before_deals_were_committed_to_is_read() -> None:
    rules = RULE_SETS["kaluki-european"]
    game, _ = played(rules, 2, DealtChance(rules, {}, from_the_system))
    row = msgspec.msgpack.decode(GAME.encode(game_record(game)))
    at = GameRecord.__struct_fields__.index("withheld")
    older = msgspec.msgpack.encode(row[:at])
    assert game_of(rules, GAME.decode(older)) == game


@pytest.mark.parametrize("withheld", [[(99, 0)], [(1, 2)], [(1, 0), (1, 0)]])
def test_a_withheld_seed_of_no_void_deal_is_refused(withheld: list[tuple[int, int]]) -> None:
    rules = RULE_SETS["kaluki-european"]
    game, _ = played(rules, 2, DealtChance(rules, {}, from_the_system))
    record = game_record(game)
    record.withheld = withheld
    with pytest.raises(CorruptRecord, match="withheld"):
        game_of(rules, record)
