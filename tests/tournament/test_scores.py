"""Standings of scored events, beside an oracle that works everything out from its definition."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_arena.tournament import scoresheet
from rummy_arena.tournament.draw import Draw
from rummy_arena.tournament.errors import ResultsMismatch
from rummy_arena.tournament.event import Event, Terms
from rummy_arena.tournament.field import Entrant
from rummy_arena.tournament.results import SeatResult, TableResult
from rummy_arena.tournament.rounds import PlayedRound, Round
from rummy_arena.tournament.scores import lots_of, ranked, standings_of
from rummy_arena.tournament.swiss_presence import MissedRounds
from rummy_arena.tournament.tables import TableLimits
from rummy_arena.tournament.tiebreaks import EVENT, HOUSE, rows_of

from .scored_oracle import VALUES, Slow, chance_event, chance_result, chance_round, slow_ranks

IDS = tuple(row.id for row in rows_of(EVENT))
RULES = (
    MissedRounds(),
    MissedRounds(bye=Fraction(3), late=Fraction(1, 2), late_rounds=1, away=Fraction(5, 7)),
)
seeds = st.integers(0, 1 << 40)


def chance_of(seed: int) -> tuple[random.Random, Event, MissedRounds]:
    dice = random.Random(seed)
    chain = dice.choice((HOUSE, (), dice.sample(IDS[:-1], dice.randint(1, 5))))
    chain = (*chain, "lot") if dice.random() < 0.5 and chain and chain[-1] != "lot" else chain
    return dice, chance_event(dice, chain, rounds=dice.randint(0, 4)), dice.choice(RULES)


def test_the_oracle_has_every_row_of_an_event() -> None:
    assert tuple(VALUES) == IDS


@settings(max_examples=150, deadline=None)
@given(seeds)
def test_ranks_are_those_of_the_definitions(seed: int) -> None:
    _, event, rule = chance_of(seed)
    slow, chain = Slow(event, rule), event.terms.chain or HOUSE
    lines = standings_of(event, missed=rule)
    ranks = slow_ranks(slow, chain)
    assert [line.rank for line in lines] == sorted(ranks.values())
    for line in lines:
        assert (line.rank, line.score) == (ranks[line.entrant], slow.score(line.entrant))
        tables = slow.tables(line.entrant)
        assert line.tables == len(tables)
        assert line.total == sum(own.total for own, _ in tables)
        assert line.deals_won == sum(own.deals_won for own, _ in tables)
        assert line.points == (slow.points(*tables[-1]) if tables else 0)


@pytest.mark.parametrize("row", IDS)
def test_each_row_alone_ranks_as_its_definition_says(row: str) -> None:
    told_apart = 0
    for seed in range(12):
        event = chance_event(random.Random(f"{row}{seed}"), (row,), rounds=3, most=5)
        ranks = {line.entrant: line.rank for line in standings_of(event, missed=RULES[1])}
        assert ranks == slow_ranks(Slow(event, RULES[1]), (row,))
        told_apart += len(set(ranks.values())) > 1
    assert told_apart > 3


def test_deals_that_tell_nobody_apart_yet_are_followed_by_those_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scoresheet, "_FEW_DEALS", 1)
    for seed in range(20):
        event = chance_event(random.Random(seed), ("last-deals",), rounds=3)
        ranks = {line.entrant: line.rank for line in standings_of(event)}
        assert ranks == slow_ranks(Slow(event, MissedRounds()), ("last-deals",))


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_the_order_in_which_anything_comes_changes_nothing(seed: int) -> None:
    dice, event, rule = chance_of(seed)
    before = ranked(event, missed=rule)
    rounds = []
    for played in event.rounds:
        seats = {r.number: tuple(dice.sample(r.seats, len(r.seats))) for r in played.results}
        results = [TableResult(number, found) for number, found in seats.items()]
        dice.shuffle(results)
        rounds.append(replace(played, results=tuple(results)))
    field = tuple(dice.sample(event.field, len(event.field)))
    assert ranked(replace(event, field=field, rounds=tuple(rounds)), missed=rule) == before


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_other_numbers_for_the_entrants_change_nothing_that_no_lot_decides(seed: int) -> None:
    dice, event, rule = chance_of(seed)
    chain = tuple(name for name in event.terms.chain or HOUSE if name != "lot") or ("total",)
    event = replace(event, terms=replace(event.terms, chain=chain))
    numbers = [entrant.number for entrant in event.field]
    other = dict(zip(numbers, dice.sample(numbers, len(numbers)), strict=True))

    def renamed(result: TableResult) -> TableResult:
        seats = tuple(replace(seat, entrant=other[seat.entrant]) for seat in result.seats)
        return replace(result, seats=seats)

    rounds = tuple(
        PlayedRound(
            played.number,
            tuple(tuple(other[e] for e in table) for table in played.tables),
            tuple(map(renamed, played.results)),
            tuple(other[e] for e in played.byes),
        )
        for played in event.rounds
    )
    field = tuple(replace(entrant, number=other[entrant.number]) for entrant in event.field)
    before = {other[line.entrant]: line.rank for line in standings_of(event, missed=rule)}
    after = standings_of(replace(event, field=field, rounds=rounds), missed=rule)
    assert {line.entrant: line.rank for line in after} == before


@settings(max_examples=60, deadline=None)
@given(seeds, st.sampled_from(("placement", "total", "wins", "deals-won", "calls")))
def test_who_did_better_at_one_table_never_comes_lower(seed: int, row: str) -> None:
    dice, event, rule = chance_of(seed)
    event = replace(event, terms=replace(event.terms, chain=(row,)))
    played_rounds = [played for played in event.rounds if played.tables]
    if not played_rounds:
        return
    played = dice.choice(played_rounds)
    result = dice.choice(played.results)
    lucky = dice.choice(result.seats)
    seats = tuple(_better(seat) if seat is lucky else _worse(seat) for seat in result.seats)
    results = tuple(
        TableResult(other.number, seats if other is result else other.seats)
        for other in played.results
    )
    rounds = tuple(replace(p, results=results) if p is played else p for p in event.rounds)
    before = {line.entrant: line.rank for line in standings_of(event, missed=rule)}
    after = standings_of(replace(event, rounds=rounds), missed=rule)
    ranks = {line.entrant: line.rank for line in after}
    assert ranks[lucky.entrant] <= before[lucky.entrant]


def _better(seat: SeatResult) -> SeatResult:
    return replace(
        seat, place=1, total=seat.total - 1, deals_won=seat.deals_won + 1, calls=0, forfeit=False
    )


def _worse(seat: SeatResult) -> SeatResult:
    return replace(seat, place=seat.place + 1)


def test_a_round_that_is_being_played_does_not_count() -> None:
    dice, event, rule = chance_of(3)
    before = standings_of(event, missed=rule)
    here = [entrant.number for entrant in event.present()]
    playing = chance_round(dice, event.next_number, here)
    pending = Round(playing.number, playing.tables, playing.byes)
    lines = standings_of(replace(event, pending=pending), missed=rule)
    assert [replace(line, reached_round=0) for line in lines] == [
        replace(line, reached_round=0) for line in before
    ]
    reached = {line.entrant for line in lines if line.reached_round == pending.number}
    assert reached == {*playing.byes, *(e for table in playing.tables for e in table)}


def test_a_round_with_an_unfinished_table_is_refused() -> None:
    _, event, _ = chance_of(3)
    last = event.rounds[-1]
    assert last.tables
    unfinished = replace(last, results=last.results[1:])
    with pytest.raises(ResultsMismatch):
        standings_of(replace(event, rounds=(*event.rounds[:-1], unfinished)))


def test_lots_are_drawn_only_for_those_who_are_equal_and_told() -> None:
    event = chance_event(random.Random(5), ("placement", "lot"), rounds=2)
    draw = Draw(event.seed, 2)
    lines = standings_of(event)
    assert [line.rank for line in lines] == list(range(1, len(lines) + 1))
    by_score: dict[Fraction, list[int]] = {}
    for line in lines:
        by_score.setdefault(line.score, []).append(line.entrant)
    tied = [sorted(group) for group in by_score.values() if len(group) > 1]
    told = []
    for group in tied:
        order = ", ".join(map(str, sorted(group, key=draw.lot)))
        equal = ", ".join(map(str, group))
        told.append(f"round 2: entrants {equal} were equal; lots put {order}")
    assert told
    assert lots_of(event) == tuple(told)
    shown = {line.entrant for line in lines if dict(line.tiebreaks).get("lot")}
    assert shown == {entrant for group in tied for entrant in group}


def test_who_is_not_told_apart_shares_a_rank() -> None:
    event = chance_event(random.Random(5), ("placement",), rounds=2)
    lines = standings_of(event)
    scores = [line.score for line in lines]
    assert [line.rank for line in lines] == [1 + scores.index(score) for score in scores]
    assert len(set(scores)) < len(scores)
    assert lots_of(event) == ()


def test_who_played_nothing_comes_last_however_many_different_numbers_others_played() -> None:
    pairs = [(2 * number - 1, 2 * number) for number in range(1, 61)]  # each plays one round more
    dice, idle = random.Random(1), 121
    rounds = tuple(
        PlayedRound(
            number,
            tuple(pairs[number - 1 :]),
            tuple(
                chance_result(dice, table, pair)
                for table, pair in enumerate(pairs[number - 1 :], start=1)
            ),
            (*(one for pair in pairs[: number - 1] for one in pair), idle),
        )
        for number in range(1, 61)
    )
    field = tuple(Entrant(number) for number in range(1, idle + 1))
    for row in ("total", "calls", "mean-placement", "deals-won"):
        event = Event(Terms(TableLimits(2, 2, 2), {}, (row,)), field, rounds, b"")
        assert standings_of(event)[-1].entrant == idle, row


def test_values_are_shown_beside_the_score() -> None:
    event = chance_event(random.Random(8), IDS, rounds=3)
    for line in standings_of(event):
        shown = dict(line.tiebreaks)
        assert "placement" not in shown
        assert shown["rounds-played"] == str(line.tables)
        assert {"total", "buchholz", "buchholz-cut", "sonneborn-berger"} <= set(shown)
