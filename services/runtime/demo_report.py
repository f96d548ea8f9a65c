"""What a demo shows at its end: bracket, score sheet, standings, throughput; or one document."""

from __future__ import annotations

import os
import shlex
from statistics import median
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from rummy_arena.api.v1.tournament_pb2 import Pairing, Round

from .demo_play import Outcome, Plan, usual_seats
from .demo_sheet import games_won, is_void, score_sheet
from .figures import ACTIONS, DEALS, TABLES, Figures

FULL_ROUND_TABLES = 8  # a round of more tables is one line
TOP = 16


def report(plan: Plan, outcome: Outcome, figures: Figures, *, seed: str, start_s: float) -> None:
    """Print everything on stdout."""
    console = Console(highlight=False, markup=False)
    if not console.is_terminal and not os.environ.get("COLUMNS", "").isdecimal():
        console.width = 120  # nobody's window to fit into
    for part in (
        bracket(outcome),
        score_sheet(outcome.final_table, console),
        standings(outcome),
        by_bot(outcome),
        throughput(outcome, figures, start_s),
    ):
        console.print(part)
    # In one line however long it is: it is there to be copied.
    console.print(f"{winning(outcome)}. Again: {command_line(plan, seed)}", soft_wrap=True)


def command_line(plan: Plan, seed: str) -> str:
    """Return the command that plays the same tournament again."""
    usual = Plan(seats=usual_seats(plan.rule_set, plan.options))
    said = ["rummy-arena", "demo"]
    for name in ("rule_set", "entrants", "seats", "advance"):
        if getattr(plan, name) != getattr(usual, name):
            said += [f"--{name.replace('_', '-')}", str(getattr(plan, name))]
    for option, value in plan.options.items():
        said += ["--option", f"{option}={value}"]
    return shlex.join([*said, "--seed", seed])


def winning(outcome: Outcome) -> str:
    """Say who won."""
    winners = [row.entrant.name for row in outcome.standings if row.place == 1]
    sheet = outcome.final_table.score_sheet
    ranked = sorted(zip(sheet.places, games_won(sheet), strict=True))
    games = f", games {':'.join(str(won) for _, won in ranked)}" if sheet.legs else ""
    if len(winners) == 1:
        return f"{winners[0]} wins{games}"
    return f"{' and '.join(winners)} share the title{games}"


def bracket(outcome: Outcome) -> Table:
    """Return the rounds: large ones in a line, small ones table by table."""
    several = " over all games" if outcome.final_table.score_sheet.legs else ""
    head = f"entrants with their totals{several}, * goes on or wins"
    table = _table("Bracket", "round", "table", head)
    names = _names(outcome)
    for index, row in enumerate(outcome.rounds):
        label = "final" if index == len(outcome.rounds) - 1 else str(row.number)
        ahead = going_on(outcome, index)
        seated = [entrant for pair in row.pairings for entrant in pair.entrants]
        if row.table_count > FULL_ROUND_TABLES:
            stay = len(ahead.intersection(seated))
            text = f"{len(seated)} at {row.table_count} tables, {stay} go on{_byes(row)}"
            table.add_row(label, f"1-{row.table_count}", text)
            continue
        for pair in row.pairings:
            table.add_row(label, str(pair.number), _seats_text(pair, names, ahead))
        if row.byes:
            table.add_row(label, "", _byes(row).lstrip(", "))
    return table


def going_on(outcome: Outcome, index: int) -> set[int]:
    """Return the entrants of round ``index`` (from 0) who play on, or who win if it is the last."""
    if index == len(outcome.rounds) - 1:
        return {row.entrant.number for row in outcome.standings if row.place == 1}
    following = outcome.rounds[index + 1]
    return {e for pair in following.pairings for e in pair.entrants} | set(following.byes)


def standings(outcome: Outcome) -> Table:
    """Return the first rows of the standings."""
    rest = len(outcome.standings) - TOP
    title = f"Standings, first {TOP} (--json has the other {rest})" if rest > 0 else "Standings"
    table = _table(title, "place", "entrant", "bot", "round", "tables", "deals won", "penalties")
    for row in outcome.standings[:TOP]:
        table.add_row(
            str(row.place),
            row.entrant.name,
            row.entrant.house_bot,
            str(row.reached_round),
            str(row.tables),
            str(row.deals_won),
            str(row.total),
        )
    return table


def by_bot(outcome: Outcome) -> Table:
    """Return how each house bot fared."""
    table = _table("House bots", "bot", "entrants", "best place", "median place", "in the final")
    last = len(outcome.rounds)
    for bot in sorted({row.entrant.house_bot for row in outcome.standings}):
        rows = [r for r in outcome.standings if r.entrant.house_bot == bot]
        finalists = sum(row.reached_round == last for row in rows)
        places = [row.place for row in rows]
        table.add_row(bot, str(len(rows)), str(min(places)), f"{median(places):g}", str(finalists))
    return table


def throughput(outcome: Outcome, figures: Figures, start_s: float) -> Table:
    """Return what the Prometheus endpoints counted, and how fast that went."""
    title = f"Throughput by Prometheus, in {outcome.play_s:.1f} s of play after {start_s:.1f} s"
    table = _table(f"{title} of start-up", "", "total", "a second")
    for label, name in (("tables", TABLES), ("deals", DEALS), ("actions", ACTIONS)):
        total = figures.total(name)
        table.add_row(label, f"{total:,}", f"{total / outcome.play_s:,.1f}")
    ends = ", ".join(f"{n:,} {end}" for end, n in figures.deal_ends.items())
    table.add_row("deals by end", ends, "")
    return table


def document(
    plan: Plan, outcome: Outcome, figures: Figures, *, seed: str, start_s: float
) -> dict[str, Any]:
    """Return everything as one JSON document."""
    names, sheet = _names(outcome), outcome.final_table.score_sheet
    return {
        "rule_set": plan.rule_set,
        "options": dict(outcome.tournament.options.rule_set_options),
        "entrants": plan.entrants,
        "seats": plan.seats,
        "advance": plan.advance,
        "seed": seed,
        "tournament_id": outcome.tournament.id,
        "winners": [row.entrant.name for row in outcome.standings if row.place == 1],
        "standings": [
            {
                "place": row.place,
                "entrant": row.entrant.number,
                "name": row.entrant.name,
                "bot": row.entrant.house_bot,
                "reached_round": row.reached_round,
                "tables": row.tables,
                "deals_won": row.deals_won,
                "total": row.total,
            }
            for row in outcome.standings
        ],
        "rounds": [_round_document(outcome, index, names) for index in range(len(outcome.rounds))],
        "score_sheet": {
            "seats": [seat.name for seat in outcome.final_table.seats],
            "deals": [
                {
                    "number": deal.number,
                    "leg": deal.leg,
                    "sudden_death": deal.sudden_death,
                    "contract": deal.contract.text,
                    "points": list(deal.points),
                    "winner": None if is_void(deal) else deal.winner,
                }
                for deal in sheet.deals
            ],
            "totals": list(sheet.totals),
            "places": list(sheet.places),
            "rebuys": list(sheet.rebuys),
            "rebuy_adjustments": list(sheet.rebuy_adjustments),
            "ledger": list(sheet.ledger),
            "games": [
                {"number": leg.leg, "totals": list(leg.totals), "places": list(leg.places)}
                for leg in sheet.legs
            ],
        },
        "figures": {
            **figures.document(),
            "start_s": round(start_s, 3),
            "play_s": round(outcome.play_s, 3),
            "tables_per_s": round(figures.total(TABLES) / outcome.play_s, 2),
            "actions_per_s": round(figures.total(ACTIONS) / outcome.play_s, 1),
        },
    }


def _round_document(outcome: Outcome, index: int, names: dict[int, str]) -> dict[str, Any]:
    row, ahead = outcome.rounds[index], going_on(outcome, index)
    return {
        "number": row.number,
        "byes": list(row.byes),
        "tables": [
            {
                "number": pair.number,
                "table_id": pair.table_id,
                "entrants": list(pair.entrants),
                "names": [names[entrant] for entrant in pair.entrants],
                "totals": [seat.total for seat in pair.result.seats],
                "places": [seat.place for seat in pair.result.seats],
                "goes_on": [entrant in ahead for entrant in pair.entrants],
                "deals": pair.result.deals,
                "actions": pair.result.actions,
            }
            for pair in row.pairings
        ],
    }


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, title_style="bold")
    table.min_width = len(title)
    for column in columns:
        table.add_column(column, overflow="fold")  # a name that is cut is nobody's
    return table


def _names(outcome: Outcome) -> dict[int, str]:
    return {row.entrant.number: row.entrant.name for row in outcome.standings}


def _seats_text(pair: Pairing, names: dict[int, str], ahead: set[int]) -> str:
    ordered = sorted(pair.result.seats, key=lambda seat: (seat.place, seat.entrant))
    return "  ".join(
        f"{names[seat.entrant]} {seat.total}{'*' if seat.entrant in ahead else ''}"
        for seat in ordered
    )


def _byes(row: Round) -> str:
    return f", {len(row.byes)} without playing" if row.byes else ""
