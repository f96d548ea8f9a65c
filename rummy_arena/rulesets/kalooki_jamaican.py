"""Jamaican Kalooki: nine contracts, calls, joker moves, doubling.

Source: the Jamaican contract game as played in Jamaica and the wider Caribbean, clauses J-1 to
J-31 and X-1 to X-20 of the rule book; gaps filled from Pagat's Caribbean Kalooki. Deviations: none.
"""

from __future__ import annotations

from rummy_arena.game.rules import HandValues, Head, Option, RuleSet

from .nine_contracts import NINE_CONTRACTS

KALOOKI_JAMAICAN = RuleSet(
    id="kalooki-jamaican",
    title="Jamaican Kalooki",
    head=Head(source="Jamaican Kalooki, nine contracts (French printed rules; Pagat)", clauses="J"),
    min_seats=3,
    max_seats=6,
    packs=2,
    jokers=4,
    contracts=NINE_CONTRACTS,
    values=HandValues(joker=50, black_ace=15, red_ace=1, court=10),  # J-31
    set_min=3,
    set_min_naturals=2,  # J-13
    run_min=4,
    max_calls=3,  # J-1
    reshuffles=1,  # J-27
    max_replays=2,
    turns_cap_per_seat=60,
    down_and_out_factor=2,  # J-24
    clauses={
        "ALREADY_ANSWERED": "J-9",
        "ALREADY_OPENED": "J-11",
        "CALLED.STOCK_ONLY": "J-8",
        "CALLS_USED_UP": "J-1",
        "CALL_CANNOT_BE_SERVED": "J-7",
        "CALL_WINDOW_OPEN": "J-5",
        "CARD_DOES_NOT_FIT": "J-16",
        "CONTRACT_NOT_MET": "J-11",
        "DISCARDER_CANNOT_CALL": "J-2",
        "DISCARD_REQUIRED": "J-21",
        "GAME_OVER": "J-30",
        "JOKERS_ADJACENT": "J-15",
        "JOKER_DISCARD": "J-21",
        "JOKER_FIXED_IN_SET": "J-18",
        "JOKER_IS_NOT_TAKEN": "J-18",
        "MOVE.JOKERS_ADJACENT": "J-19",
        "MOVE.RUN_CLOSED": "J-19",
        "NEXT_PLAYER_DRAWS": "J-4",
        "NOT_OPENED": "J-11",
        "NO_CALL_WINDOW": "J-9",
        "NO_JOKER_FOR_CARD": "J-18",
        "ONE_MELD_EACH": "J-11",
        "OPENED_CANNOT_CALL": "J-4",
        "RANK_DOES_NOT_FIT": "J-16",
        "RUN_CLOSED": "J-17",
        "RUN_NEEDS_NATURALS": "J-14",
        "RUN_SUIT_REPEATED": "J-12",
        "RUN_TOO_SHORT": "J-11",
        "SEATS": "J-30",
        "SET_NEEDS_NATURALS": "J-13",
        "SET_RANK_REPEATED": "J-12",
        "SET_TOO_SHORT": "J-11",
        "STOCK_ONLY": "J-25",
        "WRONG_END": "J-16",
    },
)

OPTIONS = (
    Option(
        name="contract",
        clause="J-30",
        default="0",
        numbers=(0, 9),
        text="0: all deals; else the deal of this contract alone",
        one_contract=True,
    ),
)
