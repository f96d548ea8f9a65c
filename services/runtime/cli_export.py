"""``rummy-arena export``: the whole game of a table that has ended, from a running arena."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from .cli_ask import status_of
from .cli_connect import (
    CaOption,
    CertificateOption,
    DataDirOption,
    KeyOption,
    ServerOption,
    TokenOption,
    Where,
    connect,
    tls_of,
    where_of,
    written,
)


class ExportForm(StrEnum):
    """What the game is written as."""

    NOTATION = "notation"
    JSON_LINES = "json-lines"


def export(
    table_id: Annotated[str, typer.Argument(help="The table, which must have ended.")],
    form: Annotated[
        ExportForm,
        typer.Option("--format", help="Text that 'verify' and 'replay' read, or JSON lines."),
    ] = ExportForm.NOTATION,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; else standard output.")
    ] = None,
    server: ServerOption = None,
    token: TokenOption = None,
    ca: CaOption = None,
    certificate: CertificateOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> int:
    """Write the whole game of a table that has ended, with every card."""

    def work() -> int:
        where = where_of(server, token, tls_of(ca, certificate, key), data_dir)
        with written(output) as out:
            asyncio.run(_export(where, table_id, form, out))
        return 0

    return status_of(work)


async def _export(where: Where, table_id: str, form: ExportForm, out: BinaryIO) -> None:
    async with connect(where) as arena:
        async for data in arena.tables.export(table_id, form.value):
            out.write(data)
