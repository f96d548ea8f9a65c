"""A bot takes its seat at a table of an arena."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeVar

import grpc

from rummy_arena.api.v1.action_pb2 import Action as ActionMessage
from rummy_arena.api.v1.table_pb2 import Table, TableStatus
from rummy_arena.bots.bot import Bot, dice_of
from rummy_arena.game.actions import Action
from rummy_arena.game.view import View

from .arena import Arena
from .caller import Pauses
from .errors import ArenaError
from .views import rules_of, view_of
from .wire import action_message

PATIENCE_S = 60.0
"""How long nothing but trouble is borne with before it reaches the caller."""

MOST_INCIDENTS = 5

_Code = grpc.StatusCode
_PASSING = (
    _Code.UNAVAILABLE,
    _Code.ABORTED,
    _Code.DEADLINE_EXCEEDED,
    _Code.INTERNAL,
    _Code.CANCELLED,  # by a server that stops; whoever cancels here gets CancelledError
)
_STOPPED = ("WRONG_STATUS", "NOT_STARTED")
"""Reasons for which an action is refused while the table is paused, or was just closed."""
_REFUSED = (_Code.FAILED_PRECONDITION, _Code.INVALID_ARGUMENT)

T = TypeVar("T")


class BotError(Exception):
    """A bot did not choose what can be played; the table goes on, and its clock runs.

    ``bot`` is its name, ``view`` what it was asked about, and ``sequence`` the last event that the
    view includes: with the seed of ``play_seat`` they make the decision again.
    """

    def __init__(self, bot: str, table_id: str, sequence: int, view: View, problem: str) -> None:
        super().__init__(bot, table_id, sequence, problem)
        self.bot = bot
        self.table_id = table_id
        self.sequence = sequence
        self.view = view
        self.problem = problem

    def __str__(self) -> str:
        view = self.view
        kinds = ", ".join(kind.name for kind in view.kinds)
        return (
            f"the bot {self.bot} {self.problem}, at seat {view.seat} of table {self.table_id} "
            f"after event {self.sequence}: deal {view.number}, turn {view.turn_number}, "
            f"asked for one of {kinds}"
        )


class BotFailed(BotError):
    """The bot raised; its own exception is the ``__cause__``."""


class IllegalChoice(BotError):
    """The bot chose what is no action or what the rules forbid; the ``__cause__`` says why."""


class NotSeated(Exception):
    """The player of the token has no seat at the table."""

    def __init__(self, table_id: str) -> None:
        super().__init__(
            f"the player of this token has no seat at table {table_id}: connect with the token of "
            "a player who sits there"
        )
        self.table_id = table_id


class TableClosed(Exception):
    """The table was called off and has no result; ``reason`` is what its director said."""

    def __init__(self, table_id: str, reason: str) -> None:
        super().__init__(f"table {table_id} was closed: {reason}")
        self.table_id = table_id
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game, and how the bot got on with its clock; every tuple is by seat."""

    table_id: str
    round: int  # of the tournament, from 1; 0 outside tournaments
    seat: int  # the bot's own
    totals: tuple[int, ...]  # penalties
    places: tuple[int, ...]  # 1 is first; equal seats share
    deals_won: tuple[int, ...]
    deal_points: tuple[tuple[int, ...], ...]  # per seat, in the order of the scored deals
    decisions: int  # that the bot made and the arena took
    too_late: int  # that had passed when the bot's answer came
    ledger: tuple[int, ...] = ()  # units of play money won or lost; () where nothing is staked

    @property
    def place(self) -> int:
        """The bot's place."""
        return self.places[self.seat]

    @property
    def total(self) -> int:
        """The bot's penalties."""
        return self.totals[self.seat]


async def play_seat(arena: Arena, table_id: str, bot: Bot, *, seed: bytes = b"") -> Result:
    """Let ``bot`` play the seat of the token's player until the game is over; return its result.

    The bot is asked as in ``drive``: whenever the table waits for its seat, with the dice of
    ``seed`` and of the decision's place in the game. It is asked in the event loop, so one that
    thinks for seconds wants a process of its own. Waits for a table that is not open yet, has not
    started or is paused, and takes up again where a connection broke or a decision passed
    meanwhile. Raises TableClosed for one that is called off, BotFailed or IllegalChoice, NotSeated,
    UnknownRuleSet or OptionError, or ArenaError.
    """
    return await patiently(_Seat(arena, table_id, bot, seed).play)


async def patiently(follow: Callable[[Pauses], Awaitable[T]]) -> T:
    """Return what ``follow`` does; start it again after trouble that passes by itself.

    It resets the pauses that it is given whenever it gets on. ArenaError if it has not got on for
    ``PATIENCE_S``, except for a table that is not open yet: that takes as long as it takes; or
    after ``MOST_INCIDENTS`` in a row, for what the arena failed at so often it will fail at again.
    """
    pauses = Pauses(PATIENCE_S)
    incidents = 0
    while True:
        try:
            return await follow(pauses)
        except ArenaError as error:
            incidents = incidents + 1 if error.code is _Code.INTERNAL else 0
            if error.reason != "TABLE_NOT_OPEN" and (not _passes(error) or pauses.exhausted):
                raise
            if incidents == MOST_INCIDENTS:
                raise
        await pauses.pause()


def _passes(error: ArenaError) -> bool:
    # A store that lost its last second is behind the cursor; a snapshot tells where it stands.
    return error.code in _PASSING or error.reason == "CURSOR_AHEAD"


class _Seat:
    """One bot at one table."""

    def __init__(self, arena: Arena, table_id: str, bot: Bot, seed: bytes) -> None:
        self._tables = arena.tables
        self._table_id = table_id
        self._bot = bot
        self._seed = seed
        self._decisions = self._too_late = 0

    async def play(self, pauses: Pauses) -> Result:
        """Follow the table to its end, and decide whenever it waits for this seat."""
        seen = 0
        async with aclosing(self._tables.watch(self._table_id)) as updates:  # type: ignore[type-var]  # is a generator
            async for update in updates:
                match update.WhichOneof("update"):
                    case "snapshot":
                        seen = await self._answer(update.snapshot, pauses)
                    case "event" if update.event.sequence > seen:
                        pauses.reset()
                        seen = await self._answer(await self._read(), pauses)
        table = await self._read()
        if table.status == TableStatus.TABLE_STATUS_CLOSED:
            raise TableClosed(self._table_id, table.reason)
        return self._result(table)

    async def _read(self) -> Table:
        return await self._tables.get(self._table_id)

    async def _answer(self, table: Table, pauses: Pauses) -> int:
        """Decide as long as the table waits for this seat; return the last sequence seen."""
        if not table.HasField("view"):  # it waits for players, or was closed before it had all
            return table.sequence
        if not table.view.HasField("seat"):
            raise NotSeated(self._table_id)
        rules = rules_of(table)
        view = view_of(table, rules)
        # Who is asked for a call stays among those waited for until the window closes.
        while view.kinds and view.seat in table.waiting_seats:
            choice = self._choose(view, table.sequence)
            refusal = await self._act(choice)
            asked, sequence = view, table.sequence
            table = await self._read()
            view = view_of(table, rules)
            if refusal is None:
                self._decisions += 1
                pauses.reset()
            elif refusal.reason in _STOPPED:
                continue  # who directs the table stopped it, and perhaps it goes on already
            elif refusal.reason == "TOO_LATE":
                self._too_late += 1
                if view == asked:  # the arena is about to decide, and an event will tell
                    break
            elif view == asked:  # nobody has decided instead, so it was no matter of time
                problem = f"chose what is not allowed ({refusal})"
                raise self._illegal(asked, sequence, problem) from refusal
            else:
                self._too_late += 1
        return table.sequence

    def _choose(self, view: View, sequence: int) -> ActionMessage:
        try:
            action = self._bot.choose(view, dice_of(self._seed, view))
        except Exception as error:
            problem = f"raised {type(error).__name__}: {error}"
            raise BotFailed(self._name, self._table_id, sequence, view, problem) from error
        if not isinstance(action, Action) or action.kind not in view.kinds:
            raise self._illegal(view, sequence, f"chose {action!r}, which is not open to it")
        try:
            return action_message(action)
        except Exception as error:
            raise self._illegal(view, sequence, f"chose {action!r}, which is no action") from error

    async def _act(self, choice: ActionMessage) -> ArenaError | None:
        """Play the choice; return why it was refused, or None if it was not."""
        try:
            await self._tables.act(self._table_id, choice)
        except ArenaError as error:
            if error.code not in _REFUSED:
                raise
            return error
        return None

    @property
    def _name(self) -> str:
        return getattr(self._bot, "name", type(self._bot).__name__)

    def _illegal(self, view: View, sequence: int, problem: str) -> IllegalChoice:
        return IllegalChoice(self._name, self._table_id, sequence, view, problem)

    def _result(self, table: Table) -> Result:
        deals = table.score_sheet.deals
        winners = [deal.winner for deal in deals if deal.HasField("winner")]
        totals = tuple(table.score_sheet.totals)
        return Result(
            table_id=self._table_id,
            round=table.round,
            seat=table.view.seat,
            totals=totals,
            places=tuple(table.score_sheet.places),
            deals_won=tuple(winners.count(seat) for seat in range(len(totals))),
            deal_points=tuple(
                tuple(deal.points[seat] for deal in deals) for seat in range(len(totals))
            ),
            decisions=self._decisions,
            too_late=self._too_late,
            ledger=tuple(table.score_sheet.ledger),
        )
