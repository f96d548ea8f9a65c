"""TLS of a connection: whom to believe, and who one is."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Self

import grpc


@dataclass(frozen=True, slots=True)
class Tls:
    """How to make sure of the arena, and of oneself where it asks; all in PEM.

    Without ``root_certificates`` those of gRPC are believed. ``server_name`` is the name that the
    arena's certificate bears where it is not that of the address.
    """

    root_certificates: bytes | None = None
    certificate: bytes | None = None
    key: bytes | None = None
    server_name: str | None = None

    @classmethod
    def from_files(
        cls,
        root_certificates: str | PathLike[str] | None = None,
        *,
        certificate: str | PathLike[str] | None = None,
        key: str | PathLike[str] | None = None,
        server_name: str | None = None,
    ) -> Self:
        """Return the same from files; raises OSError for one that cannot be read."""
        return cls(_read(root_certificates), _read(certificate), _read(key), server_name)

    @property
    def credentials(self) -> grpc.ChannelCredentials:
        """What gRPC takes."""
        if (self.certificate is None) is not (self.key is None):
            raise ValueError("give a client's certificate and its key together")
        return grpc.ssl_channel_credentials(self.root_certificates, self.key, self.certificate)

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """The channel options that go with it."""
        if self.server_name is None:
            return ()
        return (("grpc.ssl_target_name_override", self.server_name),)


def _read(path: str | PathLike[str] | None) -> bytes | None:
    return None if path is None else Path(path).read_bytes()
