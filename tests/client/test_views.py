"""A client's view is the arena's own, at every step of whole games."""

from __future__ import annotations

from collections import Counter

from rummy_arena.api.v1.table_pb2 import Table
from rummy_arena.client.views import rules_of, view_of
from rummy_arena.game import series
from rummy_arena.game.actions import NONE
from rummy_arena.game.state import Game
from rummy_arena.game.view import view
from services.play.read_table import snapshot_of
from services.rpc.convert_table import table_message
from services.state.records import Life, SeatRecord, TableRecord
from tests.state.whole_games import Sample, WholeGame, every_game


def sent(sample: Sample, game: Game, viewer: int) -> Table:
    """Return the table as it arrives at its viewer."""
    record = TableRecord(
        rule_set=sample.rule_set,
        seats=[SeatRecord(f"p{seat}", f"P{seat}", "") for seat in range(sample.seats)],
        seed=bytes(32),
        game=None,
        created_ms=1,
        finished_ms=int(game.over),
        options=dict(game.rules.options),
        life=Life.FINISHED if game.over else Life.PLAYING,
    )
    snapshot = snapshot_of("t1", record, game, viewer, 1)
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
