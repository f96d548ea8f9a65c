"""Jamaican Kalooki: nine contracts, calls, joker moves, doubling.

Source: the Jamaican contract game as played in Jamaica and the wider Caribbean, clauses J-1 to
J-31 and X-1 to X-20 of the rule book; gaps filled from Pagat's Caribbean Kalooki. Deviations: none.
"""

from __future__ import annotations

from rummy_arena.game.rules import Contract, HandValues, RuleSet

KALOOKI_JAMAICAN = RuleSet(
    id="kalooki-jamaican",
    title="Jamaican Kalooki",
    min_seats=3,
    max_seats=6,
    packs=2,
    jokers=4,
    contracts=(
        Contract(sets=3, runs=0, hand_size=9),
        Contract(sets=2, runs=1, hand_size=10),
        Contract(sets=1, runs=2, hand_size=11),
        Contract(sets=0, runs=3, hand_size=12),
        Contract(sets=4, runs=0, hand_size=12),
        Contract(sets=3, runs=1, hand_size=13),
        Contract(sets=2, runs=2, hand_size=14),
        Contract(sets=1, runs=3, hand_size=15),
        Contract(sets=0, runs=4, hand_size=16),
    ),
    values=HandValues(joker=50, black_ace=15, red_ace=1, court=10),  # J-31
    set_min=3,
    set_min_naturals=2,  # J-13
    run_min=4,
    max_calls=3,  # J-1
    reshuffles=1,  # J-27
    max_replays=2,
    turns_cap_per_seat=60,
)
