"""Duplicate: the same deals for everybody, and each entrant beside those who had the same cards.

A board is a deal (or the deals of one whole game) that is played at several tables, or several
times at one. What an entrant pays for it is compared with the mean of what all others paid in the
same seat with the same cards, so that neither cards nor seats count. An entrant's result is its
mean difference a board: who has played fewer boards, or has fewer to be compared with, has neither
more nor less for it, only a wider interval. Below nought is better than the others.

Whatever is added to all penalties of one seat of one board changes nothing; the order in which
scores come in does not matter; differences are exact fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from .sequential_interval import margin_of

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Score:
    """What one seat paid for one board, once."""

    board: int
    seat: int
    entrant: int
    penalty: int


@dataclass(frozen=True, slots=True)
class Line:
    """One entrant's result."""

    rank: int  # 1 is first; entrants with the same difference share it
    entrant: int
    difference: Fraction  # mean over boards of own penalty less the others'; 0 without boards
    margin: float  # half the width of its interval; infinite for fewer than two boards
    boards: int  # boards on which there was somebody to compare with
    alone: int  # boards on which there was nobody


def compare(scores: Iterable[Score], *, confidence: float = CONFIDENCE) -> tuple[Line, ...]:
    """Return everybody's line, the best first, those without a comparison last.

    The interval is Student's over the entrant's boards, which are independent of each other.
    """
    played = list(scores)
    apart = differences(played)
    boards: dict[int, set[int]] = defaultdict(set)
    for score in played:
        boards[score.entrant].add(score.board)
    found = []
    for entrant in sorted(boards):
        mine = [difference for _, difference in sorted(apart.get(entrant, {}).items())]
        mean = sum(mine, Fraction(0)) / len(mine) if mine else Fraction(0)
        margin = margin_of([float(difference) for difference in mine], confidence)
        alone = len(boards[entrant]) - len(mine)
        found.append(Line(0, entrant, mean, margin, len(mine), alone))
    return _ranked(found)


def differences(scores: Iterable[Score]) -> Mapping[int, Mapping[int, Fraction]]:
    """Return by entrant and board: own penalty less the others', a mean over the seats it had.

    In a seat that an entrant had more than once with the same cards, its own mean counts. A seat
    that nobody else had is left out, and a board without any other.
    """
    cells: dict[tuple[int, int], dict[int, list[int]]] = defaultdict(dict)
    for score in scores:
        cells[score.board, score.seat].setdefault(score.entrant, []).append(score.penalty)
    by_seat: dict[int, dict[int, list[Fraction]]] = {}
    for (board, _), cell in sorted(cells.items()):
        if len(cell) < 2:
            continue
        paid = sum(sum(penalties) for penalties in cell.values())
        hands = sum(len(penalties) for penalties in cell.values())
        for entrant, own in cell.items():
            others = Fraction(paid - sum(own), hands - len(own))
            mine = by_seat.setdefault(entrant, {}).setdefault(board, [])
            mine.append(Fraction(sum(own), len(own)) - others)
    return {
        entrant: {board: sum(apart, Fraction(0)) / len(apart) for board, apart in boards.items()}
        for entrant, boards in by_seat.items()
    }


def _ranked(lines: list[Line]) -> tuple[Line, ...]:
    lines.sort(key=lambda line: (not line.boards, line.difference, line.entrant))
    ranked: list[Line] = []
    for place, line in enumerate(lines, start=1):
        before = ranked[-1] if ranked else line
        same = (before.boards > 0, before.difference) == (line.boards > 0, line.difference)
        ranked.append(replace(line, rank=before.rank if ranked and same else place))
    return tuple(ranked)
