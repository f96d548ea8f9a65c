"""Kalooki with bonus: nine contracts, -50 for going out, +50 for not opening.

Source: an Italian description of Kalooki with the bonus, clauses B-1 to B-28 and X-1 to X-20 of the
rule book; gaps filled from Pagat's Caribbean Kalooki and from the Jamaican game. Deviations: a
seventh and an eighth seat ask for three packs (B-2).
"""

from __future__ import annotations

from dataclasses import replace

from rummy_arena.game.rules import (
    CallAuthority,
    CallPriority,
    HandValues,
    Head,
    NewMelds,
    Option,
    PilePolicy,
    RuleSet,
    RunEnds,
    StakeDoubling,
    TieForFirst,
)

from .nine_contracts import NINE_CONTRACTS

_VALUES = HandValues(joker=50, black_ace=15, red_ace=1, court=10)

KALOOKI_BONUS = RuleSet(
    id="kalooki-bonus",
    title="Kalooki with bonus",
    head=Head(
        source="Kalooki with the -50 / +50 bonus (Italian description; Pagat)",
        clauses="B",
        deviations=("seven and eight seats ask for three packs (B-2)",),
    ),
    min_seats=3,
    max_seats=6,  # B-2
    packs=2,
    jokers=4,
    contracts=NINE_CONTRACTS,  # B-22
    values=_VALUES,
    set_min=3,
    set_min_naturals=2,  # B-9
    set_spare_jokers=1,  # B-8
    run_min=4,
    new_melds=NewMelds.BEFORE_LAY_OFF,  # B-12
    run_ends=RunEnds.EITHER,  # B-11
    joker_owner_only=True,  # B-10
    joker_later_turn=True,  # B-10
    pile=PilePolicy.ANYBODY,  # B-17
    max_calls=3,  # B-3
    call_authority=CallAuthority.DISCARDER,  # B-1
    reshuffles=1,  # B-16
    max_replays=2,  # X-10
    turns_cap_per_seat=60,  # X-9
    out_points=-50,  # B-18
    unopened_points=50,  # B-18
    tie_for_first=TieForFirst.SUDDEN_DEATH,  # B-19
    stake_doubling=StakeDoubling.BONUS,
    clauses={
        "ALREADY_ANSWERED": "B-7",
        "ALREADY_OPENED": "B-12",
        "CALLED.STOCK_ONLY": "B-5",
        "CALLS_USED_UP": "B-3",
        "CALL_CANNOT_BE_SERVED": "B-5",
        "CALL_WINDOW_OPEN": "B-1",
        "CARD_DOES_NOT_FIT": "B-11",
        "CONTRACT_NOT_MET": "B-13",
        "DISCARDER_CANNOT_CALL": "B-4",
        "DISCARD_REQUIRED": "B-15",
        "END_NEEDED": "B-11",
        "GAME_OVER": "B-19",
        "JOKERS_ADJACENT": "B-8",
        "JOKER_DISCARD": "B-15",
        "JOKER_FIXED_IN_SET": "B-10",
        "JOKER_IS_NOT_TAKEN": "B-10",
        "MELD_AFTER_LAY_OFF": "B-12",
        "MOVE.JOKERS_ADJACENT": "B-10",
        "MOVE.RUN_CLOSED": "B-10",
        "NEXT_PLAYER_DRAWS": "B-4",
        "NOT_OPENED": "B-27",
        "NOT_OWN_RUN": "B-10",
        "NOT_PLAYING": "B-19",
        "NO_CALLS": "B-24",
        "NO_CALL_WINDOW": "B-7",
        "NO_JOKER_FOR_CARD": "B-10",
        "ONE_MELD_EACH": "B-12",
        "OPENED_CANNOT_CALL": "B-28",
        "RANK_DOES_NOT_FIT": "B-11",
        "RUN_CLOSED": "B-21",
        "RUN_NEEDS_NATURALS": "B-8",
        "RUN_SUIT_REPEATED": "B-20",
        "RUN_TOO_NEW": "B-10",
        "RUN_TOO_SHORT": "B-13",
        "SEATS": "B-2",
        "SET_NEEDS_NATURALS": "B-9",
        "SET_RANK_REPEATED": "B-20",
        "SET_TOO_MANY_JOKERS": "B-8",
        "SET_TOO_SHORT": "B-13",
        "WRONG_END": "B-11",
    },
)

_SHORT = tuple(NINE_CONTRACTS[number - 1] for number in (1, 2, 4, 5, 6, 7, 9))  # B-23

OPTIONS = (
    Option(
        name="calls",
        clause="B-24",
        default="on",
        choices=("on", "off"),
        text="off: discards are not called",
        sets={"off": {"max_calls": 0}},
    ),
    Option(
        name="call_authority",
        clause="B-1",
        default="discarder",
        choices=("discarder", "next_player"),
        text="who decides about a call: the discarder, or the next player by taking the card",
        sets={"next_player": {"call_authority": CallAuthority.NEXT_PLAYER}},
    ),
    Option(
        name="call_priority",
        clause="B-6",
        default="clockwise",
        choices=("clockwise", "first_received"),
        text="which of several callers is heard",
        sets={"first_received": {"call_priority": CallPriority.FIRST_RECEIVED}},
    ),
    Option(
        name="open_hands",
        clause="B-24",
        default="off",
        choices=("off", "on"),
        text="on: all hands lie open, for spectators too",
        sets={"on": {"open_hands": True}},
    ),
    Option(
        name="joker_penalty",
        clause="B-24",
        default="50",
        choices=("50", "25"),
        text="penalty points of a joker left in a hand",
        sets={"25": {"values": replace(_VALUES, joker=25)}},
    ),
    Option(
        name="short_form",
        clause="B-23",
        default="off",
        choices=("off", "on"),
        text="on: seven deals, without contracts 3 and 8",
        sets={"on": {"contracts": _SHORT}},
    ),
    Option(
        name="contract",
        clause="B-22",
        default="0",
        numbers=(0, 9),
        text="0: all deals; else the deal of this contract alone",
        one_contract=True,
    ),
    Option(
        name="best_of",
        clause="B-24",
        default="1",
        choices=("1", "3"),
        text="3: up to three whole games; most games won, then the lower sum of penalties",
        sets={"3": {"best_of": 3}},
    ),
    Option(
        name="packs",
        clause="B-2",
        default="2",
        choices=("2", "3"),
        text="3: 162 cards with 6 jokers, for five to eight seats",
        sets={"3": {"packs": 3, "jokers": 6, "min_seats": 5, "max_seats": 8}},
    ),
    Option(
        name="stakes",
        clause="B-24",
        default="0",
        numbers=(0, 1_000_000),
        text="units of play money from each loser of a deal to its winner, "
        "twice as many as the winner takes the bonus",
        sets_number="deal_stake",
    ),
)
