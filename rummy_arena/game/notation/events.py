"""Events as lines of text: one line each, and indented lines below it for hands and orders.

Every event of an unredacted log parses back to itself, and so does what ``view.redact`` makes of
it: cards that the viewer may not see are ``--``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from rummy_arena.game.actions import NONE
from rummy_arena.game.events import (
    EVENT_TYPES,
    Allowed,
    Called,
    CallGranted,
    DealCommitted,
    DealEnd,
    DealEnded,
    DealRevealed,
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
from rummy_arena.game.rules import RuleSet

from .below import READ_BELOW, WRITE_BELOW, Line
from .forms import Form, Forms, NotationError, Values, quoted

_DEAL = "contract {contract:number} ({contract_text:words}), dealer {dealer:seat}"
_PLAYERS = "players {players:seats}, up-card {up_card:card}"
_EXCHANGE = "{seat} trades {cards} in {target:number}"
_LEAVES = "{joker:card} leaves {meld:owned_meld}"
_STANDING = "totals {totals:numbers}, places {places:numbers}"
_COMMITTED, _REVEALED = "commitment to deal {number}", "seed of deal {number}"
_REPLAY = "replay {attempt:number}"
_OVER = {"end": DealEnd.OUT, "winner": NONE, "down_and_out": False}

_ROWS: tuple[tuple[str, type[Event], Values], ...] = (
    (f"deal {{number}}: {_DEAL}, {_PLAYERS}", DealStarted, {"attempt": 0}),
    (f"deal {{number}} {_REPLAY}: {_DEAL}, {_PLAYERS}", DealStarted, {}),
    ("{seat} draws {card:hidden}", Drew, {"source": Source.STOCK}),
    ("{seat} takes {card}", Drew, {"source": Source.DISCARD}),
    ("{seat} takes {card} and opens {melds:own_melds}", TookAndOpened, {}),
    ("{seat} opens {melds:own_melds}", Opened, {}),
    ("{seat} melds {meld:own_meld}", Melded, {}),
    ("{seat} lays {card} on {target:number}{end}: {meld:owned_meld}", LaidOff, {}),
    ("{seat} moves {card} in {target:number}{end}: {meld:owned_meld}", JokerMoved, {}),
    (
        f"{_EXCHANGE} and melds {{placed:own_meld}}: {_LEAVES}",
        JokerTaken,
        {"onto": NONE, "end": NONE},
    ),
    (
        f"{_EXCHANGE} onto {{onto:number}}{{end}}: {_LEAVES} and makes {{placed:owned_meld}}",
        JokerTaken,
        {},
    ),
    ("{seat} discards {card}", Discarded, {}),
    ("{seat} ends", TurnEnded, {}),
    ("window: {card} for {seats}", WindowOpened, {}),
    ("{seat} calls", Called, {}),
    ("{seat} passes", Passed, {}),
    ("{seat} allows", Allowed, {}),
    ("{seat} forbids", Forbade, {}),
    ("window closed: nobody", WindowClosed, {"granted": NONE}),
    ("window closed: {granted:seat}", WindowClosed, {}),
    ("{seat} gets {card} and {penalty:hidden}", CallGranted, {}),
    ("reshuffled: {count:number} cards", Reshuffled, {}),
    ("deal over: void", DealEnded, {**_OVER, "end": DealEnd.VOID}),
    ("deal over: cap on turns", DealEnded, {**_OVER, "end": DealEnd.CAP}),
    (
        "deal over: {winner:seat} goes out",
        DealEnded,
        {"end": DealEnd.OUT, "down_and_out": False},
    ),
    (
        "deal over: {winner:seat} goes down and out",
        DealEnded,
        {"end": DealEnd.OUT, "down_and_out": True},
    ),
    ("re-buy offered: {seats}", RebuyOffered, {}),
    ("{seat} rebuys: total {total}", Rebought, {}),
    ("{seat} declines", Declined, {}),
    ("eliminated: {seats}", Eliminated, {}),
    ("lots: {seats}", LotsDrawn, {}),
    (f"leg {{leg:number}} over: {_STANDING}", LegEnded, {}),
    (f"{_COMMITTED}: {{commitment:hex}}", DealCommitted, {"attempt": 0}),
    (f"{_COMMITTED} {_REPLAY}: {{commitment:hex}}", DealCommitted, {}),
    (f"{_REVEALED}: {{seed:hex}}", DealRevealed, {"attempt": 0}),
    (f"{_REVEALED} {_REPLAY}: {{seed:hex}}", DealRevealed, {}),
    (f"game over: {_STANDING}", GameEnded, {"ledger": ()}),
    (f"game over: {_STANDING}, ledger {{ledger:numbers}}", GameEnded, {}),
)
"""How each event is written, and the fields that go without saying; the first row that fits."""

_WRITTEN: dict[type[Event], list[tuple[Form, Values]]] = {
    record: [(Form(text), fixed) for text, of, fixed in _ROWS if of is record]
    for record in EVENT_TYPES
}
_READ = Forms([(text, (record, fixed)) for text, record, fixed in _ROWS])
_FIELDS = {record: [field.name for field in fields(record)] for record in EVENT_TYPES}


def event_lines(event: Event, rules: RuleSet) -> list[str]:
    """Return the lines of an event, redacted or not; those after the first belong below it."""
    record = type(event)
    values: Values = {name: getattr(event, name) for name in _FIELDS[record]}
    if isinstance(event, DealStarted):
        values["contract_text"] = rules.contracts[event.contract - 1].text
    below = WRITE_BELOW.get(record)
    return [_form(event, values).write(values), *(below(event, rules) if below else ())]


def _form(event: Event, values: Values) -> Form:
    for form, fixed in _WRITTEN[type(event)]:
        if all(values[name] == value for name, value in fixed.items()):
            return form
    raise ValueError(f"no line can say this: {event}")


def parse_event(lines: Sequence[Line]) -> Event:
    """Return the event of these lines, the first of which is its own.

    NotationError names the line, what was found and what was expected.
    """
    number, text = lines[0]
    (record, fixed), values = _READ.read(text, number)
    values.update(fixed)
    values.pop("contract_text", None)
    below = READ_BELOW.get(record)
    if below is not None:
        values.update(below(values, lines))
    elif len(lines) > 1:
        raise NotationError(quoted(lines[1][1]), "a line that is not indented", lines[1][0])
    event: Event = record(**values)
    return event
