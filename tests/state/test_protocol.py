"""The protocol told at the head of the commit script: its invariants, and who looks at which."""

from __future__ import annotations

import ast
import re
from importlib import resources
from pathlib import Path

import pytest

from services.state import keys
from services.state.errors import StoreUnavailable
from services.state.scripts import NAMES
from services.state.store import Answer, Batch, Store

from .conftest import THING, Things

SCRIPTS = resources.files("services.state") / "lua"
NAMED = re.compile(r"\bI-\d+\b")


def invariants() -> list[str]:
    """Return the names of the invariants, as the protocol lists them."""
    return re.findall(r"^--   (I-\d+) ", (SCRIPTS / "commit.lua").read_text(), re.MULTILINE)


def named_in_tests() -> set[str]:
    """Return the invariants that the docstrings of tests beside this one name."""
    found: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith(
                "test_"
            ):
                found.update(NAMED.findall(ast.get_docstring(node) or ""))
    return found


def test_every_invariant_has_a_test() -> None:
    listed = invariants()
    assert listed == [f"I-{number}" for number in range(1, len(listed) + 1)]
    assert len(listed) >= 16
    assert named_in_tests() == set(listed)


@pytest.mark.parametrize("name", NAMES)
def test_every_script_tells_its_keys_arguments_and_answer(name: str) -> None:
    head = (SCRIPTS / f"{name}.lua").read_text().partition("\nlocal ")[0].partition("\nif ")[0]
    for told in ("KEYS 1 ", "ARGV 1 ", "Returns "):
        assert told in head


async def test_each_holding_has_a_number_of_its_own(thing: Things, other: Store) -> None:
    """I-2. However a holding ends: by release, by commit, by time."""
    fences = []
    for number in range(9):
        store = (thing.store, other)[number % 2]
        held = await store.acquire(THING, "a1", lease_ms=(5_000, 20)[number % 3 == 2], wait_s=1)
        fences.append(held.fence)
        if number % 3 == 0:
            await store.release(held)
        elif number % 3 == 1:
            await store.commit(held, b"x")
    assert fences == list(range(1, 10))


async def test_a_commit_that_fails_midway_has_changed_nothing(store: Store, thing: Things) -> None:
    """I-3. The log has an entry that it should not have, so the server refuses to append."""
    await store.commit(await thing.take(), b"one", events=Batch(1, b"e"), deadline_ms=5)
    await store._client.xadd(keys.log(THING, "a1"), {"n": 1, "b": b"", "c": 0}, id="99-0")
    held = await thing.take(lease_ms=60_000)
    with pytest.raises(StoreUnavailable, match="refused"):
        await store.commit(
            held,
            b"two",
            events=Batch(1, b"e"),
            messages=[b"m"],
            deadline_ms=9,
            answer=Answer("r1", b"f", b"reply"),
        )
    snapshot = await store.read(THING, "a1")
    assert (snapshot.data, snapshot.version, snapshot.seq) == (b"one", 2, 1)
    shard = keys.shard_of("a1")
    assert await store.outbox_depth(shard) == 0
    assert await store._client.zscore(keys.deadlines(shard), keys.member(THING, "a1")) == 5
    assert await store.answer(THING, "a1", "r1", b"f") is None
    assert await store._client.get(keys.lease(THING, "a1")) == held.token.encode()


async def test_a_repeat_that_comes_late_holds_for_nobody_and_not_for_long(
    thing: Things, other: Store
) -> None:
    """I-1. An acquire that was sent twice arrives again after its holder has committed."""
    held = await thing.take(lease_ms=100)
    await thing.store.commit(held, b"x")
    wanted = [keys.record(THING, "a1"), keys.lease(THING, "a1")]
    wanted += [keys.requests(THING, "a1"), keys.older_requests(THING, "a1")]
    await other._scripts.run("acquire", wanted, held.token, 100, "")
    assert (await other.acquire(THING, "a1", lease_ms=1_000, wait_s=2)).data == b"x"
