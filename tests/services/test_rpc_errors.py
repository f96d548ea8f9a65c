"""The error table is complete: nothing that the house raises reaches a caller without a row."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import rummy_arena.game
import rummy_arena.rulesets
import rummy_arena.tournament
import services.events
import services.play
import services.rpc
import services.state
from rummy_arena.game.errors import IllegalHere, RuleViolation
from rummy_arena.game.notation.forms import NotationError
from rummy_arena.game.notation.replaying import CorruptGame
from rummy_arena.game.replay import CorruptLog
from rummy_arena.rulesets.errors import OptionError
from rummy_arena.rulesets.registry import RULE_SETS
from rummy_arena.rulesets.rulebook import UnknownClause
from rummy_arena.tournament.errors import (
    DuplicateEntrants,
    NothingPlayed,
    ResultsMismatch,
)
from rummy_arena.tournament.ratings import InvalidRating, NothingToRate, UnratedAnchor
from rummy_arena.tournament.ratings_history import ConflictingResult
from rummy_arena.tournament.swiss_entries import KeptApart
from rummy_arena.tournament.swiss_presence import EntryClosed, PresenceConflict
from services.play.watcher import AnotherViewer
from services.rpc.errors import TABLE, incident, status_of, told
from services.rpc.rule_messages import RULE_MESSAGES
from services.rpc.server import PortTaken
from services.rpc.tls import TlsError
from services.rpc.told import Row
from services.state.archive import ArchiveUnavailable, ArchiveUrlError
from services.state.errors import CorruptRecord, StoreError

ROOMS = (
    rummy_arena.game,
    rummy_arena.rulesets,
    rummy_arena.tournament,
    services.state,
    services.play,
    services.events,
    services.rpc,
)
OURS = {
    CorruptLog,
    CorruptRecord,  # these two are our fault: callers get an incident
    PortTaken,  # these two are raised at start, to the operator
    TlsError,
    # What the house asks of the pure rules of tournaments is its own business.
    DuplicateEntrants,
    NothingPlayed,
    ResultsMismatch,
    ConflictingResult,
    EntryClosed,
    InvalidRating,
    KeptApart,
    NothingToRate,
    PresenceConflict,
    UnratedAnchor,
    # What only operators and workers have to do with.
    ArchiveUnavailable,
    ArchiveUrlError,
    # What only the command line and the library make of files and names.
    CorruptGame,
    NotationError,
    UnknownClause,
    OptionError,
    RuleViolation,
    StoreError,  # these three are never raised themselves
    AnotherViewer,  # the stream goes on as another viewer's
}


def raised() -> set[type[Exception]]:
    found: set[type[Exception]] = set()
    for room in ROOMS:
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            for _, item in inspect.getmembers(
                importlib.import_module(module.name), inspect.isclass
            ):
                if issubclass(item, Exception) and item.__module__ == module.name:
                    found.add(item)
    return found


def test_every_exception_has_a_row() -> None:
    missing = {kind.__name__ for kind in raised() - OURS if not set(kind.__mro__) & set(TABLE)}
    assert not missing


def test_no_row_is_left_over() -> None:
    assert {kind.__name__ for kind in TABLE} <= {kind.__name__ for kind in raised()}


def test_reasons_are_upper_snake_and_facts_exist() -> None:
    for kind, row in TABLE.items():
        if isinstance(row, Row):
            assert re.fullmatch(r"[A-Z]+(_[A-Z]+)*", row.reason)
            source = "".join(map(inspect.getsource, set(kind.__mro__) & raised()))
            assert all(
                f"self.{fact} =" in source or f"self.{fact}:" in source for fact in row.facts
            )


def test_every_rule_code_has_its_message() -> None:
    codes: set[str] = set()
    for path in Path(rummy_arena.game.__path__[0]).glob("*.py"):
        codes |= set(re.findall(r'([A-Z]+(?:_[A-Z]+)+)"', path.read_text()))
    cited = {code.rpartition(".")[2] for rules in RULE_SETS.values() for code in rules.clauses}
    assert codes >= cited - {"SEATS"}  # whose error is no refusal of an action
    assert codes == set(RULE_MESSAGES)


def test_cards_are_told_as_text() -> None:
    told_ = told(IllegalHere("SET_TOO_SHORT", "J-11", cards=(0, 4, 208), minimum=3, card=0))
    assert told_ is not None
    assert told_.facts == {
        "clause": "J-11",
        "cards": "AC1 2C1 *1",
        "minimum": "3",
        "card": "AC1",
    }


def test_ranks_and_suits_are_told_as_on_the_cards() -> None:
    for name, letters in (("rank", "A23456789TJQK"), ("suit", "CDHS")):
        for value, letter in enumerate(letters):
            told_ = told(IllegalHere("REPEATED", "J-12", **{name: value}))
            assert told_ is not None
            assert told_.facts == {"clause": "J-12", name: letter}


def test_what_has_no_row_becomes_an_incident() -> None:
    assert told(KeyError("secret")) is None
    status = status_of(incident("42"))
    assert "42" in status.message


@pytest.mark.parametrize("code", sorted(RULE_MESSAGES))
def test_messages_are_plain_text(code: str) -> None:
    assert "{" not in RULE_MESSAGES[code]
