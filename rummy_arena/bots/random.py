"""The random bot: any legal action, and an opening when it can and a coin says so."""

from __future__ import annotations

from rummy_arena.game.actions import Action, ActionKind, draw_and_open, lay_down
from rummy_arena.game.actions import open_with as opening
from rummy_arena.game.solver.laydowns import find_opening
from rummy_arena.game.state import Phase
from rummy_arena.game.view import View

from .bot import Dice
from .building import further_melds
from .shadow import turn_actions

_WITH_MELDS = frozenset((ActionKind.OPEN, ActionKind.MELD, ActionKind.DRAW_AND_OPEN))


class RandomBot:
    """Plays anything that is legal, each action as likely as any other."""

    name = "random"

    def choose(self, view: View, dice: Dice) -> Action:
        """Return a legal action: half the time a lay-down where there is one."""
        roll = dice.random
        for kind in view.kinds:
            if kind in _WITH_MELDS and roll.random() < 0.5:
                laid = _laid_down(view, kind)
                if laid is not None:
                    return laid
        if view.phase is Phase.PLAY:
            return roll.choice(turn_actions(view))
        return roll.choice([Action(kind) for kind in view.kinds if kind not in _WITH_MELDS])


def _laid_down(view: View, kind: ActionKind) -> Action | None:
    """Return a lay-down of this kind, or None if the hand holds none."""
    if kind is ActionKind.MELD:
        further = further_melds(view)
        return lay_down(further[0]) if further else None
    if kind is ActionKind.OPEN:
        melds = find_opening(view.rules, view.hand, view.contract)
        return None if melds is None else opening(*melds)
    melds = find_opening(view.rules, tuple(sorted((*view.hand, view.top))), view.contract)
    if melds is None or not any(view.top in meld.cards for meld in melds):
        return None
    return draw_and_open(view.top, *melds)
