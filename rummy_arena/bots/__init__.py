"""Bots: what one is, the house bots, and the loops that let them play."""
