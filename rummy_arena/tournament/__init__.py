"""Pairing, standings and tie-breaks: pure functions over results."""
