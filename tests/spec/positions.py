"""A deal in a chosen state, written as text, so that a rule case reads like a rule book example.

Cards are rank and suit (``KS``, ``TH``) or ``*`` for a joker; the pack's number may follow
(``KS2``, ``*3``). Without it a position takes the first copy that is still free, and a command
means the copy that its seat holds. Sets are cards with spaces, runs cards joined by hyphens, low to
high; a slash parts the melds of an opening. Commands:

    1 draws / 1 takes / 1 opens KS KH KD / 4C-5C-*-7C / 1 melds 9C 9D 9H / 1 lays 9H on 0
    1 lays 9H on 0 low / 1 moves 9H in 0 / 1 moves 9H in 0 high / 1 discards 2C / 1 ends
    1 takes KS and opens KS KH KD / 1 trades 5D 5S in 2 and melds 7C-*-9C
    1 trades 6H in 2 onto 0 high / 1 calls / 1 passes / 1 allows / 1 forbids / 1 rebuys / 1 declines
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence

import pytest

from rummy_arena.game import engine, series
from rummy_arena.game.actions import (
    ALLOW,
    CALL,
    DECLINE,
    DRAW_DISCARD,
    DRAW_STOCK,
    END_TURN,
    FORBID,
    HIGH,
    LOW,
    NONE,
    PASS,
    REBUY,
    Action,
    ActionKind,
)
from rummy_arena.game.cards import JOKER_BASE, Card, card_text, is_joker, parse_card
from rummy_arena.game.chance import Uncommitted
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.events import Event
from rummy_arena.game.melds import Meld, MeldKind, TableMeld, place
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Answer, Deal, Game, Phase, Progress, following
from rummy_arena.rulesets.kalooki_jamaican import KALOOKI_JAMAICAN

BARE = {
    "draws": DRAW_STOCK,
    "takes": DRAW_DISCARD,
    "ends": END_TURN,
    "calls": CALL,
    "passes": PASS,
    "allows": ALLOW,
    "forbids": FORBID,
    "rebuys": REBUY,
    "declines": DECLINE,
}
ENDS = {"low": LOW, "high": HIGH}


class Stacked(Uncommitted):
    """Chance with chosen orders: decks as given, piles reshuffled as they lie or as given."""

    def __init__(self, rules: RuleSet, pile: Sequence[Card] = ()) -> None:
        self.rules = rules
        self.pile = pile
        self.asked: list[tuple[int, int]] = []

    def deck(self, number: int, attempt: int) -> Sequence[Card]:
        """Return the pack in id order."""
        self.asked.append((number, attempt))
        return self.rules.pack

    def reshuffle(
        self, number: int, attempt: int, nth: int, cards: Sequence[Card]
    ) -> Sequence[Card]:
        """Return the chosen pile, or the cards as they lie."""
        return self.pile or cards

    def lots(self, number: int, count: int) -> Sequence[int]:
        """Return the lots in falling order."""
        return range(count - 1, -1, -1)


class Position:
    """A deal that can be told what to do in words, and that says what it refused and why."""

    def __init__(self, deal: Deal, game: Game | None = None) -> None:
        self.deal = deal
        self.game = game
        self.chance = Stacked(deal.rules)

    def does(self, command: str) -> list[Event]:
        """Apply one command and return what happened."""
        seat, action = self.action(command)
        if self.game is not None:
            events = series.apply(self.game, seat, action, self.chance)
            self.deal = self.game.deal
            return events
        nth = self.deal.reshuffles
        return engine.apply(
            self.deal, seat, action, lambda cards: self.chance.reshuffle(1, 0, nth, cards)
        )

    def all(self, *commands: str) -> Position:
        """Apply several commands and return this position."""
        for command in commands:
            self.does(command)
        return self

    def refuses(self, command: str, cause: type[RuleViolation], code: str, clause: str) -> None:
        """Assert that the command is refused for this cause, code and clause, and changes nothing.

        Where ``legal_actions`` could list it, it must not.
        """
        seat, action = self.action(command)
        before = copy.deepcopy(self.deal)
        with pytest.raises(RuleViolation) as checked:
            engine.check(self.deal, seat, action)
        found = (type(checked.value), checked.value.code, checked.value.clause)
        assert found == (cause, code, clause), command
        with pytest.raises(RuleViolation):
            self.does(command)
        assert self.deal == before, f"refusing {command!r} changed the deal"
        if 0 <= seat < self.deal.seats:
            assert action not in engine.legal_actions(self.deal, seat)

    def lists(self, command: str) -> bool:
        """Return whether ``legal_actions`` names this command."""
        seat, action = self.action(command)
        return action in engine.legal_actions(self.deal, seat)

    def action(self, command: str) -> tuple[int, Action]:
        """Return the seat and the action that a command names."""
        head, verb, *rest = command.split(maxsplit=2)
        seat = int(head)
        text = rest[0] if rest else ""
        if verb in BARE and not text:
            return seat, BARE[verb]
        held = self.deal.hands[seat] if 0 <= seat < self.deal.seats else []
        taken: set[Card] = set()
        if verb in ("opens", "melds"):
            melds = _melds(text, held, taken)
            return seat, Action(
                ActionKind.OPEN if verb == "opens" else ActionKind.MELD, melds=melds
            )
        if verb == "takes":
            top, _, melds_text = text.partition(" and opens ")
            card = _card(top, [*self.deal.discards[-1:], *held], set())
            melds = _melds(melds_text, [*held, card], taken)
            return seat, Action(ActionKind.DRAW_AND_OPEN, card, melds=melds)
        if verb == "trades":
            return seat, self._trade(text, held)
        if verb == "discards":
            return seat, Action(ActionKind.DISCARD, _card(text, held, set()))
        kind = {"lays": ActionKind.LAY_OFF, "moves": ActionKind.MOVE_JOKER}[verb]
        word, _, target, *end = text.split()
        card = _card(word, held, set())
        return seat, Action(kind, card, int(target), end=ENDS[end[0]] if end else NONE)

    def _trade(self, text: str, held: Sequence[Card]) -> Action:
        given, _, rest = text.partition(" in ")
        target, how, *place = rest.split(maxsplit=2)
        taken: set[Card] = set()
        cards = [_card(word, held, taken) for word in given.split()]
        also = cards[1] if len(cards) > 1 else NONE
        trade = Action(ActionKind.TAKE_JOKER, cards[0], int(target), also=also)
        if how == "onto":
            onto, *end = place[0].split()
            return trade._replace(onto=int(onto), end=ENDS[end[0]] if end else NONE)
        known = 0 <= int(target) < len(self.deal.melds)
        meld = self.deal.melds[int(target)].cards if known else ()
        jokers = [card for card in meld if is_joker(card)]
        melds = _melds(place[0].removeprefix("melds "), [*held, *jokers], taken)
        return trade._replace(melds=melds)

    def phase(self) -> Phase:
        """Return the phase of the deal."""
        return self.deal.phase

    def hand(self, seat: int) -> str:
        """Return a seat's hand as text without packs, in id order."""
        return plain(self.deal.hands[seat])

    def meld(self, target: int) -> str:
        """Return a table meld as text without packs."""
        meld = self.deal.melds[target]
        text = plain(meld.cards)
        return text if meld.kind is MeldKind.SET else text.replace(" ", "-")


def plain(cards: Sequence[Card]) -> str:
    """Return cards as text without the number of their pack."""
    return " ".join("*" if is_joker(card) else card_text(card)[:2] for card in cards)


def position(
    *,
    hands: Mapping[int, str],
    seats: int = 3,
    contract: int = 1,
    turn: int = 0,
    phase: Phase = Phase.PLAY,
    table: Sequence[str] = (),
    opened: Sequence[int] = (),
    calls: Mapping[int, int] | None = None,
    pile: str = "9S",
    stock: str | int | None = None,
    reshuffled: bool = False,
    turn_number: int = 7,
    rules: RuleSet = KALOOKI_JAMAICAN,
    opened_now: Sequence[int] = (),
    players: Sequence[int] = (),
    progress: Progress | None = None,
    discarder: int = NONE,
) -> Position:
    """Return a position: seats without a hand get three low cards, the rest is in the stock.

    ``table`` lists melds as ``owner: cards``; ``opened`` the seats that opened in an earlier turn
    (owners have anyway), ``opened_now`` those that did in this one; ``pile`` and ``stock`` are
    written bottom first, ``stock`` may be a count. All seats are ``players`` unless some are named.
    """
    free = list(rules.pack)
    melds = [_laid(rules, line, free) for line in table]
    down = {*opened, *(meld.owner for meld in melds)}
    written = {seat: _dealt(text, free) for seat, text in hands.items()}
    discards = _dealt(pile, free)
    chosen = _dealt(stock, free) if isinstance(stock, str) else None
    playing = tuple(players) or tuple(range(seats))
    for seat in range(seats):
        if seat not in playing:
            written[seat] = []
        elif seat not in written:
            written[seat] = free[:3]
            del free[:3]
    left = free if stock is None else free[len(free) - stock :] if isinstance(stock, int) else []
    deal = Deal(
        rules=rules,
        number=contract,
        dealer=seats - 1,
        hands=[sorted(written[seat]) for seat in range(seats)],
        stock=list(left) if chosen is None else chosen,
        discards=discards,
        contract_number=contract if contract <= len(rules.contracts) else 1,
        players=playing,
        after=following(seats, playing, rules.clockwise),
        melds=melds,
        opened_turn=[
            turn_number if seat in opened_now else 1 + seat if seat in down else 0
            for seat in range(seats)
        ],
        calls=[(calls or {}).get(seat, 0) for seat in range(seats)],
        answers=[Answer.NOT_ASKED] * seats,
        phase=phase,
        turn=turn,
        turn_number=turn_number,
        reshuffles=int(reshuffled),
        discarder=discarder,
        progress=progress or Progress(melds_before=len(melds)),
    )
    return Position(deal)


def in_game(found: Position, *, scores: Sequence[tuple[int, ...]] = (), attempt: int = 0) -> Game:
    """Put the position into a game, so that its end is scored; return the game."""
    deal = found.deal
    rows = list(scores) or [(0,) * deal.seats] * (deal.number - 1)
    assert len(rows) == deal.number - 1, "one row of scores per earlier deal"
    found.game = Game(
        rules=deal.rules,
        seats=deal.seats,
        deal=deal,
        attempt=attempt,
        scores=rows,
        winners=[0] * len(rows),
        down_and_outs=[0] * deal.seats,
        calls=[0] * deal.seats,
        adjustments=[0] * deal.seats,
        rebuys=[0] * deal.seats,
        ledger=[-deal.rules.buy_in] * deal.seats,
        pot=deal.rules.buy_in * deal.seats,
    )
    return found.game


def run(text: str, owner: int = 0, rules: RuleSet = KALOOKI_JAMAICAN) -> TableMeld:
    """Return a table meld from its text alone."""
    return _laid(rules, f"{owner}: {text}", list(rules.pack))


def _laid(rules: RuleSet, line: str, free: list[Card]) -> TableMeld:
    owner, _, text = line.partition(":")
    kind = MeldKind.RUN if "-" in text else MeldKind.SET
    return place(rules, int(owner), Meld(kind, tuple(_dealt(text.replace("-", " "), free))))


def _dealt(text: str, free: list[Card]) -> list[Card]:
    """Take the cards of the text out of ``free``."""
    cards = []
    for word in text.split():
        card = next((c for c in free if matches(word, c)), None)
        assert card is not None, f"no {word} is left in the pack"
        free.remove(card)
        cards.append(card)
    return cards


def _melds(text: str, held: Sequence[Card], taken: set[Card]) -> tuple[Meld, ...]:
    return tuple([_meld(part, held, taken) for part in text.split("/")])


def _meld(text: str, held: Sequence[Card], taken: set[Card]) -> Meld:
    kind = MeldKind.RUN if "-" in text else MeldKind.SET
    return Meld(kind, tuple(_card(word, held, taken) for word in text.replace("-", " ").split()))


def _card(word: str, held: Sequence[Card], taken: set[Card]) -> Card:
    """Return the held card that the word means, or else the first copy of it."""
    card = next((c for c in held if c not in taken and matches(word, c)), None)
    if card is None:
        card = JOKER_BASE if word == "*" else parse_card(word if len(word) == 3 else f"{word}1")
    taken.add(card)
    return card


def matches(word: str, card: Card) -> bool:
    """Return whether the word names this card, with or without its pack."""
    full = card_text(card)
    return word in (full, full[:1]) if is_joker(card) else word in (full, full[:2])
