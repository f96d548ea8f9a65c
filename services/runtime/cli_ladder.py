"""``rummy-arena ladder``: standings, who waits for what, a check of the ratings, an export."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from .cli_ask import OutOption, PlainOption, Told, WidthOption, ask, lines_text, width_of
from .cli_connect import (
    CaOption,
    CertificateOption,
    DataDirOption,
    KeyOption,
    ServerOption,
    TokenOption,
    tls_of,
    where_of,
)

if TYPE_CHECKING:
    from rummy_arena.client import Arena

ladder = typer.Typer(
    help="Show or export a ladder or an arena: standings, who waits and why, all results.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
LadderArgument = Annotated[str, typer.Argument(metavar="LADDER", help="Id of the ladder.")]


class Format(StrEnum):
    """What a ladder is written as."""

    CSV = "csv"
    JSON = "json"


class Part(StrEnum):
    """What of a ladder is written."""

    STANDINGS = "standings"
    RESULTS = "results"


@ladder.command()
def standings(
    ladder_id: LadderArgument,
    season: Annotated[
        int, typer.Option(min=0, help="One that has ended; 0 for the standings of now.")
    ] = 0,
    width: WidthOption = None,
    server: ServerOption = None,
    token: TokenOption = None,
    ca: CaOption = None,
    certificate: CertificateOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> int:
    """Show who stands where, with how sure each rating is."""

    async def told(arena: Arena) -> Told:
        from .ladder_view import standings as view

        rows = await arena.ladders.standings(ladder_id, season=season)
        return lines_text(view(await arena.ladders.get(ladder_id), rows, width_of(width))), 0

    return ask(lambda: where_of(server, token, tls_of(ca, certificate, key), data_dir), told)


@ladder.command()
def waiting(
    ladder_id: LadderArgument,
    width: WidthOption = None,
    server: ServerOption = None,
    token: TokenOption = None,
    ca: CaOption = None,
    certificate: CertificateOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> int:
    """Show who plays where, and why the others wait."""

    async def told(arena: Arena) -> Told:
        from .ladder_view import waiting as view

        entrants = await arena.ladders.explain(ladder_id)
        return lines_text(view(await arena.ladders.get(ladder_id), entrants, width_of(width))), 0

    return ask(lambda: where_of(server, token, tls_of(ca, certificate, key), data_dir), told)


@ladder.command()
def check(
    ladder_id: LadderArgument,
    width: WidthOption = None,
    server: ServerOption = None,
    token: TokenOption = None,
    ca: CaOption = None,
    certificate: CertificateOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> int:
    """Rate all results again and compare; exit status 1 where the ratings are not what they give.

    For the ladder's host and administrators.
    """

    async def told(arena: Arena) -> Told:
        from .ladder_view import check as view
        from .ladder_view import is_sound

        done = await arena.ladders.check_ratings(ladder_id)
        lines = view(await arena.ladders.get(ladder_id), done, width_of(width))
        return lines_text(lines), 0 if is_sound(done) else 1

    return ask(lambda: where_of(server, token, tls_of(ca, certificate, key), data_dir), told)


@ladder.command()
def export(
    ladder_id: LadderArgument,
    what: Annotated[Part, typer.Option(help="Which part.")] = Part.STANDINGS,
    form: Annotated[
        Format, typer.Option("--format", help="A table for a spreadsheet, or JSON.")
    ] = Format.CSV,
    out: OutOption = None,
    plain: PlainOption = False,
    server: ServerOption = None,
    token: TokenOption = None,
    ca: CaOption = None,
    certificate: CertificateOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> int:
    """Write the standings or every rated result, as they are now."""

    async def told(arena: Arena) -> Told:
        from .ladder_export import results_sheet, standings_sheet
        from .sheets import csv_text, json_text

        if what is Part.STANDINGS:
            sheet = standings_sheet(await arena.ladders.standings(ladder_id))
        else:
            sheet = results_sheet(await arena.ladders.matches(ladder_id, most=sys.maxsize))
        if form is Format.CSV:
            return csv_text(sheet, guarded=not plain), 0
        return json_text(sheet.objects()), 0

    return ask(lambda: where_of(server, token, tls_of(ca, certificate, key), data_dir), told, out)
