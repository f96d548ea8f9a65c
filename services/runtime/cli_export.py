"""``rummy-arena export``: the whole game of a table that has ended, from a running arena."""

from __future__ import annotations

import asyncio
import contextlib
import os
import ssl
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, NamedTuple

import typer

if TYPE_CHECKING:
    from rummy_arena.client import Tls

TOKEN_VARIABLE = "RUMMY_ARENA_TOKEN"  # noqa: S105  a name


class ExportForm(StrEnum):
    """What the game is written as."""

    NOTATION = "notation"
    JSON_LINES = "json-lines"


class _Where(NamedTuple):
    server: str
    token: str
    tls: Tls | None


def export(
    table_id: Annotated[str, typer.Argument(help="The table, which must have ended.")],
    form: Annotated[
        ExportForm,
        typer.Option("--format", help="Text that 'verify' and 'replay' read, or JSON lines."),
    ] = ExportForm.NOTATION,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; else standard output.")
    ] = None,
    server: Annotated[
        str | None,
        typer.Option(help="The arena, host:port; else the one that runs in the data directory."),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            envvar=TOKEN_VARIABLE,
            help="Whose eyes; else, in the data directory's arena, the administrator's.",
        ),
    ] = None,
    ca: Annotated[
        Path | None, typer.Option(help="Certificates to believe, in PEM: the arena has TLS.")
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option(help="Certificate to show, in PEM: the arena has mutual TLS.")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="Its key, without a password.")] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Where the arena lives [RUMMY_ARENA_DATA_DIR, .arena].")
    ] = None,
) -> int:
    """Write the whole game of a table that has ended, with every card."""
    from rummy_arena.client import ArenaError

    from .cli import complain

    try:
        where = _where(server, token, _tls(ca, certificate, key), data_dir)
        with _written(output) as out:
            asyncio.run(_export(where, table_id, form, out))
    except (_NowhereError, ArenaError) as error:
        complain(str(error))
        return 2
    except OSError as error:
        if error.filename is None:  # of the output, for which there are words
            raise
        complain(f"cannot use {error.filename}: {error.strerror}")
        return 2
    return 0


class _NowhereError(Exception):
    """It is not said which arena, or by whose token."""


def _where(server: str | None, token: str | None, tls: Tls | None, data_dir: Path | None) -> _Where:
    if server is not None:
        if not server:
            raise _NowhereError("--server is empty; give it as host:port")
        if token is None:
            raise _NowhereError(f"give the token as well: --token, or {TOKEN_VARIABLE}")
        return _Where(server, token, tls)
    from .datadir import DataDir
    from .settings import load_settings

    settings = load_settings(data_dir=data_dir)
    home = DataDir(settings.data_dir)
    record = home.read_run()
    if record is None:
        raise _NowhereError(f"nothing runs in {home.path}; say where with --server and --token")
    if not token:
        token = home.admin_token() if record.get("token_file", "?") else settings.admin_token
    if not token:
        raise _NowhereError(
            f"the arena in {home.path} was given RUMMY_ARENA_ADMIN_TOKEN; set it here too, or give "
            f"--token or {TOKEN_VARIABLE}"
        )
    return _Where(str(record["api"]), token, tls)


def _tls(ca: Path | None, certificate: Path | None, key: Path | None) -> Tls | None:
    """Return what to encrypt with, looked at before: gRPC tells little of files of no use."""
    if ca is None and certificate is None and key is None:
        return None
    from rummy_arena.client import Tls

    tls = Tls.from_files(ca, certificate=certificate, key=key)
    if ca is not None:
        try:
            ssl.create_default_context(cadata=ca.read_text())
        except (ssl.SSLError, ValueError):
            raise _NowhereError(f"{ca} has no certificates in PEM") from None
    if certificate is not None and key is not None:
        try:
            shown = ssl.create_default_context()
            shown.load_cert_chain(certificate, key, password=lambda: b"")  # never ask for one
        except (ssl.SSLError, ValueError):
            raise _NowhereError(
                f"{certificate} and {key} are no certificate and its key in PEM, without a password"
            ) from None
    return tls


@contextlib.contextmanager
def _written(output: Path | None) -> Iterator[BinaryIO]:
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


async def _export(where: _Where, table_id: str, form: ExportForm, out: BinaryIO) -> None:
    from rummy_arena.client import Arena

    try:
        connected = Arena.connect(where.server, token=where.token, tls=where.tls)
    except ValueError as error:
        raise _NowhereError(str(error)) from None
    async with connected as arena:
        async for data in arena.tables.export(table_id, form.value):
            out.write(data)
