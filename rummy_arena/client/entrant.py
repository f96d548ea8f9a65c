"""A bot takes part in a tournament of an arena."""

from __future__ import annotations

from collections.abc import Container, Sequence
from contextlib import aclosing

from rummy_arena.api.v1.tournament_pb2 import (
    TOURNAMENT_STATUS_PAUSED,
    TOURNAMENT_STATUS_RUNNING,
    Round,
)
from rummy_arena.api.v1.tournament_service_pb2 import WatchTournamentResponse
from rummy_arena.bots.bot import Bot

from .arena import Arena
from .caller import Pauses
from .errors import ArenaError
from .seat import NotSeated, Result, TableClosed, patiently, play_seat


async def play_tournament(
    arena: Arena, tournament_id: str, bot: Bot, *, seed: bytes = b""
) -> list[Result]:
    """Enter the token's player unless it is in, and let ``bot`` play its tables until it is out.

    Returns the results of its tables, in order, once the player is out or the tournament has ended.
    A program that was stopped may call this again: it plays on, and returns the tables that were
    not finished then. A table that is called off counts for nothing. Raises what ``play_seat``
    raises else, and ArenaError: WRONG_STATUS, NOT_NOW or TOURNAMENT_FULL where the player cannot
    enter any more, ENTRY_REFUSED where it may not, also where another was given its place.
    """
    entrant = await arena.tournaments.register(tournament_id)
    follower = _Entrant(arena, tournament_id, entrant.number)
    results: list[Result] = []
    while (table_id := await patiently(follower.next_table)) is not None:
        follower.played.add(table_id)
        try:
            results.append(await play_seat(arena, table_id, bot, seed=seed))
        except ArenaError as error:
            if error.reason != "NOT_FOUND":
                raise
            # The tournament was called off before this table opened: its log says so.
        except TableClosed:
            pass  # it is played again, at another table, or the tournament was called off
        except NotSeated:
            # Paired again, at another table; or replaced, and then this is refused.
            await arena.tournaments.register(tournament_id)
    return results


class _Entrant:
    """One entrant's way through the rounds."""

    def __init__(self, arena: Arena, tournament_id: str, number: int) -> None:
        self._tournaments = arena.tournaments
        self._tournament_id = tournament_id
        self._number = number
        self.played: set[str] = set()

    async def next_table(self, pauses: Pauses) -> str | None:
        """Return the next table to play, once it is paired; None when there will be none."""
        updates = self._tournaments.watch(self._tournament_id)
        async with aclosing(updates):  # type: ignore[type-var]  # is a generator
            async for update in updates:
                if not (_paired(update) or self._left_out(update)):
                    continue
                rounds = await self._tournaments.bracket(self._tournament_id)
                pauses.reset()
                if is_out(rounds, self._number):
                    return None
                table_id = open_table(rounds, self._number, self.played)
                if table_id is not None:
                    return table_id
        return None

    def _left_out(self, update: WatchTournamentResponse) -> bool:
        finished = update.event.WhichOneof("event") == "round_finished"
        return finished and self._number not in update.event.round_finished.advancing


_PAIRING = ("round_started", "round_repaired", "table_replayed", "entrant_replaced")
"""Events after which an entrant may sit at another table."""


def _paired(update: WatchTournamentResponse) -> bool:
    """Return whether the bracket may hold a table that it did not hold before this."""
    if update.WhichOneof("update") == "snapshot":
        return update.snapshot.status in (TOURNAMENT_STATUS_RUNNING, TOURNAMENT_STATUS_PAUSED)
    return update.event.WhichOneof("event") in _PAIRING


def is_out(rounds: Sequence[Round], number: int) -> bool:
    """Return whether an entrant plays no further round after these.

    One that no round has seated yet has come late, and is seated in the next one; one that went on
    and is in no table or bye of the next round waits, as some do in the lower of two brackets.
    """
    if not any(_is_in(round_, number) for round_ in rounds):
        return False
    if not rounds[-1].advancing and _is_in(rounds[-1], number):
        return False
    decided = [round_ for round_ in rounds if round_.advancing]
    return bool(decided) and number not in decided[-1].advancing


def _is_in(round_: Round, number: int) -> bool:
    """Return whether an entrant has a table or a bye in a round."""
    return number in round_.byes or any(number in pair.entrants for pair in round_.pairings)


def open_table(rounds: Sequence[Round], number: int, played: Container[str]) -> str | None:
    """Return the table of the last round that an entrant has yet to finish, or None."""
    for pairing in rounds[-1].pairings:
        if number in pairing.entrants:
            done = pairing.HasField("result") or pairing.table_id in played
            return None if done else pairing.table_id
    return None
