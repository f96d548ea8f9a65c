"""Kaluki, also called Rummy 51: 40 or 51 points to open, elimination above 150, re-buys.

Source: a French description of the European game with its American differences, clauses E-1 to E-29
and X-1 to X-20 of the rule book; gaps filled from Pagat's Kaluki. Deviations: a game that has
scored sixty deals ends with the lowest total, so that every game ends (house).
"""

from __future__ import annotations

from dataclasses import replace

from rummy_arena.game.rules import (
    UNLIMITED,
    Contract,
    HandValues,
    Head,
    JokerExchange,
    Option,
    PilePolicy,
    RuleSet,
    RunEnds,
    StakeDoubling,
)

_CLAUSES = {
    "ALREADY_OPENED": "E-5",
    "BUILT_ENOUGH": "E-12",
    "CARD_DOES_NOT_FIT": "E-12",
    "DISCARD_NEEDED": "E-19",
    "DISCARD_REQUIRED": "E-19",
    "END_NEEDED": "E-12",
    "GAME_OVER": "E-23",
    "JOKER_IS_TAKEN": "E-13",
    "JOKER_NOT_USED": "E-13",
    "MELD.NOT_OPENED": "E-5",
    "NOT_OPENED": "E-6",
    "NOT_PLAYING": "E-24",
    "NOT_THE_TOP": "E-7",
    "NO_CALLS": "E-7",
    "NO_JOKER_FOR_CARD": "E-13",
    "NO_REBUY": "E-17",
    "ONE_MELD_EACH": "E-5",
    "PILE_NEEDS_OPENING": "E-7",
    "POINTS_NOT_REACHED": "E-4",
    "RANK_DOES_NOT_FIT": "E-11",
    "RUN_CLOSED": "E-9",
    "RUN_LEAVES_ACES": "E-9",
    "RUN_NEEDS_NATURALS": "E-10",
    "RUN_TOO_LONG": "E-9",
    "RUN_TOO_SHORT": "E-22",
    "SEATS": "E-1",
    "SET_CLOSED": "E-22",
    "SET_NEEDS_NATURALS": "E-10",
    "SET_SUITS_REPEAT": "E-11",
    "SET_TOO_LONG": "E-22",
    "SET_TOO_SHORT": "E-22",
    "SUITS_MISSING": "E-13",
    "TAKE_JOKER.NOT_OPENED": "E-13",
    "TAKE_JOKER.SET_CLOSED": "E-13",
    "TOP_NOT_USED": "E-7",
    "WRONG_END": "E-9",
}
_DEALS_CAP = "a game ends after sixty scored deals with the lowest total (E-23)"

KALUKI_EUROPEAN = RuleSet(
    id="kaluki-european",
    title="European Kaluki",
    head=Head(
        source="Kaluki, European game (French description; Pagat)",
        clauses="E",
        deviations=(_DEALS_CAP,),
    ),
    min_seats=2,
    max_seats=5,  # E-1
    packs=2,
    jokers=2,
    contracts=(Contract(points=40, hand_size=13),),  # E-4
    values=HandValues(joker=15, black_ace=11, red_ace=11, court=10),  # E-3
    set_min=3,
    set_max=4,
    set_min_naturals=1,  # E-10
    set_suits_differ=True,
    run_min=3,
    run_max=13,  # E-9
    ace_low=False,  # E-9
    jokers_adjacent=True,  # E-10
    own_melds_differ=False,  # E-26
    run_ends=RunEnds.EITHER,
    build_per_end=2,  # E-12
    joker_exchange=JokerExchange.TAKE,  # E-13
    exchange_naturals=2,  # E-13
    pile=PilePolicy.TO_OPEN,  # E-7, E-8
    throw_back=False,
    joker_discard=True,  # E-14
    final_discard=True,  # E-19
    reshuffles=1,  # E-16
    max_replays=2,
    turns_cap_per_seat=60,
    limit=150,  # E-15
    rebuys=1,  # E-17
    deals_cap=60,
    buy_in=1,  # E-23
    deal_stake=1,  # E-20
    stake_doubling=StakeDoubling.DOWN_AND_OUT,  # E-20
    clauses=_CLAUSES,
)

KALUKI_AMERICAN = replace(  # E-27
    KALUKI_EUROPEAN,
    id="kaluki-american",
    title="American Kaluki",
    head=Head(
        source="Kaluki, American differences of the European game (French description; Pagat)",
        clauses="E",
        deviations=(_DEALS_CAP,),
    ),
    max_seats=6,  # E-1
    jokers=4,
    contracts=(Contract(points=51, hand_size=13, hand_sizes=(0, 0, 15, 13, 13, 13, 11)),),  # E-2
    values=HandValues(joker=25, black_ace=15, red_ace=15, court=10),  # E-3
    exchange_naturals=1,  # E-13
    stake_doubling=StakeDoubling.NEVER,  # E-20
)

_REBUYS = Option(
    name="rebuys",
    clause="E-17",
    default="1",
    choices=("0", "1", "2", "unlimited"),
    text="how often a player may buy back into the game",
    sets={"0": {"rebuys": 0}, "2": {"rebuys": 2}, "unlimited": {"rebuys": UNLIMITED}},
)
_BUILD_PER_END = Option(
    name="build_per_end",
    clause="E-12",
    default="2",
    choices=("2", "unlimited"),
    text="cards that one turn lays off on one end of a run at most",
    sets={"unlimited": {"build_per_end": UNLIMITED}},
)
_DEALS = Option(
    name="deals",
    clause="E-23",
    default="60",
    numbers=(1, 60),
    text="scored deals after which the lowest total wins",
    sets_number="deals_cap",
)
EUROPEAN_OPTIONS = (
    _REBUYS,
    _BUILD_PER_END,
    _DEALS,
    Option(
        name="kaluki_penalty",
        clause="E-20",
        default="none",
        choices=("none", "double", "plus25"),
        text="what a Kaluki adds to the penalties of the others",
        sets={"double": {"down_and_out_factor": 2}, "plus25": {"down_and_out_extra": 25}},
    ),
)
AMERICAN_OPTIONS = (
    _REBUYS,
    _BUILD_PER_END,
    _DEALS,
    Option(
        name="ace",
        clause="E-9",
        default="high",
        choices=("high", "high_or_low"),
        text="high_or_low: an ace also stands below a two",
        sets={"high_or_low": {"ace_low": True}},
    ),
)
