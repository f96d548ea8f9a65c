"""Where webhooks may go: by default only by https and to public addresses.

A host chooses the URL, the arena's workers connect to it, and they stand in a network where other
things trust them. So a name is resolved once, every address is looked at, and the connection goes
to an address that was looked at, never to what the name means a moment later.
"""

from __future__ import annotations

import ipaddress

import httpx

from .errors import InvalidOption

LONGEST = 2_000
TRIAL = "; for a trial the operator may set RUMMY_ARENA_WEBHOOK_ALLOW_PRIVATE=1"
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # RFC 6052: an IPv4 address in its last 32 bits
_PROTOCOLS = ipaddress.ip_network("192.0.0.0/24")  # RFC 6890; Python 3.11.7 takes most for public


def check_url(text: str, *, allow_private: bool) -> httpx.URL:
    """Return the URL, or raise InvalidOption, which says what would do.

    What its name resolves to is looked at when something is sent.
    """
    if not 1 <= len(text) <= LONGEST or not text.isascii() or not text.isprintable():
        raise InvalidOption("url", f"give a URL of at most {LONGEST} ASCII characters")
    try:
        url = httpx.URL(text)
        host = url.host
    except (httpx.InvalidURL, ValueError) as error:
        raise InvalidOption("url", f"this is no URL: {error}") from None
    trial = TRIAL if url.scheme in ("http", "https") else ""
    if url.scheme != "https" and not (allow_private and url.scheme == "http"):
        raise InvalidOption("url", f"give a URL that begins with https://{trial}")
    if not host or url.userinfo or url.fragment or " " in text:
        raise InvalidOption("url", "give a host, and no user name, password or fragment")
    if url.port is not None and not 1 <= url.port <= 65_535:
        raise InvalidOption("url", "give a port from 1 to 65535, or none")
    if not allow_private and f".{host.rstrip('.')}".endswith(".localhost"):
        raise InvalidOption("url", f"give a host that the public network knows{TRIAL}")
    literal = _address(host)
    if literal is not None and not allow_private and not is_public(literal):
        raise InvalidOption("url", f"{literal} is no public address; give one that is{TRIAL}")
    return url


def is_public(address: Address) -> bool:
    """Return whether an address is a public one; one with another inside is what that other is.

    >>> is_public(ipaddress.ip_address("9.9.9.9"))
    True
    >>> is_public(ipaddress.ip_address("64:ff9b::a00:1"))  # 10.0.0.1, through a translator
    False
    """
    if isinstance(address, ipaddress.IPv6Address):
        inside = _inside(address)
        if inside is not None:
            return is_public(inside)
        if address.is_site_local:
            return False
    if address.is_multicast or address.is_reserved or address in _PROTOCOLS:
        return False
    return address.is_global


def _inside(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address to which a gateway, or the system itself, would lead."""
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour


def _address(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
