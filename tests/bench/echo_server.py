"""A gRPC server that does nothing: what a call of some sizes costs at the least.

``python -m tests.bench.echo_server ADDRESS BYTES`` answers every call with so many bytes.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import grpc
import uvloop

METHOD = "/bench.Echo/Call"


class _Echo(grpc.GenericRpcHandler):
    def __init__(self, size: int) -> None:
        answer = bytes(size)

        async def call(request: bytes, context: Any) -> bytes:
            return answer

        self._handler: Any = grpc.unary_unary_rpc_method_handler(call)

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        """Return the one handler there is."""
        return self._handler


async def serve(address: str, size: int) -> None:
    """Answer until killed."""
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((_Echo(size),))
    server.add_insecure_port(address)
    await server.start()
    print("serving", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(serve(sys.argv[1], int(sys.argv[2])))
