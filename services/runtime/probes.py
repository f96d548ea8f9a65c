"""Asking other processes how they fare, with short time limits."""

from __future__ import annotations

import http.client
import socket
from typing import Any

PROBE_S = 2.0


def ask_http(address: str) -> str | None:
    """Return None when the process at ``address`` is healthy, else what is wrong."""
    try:
        status, body = _get(address, "/healthz")
    except (OSError, http.client.HTTPException) as error:
        return f"does not answer on {address}: {error}"
    return None if status == 200 else body.decode("utf-8", "replace").strip()


def ask_grpc(address: str) -> str | None:
    """Return None when the gRPC server at ``address`` says SERVING, else what is wrong."""
    import grpc
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    with grpc.insecure_channel(address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        try:
            answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=PROBE_S)
        except grpc.RpcError as error:
            return f"does not answer on {address}: {error.code().name}"
    status: str = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
    return None if status == "SERVING" else f"says {status}"


def ask_store(url: str) -> str | None:
    """Return None when the embedded store answers on its unix socket, else what is wrong."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(PROBE_S)
        try:
            probe.connect(url.removeprefix("unix://"))
            probe.sendall(b"PING\r\n")
            said = probe.recv(64)
        except OSError as error:
            return f"does not answer on {url}: {error}"
    return None if said.startswith(b"+PONG") else said.decode("ascii", "replace").strip()


def scrape(address: str) -> str:
    """Return the Prometheus text of an endpoint; raises OSError when it does not answer."""
    try:
        status, body = _get(address, "/metrics")
    except http.client.HTTPException as error:
        raise OSError(str(error)) from error
    if status != 200:
        raise OSError(f"{address}/metrics answered {status}")
    return body.decode()


def port_is_free(host: str, port: int) -> bool:
    """True when a server could bind the port now; port 0 always is."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _get(address: str, path: str) -> tuple[int, bytes]:
    host, _, port = address.rpartition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=PROBE_S)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()
