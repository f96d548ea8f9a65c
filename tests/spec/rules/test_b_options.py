"""B-2, B-23, B-24: the options of a table, which choices are refused, and open hands and stakes."""

from __future__ import annotations

import pytest

from rummy_arena.game import series
from rummy_arena.game.actions import NONE
from rummy_arena.game.cards import is_joker
from rummy_arena.game.events import CallGranted, DealEnd, DealStarted, Drew, GameEnded, Reshuffled
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Phase
from rummy_arena.game.view import redact, view
from rummy_arena.rulesets.errors import InvalidOption, UnknownOption
from rummy_arena.rulesets.kalooki_bonus import KALOOKI_BONUS
from rummy_arena.rulesets.registry import get_rule_set, options_of
from tests.spec.positions import Stacked, in_game, plain, position

EVERYBODY = (0, 1, 2, 3, NONE)


def bonus(**options: str) -> RuleSet:
    """Return the rule set with these options."""
    return get_rule_set("kalooki-bonus", options)


# --- which choices there are ----------------------------------------------------------------------


@pytest.mark.clause("B-24")
def test_the_defaults_are_the_plain_game_and_equal_choices_are_one_rule_set() -> None:
    defaults = {option.name: option.default for option in options_of("kalooki-bonus")}
    assert bonus(**defaults) is bonus() is KALOOKI_BONUS
    assert bonus(stakes="0") is KALOOKI_BONUS
    assert bonus(stakes="05", calls="off") is bonus(calls="off", stakes="5", packs="2")


@pytest.mark.clause("B-24")
def test_each_value_of_each_option_is_taken() -> None:
    for option in options_of("kalooki-bonus"):
        for value in option.choices or ("0", "1", str((option.numbers or (0, 0))[1])):
            chosen = {} if value == option.default else {option.name: value}
            assert dict(bonus(**{option.name: value}).options) == chosen


@pytest.mark.clause("B-24")
@pytest.mark.parametrize(
    ("option", "value", "clause"),
    [
        ("calls", "no", "B-24"),
        ("call_authority", "dealer", "B-1"),
        ("call_priority", "loudest", "B-6"),
        ("open_hands", "ON", "B-24"),
        ("joker_penalty", "15", "B-24"),
        ("short_form", "", "B-23"),
        ("best_of", "2", "B-24"),
        ("best_of", "5", "B-24"),
        ("packs", "4", "B-2"),
        ("packs", "1", "B-2"),
        ("stakes", "-1", "B-24"),
        ("stakes", "1000001", "B-24"),
        ("stakes", "1.5", "B-24"),
        ("stakes", "", "B-24"),
        ("stakes", "٣", "B-24"),
        ("stakes", "0" * 10, "B-24"),
    ],
)
def test_a_wrong_value_is_refused_with_the_option_its_clause_and_what_is_allowed(
    option: str, value: str, clause: str
) -> None:
    (known,) = [known for known in options_of("kalooki-bonus") if known.name == option]
    with pytest.raises(InvalidOption) as refused:
        bonus(**{option: value})
    error = refused.value
    assert (error.option, error.value, error.clause) == (option, value, clause)
    for part in (option, repr(value), f"({clause})", known.allowed()):
        assert part in str(error)


@pytest.mark.clause("B-24")
@pytest.mark.parametrize(("option", "value"), [("stakes", 5), ("packs", 3), ("calls", False)])
def test_a_value_that_is_no_text_is_refused_as_such(option: str, value: object) -> None:
    with pytest.raises(InvalidOption, match=f"option {option} .* must be text: "):
        get_rule_set("kalooki-bonus", {option: value})  # type: ignore[dict-item]


@pytest.mark.clause("B-24")
def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownOption) as refused:
        bonus(rebuys="1")
    assert refused.value.option == "rebuys"
    for option in options_of("kalooki-bonus"):
        assert option.name in str(refused.value)


@pytest.mark.clause("B-24")
@pytest.mark.parametrize(
    ("option", "value", "default", "clause"),
    [
        ("call_authority", "next_player", "discarder", "B-1"),
        ("call_priority", "first_received", "clockwise", "B-6"),
    ],
)
def test_options_of_calls_are_refused_beside_no_calls(
    option: str, value: str, default: str, clause: str
) -> None:
    with pytest.raises(InvalidOption) as refused:
        bonus(**{"calls": "off", option: value})
    assert (refused.value.option, refused.value.clause) == (option, clause)
    assert "calls=off" in str(refused.value)
    assert bonus(**{"calls": "off", option: default}) is bonus(calls="off")
    assert bonus(**{"calls": "on", option: value}) is bonus(**{option: value})


@pytest.mark.clause("B-24")
def test_all_other_options_go_together() -> None:
    rules = bonus(
        calls="off",
        open_hands="on",
        joker_penalty="25",
        short_form="on",
        best_of="3",
        packs="3",
        stakes="7",
    )
    assert (rules.max_calls, rules.open_hands, rules.values.joker) == (0, True, 25)
    assert (len(rules.contracts), rules.best_of, rules.packs, rules.deal_stake) == (7, 3, 3, 7)


# --- B-2: seats and packs -------------------------------------------------------------------------


@pytest.mark.clause("B-2")
@pytest.mark.parametrize(
    ("packs", "seats"), [("2", 3), ("2", 4), ("2", 5), ("2", 6), ("3", 5), ("3", 7), ("3", 8)]
)
def test_every_contract_can_be_dealt_to_as_many_as_may_sit(packs: str, seats: int) -> None:
    rules = bonus(packs=packs)
    game, _ = series.new_game(rules, seats, Stacked(rules))
    assert len(game.deal.stock) == len(rules.pack) - 9 * seats - 1
    assert all(contract.cards_each(seats) * seats < len(rules.pack) for contract in rules.contracts)


@pytest.mark.clause("B-2")
@pytest.mark.parametrize(
    ("packs", "seats", "range_"),
    [
        ("2", 2, "seats 3 to 6"),
        ("2", 7, "seats 3 to 6"),
        ("2", 8, "seats 3 to 6"),
        ("3", 4, "with packs=3 seats 5 to 8"),
        ("3", 3, "with packs=3 seats 5 to 8"),
        ("3", 9, "with packs=3 seats 5 to 8"),
    ],
)
def test_other_numbers_of_seats_are_refused(packs: str, seats: int, range_: str) -> None:
    rules = bonus(packs=packs)
    with pytest.raises(series.SeatsError, match=f"{range_}, not {seats}") as refused:
        series.new_game(rules, seats, Stacked(rules))
    assert (refused.value.clause, refused.value.seats) == ("B-2", seats)


@pytest.mark.clause("B-2", "X-2")
def test_three_packs_are_162_cards_with_six_jokers_and_three_of_each_natural() -> None:
    pack = bonus(packs="3").pack
    assert len(set(pack)) == len(pack) == 162
    assert sum(map(is_joker, pack)) == 6
    naturals = plain([card for card in pack if not is_joker(card)]).split()
    assert {naturals.count(name) for name in naturals} == {3}
    assert len(KALOOKI_BONUS.pack) == 108


@pytest.mark.clause("B-2", "B-8")
def test_with_three_packs_a_set_may_hold_twelve_naturals_and_all_six_jokers() -> None:
    kings = " ".join(f"K{suit}{pack}" for suit in "SHDC" for pack in "123")
    jokers = " ".join(f"*{number}" for number in range(1, 7))
    held = position(
        rules=bonus(packs="3"), seats=5, hands={0: f"{kings} {jokers} 2C"}, opened=[0], pile="9S"
    )
    held.does(f"0 melds {kings} {jokers}")
    assert len(held.deal.melds[0].cards) == 18


# --- B-23: the short form -------------------------------------------------------------------------


@pytest.mark.clause("B-23")
def test_the_short_form_has_seven_deals_without_the_third_and_the_eighth_contract() -> None:
    short = bonus(short_form="on").contracts
    nine = KALOOKI_BONUS.contracts
    assert short == tuple(nine[number - 1] for number in (1, 2, 4, 5, 6, 7, 9))
    assert [contract.hand_size for contract in short] == [9, 10, 12, 12, 13, 14, 16]


@pytest.mark.clause("B-23")
@pytest.mark.parametrize(("short", "deals"), [("on", 7), ("off", 9)])
def test_a_game_ends_after_its_last_contract(short: str, deals: int) -> None:
    rules = bonus(short_form=short)
    held = position(rules=rules, contract=deals - 1, hands={0: "2C"}, opened=[0])
    in_game(held, scores=[(0, 1, 2)] * (deals - 2))
    started = held.does("0 discards 2C")[-1]
    assert isinstance(started, DealStarted)
    assert (started.number, started.contract) == (deals, deals)
    assert {len(hand) for hand in held.deal.hands} == {16}
    last = position(rules=rules, contract=deals, hands={0: "2C"}, opened=[0])
    in_game(last, scores=[(0, 1, 2)] * (deals - 1))
    assert isinstance(last.does("0 discards 2C")[-1], GameEnded)


# --- B-24: open hands -----------------------------------------------------------------------------


@pytest.mark.clause("B-24", "X-15")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_open_hands_are_seen_by_all_and_others_by_nobody_else(seat: int) -> None:
    for rules in (bonus(open_hands="on"), KALOOKI_BONUS):
        held = position(rules=rules, seats=4, hands={0: "2C 3C", 1: "4D", 2: "5H", 3: "*"})
        seen = view(in_game(held), seat)
        wanted = ("2C 3C", "4D", "5H", "*") if rules.open_hands else ()
        assert tuple(map(plain, seen.hands)) == wanted
        own = "" if seat == NONE else plain(held.deal.hands[seat])
        assert plain(seen.hand) == own


@pytest.mark.clause("B-24", "X-15")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_what_goes_into_an_open_hand_is_seen_by_all(seat: int) -> None:
    for rules in (bonus(open_hands="on"), KALOOKI_BONUS):
        held = position(
            rules=rules, seats=4, hands={0: "2C 7H"}, phase=Phase.DRAW, stock="4D 5D 6D"
        )
        in_game(held)
        (drew,) = held.does("0 draws")
        assert isinstance(drew, Drew)
        shown = drew.card if rules.open_hands or seat == 0 else NONE
        assert redact(drew, seat, rules, 4) == Drew(0, drew.source, shown)
        *_, granted = held.all("0 discards 7H", "2 passes", "3 calls").does("0 allows")
        assert isinstance(granted, CallGranted)
        penalty = granted.penalty if rules.open_hands or seat == 3 else NONE
        assert redact(granted, seat, rules, 4) == CallGranted(3, granted.card, penalty)


@pytest.mark.clause("B-24", "X-15")
@pytest.mark.parametrize("seat", EVERYBODY)
def test_open_hands_are_dealt_openly_but_the_stock_stays_hidden(seat: int) -> None:
    rules = bonus(open_hands="on")
    game, (started,) = series.new_game(rules, 4, Stacked(rules))
    seen = redact(started, seat, rules, 4)
    assert isinstance(seen, DealStarted)
    assert seen.deck == b""
    assert seen.hands == tuple(map(bytes, game.deal.hands))
    assert seen.hand == (b"" if seat == NONE else bytes(game.deal.hands[seat]))
    recycled = Reshuffled(bytes(game.deal.stock), len(game.deal.stock))
    assert redact(recycled, seat, rules, 4) == Reshuffled(b"", len(game.deal.stock))
    closed, (first,) = series.new_game(KALOOKI_BONUS, 4, Stacked(KALOOKI_BONUS))
    other = redact(first, seat, KALOOKI_BONUS, 4)
    assert isinstance(other, DealStarted)
    assert (other.deck, other.hands) == (b"", ())
    assert other.hand == (b"" if seat == NONE else bytes(closed.deal.hands[seat]))


# --- B-24: stakes ---------------------------------------------------------------------------------


@pytest.mark.clause("B-24")
def test_each_loser_pays_the_winner_twice_the_stake_for_the_bonus() -> None:
    held = position(rules=bonus(stakes="5"), seats=4, hands={1: "2C"}, turn=1, opened=[1, 2])
    game = in_game(held)
    held.does("1 discards 2C")
    assert game.ledger == [-10, 30, -10, -10]
    assert sum(game.ledger) == 0


@pytest.mark.clause("B-24")
@pytest.mark.parametrize("attempt", [0, 2])
def test_a_void_deal_pays_nothing(attempt: int) -> None:
    held = position(
        rules=bonus(stakes="5"), hands={0: "2C"}, phase=Phase.DRAW, stock=0, reshuffled=True
    )
    game = in_game(held, attempt=attempt)
    ended = held.does("0 draws")[0]
    assert getattr(ended, "end", None) is DealEnd.VOID
    assert game.ledger == [0, 0, 0]


@pytest.mark.clause("B-24")
def test_the_end_of_the_game_shows_the_ledger_where_there_are_stakes() -> None:
    for stakes, ledger in (("5", (20, -10, -10)), ("0", ())):
        held = position(rules=bonus(stakes=stakes), contract=9, hands={0: "2C"}, opened=[0])
        game = in_game(held, scores=[(0, 1, 2)] * 8)
        ended = held.does("0 discards 2C")[-1]
        assert isinstance(ended, GameEnded)
        assert (ended.ledger, ended.places[0]) == (ledger, 1)
        assert series.result(game).ledger == ledger
