"""What a terminal is shown of an event: its bracket, its crosstables, its standings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from . import event_bracket, event_crosstable
from .cell_text import line_of, widest, within, wrapped
from .event_record import NOTHING_YET, Event, group_heading

_LONGEST_NAME, _SHORTEST_NAME = 32, 8
_GAP = "  "
_USUAL = ["", "name", "score", "penalties", "won", "tables", "round", "still"]
_OPTIONAL = ["penalties", "still", "won", "tables", "round"]
"""Columns that are left out where there is no room, the last one first; before them tie-breaks."""
_NO_STANDINGS = "There are no standings before the start."


def bracket(event: Event, width: int) -> list[str]:
    """Return all stages: those with fewer in each round as brackets, others as crosstables."""
    lines = _head(event, width)
    drawn = False
    for stage in event.stage_numbers:
        lines += _stage_head(event, stage, width)
        if event_crosstable.is_league(event, stage):
            lines += event_crosstable.stage_lines(event, stage, width)
        else:
            lines += event_bracket.stage_lines(event, stage, width)
            drawn = True
        lines += _notes(event, stage, width)
    return within([*lines, *(["", *event_bracket.legend(width)] if drawn else [])], width)


def crosstable(event: Event, width: int, by: event_crosstable.By = "auto") -> list[str]:
    """Return who met whom in all stages; of a bracket by rounds, unless ``by`` says otherwise."""
    lines = _head(event, width)
    for stage in event.stage_numbers:
        chosen = by
        if by == "auto" and not event_crosstable.is_league(event, stage):
            chosen = "rounds"
        lines += _stage_head(event, stage, width)
        lines += event_crosstable.stage_lines(event, stage, width, chosen)
        lines += _notes(event, stage, width)
    return within(lines, width)


def standings(event: Event, width: int) -> list[str]:
    """Return the standings, by group where places count within groups.

    What finds no room is named below.
    """
    if not event.standings:
        return [*_head(event, width, ""), "", *wrapped(_NO_STANDINGS, width)]
    said = "final standings" if event.finished else "standings so far"
    lines = _head(event, width, said)
    left_out: list[str] = []
    rows = _rows(event)
    for name in reversed(_OPTIONAL + [name for name in rows[0] if name not in _USUAL]):
        if _width(rows) <= width:
            break
        if name in rows[0]:
            at = rows[0].index(name)
            rows = [[*row[:at], *row[at + 1 :]] for row in rows]
            left_out.insert(0, name)
    widths = [widest(column) for column in zip(*rows, strict=True)]
    widths[1] = max(1, min(widths[1], _LONGEST_NAME, width - _width(rows) + _SHORTEST_NAME))
    head, *others = [line_of(cells, widths, gap=_GAP) for cells in rows]
    at = 0
    for group, members in groupby(event.standings, key=lambda line: line.group):
        count = len(list(members))
        lines += ["", *([group_heading(group)] if group else []), head, *others[at : at + count]]
        at += count
    if left_out:
        lines += ["", *wrapped(f"No room for {', '.join(left_out)}; the export has it.", width)]
    return within(lines, width)


def _rows(event: Event) -> list[list[str]]:
    """Return the standings in columns, the first row with their names."""
    scored = any(line.score for line in event.standings)
    names = list(dict.fromkeys(name for line in event.standings for name, _ in line.tie_breaks))
    rows = [["", "name", *(["score"] if scored else []), *names, *_USUAL[3:]]]
    for line in event.standings:
        values = dict(line.tie_breaks)
        score = line.score or ("0" if values else "")
        rows.append(
            [
                str(line.place),
                event.name(line.entrant),
                *([score] if scored else []),
                *(values.get(name, "") for name in names),
                str(line.total),
                str(line.deals_won),
                str(line.tables),
                str(line.reached_round),
                "out" if line.eliminated else "in",
            ]
        )
    return rows


def _width(rows: Sequence[Sequence[str]]) -> int:
    """Return the least that rows take, with names cut as far as may be."""
    widths = [widest(column) for column in zip(*rows, strict=True)]
    widths[1] = min(widths[1], _SHORTEST_NAME)
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _head(event: Event, width: int, said: str | None = None) -> list[str]:
    lines = wrapped(event.heading, width)
    if said:
        lines += [f"{said[0].upper()}{said[1:]}:"]
    elif said is None and not event.rounds:
        lines += ["", *wrapped(NOTHING_YET, width)]
    elif said is None and event.outcome:
        lines += wrapped(event.outcome, width)
    return lines


def _stage_head(event: Event, stage: int, width: int) -> list[str]:
    known = event.stage(stage)
    said = f"{known.format}{f' ({known.text})' if known.text else ''}" if known else ""
    return ["", *wrapped(f"Stage {stage}: {said}" if said else f"Stage {stage}", width)]


def _notes(event: Event, stage: int, width: int) -> list[str]:
    notes = [
        line
        for round_ in event.of_stage(stage)
        for note in round_.notes
        for line in wrapped(f"Round {round_.number}: {note}", width)
    ]
    return ["", *notes] if notes else []
