"""The rules of one deal and one game: cards, melds, the engine, views, the solver, the notation.

Standard library only; no clock, dice or I/O: chance comes in as an argument.
"""
