"""Lobbies: preliminary rounds for everybody, then the best go on."""

from __future__ import annotations

from rummy_arena.tournament.swiss_entries import meetings

from .events import played, stage


def test_three_rounds_of_sixteen_repeat_no_meeting() -> None:
    _, rounds = played(stage("lobby", (4, 3, 6)), 16)
    assert len(rounds) == 3
    assert max(meetings(round_.tables for round_ in rounds).values()) == 1


def test_scores_do_not_say_who_meets() -> None:
    lobby = stage("lobby", (4, 3, 6), rounds=4)
    event, rounds = played(lobby, 32)
    assert [round_.tables for round_ in rounds] == [
        round_.tables for round_ in played(lobby, 32, seed=event.seed)[1]
    ]
    scores = {line.entrant: line.score for line in lobby.format.standings(event)}
    held = [[scores[one] for one in table] for table in rounds[-1].tables]
    assert max(max(table) - min(table) for table in held) > 6


def test_everybody_is_ranked_for_the_next_stage() -> None:
    lobby = stage("lobby", (4, 3, 6))
    event, _ = played(lobby, 19)
    order = [line.entrant for line in lobby.format.standings(event)]
    assert lobby.format.advancing(event).entrants == tuple(order)
    assert lobby.format.goes_on(lobby.terms, 19) == 19
