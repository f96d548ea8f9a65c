"""A client's view is the arena's own, at every step of whole games."""

from __future__ import annotations

from collections import Counter

import pytest

from rummy_arena.api.v1.table_pb2 import Table
from rummy_arena.bots.bot import Dice
from rummy_arena.bots.registry import HOUSE_BOTS
from rummy_arena.client.views import view_of
from rummy_arena.game import series
from rummy_arena.game.actions import NONE
from rummy_arena.game.cards import RANKS
from rummy_arena.game.chance import SeededChance
from rummy_arena.game.engine import deciders, legal_actions
from rummy_arena.game.melds import MeldKind
from rummy_arena.game.state import Game, Phase
from rummy_arena.game.view import view
from rummy_arena.rulesets.registry import RULE_SETS, get_rule_set
from services.play.read_table import TableSnapshot
from services.play.score_sheet import score_sheet
from services.rpc.convert_table import table_message
from services.state.records import SeatRecord

SEATS = 4


def sent(rule_set: str, game: Game, viewer: int) -> Table:
    """Return the table as it arrives at its viewer."""
    over = game.over
    snapshot = TableSnapshot(
        table_id="t1",
        rule_set=rule_set,
        options={},
        seats=tuple(SeatRecord(f"p{seat}", f"P{seat}", "") for seat in range(SEATS)),
        origin=None,
        actions=0,
        created_ms=1,
        finished_ms=int(over),
        deadline_ms=0,
        view=view(game, viewer),
        sequence=1,
        waiting=() if over else deciders(game.deal),
        legal=() if over or viewer == NONE else tuple(legal_actions(game.deal, viewer)),
        sheet=score_sheet(game),
    )
    return Table.FromString(table_message(snapshot).SerializeToString())


@pytest.mark.parametrize("rule_set", sorted(RULE_SETS))
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_views_survive_the_wire(rule_set: str, bot: str) -> None:
    rules = get_rule_set(rule_set)
    chance = SeededChance(rules, bot.encode().rjust(32, b"-"))
    game, _ = series.new_game(rules, SEATS, chance)
    met: Counter[object] = Counter()
    position = 0
    while True:
        for viewer in (NONE, *range(SEATS)):
            assert view_of(sent(rule_set, game, viewer), rules) == view(game, viewer)
        met[game.deal.phase] += 1
        met.update((meld.kind, meld.low) for meld in game.deal.melds)
        if game.over:
            break
        seat = deciders(game.deal)[0]
        action = HOUSE_BOTS[bot].choose(view(game, seat), Dice(b"dice", position))
        position += 1
        series.apply(game, seat, action, chance)
    assert all(met[phase] for phase in Phase)
    assert met[MeldKind.RUN, 0]  # from the low ace
    assert any(met[MeldKind.SET, low] for low in range(RANKS))
