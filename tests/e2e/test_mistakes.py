from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from .arenas import run_command
from .forked import Forked

REFUSED = [
    (("demo", "--entrants", "x"), {}, "--entrants"),
    (("demo", "--no-such"), {}, "No such option: --no-such"),
    (("dance",), {}, "No such command"),
    (("demo", "--rule-set", "poker"), {}, "unknown rule set 'poker'; known: kalooki-jamaican"),
    (("demo", "--seats", "8"), {}, "3 to 6 seats"),
    (
        ("demo", "--rule-set", "kalooki-bonus", "--option", "packs=3", "--seats", "4"),
        {},
        "--seats 4: kalooki-bonus with packs=3 is for 5 to 8 seats",
    ),
    (
        ("demo", "--rule-set", "kaluki-european", "--option", "rebuys=7"),
        {},
        "option rebuys of kaluki-european is '7', must be 0 or 1 or 2 or unlimited (E-17)",
    ),
    (
        ("demo", "--option", "calls=off"),
        {},
        "kalooki-jamaican has no option 'calls'; its options: contract",
    ),
    (("demo", "--option", "calls"), {}, "--option takes NAME=VALUE, not 'calls'"),
    (("demo", "--advance", "4"), {}, "fewer must go on"),
    (("demo", "--entrants", "2"), {}, "needs 3 at least"),
    (("demo", "--seed", ""), {}, "--seed: give 1 to 128 characters"),
    (("demo", "--keeep"), {}, "rummy-arena demo --help"),
    (("demo", "--seed"), {}, "rummy-arena demo --help"),
    (("up",), {"RUMMY_ARENA_API_PORT": "99999"}, "RUMMY_ARENA_API_PORT=99999"),
    (("up", "--port", "0"), {"RUMMY_ARENA_REDIS_URL": "http://x"}, "RUMMY_ARENA_REDIS_URL"),
    (("up", "--port", "0"), {"RUMMY_ARENA_TLS_CERT": "x"}, "RUMMY_ARENA_TLS_KEY together"),
    (
        ("up", "--port", "0"),
        {"RUMMY_ARENA_TLS_CERT": "/no/cert", "RUMMY_ARENA_TLS_KEY": "/no/key"},
        "the certificate /no/cert cannot be read: No such file or directory",
    ),
    (("up", "--port", "0"), {"RUMMY_ARENA_REDIS_URL": "redis://127.0.0.1:1"}, "127.0.0.1:1"),
    (("up", "--port", "0"), {"RUMMY_ARENA_BROKER_URL": "nonsense"}, "nonsense is no URL"),
    (("up", "--port", "0"), {"RUMMY_ARENA_BROKER_URL": "redis://127.0.0.1:1"}, "the broker does"),
    (("up", "--port", "0"), {"RUMMY_ARENA_ADMIN_TOKEN": "a b"}, "TOKEN=***: Value error, give"),
    (("up", "--port", "0"), {"RUMMY_ARENA_API_PROCESSES": "0"}, "RUMMY_ARENA_API_PROCESSES=0"),
    (("up", "--port", "0"), {"RUMMY_ARENA_ARCHIVE_URL": "no://x"}, "RUMMY_ARENA_ARCHIVE_URL"),
    (("verify", "/no/file"), {}, "cannot read /no/file"),
    (("verify", __file__), {}, "line 1: found"),
    (("export", "t", "--server", "127.0.0.1:1"), {}, "give the token as well"),
    (("export", "t", "--server", "", "--token", "x"), {}, "--server is empty"),
    (("export", "t", "--server", "127.0.0.1:1", "--token", "\x01"), {}, "printable ASCII"),
    (
        ("export", "t", "--server", "127.0.0.1:1", "--token", "x", "--ca", __file__),
        {},
        "no certificates in PEM",
    ),
    (
        ("export", "t", "--server", "127.0.0.1:1", "--token", "x", "--ca", "/no/file"),
        {},
        "cannot use /no/file: No such file",
    ),
    (
        ("export", "t", "--server", "127.0.0.1:1", "--token", "x", "--certificate", __file__),
        {},
        "a client's certificate and its key together",
    ),
    (
        (
            *("export", "t", "--server", "127.0.0.1:1", "--token", "x"),
            *("--certificate", __file__, "--key", __file__),
        ),
        {},
        "no certificate and its key in PEM, without a password",
    ),
]


@pytest.fixture(scope="module")
def forked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forked]:
    with Forked(tmp_path_factory.mktemp("forked")) as forked:
        yield forked


@pytest.mark.parametrize(("arguments", "env", "told"), REFUSED)
def test_a_mistake_is_one_line_that_says_what_to_do(
    forked: Forked, arguments: tuple[str, ...], env: dict[str, str], told: str, tmp_path: Path
) -> None:
    data_dir = {"RUMMY_ARENA_DATA_DIR": str(tmp_path / "arena")}
    done = forked.run(arguments, {**data_dir, **env})
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("rummy-arena: ")
    assert done.stderr.count("\n") == 1
    assert told in done.stderr


def test_a_busy_port_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = str(holder.getsockname()[1])
        done = run_command("up", "--port", port, "--data-dir", str(tmp_path / "arena"))
    assert done.returncode == 2
    assert f"port {port} of 127.0.0.1 cannot be bound; choose another with --port" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_data_directory_of_another_version_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "layout").write_text("99\n")
    done = run_command("up", "--port", "0", "--data-dir", str(tmp_path))
    assert done.returncode == 2
    assert "layout version '99'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_status_says_that_nothing_runs(tmp_path: Path) -> None:
    done = run_command("status", "--data-dir", str(tmp_path))
    assert done.returncode == 1
    assert "start it with 'rummy-arena up'" in done.stdout
    assert done.stdout.count("\n") == 1


def test_status_says_what_was_killed_and_how_it_goes_on(tmp_path: Path) -> None:
    gone = {"pid": 2**22 + 1, "created": 1.0}
    record = {"ready": True, "processes": {"api": gone}}
    (tmp_path / "run.json").write_text(json.dumps(record))
    done = run_command("status", "--data-dir", str(tmp_path))
    assert done.returncode == 1
    assert "goes on where it was killed" in done.stdout
    assert run_command("status", "--data-dir", str(tmp_path), "--json").stdout == (
        '{"running": false}\n'
    )


def test_help_lists_the_commands() -> None:
    done = run_command()
    assert done.returncode == 0
    for command in ("demo", "up", "status", "api"):
        assert command in done.stdout
