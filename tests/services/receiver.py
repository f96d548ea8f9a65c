"""A host's HTTP server on loopback that keeps what it gets and answers as a test says."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Got:
    """One request, and how it was answered."""

    headers: dict[str, str]
    body: bytes
    status: int

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def payload(self) -> Any:
        return json.loads(self.body)

    @property
    def sequences(self) -> list[int]:
        return [int(item["event"]["sequence"]) for item in self.payload["data"]["events"]]


@dataclass(frozen=True)
class Reply:
    """What to answer; ``late_s`` before the head, ``drip_s`` between bytes of an endless body."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b"thanks"
    late_s: float = 0.0
    drip_s: float = 0.0


class Receiver:
    """Answers are taken from ``replies`` in turn; when there is none, everything is well."""

    def __init__(self, port: int = 0, tls: ssl.SSLContext | None = None) -> None:
        self.got: list[Got] = []
        self.replies: list[Reply] = []
        self.before: Callable[[], None] = lambda: None
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                reply = outer.replies.pop(0) if outer.replies else Reply()
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.got.append(Got(headers, body, reply.status))
                outer.before()
                time.sleep(reply.late_s)
                self.send_response(reply.status)
                for name, value in reply.headers:
                    self.send_header(name, value)
                length = 10**9 if reply.drip_s else len(reply.body)
                self.send_header("content-length", str(length))
                self.end_headers()
                try:
                    self.wfile.write(reply.body)
                    while reply.drip_s:
                        time.sleep(reply.drip_s)
                        self.wfile.write(b".")
                except OSError:
                    return

            def do_GET(self) -> None:
                outer.got.append(Got({}, b"", 0))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *args: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/hook?of=arena"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop; the port is free again."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def receiving(port: int = 0, tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Give a receiver, and stop it at the end."""
    receiver = Receiver(port, tls)
    try:
        yield receiver
    finally:
        receiver.close()
