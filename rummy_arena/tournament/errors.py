"""Why the pure rules of tournaments refused: one type for each cause."""

from __future__ import annotations

from collections.abc import Iterable


class InvalidFormat(ValueError):
    """An option of a format cannot be used; ``reason`` says what would do."""

    def __init__(self, option: str, reason: str) -> None:
        super().__init__(f"{option}: {reason}")
        self.option = option
        self.reason = reason


class UnevenField(ValueError):
    """So many entrants cannot be seated; ``works`` holds the nearest numbers that can."""

    def __init__(self, entrants: int, works: tuple[int, ...]) -> None:
        shown = " or ".join(map(str, works))
        super().__init__(f"{entrants} entrants cannot be seated; {shown} can")
        self.entrants = entrants
        self.works = works


class DuplicateEntrants(ValueError):
    """Somebody entered twice; ``entrants`` lists who."""

    def __init__(self, entrants: Iterable[int]) -> None:
        self.entrants = tuple(entrants)
        super().__init__(f"entered more than once: {', '.join(map(str, self.entrants))}")


class ResultsMismatch(ValueError):
    """The results of a round are not those of its tables; ``tables`` lists the numbers at fault.

    A table is at fault when it has no result, more than one, or one with other entrants.
    """

    def __init__(self, round_number: int, tables: Iterable[int]) -> None:
        self.round_number = round_number
        self.tables = tuple(tables)
        shown = ", ".join(map(str, self.tables))
        super().__init__(
            f"round {round_number} needs exactly one result, with the entrants who were paired, "
            f"from table {shown}"
        )


class NothingPlayed(ValueError):
    """A question about the last round was asked before there was one."""

    def __init__(self) -> None:
        super().__init__("no round has been played: pair the first round with first_round")


class UnknownFormat(LookupError):
    """No format has this id; ``known`` lists those that exist."""

    def __init__(self, format_id: str, known: Iterable[str]) -> None:
        self.format_id = format_id
        self.known = tuple(known)
        super().__init__(f"unknown format {format_id!r}; known: {', '.join(self.known)}")
