"""What is stored of a webhook: where it goes, its secrets, how far it is, and when it tries again.

Aggregate ``webhook`` under the id of what it tells about, so that both lie in one shard.
"""

from __future__ import annotations

from .codec import Codec
from .records import Count, Millis, Record

WEBHOOKS = "webhook"


class WebhookRecord(Record):
    """A webhook; ``kinds`` are those of events that are sent, none for all."""

    source: str  # the aggregate whose log is sent
    url: str
    kinds: list[str]
    secret: str
    delivered: Count  # up to which sequence the receiver has everything
    created_ms: Millis
    created_by: str
    made_by: str  # the request that made it
    made_as: bytes  # its fingerprint
    revision: Count = 1  # raised when what is sent may differ from before under the same numbers
    old_secret: str = ""
    old_secret_end_ms: Millis = 0
    sending: Count = 0  # up to where the payload reaches that is being tried; 0 for none
    claim: str = ""  # of whoever is sending
    claimed_until_ms: Millis = 0
    failed_tries: Count = 0  # in a row
    failing_since_ms: Millis = 0
    next_try_ms: Millis = 0
    last_error: str = ""
    disabled_ms: Millis = 0
    succeeded_ms: Millis = 0
    quiet_looks: Count = 0  # in a row that found nothing to send
    pings: Count = 0  # asked for
    pinged: Count = 0  # ended
    pinged_ms: Millis = 0
    ping_error: str = ""


WEBHOOK = Codec(WebhookRecord)
