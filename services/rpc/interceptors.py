"""What stands around every call: metrics, errors, who is calling."""

from __future__ import annotations

import asyncio
import logging
from abc import abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

from services.events.errors import NotAuthenticated
from services.events.principals import Principal
from services.state.context import Context
from services.state.errors import StoreUnavailable

from .access import COSTS, NEEDS, Need, admit
from .bearers import Bearers
from .errors import incident, status_of, told
from .limits import Limits
from .refusals import Garbled
from .violations import InvalidRequest, Violation

logger = logging.getLogger(__name__)

Continuation = Callable[[grpc.HandlerCallDetails], Awaitable[Any]]
OURS = "/rummy_arena."
_ENDS = (grpc.aio.AbortError, asyncio.CancelledError)
"""How a call ends that was answered with a status, or is not waited for any more."""
_principal: ContextVar[Principal] = ContextVar("principal")


def caller() -> Principal:
    """Return who makes the present call; NotAuthenticated where nobody needed to say."""
    try:
        return _principal.get()
    except LookupError:
        raise NotAuthenticated from None


class Around(grpc.aio.ServerInterceptor):
    """An interceptor of our own calls; what it puts around each method is made once."""

    def __init__(self) -> None:
        self._handlers: dict[str, Any] = {}

    async def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> Any:
        """Return the call's handler, and whatever stands around it; only our own calls."""
        method = handler_call_details.method
        known = self._handlers.get(method)
        if known is not None:
            return known
        handler = await continuation(handler_call_details)
        if handler is None or not method.startswith(OURS):
            return handler
        if handler.request_streaming:  # nothing would stand around it: rather not serve it
            raise TypeError(f"{type(self).__name__} cannot stand around a stream to {method}")
        self._handlers[method] = wrapped = self.wrapped(method, handler)
        return wrapped

    @abstractmethod
    def wrapped(self, method: str, handler: Any) -> Any:
        """Return a handler with this interceptor around it."""


class Before(Around):
    """An interceptor that has its say before a call, whether that returns or streams."""

    def wrapped(self, method: str, handler: Any) -> Any:
        """Return a handler that comes after ``before``."""
        before = self.before
        if handler.response_streaming:
            inner = handler.unary_stream

            async def stream(request: Any, context: Any) -> AsyncIterator[Any]:
                await before(method, context)
                async for response in inner(request, context):
                    yield response

            return handler._replace(unary_stream=stream)
        call = handler.unary_unary

        async def unary(request: Any, context: Any) -> Any:
            await before(method, context)
            return await call(request, context)

        return handler._replace(unary_unary=unary)

    @abstractmethod
    async def before(self, method: str, context: Any) -> None:
        """Look at one call; what it raises is the call's end."""


class Metered(Around):
    """Counts calls by method and code, and how long they took."""

    def __init__(self, ctx: Context, clock: Callable[[], float]) -> None:
        super().__init__()
        self._meters = ctx.meters
        self._clock = clock

    def wrapped(self, method: str, handler: Any) -> Any:
        """Return a handler whose calls are counted."""
        measured = self._measured
        if handler.response_streaming:
            inner = handler.unary_stream

            async def stream(request: Any, context: Any) -> AsyncIterator[Any]:
                with measured(method, context):
                    async for response in inner(request, context):
                        yield response

            return handler._replace(unary_stream=stream)
        call = handler.unary_unary

        async def unary(request: Any, context: Any) -> Any:
            with measured(method, context):
                return await call(request, context)

        return handler._replace(unary_unary=unary)

    @contextmanager
    def _measured(self, method: str, context: Any) -> Iterator[None]:
        started = self._clock()
        self._meters.rpc_started(method)
        code = "CANCELLED"  # whatever leaves without an answer was cancelled from outside
        try:
            yield
            code = "OK"
        except grpc.aio.AbortError:
            code = context.code().name
            raise
        finally:
            self._meters.rpc_handled(method, code, self._clock() - started)


class Guarded(Around):
    """Turns every exception into a typed status, and refuses what is no valid message."""

    def __init__(self, ctx: Context) -> None:
        super().__init__()
        self._new_id = ctx.new_id

    def wrapped(self, method: str, handler: Any) -> Any:
        """Return a guarded handler whose request may be garbled without harm."""
        readable = _safe(handler.request_deserializer)
        if handler.response_streaming:
            inner = handler.unary_stream

            async def stream(request: Any, context: Any) -> AsyncIterator[Any]:
                try:
                    check_request(request)
                    async for response in inner(request, context):
                        yield response
                except _ENDS:
                    raise
                except Exception as error:
                    await self._refuse(method, error, context)

            return handler._replace(request_deserializer=readable, unary_stream=stream)
        call = handler.unary_unary

        async def unary(request: Any, context: Any) -> Any:
            try:
                check_request(request)
                return await call(request, context)
            except _ENDS:
                raise
            except Exception as error:
                await self._refuse(method, error, context)

        return handler._replace(request_deserializer=readable, unary_unary=unary)

    async def _refuse(self, method: str, error: Exception, context: Any) -> None:
        what = told(error)
        if what is None:
            what = incident(self._new_id())
            logger.exception("%s failed: incident %s", method, what.facts["incident"])
        elif isinstance(error, StoreUnavailable):
            logger.error("%s refused: %s", method, error)
        status = status_of(what)
        details = (("grpc-status-details-bin", status.SerializeToString()),)
        await context.abort(what.code, what.message, details)


class Authenticated(Before):
    """Finds out who is calling, from ``authorization: Bearer <token>``, and admits or refuses."""

    def __init__(self, bearers: Bearers, limits: Limits) -> None:
        super().__init__()
        self._bearers = bearers
        self._limits = limits

    def wrapped(self, method: str, handler: Any) -> Any:
        """Return a handler that is served to those who may call; a stream ends with its token."""
        if not handler.response_streaming or NEEDS.get(method) is Need.NOTHING:
            return super().wrapped(method, handler)
        inner = handler.unary_stream

        async def stream(request: Any, context: Any) -> AsyncIterator[Any]:
            principal = await self._admitted(method, context)
            with self._limits.stream(principal), self._bearers.stream(principal) as open_stream:
                async for response in inner(request, context):
                    open_stream.sending()
                    yield response
                    open_stream.sent()

        return handler._replace(unary_stream=stream)

    async def before(self, method: str, context: Any) -> None:
        """Set the caller of one call; raises NotAuthenticated, ScopeMissing or RateLimited."""
        if NEEDS.get(method) is not Need.NOTHING:
            await self._admitted(method, context)
            return
        # Nobody waits for the store to be asked a question that needs no answer.
        known = self._bearers.remembered(bearer_token(context.invocation_metadata()))
        if known is None:
            self._limits.count_stranger(context.peer())
        else:
            self._limits.count(known)

    async def _admitted(self, method: str, context: Any) -> Principal:
        try:
            principal = await self._bearers.principal(bearer_token(context.invocation_metadata()))
        except NotAuthenticated:
            self._limits.count_stranger(context.peer())
            raise
        self._limits.count(principal, COSTS.get(method, 1))
        admit(method, principal)
        _principal.set(principal)
        return principal


def bearer_token(metadata: Any) -> str:
    """Return the token of a call's metadata, or "" if it has none."""
    for key, value in metadata or ():
        if key == "authorization" and isinstance(value, str):
            scheme, _, token = value.partition(" ")
            if scheme.lower() == "bearer":
                return token.strip()
    return ""


def check_request(request: Message | Garbled) -> None:
    """Raise Garbled for what is no message, InvalidRequest for one with unknown fields."""
    if isinstance(request, Garbled):
        raise request
    refuse_unknown_fields(request)


def refuse_unknown_fields(request: Message) -> None:
    """Raise InvalidRequest if the request, or a message within it, has fields we do not know.

    A field that were silently dropped could be the one that the caller relied on.
    """
    whole = request.ByteSize()
    unknown: Any = UnknownFieldSet(request)  # its stub hides that it can be iterated
    numbers = sorted({field.field_number for field in unknown})
    request.DiscardUnknownFields()
    if request.ByteSize() == whole:
        return
    where = ", ".join(map(str, numbers)) or "in a message within it"
    raise InvalidRequest(
        Violation(
            "",
            f"{request.DESCRIPTOR.name} has fields that this server does not know ({where}); "
            "leave them out, or call a newer server",
        )
    )


def _safe(deserialize: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    def safe(data: bytes) -> Any:
        try:
            return deserialize(data)
        except DecodeError:
            return Garbled()

    return safe
