"""The score sheet of a demo's final table, deal by deal, with what its words mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rummy_arena.api.v1 import table_pb2
from rummy_arena.client import rules_of
from rummy_arena.game.rules import RuleSet, StakeDoubling

from .demo_view import options_text

_UNBOUNDED = 10_000  # columns: wider than any sheet


def score_sheet(final: table_pb2.Table, console: Console) -> Group:
    """Return the sheet; seats are letters with a legend where their names make it too wide."""
    names = [seat.name for seat in final.seats]
    table, legend = _table(final, names), []
    unbounded = console.options.update(max_width=_UNBOUNDED)
    if Measurement.get(console, unbounded, table).maximum > console.width:
        letters = list(ascii_uppercase[: len(names)])
        table = _table(final, letters)
        pairs = zip(letters, names, strict=True)
        legend = ["Seats: " + ", ".join(f"{letter} {name}" for letter, name in pairs)]
    table.min_width = min(len(str(table.title)), console.width)
    notes = [Padding(Text(note), (0, 0, 0, 2)) for note in (*legend, *_notes(final))]
    return Group(table, *notes, "")


def _table(final: table_pb2.Table, heads: Sequence[str]) -> Table:
    sheet = final.score_sheet
    played = f"{final.rule_set_id}{options_text(final.rule_set_options)}"
    title = f"Final table of {played}, penalties by deal; * went out"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, title_style="bold")
    table.add_column("game, deal" if sheet.legs else "deal")
    table.add_column("contract")
    for head in heads:
        table.add_column(head, justify="right", overflow="fold")
    for row in _Sheet(final).rows():
        table.add_row(*row)
    total = "total of all games" if sheet.legs else "total"
    table.add_row("", total, *_cells(sheet.totals), style="bold")
    if sheet.legs:
        table.add_row("", "games won", *_cells(games_won(sheet)))
    table.add_row("", "place", *_cells(sheet.places))
    if sheet.ledger:
        table.add_row("", "units won", *_cells(sheet.ledger))
    return table


def games_won(sheet: table_pb2.ScoreSheet) -> list[int]:
    """Return how many of the games each seat has won; equal winners each count one."""
    return [sum(leg.places[seat] == 1 for leg in sheet.legs) for seat, _ in enumerate(sheet.totals)]


def is_void(deal: table_pb2.DealScore) -> bool:
    """Return whether nobody went out of the deal, so that it cost nobody anything."""
    return not deal.HasField("winner")


@dataclass
class _Sheet:
    """Goes through the deals and keeps who has bought back, and who is out."""

    final: table_pb2.Table
    out: set[int] = field(default_factory=set)
    bought: Counter[int] = field(default_factory=Counter)

    def rows(self) -> Iterator[list[str]]:
        sheet, rules = self.final.score_sheet, rules_of(self.final)
        totals, played = [0] * len(self.final.seats), Counter[int]()
        for at, deal in enumerate(sheet.deals):
            played[deal.leg] += 1
            yield [self._number(deal, played[deal.leg]), self._contract(deal), *self._cells(deal)]
            if rules.limit:
                totals = [total + more for total, more in zip(totals, deal.points, strict=True)]
                yield from self._over_the_limit(totals, rules.limit)
            following = sheet.deals[at + 1].leg if at + 1 < len(sheet.deals) else 0
            if deal.leg <= len(sheet.legs) and following != deal.leg:
                yield self._game(sheet.legs[deal.leg - 1])

    def _number(self, deal: table_pb2.DealScore, nth: int) -> str:
        legs = self.final.score_sheet.legs
        if not legs:
            return str(deal.number)
        return f"{deal.leg}, {nth}" if deal.leg <= len(legs) else "decider"

    def _contract(self, deal: table_pb2.DealScore) -> str:
        text = deal.contract.text
        return f"{text}, sudden death" if deal.sudden_death else text

    def _cells(self, deal: table_pb2.DealScore) -> Iterator[str]:
        for seat, points in enumerate(deal.points):
            if seat in self.out:
                yield "out "
            elif is_void(deal):
                yield "void "
            else:
                yield f"{points}{'*' if deal.winner == seat else ' '}"

    def _over_the_limit(self, totals: list[int], limit: int) -> Iterator[list[str]]:
        """Change the totals of who buys back, and yield the row that says so.

        Who is above the limit buys back as often as the sheet says, and then is out.
        """
        sheet = self.final.score_sheet
        above = [
            seat for seat, total in enumerate(totals) if total > limit and seat not in self.out
        ]
        inside = [
            total for seat, total in enumerate(totals) if total <= limit and seat not in self.out
        ]
        cells = [""] * len(totals)
        for seat in above:
            if self.bought[seat] < (sheet.rebuys[seat] if sheet.rebuys else 0) and inside:
                self.bought[seat] += 1
                totals[seat] = max(inside)
                cells[seat] = f"to {totals[seat]} "
            elif seat in sheet.eliminated_seats:
                self.out.add(seat)
        if any(cells):
            yield ["", "re-buy: total set", *cells]

    def _game(self, leg: table_pb2.LegScore) -> list[str]:
        seats = self.final.seats
        winners = [seats[at].name for at, place in enumerate(leg.places) if place == 1]
        won = f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'share it'}"
        cells = [
            f"{total}{'*' if place == 1 else ' '}"
            for total, place in zip(leg.totals, leg.places, strict=True)
        ]
        return ["", f"game {leg.leg}: {won}", *cells]


def _notes(final: table_pb2.Table) -> Iterator[str]:
    """Yield what the words of the sheet mean, where it has them."""
    sheet, rules = final.score_sheet, rules_of(final)
    if any(map(is_void, sheet.deals)):
        yield "void: nobody went out, each time that it was dealt; it costs nobody anything."
    if rules.limit:
        yield (
            f"Who has more than {rules.limit} points is out. Places follow the order of leaving: "
            "who leaves later comes before who left earlier."
        )
    if any(sheet.rebuys):
        yield "re-buy: who buys back gets the highest total of those who are not above the limit."
    if sheet.legs:
        yield "Places go by games won, then by the total of all games."
    if sheet.ledger:
        yield f"Units are play money: {'; '.join(_money(rules))}."


def _money(rules: RuleSet) -> Iterator[str]:
    if rules.buy_in:
        again = ", and again for each re-buy" if rules.rebuys else ""
        yield f"each seat pays {rules.buy_in} into the pot{again}, and the winner takes the pot"
    if rules.deal_stake:
        stake, also = rules.deal_stake, ""
        if rules.stake_doubling is StakeDoubling.BONUS:
            stake *= 2  # whoever goes out takes the bonus
        elif rules.stake_doubling is StakeDoubling.DOWN_AND_OUT:
            also = ", twice that for opening and going out in one turn"
        yield f"who goes out gets {stake} from each other player of the deal{also}"


def _cells(numbers: Iterable[int]) -> list[str]:
    return [f"{number} " for number in numbers]
