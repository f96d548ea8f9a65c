"""What a demo prints: its first line, and the score sheet of the final table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from rich.console import Console

from rummy_arena.api.v1 import rule_set_pb2, table_pb2
from rummy_arena.bots.drive import play_game
from rummy_arena.bots.greedy import GreedyBot
from rummy_arena.game import series
from rummy_arena.game.events import DealEnded, Rebought
from rummy_arena.rulesets.registry import get_rule_set
from services.runtime.cli import run
from services.runtime.demo_play import Plan
from services.runtime.demo_sheet import score_sheet
from services.runtime.demo_view import effective_options, viewer

VOID = -1
Printed = pytest.CaptureFixture[str]


def deal(points: Sequence[int], winner: int, *, number: int, leg: int = 1) -> table_pb2.DealScore:
    return table_pb2.DealScore(
        contract=rule_set_pb2.Contract(number=1, text="3 sets"),
        points=points,
        winner=None if winner < 0 else winner,
        number=number,
        leg=leg,
    )


def table(
    rule_set: str, options: Mapping[str, str], names: Sequence[str], sheet: table_pb2.ScoreSheet
) -> table_pb2.Table:
    return table_pb2.Table(
        rule_set_id=rule_set,
        rule_set_options=options,
        seats=[table_pb2.TableSeat(name=name) for name in names],
        score_sheet=sheet,
    )


def shown(final: table_pb2.Table, width: int = 100) -> list[str]:
    """Return the lines of the sheet, without the space round them."""
    console = Console(width=width, highlight=False, markup=False, color_system=None)
    with console.capture() as printed:
        console.print(score_sheet(final, console))
    return [line.strip() for line in printed.get().splitlines()]


def row(lines: list[str], start: str) -> list[str]:
    """Return the cells of the one row that begins so."""
    found = [line for line in lines if line.startswith(start)]
    assert len(found) == 1
    return found[0][len(start) :].split()


def kaluki() -> table_pb2.Table:
    """Ann goes out for good in the first deal, Bob buys back then and leaves in the third."""
    sheet = table_pb2.ScoreSheet(
        deals=[
            deal([160, 155, 20, 0], 3, number=1),
            deal([0, 10, 0, 50], 2, number=2),
            deal([0, 140, 0, 5], 2, number=3),
            deal([0, 0, 0, 0], VOID, number=4),
            deal([0, 0, 0, 120], 2, number=5),
        ],
        totals=[160, 170, 20, 175],
        places=[4, 3, 1, 2],
        eliminated_seats=[0, 1, 3],
        rebuys=[0, 1, 0, 0],
        rebuy_adjustments=[0, -135, 0, 0],
        ledger=[-2, -3, 7, -2],
    )
    return table("kaluki-european", {"rebuys": "2"}, ["Ann", "Bob", "Cid", "Dee"], sheet)


def test_who_is_out_and_who_buys_back_stands_where_it_happened() -> None:
    lines = shown(kaluki())
    assert row(lines, "1")[-4:] == ["160", "155", "20", "0*"]
    assert row(lines, "re-buy: total set") == ["to", "20"]
    at = next(at for at, line in enumerate(lines) if line.startswith("re-buy: total set"))
    assert lines[at - 1].startswith("1 ")
    assert row(lines, "2")[-4:] == ["out", "10", "0*", "50"]
    assert row(lines, "4")[-4:] == ["out", "out", "void", "void"]
    assert row(lines, "5")[-4:] == ["out", "out", "0*", "120"]
    assert row(lines, "total") == ["160", "170", "20", "175"]
    assert row(lines, "place") == ["4", "3", "1", "2"]
    said = " ".join(lines)
    assert "Who has more than 150 points is out. Places follow the order of leaving" in said
    assert "void: nobody went out" in said


def test_units_are_explained() -> None:
    said = " ".join(shown(kaluki()))
    assert "each seat pays 1 into the pot, and again for each re-buy, and the winner takes" in said
    assert "who goes out gets 1 from each other player of the deal, twice that for opening" in said
    bonus = table_pb2.ScoreSheet(deals=[deal([-50, 9, 9], 0, number=1)], ledger=[20, -10, -10])
    final = table("kalooki-bonus", {"stakes": "5"}, ["Ann", "Bob", "Cid"], bonus)
    assert "Units are play money: who goes out gets 10 from each" in " ".join(shown(final))
    del bonus.ledger[:]
    final = table("kalooki-bonus", {}, ["Ann", "Bob", "Cid"], bonus)
    assert "play money" not in " ".join(shown(final))


@pytest.mark.parametrize("rule_set", ["kaluki-european", "kaluki-american"])
@pytest.mark.parametrize("seed", range(3))
def test_re_buys_are_found_in_the_sheet_as_they_were_played(rule_set: str, seed: int) -> None:
    rules = get_rule_set(rule_set, {"rebuys": "2"})
    game, log = play_game(rules, [GreedyBot()] * 4, bytes([seed] * 32))
    deals = zip(game.scores, game.winners, strict=True)
    sheet = table_pb2.ScoreSheet(
        deals=[deal(*played, number=number) for number, played in enumerate(deals, 1)],
        totals=series.final_totals(game),
        places=series.places(game),
        eliminated_seats=game.eliminated,
        rebuys=game.rebuys,
    )
    lines = shown(table(rule_set, {"rebuys": "2"}, ["A", "B", "C", "D"], sheet))
    number, found = 0, []
    for line in lines:
        first, *rest = line.split() or [""]
        number = int(first) if first.isdecimal() else number
        if first == "re-buy:" and "set" in rest:
            found += [(number, int(cell)) for cell in rest if cell.isdecimal()]
    number, bought = 0, []
    for event in log:
        number += isinstance(event, DealEnded) and bool(event.points)
        if isinstance(event, Rebought):
            bought.append((number, event.total))
    assert bought
    assert sorted(found) == sorted(bought)


def best_of_three() -> table_pb2.Table:
    sheet = table_pb2.ScoreSheet(
        deals=[
            deal([0, 9, 12], 0, number=1),
            deal([4, 0, 2], 1, number=2),
            deal([0, 70, 80], 0, number=3, leg=2),
            deal([0, 0, 0], VOID, number=4, leg=2),
        ],
        totals=[4, 79, 94],
        places=[1, 2, 3],
        legs=[
            table_pb2.LegScore(leg=1, totals=[4, 9, 14], places=[1, 2, 3]),
            table_pb2.LegScore(leg=2, totals=[0, 70, 80], places=[1, 2, 3]),
        ],
    )
    return table("kalooki-bonus", {"best_of": "3"}, ["Ann", "Bob", "Cid"], sheet)


def test_each_of_several_games_has_its_totals_and_its_winner() -> None:
    lines = shown(best_of_three())
    starts = [line.partition("3 sets")[0].strip() for line in lines if "3 sets" in line]
    assert starts == ["1, 1", "1, 2", "2, 1", "2, 2"]
    assert row(lines, "game 1: Ann wins") == ["4*", "9", "14"]
    assert row(lines, "game 2: Ann wins") == ["0*", "70", "80"]
    assert row(lines, "total of all games") == ["4", "79", "94"]
    assert row(lines, "games won") == ["2", "0", "0"]
    assert row(lines, "2, 2")[-3:] == ["void"] * 3


def test_names_that_find_no_room_are_letters_with_a_legend() -> None:
    names = [f"careful-{number:03}" for number in range(8)]
    sheet = table_pb2.ScoreSheet(deals=[deal([0, *[9] * 7], 0, number=1)], totals=[0, *[9] * 7])
    final = table("kalooki-bonus", {"packs": "3"}, names, sheet)
    wide = shown(final, 160)
    assert any(all(name in line for name in names) for line in wide)
    narrow = shown(final, 80)
    assert any(line.split() == ["deal", "contract", *"ABCDEFGH"] for line in narrow)
    assert "Seats: A careful-000, B careful-001, C careful-002" in " ".join(narrow)
    assert "…" not in " ".join(narrow)


def test_the_first_line_says_what_a_tournament_chooses_by_itself() -> None:
    plan = Plan(rule_set="kaluki-american")
    assert effective_options(plan) == {"rebuys": "0"}
    assert "kaluki-american with rebuys=0: 256" in viewer(plan, "1", workers=1)._headline
    asked = Plan(rule_set="kaluki-american", options={"rebuys": "1"})
    assert effective_options(asked) == {"rebuys": "1"}
    assert effective_options(Plan()) == {}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rules", "--clause", ""], "--clause names a clause"),
        (
            ["rules", "kalooki-bonus", "--option", "packs=2", "--option", "packs=3"],
            "--option packs is given twice: 2 and 3",
        ),
    ],
)
def test_what_contradicts_itself_is_refused(
    arguments: list[str], said: str, capsys: Printed
) -> None:
    assert run(arguments) == 2
    assert said in capsys.readouterr().err


def test_the_same_option_may_be_said_again(capsys: Printed) -> None:
    assert run(["rules", "kalooki-bonus", "--option", "packs=3", "--option", "packs=3"]) == 0
    assert "162" in capsys.readouterr().out
