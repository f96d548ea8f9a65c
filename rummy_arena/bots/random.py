"""The random bot: any legal action, and an opening when it can and a coin says so."""

from __future__ import annotations

from rummy_arena.game.actions import Action, ActionKind, discard, lay_down, lay_off, move_joker
from rummy_arena.game.actions import open_with as opening
from rummy_arena.game.cards import JOKER_BASE
from rummy_arena.game.laydowns import find_opening
from rummy_arena.game.view import View

from .bot import Dice
from .building import fits, frees_joker, further_melds


class RandomBot:
    """Plays anything that is legal, each action as likely as any other."""

    name = "random"

    def choose(self, view: View, dice: Dice) -> Action:
        """Return a legal action: half the time a lay-down where there is one."""
        roll = dice.random
        if ActionKind.OPEN in view.kinds and roll.random() < 0.5:
            melds = find_opening(view.rules, view.hand, view.contract)
            if melds is not None:
                return opening(*melds)
        if ActionKind.MELD in view.kinds and roll.random() < 0.5:
            further = further_melds(view)
            if further:
                return lay_down(further[0])
        return roll.choice(_single_actions(view))


def _single_actions(view: View) -> list[Action]:
    """Return every legal action that lays down no meld, as the engine lists them."""
    actions: list[Action] = []
    for kind in view.kinds:
        if kind is ActionKind.DISCARD:
            actions += [discard(card) for card in view.hand if card < JOKER_BASE]
        elif kind is ActionKind.LAY_OFF:
            actions += [
                lay_off(card, target)
                for target, meld in enumerate(view.melds)
                for card in view.hand
                if fits(meld, card)
            ]
        elif kind is ActionKind.MOVE_JOKER:
            actions += [
                move_joker(card, target)
                for target, meld in enumerate(view.melds)
                for card in view.hand
                if frees_joker(meld, card)
            ]
        elif kind not in (ActionKind.OPEN, ActionKind.MELD):
            actions.append(Action(kind))
    return actions
