"""A client's view is the arena's own, at every step of whole games."""

from __future__ import annotations

from collections import Counter

from rummy_arena.api.v1.table_pb2 import Table
from rummy_arena.client.views import rules_of, view_of
from rummy_arena.game import series
from rummy_arena.game.actions import NONE
from rummy_arena.game.engine import deciders, legal_actions
from rummy_arena.game.score_sheet import score_sheet
from rummy_arena.game.state import Game
from rummy_arena.game.view import view
from services.play.read_table import TableSnapshot
from services.rpc.convert_table import table_message
from services.state.records import SeatRecord
from tests.state.whole_games import Sample, WholeGame, every_game


def sent(sample: Sample, game: Game, viewer: int) -> Table:
    """Return the table as it arrives at its viewer."""
    over = game.over
    snapshot = TableSnapshot(
        table_id="t1",
        rule_set=sample.rule_set,
        options=dict(game.rules.options),
        seats=tuple(SeatRecord(f"p{seat}", f"P{seat}", "") for seat in range(sample.seats)),
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


@every_game
def test_views_survive_the_wire(sample: Sample) -> None:
    whole = WholeGame(sample)
    met: Counter[str] = Counter()
    for step, (game, seat, action) in enumerate(whole):
        phase = game.deal.phase
        everybody = step % 7 == 0 or not met[phase.name]
        for viewer in (NONE, *range(sample.seats)) if everybody else (seat,):
            arrived = sent(sample, game, viewer)
            assert rules_of(arrived) is sample.rules
            assert view_of(arrived, rules_of(arrived)) == view(game, viewer)
        met.update((phase.name, action.kind.name))
    over = sent(sample, whole.game, NONE)
    assert view_of(over, sample.rules) == view(whole.game, NONE)
    assert tuple(over.score_sheet.places) == series.places(whole.game)
    assert tuple(over.score_sheet.totals) == series.final_totals(whole.game)
    expected = {"DRAW", "PLAY"}
    if sample.rules.max_calls:
        expected |= {"CALL_WINDOW", "CALL_DECISION"}
    if sample.rules.by_elimination:
        expected |= {"DRAW_AND_OPEN", "TAKE_JOKER", "REBUY", "DECLINE"}
    assert expected <= set(met)
