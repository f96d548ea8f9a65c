"""Forms: lines of text with places for values, each of which is both written and read.

``{seat} lays {card} on {target:number}{end}`` is a form. A place has a name and a kind (the name,
unless a colon gives another); a kind says how its values are written, read, and called in errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from rummy_arena.game.actions import HIGH, LOW, NONE
from rummy_arena.game.cards import (
    JOKER_BASE,
    RANK_OF,
    SUIT_OF,
    Card,
    card_text,
    cards_text,
    parse_card,
)
from rummy_arena.game.melds import HIGH_ACE, Meld, MeldKind, TableMeld

HIDDEN = "--"
"""A card, or a stock, that the viewer may not see."""
NO_CARDS = "none"
"""An empty hand or stock."""


class NotationError(ValueError):
    """A text is not in the notation: what stands there, and what should.

    ``line`` counts from 1; it is 0 for a text that is no line of a file.
    """

    def __init__(self, found: str, expected: str, line: int = 0) -> None:
        place = f"line {line}: " if line else ""
        super().__init__(f"{place}found {found}, expected {expected}")
        self.found = found
        self.expected = expected
        self.line = line


_LONGEST_QUOTED = 70


def quoted(text: str) -> str:
    """Return the text in quotes, cut where it is too long for an error."""
    return repr(text if len(text) <= _LONGEST_QUOTED else f"{text[:_LONGEST_QUOTED]}...")


Values = dict[str, Any]


class Kind(NamedTuple):
    """How the values of a place are written and read."""

    pattern: str
    shown: str  # in errors
    write: Callable[[Any], str]
    read: Callable[[str, Values], Any]  # given what was read before it on the line


class Form:
    """A line with places for values."""

    def __init__(self, text: str) -> None:
        literals, names, kinds = _PLACE.split(text)[::3], *_places(text)
        self.names = tuple(names)
        self._kinds = [KINDS[kind] for kind in kinds]
        self._literals = literals
        patterns = [f"({kind.pattern})" for kind in self._kinds]
        self._pattern = re.compile("".join(_woven(map(re.escape, literals), patterns)))
        self.shown = "".join(_woven(literals, [kind.shown for kind in self._kinds]))

    @property
    def verb(self) -> str:
        """The word by which a line of this form is recognised."""
        return verb_of(self.shown)

    def write(self, values: Mapping[str, Any]) -> str:
        """Return the line with these values, by name."""
        pairs = zip(self.names, self._kinds, strict=True)
        return "".join(_woven(self._literals, [kind.write(values[name]) for name, kind in pairs]))

    def read(self, line: str) -> Values | None:
        """Return the values that stand in the line, or None if it is not of this form.

        NotationError names a card that is none.
        """
        matched = self._pattern.fullmatch(line)
        if matched is None:
            return None
        values: Values = {}
        for name, kind, text in zip(self.names, self._kinds, matched.groups(), strict=True):
            values[name] = kind.read(text, values)
        return values


class Forms:
    """Forms that are told apart by their verbs; each belongs to something of the caller's."""

    def __init__(self, rows: Iterable[tuple[str, Any]]) -> None:
        self._by_verb: dict[str, list[tuple[Form, Any]]] = {}
        for text, owner in rows:
            form = Form(text)
            self._by_verb.setdefault(form.verb, []).append((form, owner))

    def read(self, line: str, number: int = 0) -> tuple[Any, Values]:
        """Return whose form the line has, and the values in it; NotationError if it has none."""
        candidates = self._by_verb.get(verb_of(line))
        if candidates is None:
            known = ", ".join(self._by_verb)
            raise NotationError(quoted(line), f"one of the verbs {known}", number)
        for form, owner in candidates:
            try:
                values = form.read(line)
            except NotationError as error:
                found = f"{error.found} in {quoted(line)}"
                raise NotationError(found, error.expected, number) from error
            if values is not None:
                return owner, values
        shown = " or ".join([f"'{form.shown}'" for form, _ in candidates])
        raise NotationError(quoted(line), shown, number)


def verb_of(line: str) -> str:
    """Return the first word that is neither a seat nor a card: what a line is about."""
    words = line.replace(":", " ").split(maxsplit=2)
    return next((word for word in words if not word.isdigit() and word != "SEAT"), "")


_PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")


def _places(text: str) -> tuple[list[str], list[str]]:
    found = _PLACE.findall(text)
    return [name for name, _ in found], [kind or name for name, kind in found]


def _woven(literals: Iterable[str], others: list[str]) -> list[str]:
    """Return the literals with the others between them."""
    woven: list[str] = []
    for literal, other in zip(literals, [*others, ""], strict=True):
        woven += (literal, other)
    return woven


# --- cards and melds ------------------------------------------------------------------------------


def read_card(text: str) -> Card:
    """Return the card, its pack included; NotationError if it is none."""
    try:
        return parse_card(text)
    except ValueError:
        expected = "a card: rank, suit and pack as in KS1 or TH2, or *1 for a joker"
        raise NotationError(quoted(text), expected) from None


def read_cards(text: str) -> tuple[Card, ...]:
    """Return cards with one space between them."""
    return tuple(map(read_card, text.split(" ")))


def meld_text(meld: Meld | TableMeld) -> str:
    """Return the cards of a meld: of a set with spaces, of a run with hyphens, low to high."""
    between = " " if meld.kind is MeldKind.SET else "-"
    return between.join(map(card_text, meld.cards))


def parse_meld(text: str) -> Meld:
    """Return the meld that ``meld_text`` writes as ``text``; NotationError if it is none."""
    if "-" in text:
        return Meld(MeldKind.RUN, tuple(map(read_card, text.split("-"))))
    return Meld(MeldKind.SET, read_cards(text))


def table_meld(owner: int, meld: Meld) -> TableMeld:
    """Return the meld as it lies on the table, by its first natural; no rule is checked."""
    kind, cards = meld
    first = next((at for at, card in enumerate(cards) if card < JOKER_BASE), None)
    if first is None:
        raise NotationError(quoted(meld_text(meld)), "a meld with a natural card in it")
    rank, suit = RANK_OF[cards[first]], SUIT_OF[cards[first]]
    if kind is MeldKind.SET:
        return TableMeld(owner, kind, rank, -1, cards)
    # An ace that something precedes is the high one.
    low = (HIGH_ACE if rank == 0 and first else rank) - first
    return TableMeld(owner, kind, low, suit, cards)


# --- kinds ----------------------------------------------------------------------------------------

_ENDS = {NONE: "", LOW: " low", HIGH: " high"}
_NUMBER = "0|[1-9][0-9]{0,8}"
_SIGNED = "0|-?[1-9][0-9]{0,8}"


def _own_melds(text: str, values: Values) -> tuple[TableMeld, ...]:
    return tuple([table_meld(values["seat"], parse_meld(part)) for part in text.split(" / ")])


def _owned_meld(text: str, values: Values) -> TableMeld:
    cards, _, owner = text.rpartition(" of ")
    return table_meld(int(owner), parse_meld(cards))


def _row(word: str, pattern: str) -> Kind:
    """Return the kind of whole numbers with spaces between them."""
    return Kind(
        f"(?:{pattern})(?: (?:{pattern}))*",
        f"{word} ...",
        lambda numbers: " ".join(map(str, numbers)),
        lambda text, _: tuple(map(int, text.split(" "))),
    )


def _joined(melds: Iterable[Meld | TableMeld]) -> str:
    return " / ".join(map(meld_text, melds))


KINDS: dict[str, Kind] = {
    "seat": Kind(_NUMBER, "SEAT", str, lambda text, _: int(text)),
    "number": Kind(_NUMBER, "NUMBER", str, lambda text, _: int(text)),
    "total": Kind(_SIGNED, "TOTAL", str, lambda text, _: int(text)),
    "seats": _row("SEAT", _NUMBER),
    "numbers": _row("NUMBER", _SIGNED),
    "card": Kind(r"\S+", "CARD", card_text, lambda text, _: read_card(text)),
    "hidden": Kind(
        r"\S+",
        "CARD",
        lambda card: HIDDEN if card == NONE else card_text(card),
        lambda text, _: NONE if text == HIDDEN else read_card(text),
    ),
    "cards": Kind(r"\S+(?: \S+)*", "CARDS", cards_text, lambda text, _: read_cards(text)),
    "held": Kind(
        r"\S+(?: \S+)*",
        f"CARDS or {NO_CARDS}",
        lambda cards: cards_text(cards) or NO_CARDS,
        lambda text, _: b"" if text == NO_CARDS else bytes(read_cards(text)),
    ),
    "also": Kind(
        r"(?: \S+)?",
        " [CARD]",
        lambda card: "" if card == NONE else f" {card_text(card)}",
        lambda text, _: read_card(text[1:]) if text else NONE,
    ),
    "end": Kind(
        "(?: low| high)?",
        " [low|high]",
        _ENDS.__getitem__,
        lambda text, _: next(end for end, shown in _ENDS.items() if shown == text),
    ),
    "melds": Kind(
        "[^:]+",
        "MELD / MELD ...",
        _joined,
        lambda text, _: tuple(map(parse_meld, text.split(" / "))),
    ),
    "own_melds": Kind("[^:]+", "MELD / MELD ...", _joined, _own_melds),
    "meld": Kind("[^:/]+", "MELD", _joined, lambda text, _: (parse_meld(text),)),
    "own_meld": Kind("[^:/]+", "MELD", meld_text, lambda text, values: _own_melds(text, values)[0]),
    "owned_meld": Kind(
        f"[^:/]+ of (?:{_NUMBER})",
        "MELD of SEAT",
        lambda meld: f"{meld_text(meld)} of {meld.owner}",
        _owned_meld,
    ),
    "hex": Kind(
        "(?:[0-9a-f]{2})+",
        "BYTES in small hexadecimal digits",
        bytes.hex,
        lambda text, _: bytes.fromhex(text),
    ),
    "words": Kind("[^()]+", "WORDS", str, lambda text, _: text),
}
