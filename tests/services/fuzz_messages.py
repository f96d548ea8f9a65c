"""Requests at random for any RPC, made from its descriptor: sensible, wrong in a field, or garbage.

What a field may sensibly hold is looked up by its name in a vocabulary; a field of a name that is
new to it gets anything. So an RPC that is added is called like every other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message

Vocabulary = Mapping[str, Sequence[Any]]

TEXTS = (
    *(
        "",
        " ",
        "x",
        "\0",
        "a\0b",
        "\n",
        "\x7f",
        "\u200b",
        "\u202e",
        "\ufffe",
        "\U0010ffff",
        "é" * 40,
    ),
    *("../..", "{1}:a:b", "ra:{1}:table:x:record", "*", "%s%n", "{0}", "é" * 40, "a" * 5000),
    *("-1", "0", "99999999999999999999", "1e9", "on", "nil", "KS1", "random", "admin"),
)
BYTES = (b"", b"\xff\xff\xff", b"\x0a\xff\xff\xff\xff\x0f", b"\xfa\x07\x01x", b"\x08", b"\x0b\x0b")
"""No request, none that ends, one longer than it is, an unknown field, a cut one, open groups."""
SURROGATE = b"\xed\xa0\x80"
"""Half of a pair, which no text may hold."""
INTEGERS = (0, 1, 2, 3, 4, 7, 8, 255, 256, 1000, 2**31 - 1)
_LIMITS = {
    FieldDescriptor.CPPTYPE_UINT64: (2**53, 2**53 + 1, 2**63, 2**64 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-1, -(2**63), 2**63 - 1, 315_576_000_000, 315_576_000_001),
    FieldDescriptor.CPPTYPE_UINT32: (2**31, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT32: (-1, -(2**31), 999_999_999, 1_000_000_000),
    FieldDescriptor.CPPTYPE_ENUM: (99, -1, 2**31 - 1, -(2**31)),
}
DEEPEST = 5


def methods() -> list[MethodDescriptor]:
    """Return every RPC that the package's descriptors have, whether or not it is served."""
    pool = descriptor_pool.Default()
    found: list[MethodDescriptor] = []
    for name in _api_files():
        for service in pool.FindFileByName(name).services_by_name.values():
            found += service.methods
    return found


def path_of(method: MethodDescriptor) -> str:
    """Return the name by which a method is called."""
    return f"/{method.containing_service.full_name}/{method.name}"


def _api_files() -> Iterator[str]:
    package = import_module("rummy_arena.api.v1")
    for module in iter_modules(package.__path__):
        if module.name.endswith("_pb2"):
            yield import_module(f"{package.__name__}.{module.name}").DESCRIPTOR.name


@dataclass(frozen=True)
class Maker:
    """Makes the fields of one request; each is wrong with a chance of ``wrong``."""

    dice: random.Random
    words: Vocabulary
    wrong: float

    def message(self, kind: Descriptor, depth: int = 0) -> Message:
        """Return a message of a type."""
        made: Message = message_factory.GetMessageClass(kind)()
        if kind.full_name == "google.protobuf.Duration" and not self._errs():
            made.seconds = self.dice.choice((1, 5, 60, 3600))  # type: ignore[attr-defined]
            return made
        chosen = {oneof.name: self.dice.choice(oneof.fields) for oneof in kind.oneofs}
        for field in kind.fields:
            oneof = field.containing_oneof
            if oneof is not None and chosen[oneof.name] is not field and not self._errs():
                continue
            if depth < DEEPEST and self.dice.random() > self._left_out(field):
                self._fill(made, field, depth)
        return made

    def _errs(self) -> bool:
        return self.dice.random() < self.wrong

    def _left_out(self, field: FieldDescriptor) -> float:
        if self._errs():
            return 0.5
        oneof = field.containing_oneof
        return 0.5 if oneof is not None and len(oneof.fields) == 1 else 0.1  # alone: optional

    def _fill(self, made: Message, field: FieldDescriptor, depth: int) -> None:
        kind = field.message_type
        if kind is not None and kind.GetOptions().map_entry:
            key, value = kind.fields_by_name["key"], kind.fields_by_name["value"]
            for _ in range(self._how_many(wrong=(0, 3, 65, 1000), usual=(0, 0, 1))):
                getattr(made, field.name)[self._value(key, 0)] = self._value(value, 0)
        elif field.is_repeated and kind is not None:
            for _ in range(self._how_many(wrong=(0, 17, 60), usual=(1, 3))):
                getattr(made, field.name).append(self.message(kind, depth + 1))
        elif field.is_repeated:
            for _ in range(self._how_many(wrong=(0, 9, 101, 3000), usual=(1, 3))):
                getattr(made, field.name).append(self._value(field, depth))
        elif kind is not None:
            getattr(made, field.name).CopyFrom(self.message(kind, depth + 1))
        else:
            setattr(made, field.name, self._value(field, depth))

    def _how_many(self, *, wrong: Sequence[int], usual: Sequence[int]) -> int:
        return self.dice.choice(wrong if self._errs() else usual)

    def _value(self, field: FieldDescriptor, depth: int) -> Any:
        dice, known = self.dice, self.words.get(field.name)
        kind = field.cpp_type
        if known and not self._errs():
            return dice.choice(known)
        if kind == FieldDescriptor.CPPTYPE_STRING:
            others = dice.choice([*self.words.values()])  # of another field
            return dice.choice((*TEXTS, *map(str, others)))
        if kind == FieldDescriptor.CPPTYPE_BOOL:
            return dice.random() < (0.5 if known is None else 0.1)
        if field.enum_type is not None and not self._errs():
            return dice.choice(field.enum_type.values).number
        return dice.choice((*INTEGERS, *_LIMITS.get(kind, ())))


def request(method: MethodDescriptor, dice: random.Random, words: Vocabulary) -> bytes:
    """Return the bytes of one request for a method."""
    wrong = dice.choice((0.0, 0.0, 0.0, 0.05, 0.1, 0.2, 0.6))
    data = Maker(dice, words, wrong).message(method.input_type).SerializeToString()
    return dice.choice((*[_as_it_is] * 24, *DAMAGES))(data, dice)


def _as_it_is(data: bytes, dice: random.Random) -> bytes:
    return data


def _cut(data: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data) + 1)]


def _bits_flipped(data: bytes, dice: random.Random) -> bytes:
    changed = bytearray(data or b"\0")
    for _ in range(dice.randint(1, 8)):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def _noise(data: bytes, dice: random.Random) -> bytes:
    return dice.choice((*BYTES, dice.randbytes(dice.choice((1, 10, 100, 4000)))))


def _unknown_field(data: bytes, dice: random.Random) -> bytes:
    return data + dice.choice((b"\xfa\x07\x01x", b"\xf8\x07\x01", b"\xfb\x07\xfc\x07"))


def _half_a_pair(data: bytes, dice: random.Random) -> bytes:
    return data + bytes([dice.randint(1, 15) << 3 | 2, len(SURROGATE)]) + SURROGATE


def _deep(data: bytes, dice: random.Random) -> bytes:
    """Nest a field, or groups, far deeper than any reader goes."""
    if dice.random() < 0.5:
        return data + b"\x0b" * 5000
    inner, tag = b"", bytes([dice.randint(1, 15) << 3 | 2])
    for _ in range(200):
        inner = tag + _varint(len(inner)) + inner
    return data + inner


def _twice(data: bytes, dice: random.Random) -> bytes:
    return data + data


def _varint(number: int) -> bytes:
    done = bytearray()
    while number > 127:
        done.append(number & 127 | 128)
        number >>= 7
    return bytes([*done, number])


DAMAGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(_cut, _bits_flipped, _noise, _unknown_field, _half_a_pair, _deep, _twice),
)
