"""Forfeits: who never came, or was taken out, is placed last at its table."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from services.state.records import TableResultRecord


def with_forfeits(result: TableResultRecord, entrants: Collection[int]) -> TableResultRecord:
    """Return the result with these entrants placed last, where they share the place.

    The others move up in the order in which they finished. What was played stays as it was played:
    penalties, deals won and the rest.
    """
    out = {seat.entrant for seat in result.seats if seat.forfeit or seat.entrant in entrants}
    if not out:
        return result
    kept = [seat.place for seat in result.seats if seat.entrant not in out]
    last = len(kept) + 1
    seats = [
        msgspec.structs.replace(seat, place=last, forfeit=True)
        if seat.entrant in out
        else msgspec.structs.replace(seat, place=1 + sum(place < seat.place for place in kept))
        for seat in result.seats
    ]
    return msgspec.structs.replace(result, seats=seats)
