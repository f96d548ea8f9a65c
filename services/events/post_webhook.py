"""Posting a payload to a URL that somebody else chose: bounded in every way."""

from __future__ import annotations

import asyncio
import contextlib
import email.utils
import ipaddress
import socket
import ssl
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx

from .errors import InvalidOption
from .webhook_url import check_url, is_public

TRY_S = 10.0
"""How long one try may take, from looking up the name to the head of the answer."""
CONNECT_S = 3.0  # to one of several addresses
MOST_ADDRESSES = 3
MOST_READ = 4_096
"""Bytes of an answer's body that are read, and dropped, to keep the connection for the next."""
DROP_S = 0.5
LONGEST_ERROR = 200
LONGEST_PAUSE_MS = 3_600_000
LOOKUPS = 8  # names that are looked up at once; the system's resolver takes a thread for each
_ASKS_TO_WAIT = (429, 503)
_GONE = 410


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a try went: ``error`` is empty if the receiver has it."""

    error: str = ""
    gone: bool = False  # the receiver wants nothing any more
    pause_ms: int = 0  # it asked to be left alone for so long


class Poster:
    """Posts to webhooks; one per event loop. Environment variables name no proxy."""

    def __init__(self, *, allow_private: bool, trust: ssl.SSLContext | None = None) -> None:
        """``trust`` says which certificates are good; by default those of the public web.

        ``SSL_CERT_FILE`` in the environment names others.
        """
        self._allow_private = allow_private
        self._trust = trust or httpx.create_ssl_context()
        self._lookups = ThreadPoolExecutor(LOOKUPS, thread_name_prefix="lookup")

    def close(self) -> None:
        """Let go of the threads, without waiting for a resolver that hangs."""
        self._lookups.shutdown(wait=False, cancel_futures=True)

    @asynccontextmanager
    async def to(self, text: str) -> AsyncIterator[Line]:
        """Give a line to a URL, on one connection for as long as it lasts.

        A line is never shared: another name at the same address has a certificate of its own.
        """
        async with httpx.AsyncClient(
            verify=self._trust,
            trust_env=False,
            follow_redirects=False,
            timeout=httpx.Timeout(TRY_S, connect=CONNECT_S),
            limits=httpx.Limits(max_connections=1),
        ) as client:
            yield Line(self, client, text)

    async def targets(self, text: str) -> tuple[list[httpx.URL], str]:
        """Return a URL with each address in place of its host, the best first, and that host.

        Raises InvalidOption, or OSError when there is no such name.
        """
        url = check_url(text, allow_private=self._allow_private)
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._lookups, _look_up, url.host)
        good = [
            url.copy_with(host=address)
            for address in found
            if self._allow_private or is_public(ipaddress.ip_address(address))
        ]
        if not good:
            raise InvalidOption("url", f"{url.host} has no public address")
        return good[:MOST_ADDRESSES], url.host


class Line:
    """The way to one URL."""

    def __init__(self, poster: Poster, client: httpx.AsyncClient, url: str) -> None:
        self._poster = poster
        self._client = client
        self._url = url
        self._targets: list[httpx.URL] = []
        self._host = ""

    async def post(self, body: bytes, headers: Mapping[str, str]) -> Outcome:
        """Post a body and return how it went; nothing that a receiver does raises."""
        try:
            async with asyncio.timeout(TRY_S):
                return await self._post(body, headers)
        except (TimeoutError, httpx.TimeoutException):
            error = f"no answer within {TRY_S:.0f} s"
        except InvalidOption as refused:
            error = refused.reason
        except (httpx.HTTPError, httpx.InvalidURL, OSError, UnicodeError) as failed:
            error = f"cannot be reached: {failed or type(failed).__name__}"
        self._targets = []  # the name may lead elsewhere the next time
        return Outcome(error[:LONGEST_ERROR])

    async def _post(self, body: bytes, headers: Mapping[str, str]) -> Outcome:
        if not self._targets:
            self._targets, self._host = await self._poster.targets(self._url)
        while True:
            try:
                return await self._post_to(self._targets[0], body, headers)
            except (httpx.ConnectError, httpx.ConnectTimeout):  # so nothing was sent
                if len(self._targets) == 1:
                    raise
                del self._targets[0]

    async def _post_to(self, url: httpx.URL, body: bytes, headers: Mapping[str, str]) -> Outcome:
        own_host = url.copy_with(host=self._host).netloc.decode()
        async with self._client.stream(
            "POST",
            url,
            content=body,
            headers={**headers, "host": own_host},
            extensions={"sni_hostname": self._host},  # whose certificate it has to be
        ) as response:
            await _drop(response)
            return _outcome(response)


async def _drop(response: httpx.Response) -> None:
    """Read what little there is, else the connection is closed; the head has said it all."""
    with contextlib.suppress(TimeoutError, httpx.HTTPError):
        async with asyncio.timeout(DROP_S):
            read = 0
            async for piece in response.aiter_raw():
                read += len(piece)
                if read > MOST_READ:
                    return


def _outcome(response: httpx.Response) -> Outcome:
    status = response.status_code
    if 200 <= status < 300:
        return Outcome()
    what = "redirects, which is not followed," if 300 <= status < 400 else "answers"
    pause_ms = _pause_ms(response) if status in _ASKS_TO_WAIT else 0
    return Outcome(f"{what} with status {status}", gone=status == _GONE, pause_ms=pause_ms)


def _pause_ms(response: httpx.Response) -> int:
    """Return for how long the receiver asked to be left alone, within bounds; 0 if it did not."""
    text = response.headers.get("retry-after", "")
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return min(int(text) * 1000, LONGEST_PAUSE_MS)
    until = email.utils.parsedate_tz(text)
    answered = email.utils.parsedate_tz(response.headers.get("date", ""))
    if until is None or answered is None:
        return 0
    pause_ms = (email.utils.mktime_tz(until) - email.utils.mktime_tz(answered)) * 1000
    return max(0, min(pause_ms, LONGEST_PAUSE_MS))


def _look_up(host: str) -> list[str]:
    """Return the addresses of a host."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]
