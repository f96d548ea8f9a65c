"""The only way out: what a seat, a bot, a spectator or a stream may see (X-15), default-deny."""

from __future__ import annotations

from typing import NamedTuple

from .actions import NONE, ActionKind
from .cards import Card
from .melds import TableMeld
from .rules import Contract, RuleSet
from .state import Phase


class View(NamedTuple):
    """A table as one seat sees it; for a spectator ``seat`` is NONE and ``hand`` is empty."""

    rules: RuleSet
    seat: int
    number: int  # contract, from 1
    contract: Contract
    dealer: int
    phase: Phase
    turn: int  # the seat in turn; in a call window or decision the next player
    turn_number: int
    hand: tuple[Card, ...]  # own cards, sorted by id
    melds: tuple[TableMeld, ...]
    top: Card  # the top discard, or NONE
    stock_count: int
    hand_counts: tuple[int, ...]
    opened_turn: tuple[int, ...]  # turn of each seat's opening, 0 while unopened
    calls: tuple[int, ...]  # successful calls of this deal by seat
    totals: tuple[int, ...]  # penalties of the game before this deal, by seat
    kinds: tuple[ActionKind, ...]  # kinds of action that this seat may choose from now; () if none
