"""The composition root: settings become the context that every use case is given."""

from __future__ import annotations

import secrets
import time

from ulid import ULID

from services.state.archive import Archive, ArchiveUrlError, open_archive
from services.state.client import connect
from services.state.context import DAY_MS, Context, Retention
from services.state.meters import Meters
from services.state.store import Store

from .settings import Settings, SettingsError


async def open_context(settings: Settings, meters: Meters | None = None) -> Context:
    """Return this process's context; make it inside the running loop, after any fork.

    A second loop of a process is given the ``meters`` of the first, for two sets of them would
    overwrite each other's files. Raises SettingsError when no server is named or its URL cannot be
    used. Nothing is connected until the first use.
    """
    from prometheus_client import CollectorRegistry

    if not settings.redis_url:
        raise SettingsError(
            "RUMMY_ARENA_REDIS_URL must name the state's server; 'rummy-arena up' brings its own"
        )
    try:
        client = connect(settings.redis_url)
    except ValueError as error:
        raise SettingsError(f"RUMMY_ARENA_REDIS_URL: {error}") from None
    archive = archive_of(settings)
    # A registry of its own: in multiprocess mode the files are what is scraped.
    meters = meters or Meters(CollectorRegistry())
    return Context(
        store=Store(client, meters),
        meters=meters,
        now_ms=now_ms,
        new_id=new_id,
        random_bytes=secrets.token_bytes,
        retention=Retention(
            tables_ms=round(settings.table_retention_days * DAY_MS),
            tournaments_ms=round(settings.tournament_retention_days * DAY_MS),
        ),
        archive=archive,
        private_webhooks=settings.webhook_allow_private,
    )


def archive_of(settings: Settings) -> Archive | None:
    """Return the archive of the settings, or None without one; raises SettingsError."""
    if not settings.archive_url:
        return None
    try:
        return open_archive(settings.archive_url)
    except ArchiveUrlError as error:
        raise SettingsError(f"RUMMY_ARENA_ARCHIVE_URL: {error}") from None


async def close_context(ctx: Context) -> None:
    """Close the connections."""
    await ctx.store.close()


def now_ms() -> int:
    """Return the wall clock in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def new_id() -> str:
    """Return a fresh ULID in lower case."""
    return str(ULID()).lower()
