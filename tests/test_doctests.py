"""The examples in the library's docstrings run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import rummy_arena

LIBRARY = [
    module.name
    for module in pkgutil.walk_packages(rummy_arena.__path__, "rummy_arena.")
    if not module.ispkg and ".api." not in module.name
]
SHOWN = {
    "rummy_arena",
    "rummy_arena.game.cards",
    "rummy_arena.game.chance",
    "rummy_arena.game.legal",
    "rummy_arena.game.melds",
    "rummy_arena.game.notation.actions",
    "rummy_arena.game.notation.games",
    "rummy_arena.game.replay",
    "rummy_arena.game.series",
    "rummy_arena.game.solver.contracts",
    "rummy_arena.game.view",
    "rummy_arena.rulesets.registry",
}
"""Modules that a newcomer reads first: they must have examples."""


@pytest.mark.parametrize("name", ["rummy_arena", *LIBRARY])
def test_the_examples_of_a_module_run(name: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0
    assert tried or name not in SHOWN, "show how it is used"
