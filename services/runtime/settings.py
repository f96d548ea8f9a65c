"""What an operator may set, from the environment: ``RUMMY_ARENA_<NAME>``.

Nothing is read at import; ``load_settings`` reads once and the composition root hands the result
on. A parent process passes its settings to its children with ``Settings.environment``.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "RUMMY_ARENA_"

Port = Annotated[int, Field(ge=0, le=65535)]


LEAST_TOKEN = 16
"""Characters of the administrator's token, which nobody shall guess."""


def _token(token: str) -> str:
    if not re.fullmatch("[!-~]*", token):
        raise ValueError("give printable ASCII characters, and no spaces")
    if 0 < len(token) < LEAST_TOKEN:
        raise ValueError(f"give {LEAST_TOKEN} characters or more, such as 32 random ones")
    return token


class SettingsError(Exception):
    """A setting has no usable value; the text names it and says what is expected."""


class Settings(BaseSettings):
    """Every setting, with the default that suits one machine."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True)

    data_dir: Path = Path(".arena")
    """Where the embedded store, logs, and the run record live."""
    redis_url: str = ""
    """The state's server or cluster; empty means an embedded Valkey in the data directory."""
    broker_url: str = ""
    """Celery's server; empty means the state's, which must then be no cluster."""
    durability: Literal["everysec", "always"] = "everysec"
    """When the embedded Valkey syncs its append-only file to disk."""
    api_host: str = "127.0.0.1"
    api_port: Port = 50051
    """The gRPC port; 0 takes a free one."""
    api_processes: Annotated[int, Field(ge=1, le=64)] = 1
    """API processes that ``up`` starts; with more than one, a process may share its port."""
    api_share_port: bool = True
    """Several API processes on one port; otherwise each has the next port of a row."""
    restarts: Annotated[int, Field(ge=0, le=100)] = 5
    """How many deaths of a process in a minute ``up`` mends; 0 lets the first end everything."""
    metrics_host: str = "127.0.0.1"
    metrics_port: Port = 0
    """The first of the Prometheus ports, one for each process in turn; 0 takes free ones."""
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    """Celery worker processes that ``up`` and ``demo`` start."""
    worker_concurrency: Annotated[int, Field(ge=0, le=256)] = 0
    """Pool children of each worker; 0 shares the machine's cores among the workers."""
    calls_per_s: Annotated[int, Field(ge=0, le=1_000_000)] = 200
    """Calls of one player that one API process takes in a second; 0 takes all."""
    call_burst: Annotated[int, Field(ge=0, le=1_000_000)] = 400
    """How many of them may come at once."""
    host_calls_per_s: Annotated[int, Field(ge=0, le=1_000_000)] = 2_000
    """The same for a host or administrator."""
    host_call_burst: Annotated[int, Field(ge=0, le=1_000_000)] = 4_000
    """How many of them may come at once."""
    stranger_calls_per_s: Annotated[int, Field(ge=0, le=1_000_000)] = 100
    """Calls without a valid token from one address; 0 takes all."""
    stranger_call_burst: Annotated[int, Field(ge=0, le=1_000_000)] = 200
    """How many of them may come at once."""
    player_streams: Annotated[int, Field(ge=0, le=1_000_000)] = 500
    """Streams that one player may hold to one API process; 0 for no limit."""
    host_streams: Annotated[int, Field(ge=0, le=1_000_000)] = 10_000
    """The same for a host or administrator."""
    tls_cert: str = ""
    """File of the API's certificate with its chain, in PEM; empty means no TLS."""
    tls_key: str = ""
    """File of its key, in PEM, without a password."""
    tls_client_ca: str = ""
    """File of the certificates that must have signed a caller's; empty asks callers for none."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    start_deadline_s: Annotated[float, Field(gt=0, le=600)] = 30.0
    """How long each process may take until it answers its health check."""
    table_retention_days: Annotated[float, Field(gt=0, le=3650)] = 30.0
    """How long a finished table, its log with it, can still be read."""
    archive_url: str = ""
    """Where finished tables are kept for good: a folder, or what fsspec knows; empty: nowhere."""
    tournament_retention_days: Annotated[float, Field(gt=0, le=3650)] = 90.0
    """How long a finished tournament can still be read."""
    webhook_allow_private: bool = False
    """Whether webhooks may go to private networks, and by http."""
    process_restarts: int = 0
    """How often this process was started again, given by the process that starts it."""
    process_name: str = ""
    """This process's name, given by the process that starts it; empty means its role."""
    admin_token: Annotated[str, AfterValidator(_token)] = ""
    """The administrator's token; empty means the one kept in the data directory."""

    @property
    def broker(self) -> str:
        """The broker's URL once ``redis_url`` is known."""
        return self.broker_url or self.redis_url

    @property
    def shares_port(self) -> bool:
        """Whether an API process lets others listen on its port."""
        return self.api_processes > 1 and self.api_share_port

    @property
    def pool_size(self) -> int:
        """Pool children of one worker process."""
        cores = os.cpu_count() or 1
        return self.worker_concurrency or max(1, cores // self.workers)

    def environment(self) -> dict[str, str]:
        """Return the variables from which a child process loads the same settings."""
        return {f"{PREFIX}{name.upper()}": str(value) for name, value in self.model_dump().items()}


def load_settings(**overrides: Any) -> Settings:
    """Read the environment; ``overrides`` that are not None win over it.

    Raises SettingsError, in one line, for a value that cannot be used.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        settings = Settings(**given)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else "settings"
        shown = f"--{name.replace('_', '-')}" if name in given else f"{PREFIX}{name.upper()}"
        value = "***" if name == "admin_token" else first["input"]
        raise SettingsError(f"{shown}={value}: {first['msg']}") from None
    if settings.broker.partition("://")[0].endswith("-cluster"):
        what = "must name a single server" if settings.broker_url else "is not set"
        raise SettingsError(
            f"{PREFIX}BROKER_URL {what}; a cluster cannot be the broker: give Celery a single "
            "server, such as redis://host:port, beside the state's cluster"
        )
    return settings
