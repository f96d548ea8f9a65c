"""TLS of the server: its certificate, whom it asks for one, and new files as they come."""

from __future__ import annotations

import logging
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

logger = logging.getLogger(__name__)


class TlsError(Exception):
    """The files cannot be used; the text says which and why."""


@dataclass(frozen=True, slots=True)
class ServerTls:
    """The files of one server: PEM, the certificate with its chain, the key without a password."""

    certificate: Path
    key: Path
    client_ca: Path | None = None  # whoever calls must show a certificate that this one signed

    def credentials(self) -> grpc.ServerCredentials:
        """Return what the server listens with; raises TlsError.

        Files that are replaced are used for the connections that come after, once they fit; until
        then, and if they never do, the old ones stay.
        """
        configuration = self.configuration()
        reload: Any = _Reload(self)  # its stub does not know that None leaves all as it is
        return grpc.dynamic_ssl_server_credentials(
            configuration, reload, require_client_authentication=bool(self.client_ca)
        )

    def configuration(self) -> grpc.ServerCertificateConfiguration:
        """Return the files' content as it is now; raises TlsError if a handshake would fail."""
        certificate, key = _read(self.certificate, "certificate"), _read(self.key, "key")
        client_ca = None if self.client_ca is None else _read(self.client_ca, "client CA")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            context.load_cert_chain(self.certificate, self.key, password=_no_password)
        except (ssl.SSLError, ValueError) as error:
            raise TlsError(
                f"{self.certificate} and {self.key} are no PEM certificate with its key: "
                f"{_said(error)}"
            ) from None
        if self.client_ca is not None:
            try:
                context.load_verify_locations(self.client_ca)
            except ssl.SSLError as error:
                raise TlsError(
                    f"{self.client_ca} holds no PEM certificates: {_said(error)}"
                ) from None
        return grpc.ssl_server_certificate_configuration([(key, certificate)], client_ca)

    def stamp(self) -> tuple[tuple[int, int], ...]:
        """Return what changes when a file is replaced; raises OSError."""
        files = (self.certificate, self.key, *((self.client_ca,) if self.client_ca else ()))
        return tuple((info.st_mtime_ns, info.st_ino) for info in (path.stat() for path in files))


class _Reload:
    """Asked by gRPC at each handshake whether there is something new."""

    def __init__(self, tls: ServerTls) -> None:
        self._tls = tls
        self._seen = tls.stamp()

    def __call__(self) -> grpc.ServerCertificateConfiguration | None:
        try:
            stamp = self._tls.stamp()
            if stamp == self._seen:
                return None
            self._seen = stamp
            configuration = self._tls.configuration()
        except (TlsError, OSError) as error:
            logger.error("the old certificate stays in use: %s", error)
            return None
        logger.info("a new certificate is in use")
        return configuration


def _read(path: Path, what: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TlsError(f"the {what} {path} cannot be read: {error.strerror}") from None


def _no_password() -> str:
    raise ValueError("the key has a password; give one without")


def _said(error: Exception) -> str:
    return getattr(error, "reason", None) or str(error)
