"""Tournaments: create, enter, run, follow."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

from rummy_arena.api.v1.terms_pb2 import SpectatorDelay, TimeControl
from rummy_arena.api.v1.tournament_event_pb2 import LoggedTournamentEvent, TournamentEvent
from rummy_arena.api.v1.tournament_pb2 import (
    Entrant,
    Knockout,
    Round,
    Standing,
    Tournament,
    TournamentOptions,
)
from rummy_arena.api.v1.tournament_service_pb2 import (
    Awaited,
    AwaitedTable,
    CheckInRequest,
    CreateTournamentRequest,
    ExplainTournamentRequest,
    GetBracketRequest,
    GetStandingsRequest,
    GetTournamentRequest,
    ListTournamentEventsRequest,
    ListTournamentsRequest,
    RegisterRequest,
    ReturnToTournamentRequest,
    StartTournamentRequest,
    WatchTournamentRequest,
    WatchTournamentResponse,
    WithdrawRequest,
)
from rummy_arena.api.v1.tournament_service_pb2_grpc import TournamentServiceStub

from .caller import Caller, new_request_id, resynced


class Tournaments:
    """Calls of the tournament service."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._stub = TournamentServiceStub(caller.channel)

    async def create(
        self,
        title: str,
        *,
        rule_set: str,
        seats_per_table: int,
        advance_per_table: int,
        options: Mapping[str, str] | None = None,
        capacity: int = 0,
        time_control: TimeControl | None = None,
        spectator_delay: SpectatorDelay | None = None,
        seed: str | None = None,
        validate_only: bool = False,
    ) -> Tournament:
        """Return a new knockout that is open for registration.

        ``options`` are the rule set's; those that are left out keep their defaults, except that
        nobody buys back unless ``rebuys`` says so. How long players may take, and how far
        spectators are behind, is the same at every table.
        ``seed`` makes every draw and deal repeatable, and foreseeable for whoever knows it.
        """
        knockout = Knockout(seats_per_table=seats_per_table, advance_per_table=advance_per_table)
        whole = TournamentOptions(
            title=title,
            rule_set_id=rule_set,
            rule_set_options=options,
            knockout=knockout,
            capacity=capacity,
            time_control=time_control,
            spectator_delay=spectator_delay,
        )
        return await self.open(whole, seed=seed, validate_only=validate_only)

    async def open(
        self, options: TournamentOptions, *, seed: str | None = None, validate_only: bool = False
    ) -> Tournament:
        """Return a new tournament of any kind that is open for registration."""
        request = CreateTournamentRequest(
            request_id=new_request_id(), options=options, seed=seed, validate_only=validate_only
        )
        return (await self._caller.call(self._stub.CreateTournament, request)).tournament

    async def register(
        self,
        tournament_id: str,
        player_id: str = "",
        *,
        invitation_code: str = "",
        owner: str = "",
        seeding: int = 0,
    ) -> Entrant:
        """Enter a player, by default the one of the token; return the entrant.

        Only hosts say whose an entrant is, and how strong (1 is the strongest).
        """
        request = RegisterRequest(
            request_id=new_request_id(),
            tournament_id=tournament_id,
            player_id=player_id,
            invitation_code=invitation_code,
            owner=owner,
            seeding=seeding,
        )
        return (await self._caller.call(self._stub.Register, request)).entrant

    async def check_in(self, tournament_id: str, player_id: str = "") -> Entrant:
        """Check a player in, by default the one of the token; return the entrant."""
        request = CheckInRequest(
            request_id=new_request_id(), tournament_id=tournament_id, player_id=player_id
        )
        return (await self._caller.call(self._stub.CheckIn, request)).entrant

    async def withdraw(
        self, tournament_id: str, player_id: str = "", *, reason: str = ""
    ) -> Entrant:
        """Take a player out of the rounds to come, by default the one of the token."""
        request = WithdrawRequest(
            request_id=new_request_id(),
            tournament_id=tournament_id,
            player_id=player_id,
            reason=reason,
        )
        return (await self._caller.call(self._stub.Withdraw, request)).entrant

    async def come_back(self, tournament_id: str, player_id: str = "") -> Entrant:
        """Bring a player back who has withdrawn, by default the one of the token."""
        request = ReturnToTournamentRequest(
            request_id=new_request_id(), tournament_id=tournament_id, player_id=player_id
        )
        return (await self._caller.call(self._stub.ReturnToTournament, request)).entrant

    async def explain(self, tournament_id: str) -> tuple[list[Awaited], list[AwaitedTable]]:
        """Return what a tournament waits for: thing by thing, and table by table."""
        awaited: list[Awaited] = []
        tables: list[AwaitedTable] = []
        request = ExplainTournamentRequest(tournament_id=tournament_id)
        async for page in self._caller.pages(self._stub.ExplainTournament, request):
            awaited += page.awaited
            tables += page.tables
        return awaited, tables

    async def start(self, tournament_id: str) -> Tournament:
        """Close registration and start the first round; return the tournament."""
        request = StartTournamentRequest(request_id=new_request_id(), tournament_id=tournament_id)
        return (await self._caller.call(self._stub.StartTournament, request)).tournament

    async def get(self, tournament_id: str) -> Tournament:
        """Return a tournament."""
        request = GetTournamentRequest(tournament_id=tournament_id)
        return (await self._caller.call(self._stub.GetTournament, request)).tournament

    async def bracket(self, tournament_id: str) -> list[Round]:
        """Return all rounds with all their tables."""
        rounds: dict[int, Round] = {}
        request = GetBracketRequest(tournament_id=tournament_id)
        async for page in self._caller.pages(self._stub.GetBracket, request):
            for part in page.rounds:
                if part.number in rounds:
                    rounds[part.number].pairings.extend(part.pairings)
                else:
                    rounds[part.number] = part
        return list(rounds.values())

    async def standings(self, tournament_id: str) -> list[Standing]:
        """Return the whole standings, by place."""
        rows: list[Standing] = []
        request = GetStandingsRequest(tournament_id=tournament_id)
        async for page in self._caller.pages(self._stub.GetStandings, request):
            rows += page.standings
        return rows

    async def watch(
        self, tournament_id: str, *, after: int | None = None
    ) -> AsyncIterator[WatchTournamentResponse]:
        """Yield a snapshot, then each event, until the tournament is over; survives broken streams.

        ``after`` is the sequence of the last event that the caller has: then no snapshot comes.
        """

        def request(cursor: int | None) -> WatchTournamentRequest:
            return WatchTournamentRequest(tournament_id=tournament_id, after_sequence=cursor)

        async for update in self._caller.watch(self._stub.WatchTournament, request, after):
            yield update

    async def events(self, tournament_id: str, *, after: int = 0) -> AsyncIterator[TournamentEvent]:
        """Yield every event after a sequence, without a gap, until the tournament is over.

        ArenaError CURSOR_TOO_OLD if these events are not kept any more.
        """
        async for update in self.watch(tournament_id, after=after):
            if update.WhichOneof("update") == "resync":
                raise resynced(update.resync.after_sequence)
            yield update.event

    async def log(
        self, tournament_id: str, *, after: int = 0
    ) -> AsyncIterator[LoggedTournamentEvent]:
        """Yield every event so far after a sequence, with its time, and do not wait for more."""
        request = ListTournamentEventsRequest(tournament_id=tournament_id, after_sequence=after)
        while True:
            page = await self._caller.call(self._stub.ListTournamentEvents, request)
            for logged in page.events:
                yield logged
                request.after_sequence = logged.event.sequence
            if not page.events or request.after_sequence >= page.last_sequence:
                return

    async def list(self) -> AsyncIterator[Tournament]:
        """Yield every tournament, oldest first."""
        request = ListTournamentsRequest()
        async for page in self._caller.pages(self._stub.ListTournaments, request):
            for tournament in page.tournaments:
                yield tournament
