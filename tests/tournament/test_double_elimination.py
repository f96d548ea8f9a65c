from __future__ import annotations

from dataclasses import replace

import pytest

from rummy_arena.tournament.errors import InvalidFormat, NothingPlayed, UnevenField
from rummy_arena.tournament.event import Event
from rummy_arena.tournament.field import Entrant
from rummy_arena.tournament.formats.double_elimination import (
    FORMAT,
    advancing,
    pair,
    plan,
    standings,
)
from rummy_arena.tournament.results import TableResult
from rummy_arena.tournament.rounds import Round
from rummy_arena.tournament.stages import Stage
from tests.sweeps import WHOLE, sweeping

from .elimination_play import (
    by_number,
    check_any_history,
    followed,
    losses,
    opened,
    seeded,
    sizes,
    with_round,
)
from .events import Chance, played, stage
from .made import table

CLEAR = 9999
"""A spread of totals at which nobody shares a place."""


def double(limits: tuple[int, int, int] = (2, 2, 4), **options: str) -> Stage:
    return stage("double-elimination", limits, options=options)


PAIRS = double(seeding="seeded")
FOURS = double((4, 3, 6))


def by_label(round_: Round, label: str) -> list[set[int]]:
    return [
        set(seats)
        for number, seats in enumerate(round_.tables, start=1)
        if round_.label(number) == label
    ]


def out_of_order(_round: int, number: int, seats: tuple[int, ...]) -> TableResult:
    """The greater entrant number does better."""
    return table(number, seats, [-entrant for entrant in seats])


@pytest.mark.parametrize("reset", ["yes", "no"])
def test_everybody_is_out_after_two_losses(reset: str) -> None:
    config = double(seeding="seeded", reset=reset)
    ends = set()
    for count in [*range(2, 26), 33]:
        event, paired = played(config, seeded(count), Chance(count, spread=CLEAR))
        again = paired[-1].labels == ("final reset",)
        assert tuple(map(sizes, paired))[: -1 if again else None] == plan(config.terms, count)
        (winner,) = advancing(event).entrants
        lost = losses(event.rounds)
        final = event.rounds[-1]
        beaten = next(one for one in final.tables[0] if one != winner)
        beaten_once = reset == "no" and lost[beaten] == 1
        assert lost[winner] <= 1
        assert all(lost[one] == 2 for one in range(1, count + 1) if one not in (winner, beaten)), (
            count
        )
        assert lost[beaten] == 2 or beaten_once
        ends.add((again, beaten_once))
    assert ends == (
        {(True, False), (False, False)} if reset == "yes" else {(False, True), (False, False)}
    )


def test_eight_play_the_usual_brackets_at_the_same_time() -> None:
    event, rounds = opened(PAIRS, seeded(8)), []
    while (round_ := pair(event)) is not None:
        rounds.append((by_label(round_, "upper"), by_label(round_, "lower"), round_.labels[-1]))
        event = with_round(FORMAT, event, by_number)
    assert rounds == [
        ([{1, 8}, {4, 5}, {2, 7}, {3, 6}], [], "upper"),
        ([{1, 4}, {2, 3}], [{5, 8}, {6, 7}], "lower"),
        ([{1, 2}], [{5, 3}, {6, 4}], "lower"),  # who came down from above is crossed
        ([], [{3, 4}], "lower"),
        ([], [{2, 3}], "lower"),
        ([], [], "final"),
    ]
    assert [row.entrant for row in standings(event)] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [row.reached_round for row in standings(event)] == [6, 6, 5, 4, 3, 3, 2, 2]


@pytest.mark.parametrize("count", [8, 16, 32, 64])
def test_nobody_meets_again_before_the_last_of_the_lower_bracket(count: int) -> None:
    for seed in range(3):
        _, paired = played(PAIRS, seeded(count), Chance(seed, spread=CLEAR))
        met: set[frozenset[int]] = set()
        for round_ in paired:
            tables = [frozenset(seats) for seats in round_.tables]
            if len(by_label(round_, "lower")) > 2:
                assert not met & set(tables)
            met |= set(tables)


def test_a_second_final_is_played_when_the_first_is_lost_above() -> None:
    event, _ = played(PAIRS, seeded(4), Chance(0, spread=CLEAR), rounds=3)
    final = pair(event)
    assert final is not None
    assert final.labels == ("final",)
    (unbeaten,) = (one for one in final.tables[0] if not losses(event.rounds)[one])
    first, second = sorted(final.tables[0])
    for report, another in ((by_number, unbeaten == second), (out_of_order, unbeaten == first)):
        after = with_round(FORMAT, event, report)
        again = pair(after)
        if not another:
            assert again is None
            assert advancing(after).entrants == (unbeaten,)
            continue
        assert again is not None
        assert again.labels == ("final reset",)
        assert set(again.tables[0]) == set(final.tables[0])
        rows = standings(replace(after, pending=again))
        assert [row.rank for row in rows if not row.eliminated] == [1, 1]
        assert pair(with_round(FORMAT, after, by_number)) is None
        once = replace(after, terms=double(reset="no", seeding="seeded").terms)
        assert pair(once) is None
        assert set(advancing(once).entrants) == set(final.tables[0]) - {unbeaten}


def test_who_has_not_lost_wins_a_shared_final_and_a_shared_reset_has_two_winners() -> None:
    def shared(_round: int, number: int, seats: tuple[int, ...]) -> TableResult:
        return table(number, seats, [5, 5])

    event, _ = played(PAIRS, seeded(4), Chance(0, spread=CLEAR), rounds=3)
    final = pair(event)
    assert final is not None
    (unbeaten,) = (one for one in final.tables[0] if not losses(event.rounds)[one])
    assert advancing(with_round(FORMAT, event, shared)).entrants == (unbeaten,)
    lost = out_of_order if unbeaten == min(final.tables[0]) else by_number
    reset = with_round(FORMAT, with_round(FORMAT, event, lost), shared)
    assert set(advancing(reset).entrants) == set(final.tables[0])
    assert [row.rank for row in standings(reset)[:3]] == [1, 1, 3]


@pytest.mark.parametrize(
    ("limits", "advance"),
    [((4, 3, 6), 0), ((4, 3, 4), 1), ((4, 4, 4), 3), ((3, 3, 4), 0), ((8, 5, 8), 1)],
)
def test_larger_tables_play_to_one_final(limits: tuple[int, int, int], advance: int) -> None:
    config = double(limits, advance=str(advance))
    for count in [*range(limits[1], 22), 70]:
        event, paired = played(config, count, Chance(count, spread=CLEAR))
        assert tuple(map(sizes, paired)) == plan(config.terms, count)
        assert paired[-1].labels == ("final",)
        assert all(limits[1] <= len(t) <= limits[2] for r in paired for t in r.tables)
        for row in standings(event):
            labels = labels_of(event, row.entrant)
            assert labels == sorted(labels, key=["upper", "lower", "final"].index)
            # Five of whom four can be seated have no table but the final.
            cut = limits == (4, 4, 4) and labels[-1] == "upper"
            assert cut or labels[-1] in ("lower", "final")


def test_sixteen_at_fours() -> None:
    event, rounds = opened(FOURS, 16), []
    while (round_ := pair(event)) is not None:
        rounds.append((len(by_label(round_, "upper")), len(by_label(round_, "lower"))))
        event = with_round(FORMAT, event, by_number)
    assert rounds == [(4, 0), (2, 2), (1, 2), (0, 2), (0, 1), (0, 0)]
    rows = standings(event)
    assert [row.entrant for row in rows[:4]] == [1, 2, 3, 4]
    final = event.rounds[-1]
    assert sum("lower" in labels_of(event, one) for one in final.tables[0]) == 2


def labels_of(event: Event, entrant: int) -> list[str]:
    """Return the labels of the tables that an entrant played, in their order."""
    return [
        round_.label(number)
        for round_ in event.rounds
        for number, seats in enumerate(round_.tables, start=1)
        if entrant in seats
    ]


def test_a_forfeit_above_is_a_loss_and_a_double_one_below_sends_nobody_on() -> None:
    def nobody_comes(round_: int, number: int, seats: tuple[int, ...]) -> TableResult:
        result = by_number(round_, number, seats)
        if not set(seats) <= {4, 5, 8}:
            return result
        return replace(result, seats=tuple(replace(s, place=1, forfeit=True) for s in result.seats))

    event = with_round(FORMAT, opened(PAIRS, seeded(8)), nobody_comes)
    round_ = pair(event)
    assert round_ is not None
    assert by_label(round_, "upper") == [{2, 3}]
    assert round_.byes[0] == 1
    below = by_label(round_, "lower")
    assert len(below) == 2
    assert {4, 5} < set().union(*below, round_.byes)


def test_who_left_while_waiting_was_out_when_they_left() -> None:
    event, _ = played(PAIRS, seeded(8), Chance(1, spread=CLEAR), rounds=4)
    upper = advancing(event).entrants[0]
    assert upper not in {one for seats in event.rounds[-1].tables for one in seats}  # it waits
    decided = [row for row in standings(event) if row.eliminated]
    event = followed(event, left={upper}, after=4)
    rows = standings(event)
    assert [row for row in rows if row.eliminated][1:] == decided
    assert rows[len(rows) - len(decided) - 1].entrant == upper


def test_one_owner_and_one_group_are_apart_in_the_first_round() -> None:
    field = tuple(
        Entrant(n, n, owner=f"o{n % 5}" if n % 2 else "", group=f"g{n % 8}") for n in range(1, 33)
    )
    for config in (PAIRS, FOURS):
        round_ = pair(opened(config, field))
        assert round_ is not None
        owners = {one.number: one.owner or str(one.number) for one in field}
        groups = {one.number: one.group for one in field}
        for seats in round_.tables:
            assert len({owners[one] for one in seats}) == len(seats)
            assert len({groups[one] for one in seats}) == len(seats)
        assert round_.notes == ()


@sweeping
@pytest.mark.parametrize(
    "config",
    [
        PAIRS,
        double(reset="no"),
        FOURS,
        double((4, 4, 4), seeding="seeded", advance="3"),
        double((5, 4, 5), advance="1"),
    ],
)
def test_no_history_of_leaving_and_forfeits_is_too_much(config: Stage) -> None:
    for seed in range(80 if WHOLE else 10):
        event = check_any_history(config, seed, disqualified=False)
        if config.terms.limits.seats == 2:
            assert max(losses(event.rounds).values(), default=0) <= 2
        check_any_history(config, seed, disqualified=True)


def test_refusals_name_what_is_wrong() -> None:
    with pytest.raises(NothingPlayed):
        advancing(opened(PAIRS, 8))
    with pytest.raises(UnevenField):
        plan(PAIRS.terms, 1)
    with pytest.raises(InvalidFormat):
        plan(double(advance="2").terms, 8)
    assert pair(opened(PAIRS, 1)) is None
    assert [row.rank for row in standings(opened(PAIRS, 3))] == [1, 1, 1]
