"""Golden playthroughs: every rule set and option has them, and they come out byte for byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

import pytest

from rummy_arena.game.actions import NONE
from rummy_arena.game.cards import JOKER_BASE
from rummy_arena.game.events import (
    Allowed,
    Called,
    CallGranted,
    DealEnd,
    DealEnded,
    DealStarted,
    Declined,
    Discarded,
    Drew,
    Eliminated,
    Event,
    Forbade,
    GameEnded,
    JokerMoved,
    JokerTaken,
    LaidOff,
    LegEnded,
    LotsDrawn,
    Melded,
    Opened,
    Passed,
    Rebought,
    RebuyOffered,
    Reshuffled,
    Source,
    TookAndOpened,
    TurnEnded,
    WindowClosed,
    WindowOpened,
)
from rummy_arena.game.melds import MeldKind
from rummy_arena.game.notation.games import ParsedGame, parse_game, write_game
from rummy_arena.game.notation.replaying import replay_text
from rummy_arena.game.rules import (
    CallAuthority,
    JokerExchange,
    NewMelds,
    PilePolicy,
    RuleSet,
    TieForFirst,
)
from rummy_arena.game.series import result
from rummy_arena.game.view import redact
from rummy_arena.rulesets.registry import OPTIONS, RULE_SETS, get_rule_set

from .make_playthrough import FOLDER, GAMES, Played, play, text_of

REMEDY = (
    "if the rules were meant to change, run python -m tests.spec.make_playthrough "
    "and read the difference before you commit it"
)
USUAL_SEATS = {"carioca-argentine": 3}
"""Where it is not four."""
of_every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.file.stem)


@cache
def kept(game: Played) -> ParsedGame:
    """Return the game as its file has it."""
    return parse_game(game.file.read_text())


# --- what must be there ---------------------------------------------------------------------------


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_a_rule_set_is_played_at_its_smallest_usual_and_largest_number_of_seats(
    rule_set: str,
) -> None:
    rules = RULE_SETS[rule_set]
    played = {game.seats for game in GAMES if game.rule_set == rule_set and not game.option}
    assert played >= {rules.min_seats, USUAL_SEATS.get(rule_set, 4), rules.max_seats}, (
        f"complete {rule_set} in GAMES in make_playthrough.py and run it"
    )


CHOICES = [
    (rule_set, option.name, value)
    for rule_set, options in OPTIONS.items()
    for option in options
    for value in option.choices or ("",)  # "": any number
    if value != option.default
]


@pytest.mark.parametrize(("rule_set", "name", "value"), CHOICES)
def test_every_choice_of_an_option_is_played(rule_set: str, name: str, value: str) -> None:
    """The seats that only an option allows are played as well."""
    games = [
        game
        for game in GAMES
        if game.rule_set == rule_set and game.option.startswith(f"{name}={value}")
    ]
    assert games, f"add {rule_set} with {name}={value} to GAMES in make_playthrough.py and run it"
    for game in games:
        assert SHOWS[game.option](game.rules, kept(game).events), "take another seed (--seek)"
    rules, plain = games[0].rules, RULE_SETS[rule_set]
    if rules.max_seats != plain.max_seats:
        assert {game.seats for game in games} >= {rules.min_seats, rules.max_seats}


def test_no_playthrough_is_left_over() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {game.file.name for game in GAMES}


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_together_they_show_every_kind_of_event_of_a_rule_set(rule_set: str) -> None:
    games = [game for game in GAMES if game.rule_set == rule_set]
    shown = {type(event) for game in games for event in kept(game).events}
    assert shown == set.union(*[possible_events(game.rules) for game in games])
    ends = {e.end for game in games for e in kept(game).events if isinstance(e, DealEnded)}
    assert DealEnd.OUT in ends


# --- that they are what is played -----------------------------------------------------------------


@of_every_game
def test_a_playthrough_comes_out_byte_for_byte(game: Played) -> None:
    log = play(game)
    played, file = text_of(game, log), game.file.read_bytes().decode()
    for new, old in zip(played.splitlines(), file.splitlines(), strict=False):
        assert new == old, REMEDY
    assert played.encode() == file.encode(), REMEDY
    assert kept(game).events == tuple(log)


@of_every_game
def test_a_playthrough_is_a_legal_game(game: Played) -> None:
    parsed = kept(game)
    rules = get_rule_set(parsed.rule_set, parsed.options)
    assert (rules, parsed.seats) == (game.rules, game.seats)
    ended = replay_text(rules, parsed)
    outcome = result(ended)
    assert isinstance(parsed.events[-1], GameEnded)
    assert parsed.events[-1].totals == outcome.totals


@of_every_game
def test_what_a_seat_sees_of_a_playthrough_is_written_and_parsed(game: Played) -> None:
    rules, seats = game.rules, game.seats
    for viewer, name in ((NONE, "spectator"), (0, "0"), (seats - 1, str(seats - 1))):
        seen = [redact(event, viewer, rules, seats) for event in kept(game).events]
        parsed = parse_game(write_game(rules, seats, seen, viewer=name))
        assert parsed.events == tuple(seen)
        assert parsed.viewer == name


# --- which events a rule set can have -------------------------------------------------------------

ALWAYS = {DealStarted, Drew, Opened, LaidOff, Discarded, Reshuffled, DealEnded, GameEnded}
CALLS = {WindowOpened, Called, Passed, Allowed, WindowClosed, CallGranted}


def possible_events(rules: RuleSet) -> set[type[Event]]:
    """Return the kinds of event that a game of the rule set can have."""
    found: set[type[Event]] = set(ALWAYS)
    if rules.new_melds is not NewMelds.NEVER:
        found.add(Melded)
    found.add(JokerTaken if rules.joker_exchange is JokerExchange.TAKE else JokerMoved)
    if not rules.joker_discard:
        found.add(TurnEnded)
    if rules.max_calls:
        found |= CALLS
        if rules.call_authority is CallAuthority.DISCARDER:
            found.add(Forbade)
    if rules.pile is PilePolicy.TO_OPEN:
        found.add(TookAndOpened)
    if rules.by_elimination:
        found.add(Eliminated)
        if rules.rebuys:
            found |= {RebuyOffered, Rebought, Declined}
    if rules.tie_for_first is TieForFirst.SUDDEN_DEATH:
        found.add(LotsDrawn)
    if rules.best_of > 1:
        found.add(LegEnded)
    return found


# --- what an option's playthrough must show -------------------------------------------------------

Log = Sequence[Event]


def _without(*kinds: type[Event]) -> Callable[[RuleSet, Log], bool]:
    return lambda rules, log: not any(isinstance(event, kinds) for event in log)


def _with(kind: type[Event], least: int = 1) -> Callable[[RuleSet, Log], bool]:
    return lambda rules, log: sum(isinstance(event, kind) for event in log) >= least


def _rebought(times: int) -> Callable[[RuleSet, Log], bool]:
    """Return the test that a seat buys back so often."""

    def shows(rules: RuleSet, log: Log) -> bool:
        bought = Counter(event.seat for event in log if isinstance(event, Rebought))
        return max(bought.values(), default=0) >= times

    return shows


def _next_player_takes(rules: RuleSet, log: Log) -> bool:
    """A called discard is taken by the next player, whose word it is."""
    called = False
    for before, event in pairwise(log):
        called = (called or isinstance(event, Called)) and not isinstance(before, WindowOpened)
        closed = isinstance(before, WindowClosed) and before.granted == NONE
        if called and closed and isinstance(event, Drew) and event.source is Source.DISCARD:
            return True
        if isinstance(before, WindowClosed):
            called = False
    return False


def _first_call_ends_window(rules: RuleSet, log: Log) -> bool:
    """A call is decided while somebody has not answered."""
    waiting = 0
    for before, event in pairwise(log):
        if isinstance(before, WindowOpened):
            waiting = len(before.seats)
        waiting -= isinstance(before, Called | Passed)
        if isinstance(before, Called) and isinstance(event, Allowed | Forbade) and waiting:
            return True
    return False


def _jokers_cost(rules: RuleSet, log: Log) -> bool:
    """A joker is left in a hand that is scored."""
    ended = [event for event in log if isinstance(event, DealEnded) and event.points]
    return any(card >= JOKER_BASE for event in ended for hand in event.hands for card in hand)


def _builds_three(rules: RuleSet, log: Log) -> bool:
    """One turn lays three cards off on one end of a run."""
    ends: Counter[tuple[int, int]] = Counter()
    for event in log:
        if isinstance(event, LaidOff) and event.end != NONE:
            ends[event.target, event.end] += 1
        elif isinstance(event, Discarded):
            ends.clear()
        if 3 in ends.values():
            return True
    return False


def _low_ace(rules: RuleSet, log: Log) -> bool:
    melds = [meld for event in log if isinstance(event, Opened) for meld in event.melds]
    return any(meld.kind is MeldKind.RUN and meld.low == 0 for meld in melds)


def _kaluki(rules: RuleSet, log: Log) -> bool:
    return any(isinstance(event, DealEnded) and event.down_and_out for event in log)


def _scored_deals(count: int) -> Callable[[RuleSet, Log], bool]:
    return lambda rules, log: (
        sum(isinstance(event, DealEnded) and bool(event.points) for event in log) >= count
    )


SHOWS: dict[str, Callable[[RuleSet, Log], bool]] = {
    "calls=off": _without(*CALLS, Forbade),
    "call_authority=next_player": _next_player_takes,
    "call_priority=first_received": _first_call_ends_window,
    "open_hands=on": lambda rules, log: bool(redact(log[0], NONE, rules, 3).hands),  # type: ignore[union-attr]
    "joker_penalty=25": _jokers_cost,
    "short_form=on": _scored_deals(7),
    "best_of=3": _with(LegEnded, 2),
    "contract=2": _scored_deals(1),
    "contract=6": _scored_deals(1),
    "contract=9": _scored_deals(1),
    "deals=1": _scored_deals(1),
    "deals=3": _scored_deals(3),
    "packs=3": lambda rules, log: max(log[0].deck) >= JOKER_BASE + 5,  # type: ignore[union-attr]
    "stakes=5": lambda rules, log: any(log[-1].ledger),  # type: ignore[union-attr]
    "rebuys=0": _without(RebuyOffered),
    "rebuys=2": _rebought(2),
    "rebuys=unlimited": _rebought(3),
    "build_per_end=unlimited": _builds_three,
    "kaluki_penalty=double": _kaluki,
    "kaluki_penalty=plus25": _kaluki,
    "ace=high_or_low": _low_ace,
}
