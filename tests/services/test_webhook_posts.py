"""Posting to a URL that somebody else chose: where it may lead, and what it may cost."""

from __future__ import annotations

import ssl
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from services.events import post_webhook
from services.events.errors import InvalidOption
from services.events.post_webhook import Outcome, Poster
from services.events.webhook_url import check_url

from .receiver import Receiver, Reply, receiving
from .test_rpc_tls import openssl


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


@pytest.fixture
async def poster() -> AsyncIterator[Poster]:
    one = Poster(allow_private=True)
    yield one
    one.close()


async def post(poster: Poster, url: str, times: int = 1) -> Outcome:
    async with poster.to(url) as line:
        for _ in range(times):
            outcome = await line.post(b"{}", {"webhook-id": "1"})
    return outcome


REFUSED = [
    "http://example.com/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://10.1.2.3/",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::ffff:192.168.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b:1::a00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[fec0::1]/",
    "https://0.0.0.0/",
    "https://100.64.0.1/",
    "https://192.0.0.8/",
    "https://224.0.0.1/",
    "https://localhost/",
    "https://api.localhost./",
    "https://user:word@example.com/",
    "https://example.com/#part",
    "https://example.com:0/",
    "https://example.com:65536/",
    "https:///path",
    "ftp://example.com/",
    "file:///etc/passwd",
    "example.com",
    "https://exam ple.com/",
    "https://example.com/\n",
    "https://exämple.com/",
    "https://example.com/" + "a" * 2_000,
    "",
]


@pytest.mark.parametrize("url", REFUSED)
def test_a_url_that_could_lead_inwards_is_refused(url: str) -> None:
    with pytest.raises(InvalidOption) as refused:
        check_url(url, allow_private=False)
    assert refused.value.option == "url"


@pytest.mark.parametrize(
    "url", ["https://example.com/a?b=c", "https://9.9.9.9:8443/", "https://[2620:fe::fe]/"]
)
def test_a_public_url_will_do(url: str) -> None:
    assert str(check_url(url, allow_private=False)) == url


@pytest.mark.parametrize("host", ["0x7f.1", "2130706433", "0177.0.0.1", "localhost.localdomain"])
async def test_a_name_that_leads_inwards_is_found_out_before_anything_connects(
    host: str, receiver: Receiver
) -> None:
    poster = Poster(allow_private=False)
    outcome = await post(poster, f"https://{host}:{receiver.port}/")
    assert outcome.error
    assert not receiver.got
    poster.close()


async def test_the_connection_goes_to_the_address_that_was_looked_at(
    receiver: Receiver, poster: Poster, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up = []

    def look_up(host: str) -> list[str]:
        looked_up.append(host)
        return ["127.0.0.1"]

    monkeypatch.setattr(post_webhook, "_look_up", look_up)
    url = f"http://hook.example:{receiver.port}/x?y=1"
    assert not (await post(poster, url, times=3)).error
    assert looked_up == ["hook.example"]
    assert {got.headers["host"] for got in receiver.got} == {f"hook.example:{receiver.port}"}
    monkeypatch.setattr(post_webhook, "_look_up", lambda host: ["127.0.0.1", "10.0.0.1"])
    inwards = Poster(allow_private=False)
    refused = await post(inwards, f"https://hook.example:{receiver.port}/")
    assert refused.error == "hook.example has no public address"
    inwards.close()


async def test_an_address_that_does_not_answer_is_passed_over(
    receiver: Receiver, poster: Poster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(post_webhook, "_look_up", lambda host: ["127.0.0.9", "::1", "127.0.0.1"])
    assert not (await post(poster, f"http://hook.example:{receiver.port}/", times=2)).error
    assert len(receiver.got) == 2


async def test_a_certificate_must_be_that_of_the_name_and_not_of_the_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    openssl(
        *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
        *("-keyout", str(key), "-out", str(certificate), "-days", "2", "-subj", "/CN=hook"),
        *("-addext", "subjectAltName=DNS:hook.example"),
    )
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    trust = ssl.create_default_context(cafile=str(certificate))
    monkeypatch.setattr(post_webhook, "_look_up", lambda host: ["127.0.0.1"])
    poster = Poster(allow_private=True, trust=trust)
    with receiving(tls=tls) as receiver:
        assert not (await post(poster, f"https://hook.example:{receiver.port}/", times=2)).error
        for other in ("other.example", "127.0.0.1"):
            outcome = await post(poster, f"https://{other}:{receiver.port}/")
            assert "certificate verify failed" in outcome.error
    assert len(receiver.got) == 2
    poster.close()


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_a_redirect_is_not_followed(receiver: Receiver, poster: Poster, status: int) -> None:
    elsewhere = f"http://127.0.0.1:{receiver.port}/elsewhere"
    receiver.replies = [Reply(status, (("location", elsewhere),))]
    outcome = await post(poster, receiver.url)
    assert outcome.error == f"redirects, which is not followed, with status {status}"
    assert len(receiver.got) == 1


async def test_a_proxy_of_the_environment_is_not_used(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    poster = Poster(allow_private=True)
    assert not (await post(poster, receiver.url)).error
    poster.close()


async def test_a_receiver_that_does_not_answer_costs_no_more_than_a_try_may_take(
    receiver: Receiver, poster: Poster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(post_webhook, "TRY_S", 0.2)
    receiver.replies = [Reply(late_s=1.0)]
    started = time.monotonic()
    outcome = await post(poster, receiver.url)
    assert outcome.error.startswith("no answer within")
    assert time.monotonic() - started < 0.8


async def test_an_answer_without_end_is_not_read_and_counts(
    receiver: Receiver, poster: Poster
) -> None:
    receiver.replies = [Reply(drip_s=0.05), Reply(body=b"x" * 10**6)]
    started = time.monotonic()
    assert not (await post(poster, receiver.url)).error
    assert not (await post(poster, receiver.url)).error
    assert time.monotonic() - started < 2.0


async def test_nobody_there_is_a_failure_in_words(poster: Poster) -> None:
    with receiving() as receiver:
        url = receiver.url
    assert "cannot be reached" in (await post(poster, url)).error
    assert "cannot be reached" in (await post(poster, "http://no-such-name.invalid/")).error
