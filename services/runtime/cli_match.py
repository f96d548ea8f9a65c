"""``rummy-arena match``: two bots over paired deals, and whether one is better.

It needs the library, typer and nothing else: no server, and nothing that runs.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
import traceback
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .cli_rules import choices_of

if TYPE_CHECKING:
    from rummy_arena.bots.bot import Bot
    from rummy_arena.bots.match import Record, Terms

_SHOWN_EVERY_S = 0.5
_DEALS, _GAMES = 1000, 40


class BotNotFound(Exception):
    """No bot is known by this name, or it cannot be made; the text says what to do."""


def match(
    bot_a: Annotated[str, typer.Argument(help="A house bot, or MODULE:CLASS of your own.")],
    bot_b: Annotated[str, typer.Argument(help="The bot that it plays against.")],
    rule_set: Annotated[str, typer.Option(help="What they play.")] = "kalooki-jamaican",
    seats: Annotated[int, typer.Option(min=2, max=8, help="Seats of the table.")] = 4,
    deals: Annotated[
        int | None,
        typer.Option(min=2, help=f"Pairs of single deals, contracts in turn [{_DEALS}]."),
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=2, help="Pairs of whole games, instead of single deals.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same match.")] = 0,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="As played so; may be repeated."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document, nothing else.")
    ] = False,
) -> int:
    """Play two bots against each other: same decks, seats rotated, luck divided out."""
    from rummy_arena.bots.match import BotFault, Terms, play_match
    from rummy_arena.game.series import SeatsError
    from rummy_arena.rulesets.errors import OptionError, UnknownRuleSet
    from rummy_arena.rulesets.registry import get_rule_set

    from .cli import complain

    if deals and games:
        raise typer.BadParameter("choose --deals or --games, not both")
    try:
        rules = get_rule_set(rule_set, choices_of(option or []))
        bots = find_bot(bot_a), find_bot(bot_b)
        pairs = games or deals or _DEALS
        terms = Terms(rules, seats, pairs, seed=seed, whole_games=games is not None)
        record = play_match(terms, *bots, progress=_Progress(pairs))
    except (OptionError, UnknownRuleSet, SeatsError, BotNotFound, BotFault) as error:
        complain(str(error))
        return 2
    document = match_document(terms, (bot_a, bot_b), record)
    print(json.dumps(document) if as_json else match_text(document))
    return 0


def find_bot(name: str) -> Bot:
    """Return the house bot of this name, or a new bot of the class that MODULE:CLASS names.

    Modules are looked for in the current folder as well. Raises BotNotFound.
    """
    from rummy_arena.bots.registry import HOUSE_BOTS

    if name in HOUSE_BOTS:
        return HOUSE_BOTS[name]
    module_name, colon, class_name = name.partition(":")
    if not colon:
        known = ", ".join(HOUSE_BOTS)
        raise BotNotFound(f"no house bot {name!r}; known: {known}; your own is MODULE:CLASS")
    sys.path.insert(0, "")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        where = "in the current folder or installed"
        raise BotNotFound(f"cannot import {module_name!r} ({error}); is it {where}?") from error
    except Exception as error:
        traceback.print_exc()
        raise BotNotFound(f"importing {module_name!r} failed: {error!r}; mend it first") from error
    finally:
        sys.path.remove("")
    return _made(getattr(module, class_name, None), name)


def _made(found: Any, name: str) -> Bot:
    if found is None:
        module_name, _, class_name = name.partition(":")
        raise BotNotFound(f"{module_name!r} has no {class_name!r}; write MODULE:CLASS of your bot")
    try:
        bot: Bot = found() if isinstance(found, type) else found
    except Exception as error:
        raise BotNotFound(
            f"{name} cannot be made without arguments ({error!r}); name an object of it instead"
        ) from error
    if not callable(getattr(bot, "choose", None)):
        raise BotNotFound(f"{name} is no bot: it needs a method choose(view, dice)")
    return bot


class _Progress:
    """Shows on stderr how far the match is."""

    def __init__(self, pairs: int) -> None:
        self._pairs = pairs
        self._live = sys.stderr.isatty()
        self._shown = time.monotonic()

    def __call__(self, record: Record) -> None:
        played = len(record.differences)
        done = played == self._pairs
        now = time.monotonic()
        if not done and now - self._shown < _SHOWN_EVERY_S * (1 if self._live else 20):
            return
        self._shown = now
        text = f"{played} of {self._pairs} pairs, difference {record.mean:+.2f}"
        if played > 1:
            text += f" ± {record.margin:.2f}"
        end = "\n" if done or not self._live else ""
        print(("\r\x1b[K" if self._live else "") + text, end=end, file=sys.stderr, flush=True)


def match_document(terms: Terms, names: tuple[str, str], record: Record) -> dict[str, Any]:
    """Return what a match showed, ready for JSON."""
    from rummy_arena.bots.match import CONFIDENCE, verdict
    from rummy_arena.game.events import DealEnd

    better = verdict(record)
    return {
        "rule_set": terms.rules.id,
        "options": dict(terms.rules.options),
        "seats": terms.seats,
        "seed": terms.seed,
        "unit": "game" if terms.whole_games else "deal",
        "pairs": terms.pairs,
        "plays": record.plays,
        "deals": record.ends.total(),
        "difference": record.mean,
        "margin": record.margin,
        "confidence": CONFIDENCE,
        "better": None if better is None else names[better],
        "bots": [
            {
                "name": name,
                "mean_penalty": record.mean_penalty(which),
                "deals_won": record.deals_won[which],
                "games_won": record.games_won[which] if terms.whole_games else None,
            }
            for which, name in enumerate(names)
        ],
        "ends": {end.name.lower(): record.share(end) for end in DealEnd},
    }


def match_text(document: dict[str, Any]) -> str:
    """Return what a match showed, in words."""
    chosen = ", ".join(f"{name}={value}" for name, value in document["options"].items())
    ends = document["ends"]
    lines = [
        f"{document['rule_set']}{f' ({chosen})' if chosen else ''}, {document['seats']} seats, "
        f"{document['pairs']} pairs of {document['unit']}s, {document['plays']} plays, "
        f"{document['deals']} deals, seed {document['seed']}",
    ]
    for bot in document["bots"]:
        won = "" if bot["games_won"] is None else f", {bot['games_won']:g} games won"
        lines.append(
            f"  {bot['name']:12} {bot['mean_penalty']:7.2f} points a deal, "
            f"{bot['deals_won']} deals won{won}"
        )
    first, second = [bot["name"] for bot in document["bots"]]
    lines.append(
        f"difference {document['difference']:+.2f} ± {document['margin']:.2f} points a deal "
        f"({document['confidence']:.0%} confidence over the pairs, Student's t)"
    )
    better = document["better"]
    lines.append(
        f"{better} is better than {second if better == first else first}"
        if better
        else "neither is shown to be better; play more pairs to tell them apart"
    )
    lines.append(
        f"deals end by going out {ends['out']:.1%}, void {ends['void']:.1%}, cap {ends['cap']:.1%}"
    )
    return "\n".join(lines)
