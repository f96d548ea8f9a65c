"""A whole arena that speaks TLS, and asks who calls."""

from __future__ import annotations

from pathlib import Path

from rummy_arena.client import Arena, Tls
from tests.services.test_rpc_tls import make_ca, make_certificate, reach

from .arenas import run_command, running


async def test_an_arena_with_mutual_tls_is_healthy_and_says_so(tmp_path: Path) -> None:
    ca = make_ca(tmp_path, "ca")
    own, mine = (make_certificate(tmp_path, name, ca) for name in ("server", "mine"))
    settings = {
        "RUMMY_ARENA_TLS_CERT": str(own.certificate),
        "RUMMY_ARENA_TLS_KEY": str(own.key),
        "RUMMY_ARENA_TLS_CLIENT_CA": str(ca.certificate),
    }
    folder = tmp_path / "arena"
    with running(folder, env=settings) as arena:
        tls = Tls.from_files(ca.certificate, certificate=mine.certificate, key=mine.key)
        async with Arena.connect(arena.api, token=arena.token, tls=tls) as client:
            assert (await client.players.create("Ann")).name == "Ann"
        assert not await reach(arena.api, Tls.from_files(ca.certificate))
        status = run_command("status", "--data-dir", str(folder), env=settings)
        assert status.returncode == 0, status.stdout
        assert "(gRPC, TLS)" in arena.output  # said a moment after everything is healthy
