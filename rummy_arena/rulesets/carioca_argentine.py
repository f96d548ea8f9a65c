"""Argentine Carioca: seven exact contracts, counter-clockwise, the pile open to all.

Source: a French description of the Argentine game, clauses C-1 to C-21 and X-1 to X-20 of the rule
book; gaps filled from Pagat's Carioca and Contract Rummy. Deviations: none.
"""

from __future__ import annotations

from rummy_arena.game.rules import (
    UNLIMITED,
    Contract,
    HandValues,
    Head,
    NewMelds,
    Option,
    PilePolicy,
    RuleSet,
    RunEnds,
)

CARIOCA_ARGENTINE = RuleSet(
    id="carioca-argentine",
    title="Argentine Carioca",
    head=Head(source="Argentine Carioca, seven contracts (French description; Pagat)", clauses="C"),
    min_seats=2,
    max_seats=4,
    packs=2,
    jokers=4,
    contracts=(
        Contract(sets=2, runs=0, hand_size=11),
        Contract(sets=1, runs=1, hand_size=11),
        Contract(sets=0, runs=2, hand_size=11),
        Contract(sets=3, runs=0, hand_size=11),
        Contract(sets=2, runs=1, hand_size=11),
        Contract(sets=1, runs=2, hand_size=11),
        Contract(sets=0, runs=3, hand_size=12),
    ),
    values=HandValues(joker=50, black_ace=20, red_ace=20, court=10),  # C-19
    clockwise=False,
    set_min=3,
    set_min_naturals=1,  # an opening of three has two (C-3); sets never shrink
    run_min=4,
    jokers_adjacent=True,  # C-4
    own_melds_differ=False,  # C-1
    opening_exact=True,  # C-2
    opening_jokers=1,  # C-3
    new_melds=NewMelds.NEVER,  # C-15
    run_ends=RunEnds.EITHER,  # C-7
    joker_later_turn=True,  # C-2
    pile=PilePolicy.ANYBODY,  # C-14
    throw_back=False,  # C-16
    joker_discard=True,  # C-12
    final_discard=True,  # C-10
    reshuffles=UNLIMITED,  # C-13
    max_replays=2,  # C-20
    turns_cap_per_seat=60,
    clauses={
        "ALREADY_OPENED": "C-15",
        "CARD_DOES_NOT_FIT": "C-7",
        "CONTRACT_NOT_MET": "C-2",
        "DISCARD_NEEDED": "C-10",
        "DISCARD_REQUIRED": "C-10",
        "END_NEEDED": "C-7",
        "GAME_OVER": "C-17",
        "JOKER_FIXED_IN_SET": "C-6",
        "JOKER_IS_NOT_TAKEN": "C-7",
        "MOVE.RUN_CLOSED": "C-7",
        "NOTHING_MORE_THIS_TURN": "C-2",
        "NOT_OPENED": "C-2",
        "NO_CALLS": "C-14",
        "NO_JOKER_FOR_CARD": "C-7",
        "NO_NEW_MELDS": "C-15",
        "OPENING_JOKERS": "C-3",
        "OPENING_NOT_EXACT": "C-2",
        "RANK_DOES_NOT_FIT": "C-5",
        "RUN_CLOSED": "C-9",
        "RUN_NEEDS_NATURALS": "C-3",
        "RUN_TOO_SHORT": "C-2",
        "SEATS": "C-21",
        "SET_NEEDS_NATURALS": "C-3",
        "SET_TOO_SHORT": "C-2",
        "THROWN_BACK": "C-16",
        "WRONG_END": "C-7",
    },
)

OPTIONS = (
    Option(
        name="contract",
        clause="C-17",
        default="0",
        numbers=(0, 7),
        text="0: all deals; else the deal of this contract alone",
        one_contract=True,
    ),
)
