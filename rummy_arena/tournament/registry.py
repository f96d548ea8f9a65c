"""The formats that can be played, by id."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from .errors import UnknownFormat
from .formats import knockout
from .rounds import Advancing, PlayedRound, Round, Standing


class Standings(Protocol):
    """Standings after the complete rounds, with the round that is being played beside them."""

    def __call__(
        self,
        config: knockout.KnockoutConfig,
        rounds: Sequence[PlayedRound],
        seed: bytes,
        *,
        pending: Round | None = None,
    ) -> tuple[Standing, ...]:
        """Return everybody's line, the best first."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format: a name to show and the pure functions that run it."""

    id: str
    title: str
    plan: Callable[[knockout.KnockoutConfig, int], tuple[tuple[int, ...], ...]]
    first_round: Callable[[knockout.KnockoutConfig, Sequence[int], bytes], Round]
    next_round: Callable[[knockout.KnockoutConfig, Sequence[PlayedRound], bytes], Round | None]
    advancing: Callable[[knockout.KnockoutConfig, Sequence[PlayedRound], bytes], Advancing]
    standings: Standings


KNOCKOUT = Format(
    id="knockout",
    title="Single elimination",
    plan=knockout.plan,
    first_round=knockout.first_round,
    next_round=knockout.next_round,
    advancing=knockout.advancing,
    standings=knockout.standings,
)

FORMATS: dict[str, Format] = {format_.id: format_ for format_ in (KNOCKOUT,)}


def get_format(format_id: str) -> Format:
    """Return the format with this id, or raise UnknownFormat."""
    try:
        return FORMATS[format_id]
    except KeyError:
        raise UnknownFormat(format_id, FORMATS) from None
