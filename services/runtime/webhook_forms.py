"""What webhooks send, for the workers, who do not know the API's messages."""

from __future__ import annotations

from services.events.deliver_webhook import Forms
from services.events.tournament import TOURNAMENTS
from services.rpc.webhook_payload import ping_payload, tournament_payload

FORMS = Forms(logs={TOURNAMENTS: tournament_payload}, ping=ping_payload)
"""By the aggregate whose log is sent."""
