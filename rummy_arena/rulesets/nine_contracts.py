"""The nine contracts that Jamaican Kalooki and Kalooki with bonus share (J, B-22)."""

from __future__ import annotations

from rummy_arena.game.rules import Contract

NINE_CONTRACTS = (
    Contract(sets=3, runs=0, hand_size=9),
    Contract(sets=2, runs=1, hand_size=10),
    Contract(sets=1, runs=2, hand_size=11),
    Contract(sets=0, runs=3, hand_size=12),
    Contract(sets=4, runs=0, hand_size=12),
    Contract(sets=3, runs=1, hand_size=13),
    Contract(sets=2, runs=2, hand_size=14),
    Contract(sets=1, runs=3, hand_size=15),
    Contract(sets=0, runs=4, hand_size=16),
)
