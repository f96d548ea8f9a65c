"""What the settings say of the API's edge: who may call how often, and TLS."""

from __future__ import annotations

from pathlib import Path

from services.rpc.limits import Rate, Rates
from services.rpc.tls import ServerTls, TlsError

from .settings import Settings, SettingsError


def rates_of(settings: Settings) -> Rates:
    """Return how often callers may call one API process."""
    return Rates(
        players=Rate(settings.calls_per_s, settings.call_burst),
        hosts=Rate(settings.host_calls_per_s, settings.host_call_burst),
        strangers=Rate(settings.stranger_calls_per_s, settings.stranger_call_burst),
        player_streams=settings.player_streams,
        host_streams=settings.host_streams,
    )


def tls_of(settings: Settings) -> ServerTls | None:
    """Return the files for TLS, or None without; raises SettingsError for half of a pair.

    Whether they can be used shows when they are read.
    """
    if not settings.tls_cert and not settings.tls_key:
        if settings.tls_client_ca:
            raise SettingsError(
                "RUMMY_ARENA_TLS_CLIENT_CA needs RUMMY_ARENA_TLS_CERT and RUMMY_ARENA_TLS_KEY too"
            )
        return None
    if not settings.tls_cert or not settings.tls_key:
        raise SettingsError("give RUMMY_ARENA_TLS_CERT and RUMMY_ARENA_TLS_KEY together")
    client_ca = Path(settings.tls_client_ca) if settings.tls_client_ca else None
    return ServerTls(Path(settings.tls_cert), Path(settings.tls_key), client_ca)


def check_tls(settings: Settings) -> None:
    """Raise SettingsError where the API could not listen with the TLS that is set."""
    tls = tls_of(settings)
    if tls is not None:
        try:
            tls.configuration()
        except TlsError as error:
            raise SettingsError(f"TLS as set by RUMMY_ARENA_TLS_*: {error}") from None
