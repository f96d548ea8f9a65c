"""What hosts choose for stages: tie-breaks are settled when the event is made, or refused."""

from __future__ import annotations

import grpc
import pytest

from rummy_arena.api.v1 import format_pb2, tournament_pb2
from rummy_arena.api.v1 import tournament_service_pb2 as tpb
from rummy_arena.api.v1.tournament_service_pb2_grpc import TournamentServiceStub
from rummy_arena.client.errors import arena_error
from rummy_arena.rulesets.registry import get_rule_set
from rummy_arena.tournament.registry import FORMATS
from rummy_arena.tournament.tiebreaks import HOUSE, rows_of
from services.events.errors import InvalidOption
from services.events.stage_choices import StageChoice, settled_stages
from services.rpc.convert_stages import format_message

from .conftest import ADMIN_TOKEN, Api

RULES = get_rule_set("kalooki-jamaican")
METADATA = (("authorization", f"Bearer {ADMIN_TOKEN}"),)


def chosen(*ids: str) -> StageChoice:
    return StageChoice("knockout", 4, chain=ids)


def test_tie_breaks_are_fixed_with_the_stage_chosen_or_not() -> None:
    plain, own = settled_stages(RULES, [chosen(), chosen("placement", "deals-won", "lot")])
    assert plain.terms.chain == HOUSE
    assert own.terms.chain == ("placement", "deals-won", "lot")


def test_where_somebody_must_go_on_a_lot_decides_at_last() -> None:
    swiss = StageChoice("swiss", 4, chain=("placement",))
    first, second, last = settled_stages(RULES, [swiss, chosen("placement", "total"), swiss])
    assert first.terms.chain == ("placement", "lot")
    assert second.terms.chain == ("placement", "total", "lot")
    assert last.terms.chain == ("placement",)  # those who are equal share the title


@pytest.mark.parametrize(
    ("ids", "reason"),
    [
        (("placement", "height"), "unknown; there are: placement, total,"),
        (("placement", "buchholz"), "'buchholz' does not apply to this format; there are:"),
        (("placement", "total", "total"), "'total' is there twice"),
        (("placement", "lot", "total"), "'total' has no use after a lot"),
        (("total", "placement"), "put placement first"),
    ],
)
def test_tie_breaks_that_cannot_be_used_are_refused_with_their_stage(
    ids: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(InvalidOption) as caught:
        settled_stages(RULES, [chosen(), chosen(*ids)])
    assert caught.value.option == "stages[1].tie_breaks"
    assert caught.value.reason.startswith(reason)


@pytest.mark.parametrize("format_id", FORMATS)
def test_a_format_lists_the_tie_breaks_that_it_takes(format_id: str) -> None:
    format_ = FORMATS[format_id]
    message = format_message(format_)
    listed = [(row.id, row.definition) for row in message.tie_breaks]
    assert listed == [(row.id, row.definition) for row in rows_of(format_.ranks)]
    assert set(message.default_tie_breaks) <= {name for name, _ in listed}
    assert message.default_tie_breaks[-1] == "lot"


async def test_over_the_wire_the_field_at_fault_is_named_and_the_default_is_told(api: Api) -> None:
    def request(*ids: str) -> tpb.CreateTournamentRequest:
        stage = format_pb2.Stage(format_id="knockout", seats_per_table=4, tie_breaks=ids)
        options = tournament_pb2.TournamentOptions(
            title="Cup", rule_set_id=RULES.id, stages=[stage]
        )
        return tpb.CreateTournamentRequest(
            request_id="-".join(("made", *ids)), options=options, validate_only=True
        )

    async with grpc.aio.insecure_channel(api.address) as channel:
        create = TournamentServiceStub(channel).CreateTournament
        made = await create(request(), metadata=METADATA)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await create(request("placement", "height"), metadata=METADATA)
    assert tuple(made.tournament.options.stages[0].tie_breaks) == HOUSE
    [violation] = arena_error(caught.value, api.address).violations
    assert violation.field == "options.stages[0].tie_breaks"


def test_a_stage_knows_the_contracts_and_the_limit_of_its_game() -> None:
    bonus, kaluki = get_rule_set("kalooki-bonus"), get_rule_set("kaluki-european")
    (stage,) = settled_stages(bonus, (StageChoice("shrinking", 4, {"cut": "20"}),))
    assert (stage.terms.contracts, stage.terms.limit) == (9, 0)
    (stage,) = settled_stages(kaluki, (StageChoice("shrinking", 4),))
    assert (stage.terms.contracts, stage.terms.limit) == (0, 150)


def test_rounds_that_the_options_of_the_game_exclude_are_refused_at_once() -> None:
    legs = get_rule_set("kalooki-bonus", {"best_of": "3"})
    with pytest.raises(ValueError, match="drop best_of"):
        settled_stages(legs, (StageChoice("shrinking", 4, {"cut": "20"}),))


def test_a_game_that_puts_nobody_out_does_not_shrink_a_field() -> None:
    with pytest.raises(InvalidOption, match=r"stages\[0\].options.cut"):
        settled_stages(get_rule_set("kalooki-jamaican"), (StageChoice("shrinking", 4),))
