"""A server that runs already is looked at before anything starts against it."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit, urlunsplit

from services.state.client import connect
from services.state.errors import StoreUnavailable
from services.state.scripts import unavailable

CHECK_S = 10.0
OLDEST = (7, 0)
CHECKED_SCHEMES = ("redis", "rediss", "unix")


class ServerError(Exception):
    """The named server cannot be used; the text says which and why."""


def require_server(url: str, variable: str, whose: str = "state's server") -> None:
    """Raise ServerError unless a Redis 7 or Valkey server, or a cluster, answers at ``url``.

    ``whose`` names it in the text.
    """
    try:
        version, mode = asyncio.run(asyncio.wait_for(_version_and_mode(url), CHECK_S))
    except (ValueError, OSError, StoreUnavailable) as error:
        told = str(error).replace("state's server", whose)
        raise ServerError(
            f"{variable}={without_password(url)} cannot be used: {told}; "
            "start that server, or correct or unset the variable"
        ) from None
    if version < OLDEST:
        found, wanted = (".".join(map(str, number)) for number in (version, OLDEST))
        raise ServerError(
            f"{variable}={without_password(url)} is Redis {found}; {wanted} or later is needed"
        )
    if mode == "cluster" and not urlsplit(url).scheme.endswith("-cluster"):
        raise ServerError(
            f"{variable}={without_password(url)} is a node of a cluster; name the cluster's nodes "
            "as redis-cluster://host:port,host:port (the broker cannot be a cluster)"
        )


def require_broker(url: str, variable: str) -> None:
    """The same for the broker, as far as it is a server that this process can ask."""
    if "://" not in url:
        raise ServerError(f"{variable}={url} is no URL; give one such as redis://host:port")
    if urlsplit(url).scheme in CHECKED_SCHEMES:
        require_server(url, variable, "broker")


def without_password(url: str) -> str:
    """Return the URL as it may be shown."""
    parts = urlsplit(url)
    if parts.password is None:
        return url
    shown = parts.netloc.replace(f":{parts.password}@", ":***@")
    return urlunsplit(parts._replace(netloc=shown))


async def _version_and_mode(url: str) -> tuple[tuple[int, ...], str]:
    client = connect(url, connections=1)
    try:
        with unavailable():
            told = await client.info("server")
    finally:
        await client.aclose()
    # Valkey tells there which Redis it is compatible with.
    version = tuple(int(part) for part in str(told["redis_version"]).split(".")[:2])
    return version, str(told.get("server_mode", told.get("redis_mode", "")))
