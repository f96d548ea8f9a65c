"""How a bracket is laid out, for whatever draws it: sections, columns of rounds, cards of tables.

A stage has a section for each part of it that goes on for several rounds, such as the upper and
the lower bracket; whatever occurs once, such as a final or a match for third place, is put to the
first. Cards are ordered so that whoever goes on is near to where they come from.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .event_record import Event, Round, Seat, Table


@dataclass
class Card:
    """A table, or an entrant who goes on without playing."""

    round: int
    stage: int
    number: int  # of the table; 0 for a bye
    seats: tuple[Seat, ...]
    section: str = ""
    label: str = ""
    remark: str = ""
    finished: bool = False
    next: dict[int, Card] = field(
        default_factory=dict, repr=False
    )  # by entrant: where they sit next
    through: frozenset[int] = frozenset()  # who goes on, wherever to

    @property
    def is_bye(self) -> bool:
        """Whether nobody plays here."""
        return not self.number

    @property
    def head(self) -> str:
        """What stands above it."""
        if self.is_bye:
            return ""
        label = "" if self.label == self.section else self.label
        said = "" if self.finished else "playing"
        return ", ".join(filter(None, (f"table {self.number}", self.remark or said, label)))


@dataclass
class Column:
    """The cards of one round in one section."""

    round: Round
    cards: list[Card]

    @property
    def head(self) -> str:
        """What stands above it."""
        tables = [card for card in self.cards if not card.is_bye]
        done = sum(card.finished for card in tables)
        left = "" if done == len(tables) else f", {done}/{len(tables)}"
        return f"Round {self.round.number}{left}"


@dataclass
class Section:
    """A part of a stage that is drawn by itself."""

    title: str  # empty where the stage has one section only
    columns: list[Column]


def sections(event: Event, stage: int) -> list[Section]:
    """Return the sections of a stage, the first one with whatever occurs once."""
    rounds = event.of_stage(stage)
    title_of = _sections_of_labels(rounds)
    cards = _cards(event, rounds, title_of)
    found: list[Section] = []
    for title in dict.fromkeys(title_of.values()):
        columns = [
            Column(round_, here)
            for round_ in rounds
            if (here := [card for card in cards[round_.number] if card.section == title])
        ]
        _put_in_order(columns)
        found.append(Section(title, columns))
    return found


def _sections_of_labels(rounds: Sequence[Round]) -> dict[str, str]:
    """Return the title of the section that each label of a table belongs to.

    A section is what goes on through several rounds, or has several tables beside such a one.
    """
    tables = [Counter([table.label for table in round_.tables]) for round_ in rounds]
    times = Counter([label for counted in tables for label in counted])
    going_on = [label for label, rounds_ in times.items() if rounds_ > 1]
    for counted in tables:
        if any(label in counted for label in going_on):
            going_on += [label for label, number in counted.items() if number > 1]
    titles = list(dict.fromkeys(going_on))
    if len(titles) < 2:
        return dict.fromkeys(times, "")
    return {label: label if label in titles else titles[0] for label in times}


def _cards(
    event: Event, rounds: Sequence[Round], title_of: Mapping[str, str]
) -> dict[int, list[Card]]:
    """Return the cards of every round, joined to those that come after."""
    after = _later(event, rounds)
    first = next(iter(title_of.values()), "")
    cards: dict[int, list[Card]] = {}
    for round_ in reversed(rounds):
        here = [_card(round_, table, title_of[table.label]) for table in round_.tables]
        busy = {card.section for card in here}
        for entrant in round_.byes:
            goal = after.get(entrant)
            title = first if goal is None or goal.stage != round_.stage else goal.section
            if title in busy:  # elsewhere they wait without being mentioned
                seats = (Seat(entrant),)
                here.append(Card(round_.number, round_.stage, 0, seats, title, finished=True))
        going_on = frozenset(round_.advancing)
        for card in here:
            sitting = [seat.entrant for seat in card.seats]
            card.next = {one: after[one] for one in sitting if one in after}
            card.through = going_on & set(sitting) | card.next.keys()
        after |= {seat.entrant: card for card in here for seat in card.seats}
        cards[round_.number] = here
    return cards


def _later(event: Event, rounds: Sequence[Round]) -> dict[int, Card]:
    """Return where everybody sits first in the stages to come."""
    if not rounds:
        return {}
    found: dict[int, Card] = {}
    for round_ in reversed(event.rounds):
        if round_.stage > rounds[-1].stage:
            for table in round_.tables:
                found |= dict.fromkeys(table.entrants, _card(round_, table, table.label))
    return found


def _card(round_: Round, table: Table, section: str) -> Card:
    return Card(
        round_.number,
        round_.stage,
        table.number,
        table.seats,
        section,
        table.label,
        table.remark,
        table.finished,
    )


def _put_in_order(columns: Sequence[Column]) -> None:
    """Order the cards of each column so that ways cross little, and not at all where they need not.

    The last sweep is from the end: then those who feed a card stand together.
    """
    pairs = list(itertools.pairwise(columns))
    for column, following in reversed(pairs):
        _sort(column, _goals(column, following))
    for column, following in pairs:
        _sort(following, _feeders(column, following))
    for column, following in reversed(pairs):
        _sort(column, _goals(column, following))


def _sort(column: Column, near: Mapping[int, list[float]]) -> None:
    """Order cards by the mean of the positions that they should be near to; others come last."""

    def rank(card: Card) -> tuple[float, bool, int]:
        positions = near.get(id(card))
        mean = sum(positions) / len(positions) if positions else float("inf")
        return mean, not card.number, card.number or card.seats[0].entrant

    column.cards.sort(key=rank)


def _goals(column: Column, following: Column) -> dict[int, list[float]]:
    """Return the positions of the seats that those of each card go on to."""
    seats = ((id(card), seat.entrant) for card in following.cards for seat in card.seats)
    position = {key: float(at) for at, key in enumerate(seats)}
    return {
        id(card): [
            position[key] for one, goal in card.next.items() if (key := (id(goal), one)) in position
        ]
        for card in column.cards
    }


def _feeders(column: Column, following: Column) -> dict[int, list[float]]:
    """Return the positions of the seats that those of each of the next cards come from."""
    found: dict[int, list[float]] = {id(card): [] for card in following.cards}
    seats = ((card, seat.entrant) for card in column.cards for seat in card.seats)
    for at, (card, entrant) in enumerate(seats):
        goal = card.next.get(entrant)
        if goal is not None and id(goal) in found:
            found[id(goal)].append(at)
    return found


def onward(event: Event, card: Card, entrant: int, following: Column | None, *, drawn: bool) -> str:
    """Return where somebody goes on to from a card, in words; empty for who does not.

    ``following`` is the column after the card's. Nothing is said of who goes there if it is
    ``drawn``.
    """
    if entrant not in card.through:
        return ""
    goal = card.next.get(entrant)
    if goal is None:
        over = card.round == event.rounds[-1].number and event.finished
        return "wins" if over else "→"
    if goal.stage != card.stage:
        return f"→ stage {goal.stage}"
    number = f" {goal.number}" if goal.number else ""
    if goal.section != card.section:
        alone = goal.label and goal.label != goal.section
        return f"→ {goal.label}" if alone else f"→ {goal.section}{number}"
    if following is None or goal.round != following.round.number:
        return f"→ round {goal.round}{f', {goal.number}' if goal.number else ''}"
    return "" if drawn else f"→{number}"


def score(card: Card, seat: Seat) -> str:
    """Return what stands after a name: the penalties, or why there are none."""
    if card.is_bye:
        return "bye"
    if not card.finished:
        return ""
    return "ff" if seat.forfeit else str(seat.total)


def spread(columns: Sequence[Column], height: Mapping[int, int], gap: int) -> dict[int, int]:
    """Return the top of each card, by its id: as level with those that feed it as there is room.

    ``height`` is that of each card, by its id.
    """
    tops: dict[int, int] = {}
    feeders: defaultdict[int, list[float]] = defaultdict(list)
    for column in columns:
        offsets = [0, *itertools.accumulate(height[id(card)] + gap for card in column.cards)]
        shifts: list[float | None] = []
        for card, offset in zip(column.cards, offsets, strict=False):
            middles = feeders[id(card)]
            middle = sum(middles) / len(middles) if middles else None
            shifts.append(None if middle is None else middle - height[id(card)] / 2 - offset)
        for card, offset, shift in zip(column.cards, offsets, _rising(shifts), strict=False):
            tops[id(card)] = offset + max(0, math.floor(shift + 0.5))
            for goal in {id(goal): goal for goal in card.next.values()}.values():
                feeders[id(goal)].append(tops[id(card)] + height[id(card)] / 2)
    return tops


def _rising(wanted: Sequence[float | None]) -> list[float]:
    """Return numbers that never fall and are together as near as may be to those wanted.

    Where nothing is wanted the number is that of the one before.
    """
    blocks: list[tuple[float, int, int]] = []  # sum, numbers that are wanted, and all numbers
    for number in wanted:
        block = (0.0, 0, 1) if number is None else (number, 1, 1)
        while blocks and (not block[1] or not blocks[-1][1] or _mean(blocks[-1]) >= _mean(block)):
            total, count, length = blocks.pop()
            block = (total + block[0], count + block[1], length + block[2])
        blocks.append(block)
    return [_mean(block) for block in blocks for _ in range(block[2])]


def _mean(block: tuple[float, int, int]) -> float:
    return block[0] / block[1] if block[1] else 0.0
