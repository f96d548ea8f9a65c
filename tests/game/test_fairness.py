"""What is told of a deal's seed, when, and that a log which was dealt otherwise is found out."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from functools import partial

import pytest

from rummy_arena.game import series
from rummy_arena.game.actions import NONE
from rummy_arena.game.chance import DealtChance, SeededChance, commitment_of, deal_seed
from rummy_arena.game.events import (
    DealCommitted,
    DealEnded,
    DealRevealed,
    DealStarted,
    Event,
    GameEnded,
    LotsDrawn,
    Reshuffled,
)
from rummy_arena.game.fairness import DealState, verify
from rummy_arena.game.notation import parse_game, replay_text, write_game
from rummy_arena.game.replay import CorruptLog, RecordedChance, replay
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Game
from rummy_arena.game.view import redact
from rummy_arena.rulesets.registry import RULE_SETS
from tests.spec.seeker import Timid

from .fair_games import (
    TIMID_RULES,
    TIMID_SEATS,
    TOLD,
    cards_alone,
    from_the_system,
    played,
    timid,
)

SEED = bytes(range(32))
of_every_rule_set = pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)


# --- whole games ----------------------------------------------------------------------------------


@of_every_rule_set
def test_a_whole_game_is_as_committed_and_replays_and_is_written_and_read(rules: RuleSet) -> None:
    game, log = played(rules, rules.min_seats, DealtChance(rules, {}, from_the_system))
    found = verify(rules, rules.min_seats, log)
    assert (found.good, found.over, found.deal_faults) == (True, True, ())
    assert {deal.state for deal in found.deals} == {DealState.PROVEN}
    assert len(found.deals) == sum(isinstance(event, DealStarted) for event in log)
    assert replay(rules, rules.min_seats, log) == game
    text = write_game(rules, rules.min_seats, log)
    parsed = parse_game(text)
    assert parsed.events == tuple(log)
    assert write_game(rules, rules.min_seats, parsed.events) == text
    assert replay_text(rules, parsed) == game


def test_a_game_with_reshuffles_void_deals_and_lots_is_as_committed() -> None:
    game, log = timid()
    found = verify(TIMID_RULES, TIMID_SEATS, log)
    assert found.good
    assert sum(deal.reshuffles for deal in found.deals) == sum(
        isinstance(event, Reshuffled) for event in log
    )
    assert any(deal.attempt for deal in found.deals)
    assert [(deal.number, deal.attempt) for deal in found.deals if deal.lots] == [
        (game.deal.number, 0)
    ]
    assert replay(TIMID_RULES, TIMID_SEATS, log) == game


def test_commitments_change_nothing_else() -> None:
    seeded = played(TIMID_RULES, TIMID_SEATS, SeededChance(TIMID_RULES, bytes(32)), player=Timid)
    game, log = timid()
    assert (game, cards_alone(log)) == seeded


# --- what is told, and when -----------------------------------------------------------------------


def test_a_commitment_comes_just_before_its_deal_and_the_seed_after_nothing_is_drawn_from_it() -> (
    None
):
    _, log = timid()
    for at, event in enumerate(log):
        if isinstance(event, DealStarted):
            before = log[at - 1]
            assert isinstance(before, DealCommitted)
            assert (before.number, before.attempt) == (event.number, event.attempt)
    over = next(at for at, event in enumerate(log) if isinstance(event, GameEnded))
    for at, event in enumerate(log):
        if isinstance(event, DealEnded) and event.points:
            behind = log[at + 1]
            told = log[at + 2] if isinstance(behind, LotsDrawn) else behind
            assert isinstance(told, DealRevealed)
    (lots,) = [at for at, event in enumerate(log) if isinstance(event, LotsDrawn)]
    drawn_from = next(e for e in reversed(log[:lots]) if isinstance(e, DealStarted)).number
    revealed = next(
        at
        for at, event in enumerate(log)
        if isinstance(event, DealRevealed) and (event.number, event.attempt) == (drawn_from, 0)
    )
    assert lots < revealed
    assert over < len(log) - 1


def test_seeds_of_void_deals_are_not_out_before_the_game_is_over() -> None:
    _, log = timid()
    over = next(at for at, event in enumerate(log) if isinstance(event, GameEnded))
    ends = [
        (started.number, started.attempt, bool(ended.points))
        for started, ended in zip(
            [event for event in log if isinstance(event, DealStarted)],
            [event for event in log if isinstance(event, DealEnded)],
            strict=True,
        )
    ]
    void = [(number, attempt) for number, attempt, scored in ends if not scored]
    assert void
    assert {
        (event.number, event.attempt) for event in log[:over] if isinstance(event, DealRevealed)
    } == {(number, attempt) for number, attempt, scored in ends if scored}
    assert [
        (event.number, event.attempt)
        for event in log[over + 1 :]
        if isinstance(event, DealRevealed)
    ] == void
    assert len(log) == over + 1 + len(void)


class _SameCards(RecordedChance):
    """The cards of a log, said to come from other seeds."""

    def __init__(self, rules: RuleSet, log: Sequence[Event]) -> None:
        super().__init__(rules, cards_alone(log))

    def seed(self, number: int, attempt: int) -> bytes:
        """Return another seed than the cards came from."""
        return deal_seed(SEED, number, attempt)

    def commitment(self, number: int, attempt: int) -> bytes:
        """Return the commitment to it."""
        return commitment_of(self.seed(number, attempt), number, attempt)


def test_nothing_depends_on_a_seed_but_the_cards_the_commitment_and_the_reveal() -> None:
    _, log = timid()
    other = played(TIMID_RULES, TIMID_SEATS, _SameCards(TIMID_RULES, log), player=Timid)[1]
    assert len(other) == len(log)
    for one, two in zip(log, other, strict=True):
        assert type(one) is type(two)
        assert (one != two) == isinstance(one, TOLD)


@pytest.mark.parametrize("viewer", [NONE, 0])
def test_before_the_reveal_a_viewer_gets_no_bytes_but_the_commitment_and_own_cards(
    viewer: int,
) -> None:
    _, log = timid()
    secrets: dict[tuple[int, int], bytes] = {}
    for event in log:
        if isinstance(event, DealRevealed):
            secrets[event.number, event.attempt] = event.seed
    told: set[bytes] = set()
    for event in log:
        seen = redact(event, viewer, TIMID_RULES, TIMID_SEATS)
        if isinstance(event, TOLD):
            assert seen == event
        if isinstance(event, DealRevealed):
            told.add(event.seed)
        values = {getattr(seen, field.name) for field in dataclasses.fields(seen)}
        shown = {value for value in values if isinstance(value, bytes)}
        assert shown.isdisjoint(set(secrets.values()) - told)
        if isinstance(seen, DealStarted | Reshuffled):  # hands are sorted: nothing of an order
            assert shown <= {b"", bytes(sorted(getattr(seen, "hand", b"")))}


def test_five_hundred_tables_have_five_hundred_decks() -> None:
    decks = set()
    for _ in range(500):
        chance = DealtChance(TIMID_RULES, {}, from_the_system)
        _, (committed, started) = series.new_game(TIMID_RULES, 3, chance)
        assert isinstance(committed, DealCommitted)
        assert isinstance(started, DealStarted)
        decks.add(started.deck)
    assert len(decks) == 500


# --- what must be stored --------------------------------------------------------------------------


def test_a_table_that_is_stored_after_each_action_keeps_only_the_seeds_that_it_needs() -> None:
    asked: list[tuple[int, int]] = []

    def new_seed(number: int, attempt: int) -> bytes:
        asked.append((number, attempt))
        return os.urandom(32)

    chance = DealtChance(TIMID_RULES, {}, new_seed)
    most = 0

    def stored(game: Game, events: list[Event]) -> None:
        nonlocal most
        chance.forget_revealed(events)
        chance.seeds = dict(chance.seeds)
        most = max(most, len(chance.seeds))
        present = set() if game.over else {(game.deal.number, game.attempt)}
        assert set(chance.seeds) == present | set(game.withheld)

    _, log = played(TIMID_RULES, TIMID_SEATS, chance, player=Timid, after=stored)
    assert len(asked) == len(set(asked)) == sum(isinstance(e, DealStarted) for e in log)
    assert most > 1
    assert verify(TIMID_RULES, TIMID_SEATS, log).good


def test_seeds_that_are_told_elsewhere_are_committed_to_and_not_told() -> None:
    rules = RULE_SETS["kaluki-european"]
    seeds: dict[tuple[int, int], bytes] = {}
    _, log = played(rules, 2, DealtChance(rules, seeds, from_the_system, reveals=False))
    assert not any(isinstance(event, DealRevealed) for event in log)
    found = verify(rules, 2, log)
    assert not found.good
    assert {deal.state for deal in found.deals} == {DealState.UNTOLD}
    told = [DealRevealed(*key, seed) for key, seed in seeds.items()]
    for deal, event in zip(found.deals, told, strict=True):
        assert commitment_of(event.seed, event.number, event.attempt) == deal.commitment


def test_a_seed_that_is_too_short_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes, not 16"):
        series.new_game(TIMID_RULES, 3, DealtChance(TIMID_RULES, {}, lambda n, a: bytes(16)))


def test_a_log_cut_after_any_action_at_a_deals_end_replays_to_the_game_of_that_moment() -> None:
    seen = 0
    so_far: list[Event] = []

    def cut(game: Game, events: list[Event]) -> None:
        nonlocal seen
        so_far.extend(events)
        if any(isinstance(event, TOLD) for event in events):
            seen += 1
            assert replay(TIMID_RULES, TIMID_SEATS, so_far) == game
            assert verify(TIMID_RULES, TIMID_SEATS, so_far).good
            for torn in (so_far[:-1], so_far[:-2]):
                _check_torn(torn)

    chance = DealtChance(TIMID_RULES, {}, partial(deal_seed, bytes(32)))
    played(TIMID_RULES, TIMID_SEATS, chance, player=Timid, after=cut)
    assert seen > 5


def _check_torn(log: list[Event]) -> None:
    """A log may lack the next deal with its commitment, not a deal that was committed to."""
    if not log or isinstance(log[-1], DealCommitted):
        with pytest.raises(CorruptLog):
            replay(TIMID_RULES, TIMID_SEATS, log)


def test_a_deal_that_goes_on_is_not_told_yet() -> None:
    _, log = timid()
    cut = next(at for at, event in enumerate(log) if isinstance(event, DealStarted)) + 1
    found = verify(TIMID_RULES, TIMID_SEATS, log[:cut])
    assert [deal.state for deal in found.deals] == [DealState.OPEN]
    assert (found.good, found.over) == (True, False)
