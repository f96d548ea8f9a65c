"""``rummy-arena match``: two bots over paired deals, and whether one is better.

It needs the library, typer and nothing else: no server, and nothing that runs.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .cli_bot import BotNotFound, find_bot, frames_below
from .cli_progress import MatchProgress
from .cli_rules import choices_of

if TYPE_CHECKING:
    from rummy_arena.bots.bot import Bot
    from rummy_arena.bots.match import Record, Terms

_DEALS, _GAMES = 1000, 40


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
        bool,
        typer.Option(
            "--json",
            help="Print one JSON document, nothing else; in games_won a shared win is a fraction.",
        ),
    ] = False,
) -> int:
    """Play two bots against each other: same decks, seats rotated, luck divided out."""
    from rummy_arena.bots.match import BotFault, Terms
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
        return _played(terms, (bot_a, bot_b), bots, as_json=as_json)
    except BotFault as fault:
        if fault.__cause__ is not None and fault.violation is None:
            print(frames_below(fault.__cause__.__traceback__), end="", file=sys.stderr)
        complain(str(fault))
    except (OptionError, UnknownRuleSet, SeatsError, BotNotFound) as error:
        complain(str(error))
    return 2


def _played(terms: Terms, names: tuple[str, str], bots: tuple[Bot, Bot], *, as_json: bool) -> int:
    """Play the match and print what it showed, all of it or as much as there was time for."""
    from rummy_arena.bots.match import play_match

    from .cli import INTERRUPTED, complain

    status, played = 0, terms.pairs
    with MatchProgress(terms.pairs) as progress:
        try:
            play_match(terms, *bots, progress=progress)
        except KeyboardInterrupt:
            status = INTERRUPTED
    if status:
        played = len(progress.record.differences)
        complain(f"stopped after {played} of {terms.pairs} pairs")
    if played:
        document = match_document(terms, names, progress.record)
        print(json.dumps(document) if as_json else match_text(document))
    return status


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
        "pairs": len(record.differences),
        "plays": record.plays,
        "deals": record.ends.total(),
        "difference": record.mean,
        "margin": record.margin if len(record.differences) > 1 else None,
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
        f"{_counted(document['pairs'], 'pair')} of {document['unit']}s, {document['plays']} plays, "
        f"{document['deals']} deals, seed {document['seed']}",
    ]
    width = max([len(bot["name"]) for bot in document["bots"]])
    for bot in document["bots"]:
        won = "" if bot["games_won"] is None else f", {_counted(bot['games_won'], 'game')} won"
        lines.append(
            f"  {bot['name']:{width}} {bot['mean_penalty']:7.2f} points a deal, "
            f"{_counted(bot['deals_won'], 'deal')} won{won}"
        )
    lines.append(f"difference {document['difference']:+.2f} {_margin(document)}")
    lines.append(_conclusion(document))
    lines.append(
        f"deals end by going out {ends['out']:.1%}, void {ends['void']:.1%}, cap {ends['cap']:.1%}"
    )
    return "\n".join(lines)


def _margin(document: dict[str, Any]) -> str:
    if document["margin"] is None:
        return "points a deal (one pair says nothing of how far that is luck)"
    return (
        f"± {document['margin']:.2f} points a deal "
        f"({document['confidence']:.0%} confidence over the pairs, Student's t)"
    )


def _conclusion(document: dict[str, Any]) -> str:
    first, second = [bot["name"] for bot in document["bots"]]
    better = document["better"]
    if better:
        return f"{better} is better than {second if better == first else first}"
    if document["ends"]["void"] == 1:
        return "nothing can be said: nobody went out in any deal, every one was void"
    if document["difference"] == 0 and document["margin"] == 0:
        return "they did equally well in every pair: no more pairs will tell them apart"
    return "neither is shown to be better; play more pairs to tell them apart"


def _counted(number: float, noun: str) -> str:
    return f"{number:g} {noun}{'' if number == 1 else 's'}"
