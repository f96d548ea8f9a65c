"""Reads the rule book: every clause with its title, its tag, its text, and where it lives in code.

The book is markdown beside this file, one file for each letter, so that an installed package
carries it. A clause is a heading ``## B-12 Title [tag]``, its text, and at the end either
``Code: `file`: `name`, `name`; `file`: `name` `` or ``No code can break it: reason``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

BOOKS = {
    "X": "rulebook.md",
    "J": "rulebook_jamaican.md",
    "B": "rulebook_bonus.md",
    "C": "rulebook_carioca.md",
    "E": "rulebook_kaluki.md",
}
"""The file of each letter; X holds in every game."""
TAGS = {
    "source": "the printed rules of the game say so",
    "Pagat": "they are silent, and pagat.com's page of the game decides",
    "house": "nothing decides, and this convention is chosen here",
}
"""What the tag of a clause means."""

_HEAD = re.compile(r"([A-Z]-\d+) (.+) \[(.+)\]")
_PLACE = re.compile(r"`([\w/]+\.py)`: ((?:`\w+`(?:, )?)+)")
_CODE, _UNBREAKABLE = "Code: ", "No code can break it: "


class UnknownClause(LookupError):
    """The rule book holds no clause of this id; ``known`` says which it holds."""

    def __init__(self, clause: str) -> None:
        self.clause = clause
        self.known = tuple(f"{book[0].id} to {book[-1].id}" for book in map(clauses_of, BOOKS))
        super().__init__(f"unknown clause {clause!r}; known: {', '.join(self.known)}")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the rule book."""

    id: str  # B-12
    title: str
    tag: str  # one of TAGS
    text: str
    code: tuple[tuple[str, str], ...]  # a file, from rummy_arena/, and a name in it
    unbreakable: str  # why no code can break it, or ''


@cache
def clauses_of(letter: str) -> tuple[Clause, ...]:
    """Return the clauses of one letter in their order; KeyError where no book has it."""
    text = files(__package__).joinpath(BOOKS[letter]).read_text(encoding="utf-8")
    return tuple(_clause(section) for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:])


def all_clauses() -> tuple[Clause, ...]:
    """Return the clauses of every book: those of all games first."""
    return tuple(clause for letter in BOOKS for clause in clauses_of(letter))


def clause(clause_id: str) -> Clause:
    """Return the clause with this id, in either case of its letter, or raise UnknownClause."""
    wanted = clause_id.upper()
    for found in clauses_of(wanted[0]) if wanted[:1] in BOOKS else ():
        if found.id == wanted:
            return found
    raise UnknownClause(clause_id)


def _clause(section: str) -> Clause:
    """Return the clause that a section of a book holds; ValueError where its heading is amiss."""
    head, *lines = section.splitlines()
    match = _HEAD.fullmatch(head)
    if match is None:
        raise ValueError(f"write '## X-1 Title [tag]' in the rule book, not {head!r}")
    text, code, unbreakable = [], [], ""
    for line in lines:
        if line.startswith(_CODE):
            for file, names in _PLACE.findall(line):
                code += [(file, name) for name in re.findall(r"\w+", names)]
        elif line.startswith(_UNBREAKABLE):
            unbreakable = line.removeprefix(_UNBREAKABLE)
        elif line:
            text.append(line)
    return Clause(match[1], match[2], match[3], " ".join(text), tuple(code), unbreakable)
