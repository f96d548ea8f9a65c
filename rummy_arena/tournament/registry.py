"""The formats that can be played, by id."""

from __future__ import annotations

from collections.abc import Mapping

from .errors import UnknownFormat
from .event import Format, Terms
from .formats import (
    danish,
    double_elimination,
    duplicate,
    groups,
    knockout,
    lobby,
    round_robin,
    shrinking,
    swiss,
)
from .options import settled
from .stages import Stage
from .tables import TableLimits
from .tiebreaks import chain_of

FORMATS: dict[str, Format] = {
    format_.id: format_
    for format_ in (
        knockout.FORMAT,
        double_elimination.FORMAT,
        round_robin.FORMAT,
        groups.FORMAT,
        swiss.FORMAT,
        danish.FORMAT,
        lobby.FORMAT,
        shrinking.FORMAT,
        duplicate.FORMAT,
    )
}


def get_format(format_id: str) -> Format:
    """Return the format with this id, or raise UnknownFormat."""
    try:
        return FORMATS[format_id]
    except KeyError:
        raise UnknownFormat(format_id, FORMATS) from None


def stage_of(
    format_id: str,
    limits: TableLimits,
    options: Mapping[str, str],
    *,
    take: int = 0,
    chain: tuple[str, ...] = (),
    contracts: int = 0,
    limit: int = 0,
) -> Stage:
    """Return a stage with every option and tie-break settled.

    Raises UnknownFormat and InvalidFormat.

    ``contracts`` and ``limit`` are of the rule set, see ``Terms``.
    """
    format_ = get_format(format_id)
    tie_breaks = tuple(row.id for row in chain_of(chain or format_.chain, format_.ranks))
    terms = Terms(limits, settled(format_.options, options), tie_breaks, contracts, limit)
    return Stage(format_, terms, take)
