"""Stubs of the API, generated from ``proto/`` by ``proto/generate.py``; never edit them."""
