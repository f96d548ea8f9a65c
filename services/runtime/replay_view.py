"""Shows a game on a terminal: events as notation has them, and what seats see at each decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.theme import Theme

from rummy_arena.game.actions import NONE
from rummy_arena.game.cards import card_text, cards_text
from rummy_arena.game.events import DealEnded, DealStarted, Event
from rummy_arena.game.notation import meld_text
from rummy_arena.game.notation.events import event_lines
from rummy_arena.game.rules import RuleSet
from rummy_arena.game.state import Game, Phase
from rummy_arena.game.view import View, view

_NAMED = {
    Phase.DRAW: "draws",
    Phase.PLAY: "plays",
    Phase.CALL_WINDOW: "may call",
    Phase.CALL_DECISION: "decides about the call",
    Phase.REBUY: "may buy back",
}
_WIDTH = 8


class _Cards(RegexHighlighter):
    """Marks cards by colour."""

    highlights = (
        r"(?P<red>\b[A2-9TJQK][DH][1-4]\b)",
        r"(?P<joker>\*[1-9])",
    )


class ReplayScreen:
    """Prints events and views.

    Unless ``whole``, nothing is shown again that has not changed, but the hand of who acts.
    """

    def __init__(
        self, rules: RuleSet, seats: int, viewers: tuple[int, ...], *, whole: bool = False
    ) -> None:
        self._rules = rules
        self._seats = seats
        self._viewers = viewers
        self._whole = whole
        self._shown: dict[str, str] = {}
        self._console = Console(
            highlighter=_Cards(),
            theme=Theme({"red": "red", "joker": "magenta"}),
            soft_wrap=True,
        )

    def head(self, names: Mapping[int, str], remark: str = "") -> None:
        """Print what is played."""
        rules = self._rules
        chosen = "".join(f", {name}={value}" for name, value in rules.options)
        remark = f", {remark}" if remark else ""
        self._line(f"{rules.title} ({rules.id}{chosen}), {self._seats} seats{remark}", style="bold")
        for seat, name in names.items():
            self._line(f"seat {seat}: {name}")

    def note(self, text: str) -> None:
        """Print a remark."""
        self._line(text, style="dim")

    def event(self, sequence: int, event: Event) -> None:
        """Print an event; hands and orders only at the end of a deal."""
        first, *below = event_lines(event, self._rules)
        self.lines(sequence, event, [first, *(below if isinstance(event, DealEnded) else ())])

    def lines(self, sequence: int, event: Event, lines: Sequence[str]) -> None:
        """Print an event by these lines."""
        if isinstance(event, DealStarted):
            self._shown.clear()
            self._console.print()
        style = "bold" if isinstance(event, DealStarted | DealEnded) else ""
        self._line(f"{sequence:>{_WIDTH - 2}}  {lines[0]}", style=style)
        for line in lines[1:]:
            self._line(f"{'':{_WIDTH}}{line}")

    def decision(self, game: Game, seat: int) -> bool:
        """Print what the viewers see before ``seat`` acts; return whether anything was printed.

        One seat alone sees the decisions of others only by what comes of them.
        """
        if len(self._viewers) == 1 and seat not in self._viewers:
            return False
        public = view(game, NONE)
        phase = _NAMED.get(public.phase, "")
        if public.phase is Phase.CALL_WINDOW and seat == public.turn:
            phase = "may take it first"
        self._line(
            f"{'':{_WIDTH}}seat {seat} {phase} | top {_card(public.top)} | stock "
            f"{public.stock_count} | totals {' '.join(map(str, public.totals))}",
            style="cyan",
        )
        entries = self._table(public)
        for viewer in self._viewers:
            entries[f"hand {viewer}"] = self._hand(view(game, viewer))
        if len(self._viewers) < self._seats:
            counts = " ".join(map(str, public.hand_counts))
            entries["cards"] = f"{counts} in the hands of seats 0 to {self._seats - 1}"
        for viewer, hand in enumerate(public.hands):
            entries.setdefault(f"hand {viewer}", cards_text(hand))
        for name, text in entries.items():
            acts = name == f"hand {seat}"
            if acts or self._whole or self._shown.get(name) != text:
                self._line(f"{'':{_WIDTH}}{'>' if acts else ' '} {name:<8} {text}")
        self._shown = entries
        return True

    def _table(self, public: View) -> dict[str, str]:
        return {
            f"meld {number}": f"{meld_text(meld)} of {meld.owner}"
            for number, meld in enumerate(public.melds)
        }

    def _hand(self, own: View) -> str:
        called = own.calls[own.seat]
        calls = f", {called} call{'' if called == 1 else 's'}" if self._rules.max_calls else ""
        opened = "opened" if own.opened_turn[own.seat] else "not opened"
        return f"{cards_text(own.hand) or 'none'} ({opened}{calls})"

    def _line(self, text: str, style: str = "") -> None:
        self._console.print(text, style=style or None, markup=False, emoji=False)


def _card(card: int) -> str:
    return "none" if card == NONE else card_text(card)
