"""A whole arena that speaks TLS, and asks who calls."""

from __future__ import annotations

from pathlib import Path

from rummy_arena.client import Arena, Tls
from tests.services.test_rpc_tls import make_ca, make_certificate, reach

from .arenas import run_command, running

TOKEN = "given-by-the-operator"


async def test_an_arena_with_mutual_tls_is_healthy_and_says_so(tmp_path: Path) -> None:
    ca = make_ca(tmp_path, "ca")
    own, mine = (make_certificate(tmp_path, name, ca) for name in ("server", "mine"))
    settings = {
        "RUMMY_ARENA_TLS_CERT": str(own.certificate),
        "RUMMY_ARENA_TLS_KEY": str(own.key),
        "RUMMY_ARENA_TLS_CLIENT_CA": str(ca.certificate),
        "RUMMY_ARENA_ADMIN_TOKEN": TOKEN,
        "RUMMY_ARENA_ARCHIVE_URL": str(tmp_path / "unmounted"),
    }
    folder = tmp_path / "arena"
    with running(folder, env=settings) as arena:
        tls = Tls.from_files(ca.certificate, certificate=mine.certificate, key=mine.key)
        async with Arena.connect(arena.api, token=TOKEN, tls=tls) as client:
            assert (await client.players.create("Ann")).name == "Ann"
        assert not await reach(arena.api, Tls.from_files(ca.certificate))
        status = run_command("status", "--data-dir", str(folder), env=settings)
        assert status.returncode == 0, status.stdout
        assert f"pid {arena.parent.pid}," in status.stdout
        assert "(gRPC, TLS)" in arena.output  # said a moment after everything is healthy
        assert f"archive {tmp_path / 'unmounted'} is not there" in arena.output.splitlines()[0]
        # What the variable gives is named by it, and no other token is made.
        assert "RUMMY_ARENA_ADMIN_TOKEN  (administrator's)" in arena.output
        assert not (folder / "admin.token").exists()
        export = ("export", "no-such-table", "--data-dir", str(folder), "--ca", str(ca.certificate))
        shown = ("--certificate", str(mine.certificate), "--key", str(mine.key))
        done = run_command(*export, *shown, env=settings)
        assert "there is no table no-such-table" in done.stderr, done.stderr
        assert "was given RUMMY_ARENA_ADMIN_TOKEN" in run_command(*export, *shown).stderr
        assert "closes the connection" in run_command(*export, env=settings).stderr
