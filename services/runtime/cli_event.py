"""``rummy-arena event``: what an event came to, for people, spreadsheets, programs, and walls."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .cli_ask import OutOption, PlainOption, WidthOption, ask, lines_text, width_of
from .cli_connect import (
    CaOption,
    CertificateOption,
    DataDirOption,
    KeyOption,
    ServerOption,
    TokenOption,
    Where,
    tls_of,
    where_of,
)

if TYPE_CHECKING:
    from rummy_arena.client import Arena

    from .event_document import Told
    from .event_record import Event
    from .sheets import Sheet

event = typer.Typer(
    help="Show or export an event: bracket, crosstable, standings.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


class Format(StrEnum):
    """What an event is written as."""

    CSV = "csv"
    JSON = "json"


class Part(StrEnum):
    """What of an event is written."""

    ALL = "all"
    STANDINGS = "standings"
    RESULTS = "results"
    ROUNDS = "rounds"
    ENTRANTS = "entrants"


class By(StrEnum):
    """The columns of a crosstable."""

    AUTO = "auto"
    OPPONENTS = "opponents"
    ROUNDS = "rounds"


TournamentArgument = Annotated[
    str, typer.Argument(metavar="TOURNAMENT", help="Id of the tournament.")
]


@event.command()
def export(
    tournament_id: TournamentArgument,
    form: Annotated[
        Format, typer.Option("--format", help="Tables for a spreadsheet, or JSON.")
    ] = Format.JSON,
    what: Annotated[
        Part | None, typer.Option(help="Which part; else all as JSON, the standings as CSV.")
    ] = None,
    out: OutOption = None,
    plain: PlainOption = False,
    server: ServerOption = None,
    token: TokenOption = None,
    ca: CaOption = None,
    certificate: CertificateOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> int:
    """Write an event, or a part of it, as it is now."""
    if form is Format.CSV and what is Part.ALL:
        raise typer.BadParameter("CSV has one table; choose --what, or --format json")
    part = what or (Part.ALL if form is Format.JSON else Part.STANDINGS)

    def text(told: Told) -> str:
        from .event_document import document
        from .sheets import csv_text, json_text

        if part is Part.ALL:
            return json_text(document(told))
        sheet = _sheet(told, part)
        if form is Format.CSV:
            return csv_text(sheet, guarded=not plain)
        return json_text(sheet.objects())

    with_log = part in (Part.ALL, Part.ENTRANTS)
    return _tell(
        lambda: where_of(server, token, tls_of(ca, certificate, key), data_dir),
        tournament_id,
        text,
        out,
        log=with_log,
    )


@event.command()
def bracket(
    tournament_id: TournamentArgument,
    svg: Annotated[
        Path | None, typer.Option("--svg", help="Draw a picture into this file instead.")
    ] = None,
    width: WidthOption = None,
    server: ServerOption = None,
    token: TokenOption = None,
    ca: CaOption = None,
    certificate: CertificateOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> int:
    """Show who met whom in each round and who went on, as far as it has been played."""

    def text(told: Told) -> str:
        from .event_svg import picture
        from .event_view import bracket as view

        return picture(_event(told)) if svg else lines_text(view(_event(told), width_of(width)))

    return _tell(
        lambda: where_of(server, token, tls_of(ca, certificate, key), data_dir),
        tournament_id,
        text,
        svg,
    )


@event.command()
def crosstable(
    tournament_id: TournamentArgument,
    by: Annotated[
        By, typer.Option(help="Columns: opponents, or rounds; else opponents if they fit.")
    ] = By.AUTO,
    width: WidthOption = None,
    server: ServerOption = None,
    token: TokenOption = None,
    ca: CaOption = None,
    certificate: CertificateOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> int:
    """Show how everybody did against everybody, or in each round, group by group."""

    def text(told: Told) -> str:
        from .event_view import crosstable as view

        return lines_text(view(_event(told), width_of(width), by.value))

    return _tell(
        lambda: where_of(server, token, tls_of(ca, certificate, key), data_dir),
        tournament_id,
        text,
    )


@event.command()
def standings(
    tournament_id: TournamentArgument,
    width: WidthOption = None,
    server: ServerOption = None,
    token: TokenOption = None,
    ca: CaOption = None,
    certificate: CertificateOption = None,
    key: KeyOption = None,
    data_dir: DataDirOption = None,
) -> int:
    """Show who stands where, with what told them apart."""

    def text(told: Told) -> str:
        from .event_view import standings as view

        return lines_text(view(_event(told), width_of(width)))

    return _tell(
        lambda: where_of(server, token, tls_of(ca, certificate, key), data_dir),
        tournament_id,
        text,
    )


def _tell(
    where: Callable[[], Where],
    tournament_id: str,
    text: Callable[[Told], str],
    out: Path | None = None,
    *,
    log: bool = False,
) -> int:
    """Fetch an event and write what is made of it; returns the exit status."""

    async def told(arena: Arena) -> tuple[str, int]:
        from .event_fetch import fetch

        return text(await fetch(arena, tournament_id, log=log)), 0

    return ask(where, told, out)


def _sheet(told: Told, part: Part) -> Sheet:
    from . import event_document as made

    if part is Part.STANDINGS:
        return made.standings_sheet(told)
    if part is Part.ROUNDS:
        return made.rounds_sheet(told)
    return made.entrants_sheet(told) if part is Part.ENTRANTS else made.results_sheet(told)


def _event(told: Told) -> Event:
    from .event_record import event_of

    return event_of(told.tournament, told.entrants, told.rounds, told.standings)
