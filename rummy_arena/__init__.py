"""Rummy Arena's library: rules, rule sets, tournaments, bots and the client SDK."""
