"""Which arena a command talks to, and by whose token; and where it writes what it was told."""

from __future__ import annotations

import contextlib
import os
import ssl
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, NamedTuple

import typer

if TYPE_CHECKING:
    from rummy_arena.client import Arena, Tls

TOKEN_VARIABLE = "RUMMY_ARENA_TOKEN"  # noqa: S105  a name

ServerOption = Annotated[
    str | None,
    typer.Option(
        "--server", help="The arena, host:port; else the one that runs in the data directory."
    ),
]
TokenOption = Annotated[
    str | None,
    typer.Option(
        "--token",
        envvar=TOKEN_VARIABLE,
        help="Whose eyes; else, in the data directory's arena, the administrator's.",
    ),
]
CaOption = Annotated[
    Path | None,
    typer.Option("--ca", help="Certificates to believe, in PEM: the arena has TLS."),
]
CertificateOption = Annotated[
    Path | None,
    typer.Option("--certificate", help="Certificate to show, in PEM: the arena has mutual TLS."),
]
KeyOption = Annotated[Path | None, typer.Option("--key", help="Its key, without a password.")]
DataDirOption = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Where the arena lives [RUMMY_ARENA_DATA_DIR, .arena]."),
]


class NowhereError(Exception):
    """It is not said which arena, or by whose token, or not in a way that can be used."""


class Where(NamedTuple):
    """An arena, and by whose token."""

    server: str
    token: str
    tls: Tls | None


def connect(where: Where) -> Arena:
    """Return a connection, to be used in ``async with``; raises NowhereError."""
    from rummy_arena.client import Arena

    try:
        return Arena.connect(where.server, token=where.token, tls=where.tls)
    except ValueError as error:
        raise NowhereError(str(error)) from None


def where_of(
    server: str | None, token: str | None, tls: Tls | None, data_dir: Path | None
) -> Where:
    """Return the arena that the options name, or the one of the data directory."""
    if server is not None:
        if not server:
            raise NowhereError("--server is empty; give it as host:port")
        if token is None:
            raise NowhereError(f"give the token as well: --token, or {TOKEN_VARIABLE}")
        return Where(server, token, tls)
    from .datadir import DataDir
    from .settings import load_settings

    settings = load_settings(data_dir=data_dir)
    home = DataDir(settings.data_dir)
    record = home.read_run()
    if record is None:
        raise NowhereError(f"nothing runs in {home.path}; say where with --server and --token")
    if not token:
        token = home.admin_token() if record.get("token_file", "?") else settings.admin_token
    if not token:
        raise NowhereError(
            f"the arena in {home.path} was given RUMMY_ARENA_ADMIN_TOKEN; set it here too, or give "
            f"--token or {TOKEN_VARIABLE}"
        )
    return Where(str(record["api"]), token, tls)


def tls_of(ca: Path | None, certificate: Path | None, key: Path | None) -> Tls | None:
    """Return what to encrypt with, looked at before: gRPC tells little of files of no use."""
    if ca is None and certificate is None and key is None:
        return None
    from rummy_arena.client import Tls

    tls = Tls.from_files(ca, certificate=certificate, key=key)
    if ca is not None:
        try:
            ssl.create_default_context(cadata=ca.read_text())
        except (ssl.SSLError, ValueError):
            raise NowhereError(f"{ca} has no certificates in PEM") from None
    if certificate is not None and key is not None:
        try:
            shown = ssl.create_default_context()
            shown.load_cert_chain(certificate, key, password=lambda: b"")  # never ask for one
        except (ssl.SSLError, ValueError):
            raise NowhereError(
                f"{certificate} and {key} are no certificate and its key in PEM, without a password"
            ) from None
    return tls


@contextlib.contextmanager
def written(output: Path | None) -> Iterator[BinaryIO]:
    """Yield where to write; a file appears only when it is whole."""
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    part = output.with_name(f".{output.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(output)
    finally:
        part.unlink(missing_ok=True)
