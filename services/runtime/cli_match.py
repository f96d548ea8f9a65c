"""``rummy-arena match``: bots over the same deals, and which of them is better.

It needs the library, typer and nothing else: no server, and nothing that runs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .cli_bot import BotNotFound, find_bot, frames_below
from .cli_progress import MatchProgress
from .cli_rules import choices_of

if TYPE_CHECKING:
    from rummy_arena.bots.bot import Bot
    from rummy_arena.bots.match import Record, Terms
    from rummy_arena.tournament import sequential

_DEALS = 1000
_MOST = 100_000
"""Pairs of deals at most, where a test ends the match."""
_FEWEST = 2


def match(
    bots: Annotated[
        list[str], typer.Argument(help="Two bots or more: house bots, or MODULE:CLASS of your own.")
    ],
    rule_set: Annotated[str, typer.Option(help="What they play.")] = "kalooki-jamaican",
    seats: Annotated[int, typer.Option(min=2, max=8, help="Seats of the table.")] = 4,
    deals: Annotated[
        int | None,
        typer.Option(min=2, help=f"Pairs of single deals, contracts in turn [{_DEALS}]."),
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=2, help="Pairs of whole games, instead of single deals.")
    ] = None,
    effect: Annotated[
        float | None,
        typer.Option(
            help="Stop as soon as it is known whether a difference of so many points a deal is "
            "there; --deals or --games is the most."
        ),
    ] = None,
    alpha: Annotated[
        float, typer.Option(help="With --effect: the chance to call equal bots unequal.")
    ] = 0.05,
    beta: Annotated[
        float, typer.Option(help="With --effect: the chance to miss such a difference.")
    ] = 0.05,
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
    """Play bots against each other: same decks, seats rotated, luck divided out."""
    from rummy_arena.bots.match import BotFault, Terms, UnevenBots
    from rummy_arena.game.series import SeatsError
    from rummy_arena.rulesets.errors import OptionError, UnknownRuleSet
    from rummy_arena.rulesets.registry import get_rule_set
    from rummy_arena.tournament import sequential
    from rummy_arena.tournament.errors import InvalidFormat

    from .cli import complain

    if len(bots) < _FEWEST:
        raise typer.BadParameter("name two bots or more")
    if deals and games:
        raise typer.BadParameter("choose --deals or --games, not both")
    try:
        rules = get_rule_set(rule_set, choices_of(option or []))
        players = [find_bot(name) for name in bots]
        pairs = games or deals or (_DEALS if effect is None else _MOST)
        terms = Terms(rules, seats, pairs, seed=seed, whole_games=games is not None)
        test = None
        if effect is not None:
            least = min(sequential.LEAST, pairs)
            asked = sequential.Terms(effect, pairs, alpha, beta, least)
            test = sequential.Match(asked, len(bots))
        return _played(terms, bots, players, test, as_json=as_json)
    except BotFault as fault:
        if fault.__cause__ is not None and fault.violation is None:
            print(frames_below(fault.__cause__.__traceback__), end="", file=sys.stderr)
        complain(str(fault))
    except InvalidFormat as error:
        complain(f"--{error.option}: {error.reason}")
    except (OptionError, UnknownRuleSet, SeatsError, BotNotFound, UnevenBots) as error:
        complain(str(error))
    return 2


def _played(
    terms: Terms,
    names: Sequence[str],
    bots: Sequence[Bot],
    test: sequential.Match | None,
    *,
    as_json: bool,
) -> int:
    """Play the match and print what it showed, all of it or as much as there was time for."""
    from rummy_arena.bots.match import play_match

    from .cli import INTERRUPTED, complain

    status = 0
    with MatchProgress(terms.pairs, len(bots)) as progress:
        try:
            play_match(terms, *bots, progress=progress, test=test)
        except KeyboardInterrupt:
            status = INTERRUPTED
    played = len(progress.record.boards)
    if status:
        complain(f"stopped after {played} of {terms.pairs} pairs")
    if played:
        document = match_document(terms, names, progress.record, test)
        print(json.dumps(document) if as_json else match_text(document))
    return status


def match_document(
    terms: Terms, names: Sequence[str], record: Record, test: sequential.Match | None = None
) -> dict[str, Any]:
    """Return what a match showed, ready for JSON."""
    from rummy_arena.bots.match import CONFIDENCE
    from rummy_arena.game.events import DealEnd

    return {
        "rule_set": terms.rules.id,
        "options": dict(terms.rules.options),
        "seats": terms.seats,
        "seed": terms.seed,
        "unit": "game" if terms.whole_games else "deal",
        "pairs": len(record.boards),
        "plays": record.plays,
        "deals": record.ends.total(),
        "confidence": CONFIDENCE,
        "test": None
        if test is None
        else {
            "effect": test.terms.effect,
            "alpha": test.terms.alpha,
            "beta": test.terms.beta,
            "most_pairs": test.terms.cap,
        },
        "comparisons": [
            _comparison(record, names, first, second, test)
            for first, second in combinations(range(len(names)), 2)
        ],
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


def _comparison(
    record: Record, names: Sequence[str], first: int, second: int, test: sequential.Match | None
) -> dict[str, Any]:
    """Return what was found of two of the bots.

    With a test its verdict, after so many pairs, says who is better; else the interval does.
    """
    from rummy_arena.bots.match import verdict
    from rummy_arena.tournament.sequential import Verdict

    better = verdict(record, first, second)
    found = {
        "first": names[first],
        "second": names[second],
        "difference": record.mean(first, second),
        "margin": record.margin(first, second) if len(record.boards) > 1 else None,
    }
    if test is None:
        return {**found, "better": None if better is None else names[better], "verdict": None}
    (finding,) = [f for f in test.findings() if (f.first, f.second) == (first, second)]
    who = {Verdict.FIRST: names[first], Verdict.SECOND: names[second]}.get(finding.verdict)
    return {
        **found,
        "better": who,
        "verdict": finding.verdict.value,
        "decided_after": None if finding.verdict is Verdict.UNDECIDED else finding.results,
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
    for found in document["comparisons"]:
        named = (
            f"{found['first']} less {found['second']}: " if len(document["bots"]) > _FEWEST else ""
        )
        lines.append(f"{named}difference {found['difference']:+.2f} {_margin(document, found)}")
        lines.append(_conclusion(document, found))
    lines.append(
        f"deals end by going out {ends['out']:.1%}, void {ends['void']:.1%}, cap {ends['cap']:.1%}"
    )
    return "\n".join(lines)


def _margin(document: dict[str, Any], found: dict[str, Any]) -> str:
    if found["margin"] is None:
        return "points a deal (one pair says nothing of how far that is luck)"
    return (
        f"± {found['margin']:.2f} points a deal "
        f"({document['confidence']:.0%} confidence over the pairs, Student's t)"
    )


def _conclusion(document: dict[str, Any], found: dict[str, Any]) -> str:
    first, second, better = found["first"], found["second"], found["better"]
    test = document["test"]
    if better:
        after = f", known after {found['decided_after']} pairs" if test else ""
        return f"{better} is better than {second if better == first else first}{after}"
    if document["ends"]["void"] == 1:
        return "nothing can be said: nobody went out in any deal, every one was void"
    if found["verdict"] == "equal":
        return (
            f"no difference of {test['effect']:g} points is there, "
            f"known after {found['decided_after']} pairs"
        )
    if found["difference"] == 0 and found["margin"] == 0:
        return "they did equally well in every pair: no more pairs will tell them apart"
    return "neither is shown to be better; play more pairs to tell them apart"


def _counted(number: float, noun: str) -> str:
    return f"{number:g} {noun}{'' if number == 1 else 's'}"
