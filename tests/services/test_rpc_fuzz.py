"""Whatever arrives, the answer is typed: never INTERNAL, never UNKNOWN."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.rpc import (  # type: ignore[import-untyped]  # has stubs but does not publish them
    error_details_pb2,
    status_pb2,
)

from services.rpc.server import SERVICES

from .conftest import ADMIN_TOKEN, Api

NEVER = {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.UNIMPLEMENTED}
METADATA = (("authorization", f"Bearer {ADMIN_TOKEN}"),)
STRINGS = ("", " ", "x", "\0", "{1}:a:b", "../..", "é" * 40, "a" * 5000, "*", "KS1", "random")
INTEGERS = (0, 1, 2, 4, 1000, 2**31 - 1)


def methods() -> list[MethodDescriptor]:
    pool = descriptor_pool.Default()
    return [method for name in SERVICES for method in pool.FindServiceByName(name).methods]


def name_of(method: MethodDescriptor) -> str:
    return f"/{method.containing_service.full_name}/{method.name}"


def integer(field: Any, dice: random.Random) -> int:
    extreme = {
        FieldDescriptor.CPPTYPE_UINT64: 2**64 - 1,
        FieldDescriptor.CPPTYPE_INT64: -(2**63),
        FieldDescriptor.CPPTYPE_UINT32: 2**32 - 1,
        FieldDescriptor.CPPTYPE_INT32: -(2**31),
    }
    return dice.choice((*INTEGERS, extreme.get(field.cpp_type, 99)))


def value(field: Any, dice: random.Random, depth: int) -> Any:
    if field.message_type is not None:
        return garbage(message_factory.GetMessageClass(field.message_type), dice, depth + 1)
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return dice.choice(STRINGS)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return dice.random() < 0.5
    return integer(field, dice)


def garbage(kind: type[Message], dice: random.Random, depth: int = 0) -> Message:
    """Return a message of a type with fields set at random, many of them out of range."""
    message = kind()
    for field in kind.DESCRIPTOR.fields:
        if depth > 4 or dice.random() < 0.3:
            continue
        entry = field.message_type
        if entry is not None and entry.GetOptions().map_entry:
            pairs = [value(part, dice, depth) for part in [*entry.fields] * dice.choice((0, 1, 3))]
            getattr(message, field.name).update(zip(pairs[::2], pairs[1::2], strict=True))
        elif field.is_repeated:
            values = [value(field, dice, depth) for _ in range(dice.choice((0, 1, 3, 40)))]
            getattr(message, field.name).extend(values)
        elif field.message_type is not None:
            getattr(message, field.name).MergeFrom(value(field, dice, depth))
        else:
            setattr(message, field.name, value(field, dice, depth))
    return message


def requests(method: MethodDescriptor) -> Iterator[bytes]:
    """Yield an empty request, bytes that are none, unknown fields, and garbage."""
    dice = random.Random(method.full_name)
    kind = message_factory.GetMessageClass(method.input_type)
    yield b""
    yield b"\xff\xff\xff"
    yield b"\x0a\xff\xff\xff\xff\x0f"
    yield b"\xfa\x07\x01x"  # field 127, known to nobody
    for _ in range(60):
        yield garbage(kind, dice).SerializeToString()


async def status(channel: grpc.aio.Channel, method: MethodDescriptor, request: bytes) -> Any:
    """Return the error of a call, or None if it was answered."""
    make: Any = channel.unary_stream if method.server_streaming else channel.unary_unary
    call = make(name_of(method))(request, metadata=METADATA, timeout=10)
    try:
        if method.server_streaming:
            async for _ in call:
                call.cancel()
                return None
        else:
            await call
    except grpc.aio.AioRpcError as error:
        return error
    return None


@pytest.mark.parametrize("method", methods(), ids=lambda method: method.name)
async def test_every_answer_is_typed(api: Api, method: MethodDescriptor) -> None:
    refused = 0
    async with grpc.aio.insecure_channel(api.address) as channel:
        for request in requests(method):
            error = await status(channel, method, request)
            if error is None:
                continue
            refused += 1
            assert error.code() not in NEVER, (request, error.details())
            reason = reason_of(error)
            assert reason.isupper(), (request, error)
    assert refused >= 3


def reason_of(error: grpc.aio.AioRpcError) -> str:
    told = status_pb2.Status()
    info = error_details_pb2.ErrorInfo()
    for key, detail in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(detail, bytes):
            told.ParseFromString(detail)
            told.details[0].Unpack(info)
    assert told.code == error.code().value[0]
    assert told.message == error.details()
    return str(info.reason)


@pytest.mark.parametrize("method", methods(), ids=lambda method: method.name)
async def test_without_a_token_only_open_calls_are_answered(
    api: Api, method: MethodDescriptor
) -> None:
    async with grpc.aio.insecure_channel(api.address) as channel:
        make: Any = channel.unary_stream if method.server_streaming else channel.unary_unary
        call = make(name_of(method))(b"", timeout=10)
        try:
            code = await call.code()
        except grpc.aio.AioRpcError as error:
            code = error.code()
    if method.containing_service.name == "RuleService":
        assert code in (grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT)
    else:
        assert code is grpc.StatusCode.UNAUTHENTICATED


def test_mutating_requests_carry_a_request_id() -> None:
    reads = ("Get", "List", "Watch", "Export")
    for method in methods():
        has_id = "request_id" in method.input_type.fields_by_name
        assert has_id is not method.name.startswith(reads), method.full_name
