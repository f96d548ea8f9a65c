"""Reads the rule book: its clauses, where they live in code, or why no code can break them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "rummy_arena"
BOOKS = tuple(sorted((PACKAGE / "rulesets").glob("rulebook*.md")))
TAGS = frozenset(("source", "Pagat", "house"))
_HEAD = re.compile(r"## ([A-Z]-\d+) (.+) \[(.+)\]")
_PLACE = re.compile(r"`([\w/]+\.py)`: ((?:`\w+`(?:, )?)+)")


@dataclass
class Clause:
    """One clause: ``code`` lists a file and a name in it; ``unbreakable`` is the reason, or ''."""

    id: str
    title: str
    tag: str
    text: str = ""
    code: list[tuple[str, str]] = field(default_factory=list)
    unbreakable: str = ""


def clauses() -> list[Clause]:
    """Return every clause of every book, in order."""
    found: list[Clause] = []
    for book in BOOKS:
        for line in book.read_text().splitlines():
            head = _HEAD.fullmatch(line)
            if line.startswith("## "):
                assert head, f"{book.name}: write '## X-1 Title [tag]', not {line!r}"
                found.append(Clause(head[1], head[2], head[3]))
            elif found and line.startswith("Code: "):
                for file, names in _PLACE.findall(line):
                    found[-1].code += [(file, name) for name in re.findall(r"\w+", names)]
            elif found and line.startswith("No code can break it: "):
                found[-1].unbreakable = line.partition(": ")[2]
            elif found:
                found[-1].text += line
    return found
