"""TLS by settings: encrypted calls, callers that must show who they are, and new certificates."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rummy_arena.client import Arena, ArenaError, Tls
from services.rpc.server import ArenaServer
from services.rpc.tls import ServerTls, TlsError
from services.runtime.edge import tls_of
from services.runtime.settings import Settings, SettingsError
from services.state.context import Context


class Pair(NamedTuple):
    """A certificate and its key."""

    certificate: Path
    key: Path


def openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


def make_ca(folder: Path, name: str) -> Pair:
    """Return a certificate that signs others."""
    pair = Pair(folder / f"{name}.pem", folder / f"{name}.key")
    openssl(
        *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
        *("-keyout", str(pair.key), "-out", str(pair.certificate), "-days", "2"),
        *("-subj", f"/CN={name}"),
    )
    return pair


def make_certificate(folder: Path, name: str, ca: Pair) -> Pair:
    """Return a certificate for localhost, and its key."""
    pair, request = Pair(folder / f"{name}.pem", folder / f"{name}.key"), folder / f"{name}.csr"
    names = folder / "names"
    names.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    openssl(
        *("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
        *("-keyout", str(pair.key), "-out", str(request), "-subj", f"/CN={name}"),
    )
    openssl(
        *("x509", "-req", "-in", str(request), "-out", str(pair.certificate), "-days", "2"),
        *("-CA", str(ca.certificate), "-CAkey", str(ca.key), "-CAcreateserial"),
        *("-extfile", str(names)),
    )
    return pair


Serve = Callable[[ServerTls], Any]


@pytest.fixture
def serve(ctx: Context) -> Serve:
    """Start a server with TLS and give its address."""

    @asynccontextmanager
    async def serving(tls: ServerTls) -> AsyncIterator[str]:
        server = ArenaServer(ctx, tls=tls)
        address = await server.start("localhost:0")
        yield address
        await server.stop(0.2)

    return serving


async def reach(address: str, tls: Tls | None) -> bool:
    """Return whether a call comes through."""
    async with Arena.connect(address, tls=tls, timeout_s=5) as arena:
        try:
            await arena.rules.list()
        except ArenaError:
            return False
    return True


async def test_calls_are_encrypted_and_the_server_is_known_by_its_certificate(
    serve: Serve, tmp_path: Path
) -> None:
    ca, other = make_ca(tmp_path, "ca"), make_ca(tmp_path, "other")
    own = make_certificate(tmp_path, "server", ca)
    async with serve(ServerTls(own.certificate, own.key)) as address:
        come_through = await asyncio.gather(
            reach(address, Tls.from_files(ca.certificate)),
            reach(address, Tls.from_files(other.certificate)),
            reach(address, None),
        )
    assert list(come_through) == [True, False, False]


async def unreachable(address: str, tls: Tls | None) -> str:
    """Return what the client makes of a server that it cannot talk to."""
    # One address: gRPC tells only the last trouble of several.
    address = address.replace("localhost", "127.0.0.1")
    async with Arena.connect(address, tls=tls, timeout_s=5) as arena:
        with pytest.raises(ArenaError) as caught:
            await arena.rules.list()
    assert caught.value.reason == "UNREACHABLE"
    return caught.value.message


async def test_who_speaks_otherwise_than_the_server_is_told_what_to_change(
    serve: Serve, ctx: Context, tmp_path: Path
) -> None:
    ca, other = make_ca(tmp_path, "ca"), make_ca(tmp_path, "other")
    own = make_certificate(tmp_path, "server", ca)
    plain = ArenaServer(ctx)
    open_address = await plain.start("localhost:0")
    async with serve(ServerTls(own.certificate, own.key)) as address:
        told = await asyncio.gather(
            unreachable(address, None),
            unreachable(address, Tls.from_files(other.certificate)),
            unreachable(open_address, Tls.from_files(ca.certificate)),
        )
    await plain.stop(0.2)
    assert "an arena with TLS wants tls=" in told[0]
    assert "not believed" in told[1]
    assert "connect without tls=" in told[2]


async def test_callers_without_a_certificate_of_the_ca_are_turned_away(
    serve: Serve, tmp_path: Path
) -> None:
    ca, other = make_ca(tmp_path, "ca"), make_ca(tmp_path, "other")
    own, mine = (make_certificate(tmp_path, name, ca) for name in ("server", "mine"))
    foreign = make_certificate(tmp_path, "foreign", other)
    tls = ServerTls(own.certificate, own.key, client_ca=ca.certificate)
    async with serve(tls) as address:
        shown = [
            Tls.from_files(ca.certificate, certificate=pair.certificate, key=pair.key)
            for pair in (mine, foreign)
        ]
        nothing = Tls.from_files(ca.certificate)
        come_through = await asyncio.gather(*(reach(address, tls) for tls in (*shown, nothing)))
    assert list(come_through) == [True, False, False]


async def test_a_certificate_that_is_replaced_is_used_from_then_on(
    serve: Serve, tmp_path: Path
) -> None:
    ca, new_ca = make_ca(tmp_path, "ca"), make_ca(tmp_path, "new-ca")
    own, new = make_certificate(tmp_path, "server", ca), make_certificate(tmp_path, "new", new_ca)
    old_roots, new_roots = (Tls.from_files(pair.certificate) for pair in (ca, new_ca))
    async with serve(ServerTls(own.certificate, own.key)) as address:
        assert await reach(address, old_roots)
        new.certificate.rename(own.certificate)
        assert await reach(address, old_roots)  # half of a pair is not used
        new.key.rename(own.key)
        assert await reach(address, new_roots)
        assert not await reach(address, old_roots)


def test_files_that_cannot_be_used_are_named_in_one_line(tmp_path: Path) -> None:
    ca = make_ca(tmp_path, "ca")
    own, other = (make_certificate(tmp_path, name, ca) for name in ("server", "other"))
    empty = tmp_path / "empty"
    empty.touch()
    missing = tmp_path / "missing"
    for tls, named in (
        (ServerTls(missing, own.key), missing),
        (ServerTls(own.certificate, missing), missing),
        (ServerTls(own.certificate, own.key, missing), missing),
        (ServerTls(own.certificate, other.key), other.key),
        (ServerTls(empty, own.key), empty),
        (ServerTls(own.certificate, own.key, empty), empty),
    ):
        with pytest.raises(TlsError) as caught:
            tls.credentials()
        assert str(named) in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_key_with_a_password_is_refused_without_asking(tmp_path: Path) -> None:
    ca = make_ca(tmp_path, "ca")
    locked = tmp_path / "locked.key"
    openssl("ec", "-in", str(ca.key), "-aes256", "-passout", "pass:secret", "-out", str(locked))
    with pytest.raises(TlsError, match="password"):
        ServerTls(ca.certificate, locked).credentials()


@pytest.mark.parametrize("given", [{"tls_cert": "a"}, {"tls_key": "a"}, {"tls_client_ca": "a"}])
def test_half_of_the_settings_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match="RUMMY_ARENA_TLS_CERT"):
        tls_of(Settings(**given))  # type: ignore[arg-type]


def test_the_settings_name_the_files() -> None:
    assert tls_of(Settings()) is None
    files = {"tls_cert": "a", "tls_key": "b", "tls_client_ca": "c"}
    expected = ServerTls(Path("a"), Path("b"), Path("c"))
    assert tls_of(Settings(**files)) == expected  # type: ignore[arg-type]


async def test_half_a_client_certificate_is_refused() -> None:
    with pytest.raises(ValueError, match="together"):
        Arena.connect("localhost:1", tls=Tls(certificate=b"x"))
    await asyncio.sleep(0)
