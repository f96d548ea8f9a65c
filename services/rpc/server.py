"""The gRPC server: every service, what stands around each call, health and reflection."""

from __future__ import annotations

import asyncio
import socket
import time

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from rummy_arena.api.v1 import (
    director_service_pb2,
    director_service_pb2_grpc,
    ladder_service_pb2,
    ladder_service_pb2_grpc,
    player_service_pb2,
    player_service_pb2_grpc,
    rule_service_pb2,
    rule_service_pb2_grpc,
    table_service_pb2,
    table_service_pb2_grpc,
    tournament_service_pb2,
    tournament_service_pb2_grpc,
    webhook_service_pb2,
    webhook_service_pb2_grpc,
)
from services.state.context import Context

from .arrivals import Stamped
from .bearers import Bearers
from .director_service import DirectorService
from .draining import Gate, leave
from .interceptors import Authenticated, Guarded, Metered
from .ladder_service import LadderService
from .limits import Limits, Rates
from .player_service import PlayerService
from .ready_bytes import ReadyBytes
from .rule_service import RuleService
from .table_service import TableService
from .tls import ServerTls
from .tournament_service import TournamentService
from .unfinished import Unfinished
from .webhook_service import WebhookService

SERVICES = tuple(
    module.DESCRIPTOR.services_by_name[name].full_name
    for module, name in (
        (rule_service_pb2, "RuleService"),
        (player_service_pb2, "PlayerService"),
        (table_service_pb2, "TableService"),
        (tournament_service_pb2, "TournamentService"),
        (director_service_pb2, "DirectorService"),
        (ladder_service_pb2, "LadderService"),
        (webhook_service_pb2, "WebhookService"),
    )
)
"""The full names of the services that this server has."""

LARGEST_REQUEST = 256 * 1024
LARGEST_RESPONSE = 8 * 1024 * 1024
MOST_AT_ONCE = 2_000
"""Calls of one connection that are not over, streams included; more wait in their client.

An answer that its caller does not read takes 27 KiB here, so that somebody who sends requests and
reads nothing holds 54 MiB with each connection, and not all memory that there is.
"""
OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.max_receive_message_length", LARGEST_REQUEST),
    ("grpc.max_send_message_length", LARGEST_RESPONSE),
    ("grpc.max_metadata_size", 16 * 1024),
    ("grpc.max_concurrent_streams", MOST_AT_ONCE),
    # A client may ping every 10 s, streams or not; the SDK does every 30 s.
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
    # A watcher that vanished is noticed within 80 s.
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
)


COMMITS_S = 2.0


class PortTaken(Exception):
    """The server cannot listen at this address."""

    def __init__(self, address: str) -> None:
        super().__init__(
            f"cannot listen on {address}: is it in use already? choose another with "
            "RUMMY_ARENA_API_PORT"
        )
        self.address = address


class ArenaServer:
    """One API server process; make it inside the running loop."""

    def __init__(
        self,
        ctx: Context,
        *,
        share_port: bool = False,
        rates: Rates = Rates(),  # noqa: B008  is a constant
        tls: ServerTls | None = None,
    ) -> None:
        """``share_port`` lets other processes listen on the same port, and this one on theirs.

        Callers are bounded by ``rates``. Without ``tls`` everything goes over the wire as it is.
        """
        self._tls = tls
        self._stopping = asyncio.Event()
        self._unfinished = Unfinished()
        self._gate = Gate()
        self._health = health.aio.HealthServicer()
        self._bearers = Bearers(ctx)
        self._server = grpc.aio.server(
            interceptors=(
                Stamped(ctx),
                Metered(ctx, time.perf_counter),
                Guarded(ctx),
                self._gate,
                Authenticated(self._bearers, Limits(rates)),
                ReadyBytes(),
            ),
            # Unless they mean to, two servers must not silently share a port.
            options=(*OPTIONS, ("grpc.so_reuseport", int(share_port))),
        )
        self._add_services(ctx)

    def _add_services(self, ctx: Context) -> None:
        server = self._server
        rule_service_pb2_grpc.add_RuleServiceServicer_to_server(RuleService(), server)
        player_service_pb2_grpc.add_PlayerServiceServicer_to_server(
            PlayerService(ctx, self._unfinished, self._bearers), server
        )
        table_service_pb2_grpc.add_TableServiceServicer_to_server(
            TableService(ctx, self._unfinished, self._stopping), server
        )
        director_service_pb2_grpc.add_DirectorServiceServicer_to_server(
            DirectorService(ctx, self._unfinished), server
        )
        tournament_service_pb2_grpc.add_TournamentServiceServicer_to_server(
            TournamentService(ctx, self._unfinished, self._stopping), server
        )
        webhook_service_pb2_grpc.add_WebhookServiceServicer_to_server(
            WebhookService(ctx, self._unfinished), server
        )
        ladder_service_pb2_grpc.add_LadderServiceServicer_to_server(
            LadderService(ctx, self._unfinished), server
        )
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        reflection.enable_server_reflection(
            (*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME), server
        )

    async def start(self, address: str) -> str:
        """Listen at ``host:port`` (port 0 takes a free one) or ``unix:/path``; return the address.

        Raises PortTaken or TlsError. Health says NOT_SERVING until ``set_serving``.
        """
        await self.set_serving(serving=False)
        if _answers(address):
            raise PortTaken(address)
        credentials = None if self._tls is None else self._tls.credentials()
        try:
            if credentials is None:
                port = self._server.add_insecure_port(address)
            else:
                port = self._server.add_secure_port(address, credentials)
        except RuntimeError:
            raise PortTaken(address) from None
        await self._server.start()
        if address.startswith("unix:"):
            return address
        return f"{address.rpartition(':')[0]}:{port}"

    async def set_serving(self, *, serving: bool) -> None:
        """Say in the health service, for the server and each service, whether calls are welcome."""
        status = health_pb2.HealthCheckResponse.ServingStatus.NOT_SERVING
        if serving:
            status = health_pb2.HealthCheckResponse.ServingStatus.SERVING
        for name in ("", *SERVICES):
            await self._health.set(name, status)

    async def stop(self, grace_s: float) -> None:
        """Drain: finish calls within ``grace_s`` seconds and tell streams to move.

        Commits that were begun are read to their end, for ``COMMITS_S`` more at most.
        """
        await self._health.enter_graceful_shutdown()
        await leave(self._server, self._gate, self._stopping, grace_s=grace_s)
        await self._unfinished.drained(COMMITS_S)
        await self._bearers.close()


def _answers(address: str) -> bool:
    """Return whether somebody listens at a unix socket.

    gRPC would take the path over, and the other would remove it when it stops: then nobody could
    connect any more, though a server listens.
    """
    if not address.startswith("unix:"):
        return False
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(address.removeprefix("unix:").removeprefix("//"))
        except OSError:
            return False
    return True
