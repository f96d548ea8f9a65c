"""What a bot did wrong, said so that its author finds the place."""

from __future__ import annotations

from rummy_arena.game.actions import Action
from rummy_arena.game.errors import RuleViolation
from rummy_arena.game.notation import action_text, parse_action
from rummy_arena.game.notation.replaying import refusal_text
from rummy_arena.game.view import View

from .bot import Bot, Dice

_LONGEST_SHOWN = 200
_WHICH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


class BotFault(Exception):
    """A bot raised, or chose what is no action or what the rules refuse; the text says where.

    ``pair`` counts from 0, ``which`` bot it is from 0, ``view`` what it was
    asked about and ``violation`` the refusal, if there is one. What the bot raised is the cause.
    """

    def __init__(
        self,
        watched: WatchedBot,
        problem: str,
        violation: RuleViolation | None = None,
    ) -> None:
        self.pair = watched.pair
        self.which = watched.which
        self.view = watched.view
        self.violation = violation
        view = watched.view
        contract = view.contract.text
        super().__init__(
            f"the bot {watched.name} (the {_WHICH[self.which]}) {problem}, at seat {view.seat} in "
            f"pair {self.pair + 1}: deal {view.number} ({contract}), turn {view.turn_number}"
        )


class WatchedBot:
    """A bot whose last decision is kept, so that its fault can be told."""

    __slots__ = ("_action", "_bot", "name", "pair", "view", "which")

    view: View
    _action: Action

    def __init__(self, bot: Bot, which: int, pair: int) -> None:
        self._bot = bot
        self.which = which
        self.pair = pair
        self.name = str(getattr(bot, "name", type(bot).__name__))

    def choose(self, view: View, dice: Dice) -> Action:
        """Return what the bot chooses; BotFault where it raises or chooses no action."""
        self.view = view
        try:
            action = self._bot.choose(view, dice)
        except (Exception, SystemExit) as error:  # a bot that exits must not end the match unseen
            raise BotFault(self, f"raised {_raised(error)}") from error
        if not isinstance(action, Action):
            raise BotFault(self, f"chose {_shown(action)}, which is no Action")
        self._action = action
        return action

    def refused(self, violation: RuleViolation) -> BotFault:
        """Return the fault of having chosen what the rules refuse."""
        chosen = _action_words(self.view.seat, self._action)
        problem = f"chose {chosen}, which is refused as {refusal_text(violation)}"
        return BotFault(self, problem, violation)


def _raised(error: BaseException) -> str:
    said = _shown_text(" ".join(str(error).split()))
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _action_words(seat: int, action: Action) -> str:
    """Return the action in notation, or as it is where notation cannot say it."""
    try:
        text = action_text(seat, action)
        if parse_action(text) == (seat, action):
            return repr(text)
    except Exception:  # noqa: S110  anything can stand in an action that a bot made up
        pass
    return _shown(action)


def _shown(value: object) -> str:
    try:
        return _shown_text(repr(value))
    except Exception:
        return f"a {type(value).__name__}"


def _shown_text(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
