"""Rummy Arena's library: rules, rule sets, tournaments, bots and the client SDK.

A whole game, without a server:

>>> from rummy_arena.bots.drive import play_game
>>> from rummy_arena.bots.registry import HOUSE_BOTS
>>> from rummy_arena.game.series import result
>>> from rummy_arena.rulesets.registry import get_rule_set
>>> rules = get_rule_set("kaluki-european", {"rebuys": "0"})
>>> bots = [HOUSE_BOTS[name] for name in ("random", "greedy", "careful")]
>>> game, log = play_game(rules, bots, seed=b"any 32 bytes will do as the seed")
>>> sorted(result(game).places)
[1, 2, 3]
"""
