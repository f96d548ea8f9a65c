"""Options of formats: what a host can choose, by name, as text; one row each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .errors import InvalidFormat

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose: a whole number from a range, or one of some words."""

    name: str
    default: str
    text: str  # what it decides, for people
    numbers: tuple[int, int] | None = None  # the least and the most
    choices: tuple[str, ...] = ()

    def allowed(self) -> str:
        """Return what may be given, in words."""
        if self.numbers is not None:
            return f"a whole number from {self.numbers[0]} to {self.numbers[1]}"
        return " or ".join(self.choices)

    def checked(self, value: str) -> str:
        """Return the value in its one form, or raise InvalidFormat."""
        if self.numbers is None:
            if value in self.choices:
                return value
        elif value.isascii() and value.isdigit() and len(value) < 10:
            low, high = self.numbers
            if low <= int(value) <= high:
                return str(int(value))
        raise InvalidFormat(self.name, f"give {self.allowed()}, not {value[:40]!r}")


def flag(name: str, default: str, text: str) -> Option:
    """Return an option that is yes or no."""
    return Option(name, default, text, choices=(YES, NO))


def settled(options: Sequence[Option], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the value of every option, chosen or by default; raises InvalidFormat."""
    known = {option.name: option for option in options}
    for name in sorted(chosen):
        if name not in known:
            raise InvalidFormat(name, f"there is no such option; there are: {', '.join(known)}")
    return {
        name: option.checked(chosen[name]) if name in chosen else option.default
        for name, option in known.items()
    }
