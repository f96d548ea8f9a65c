"""What is wrong with a choice of rule set, options or seats; each text says what is possible."""

from __future__ import annotations


class UnknownRuleSet(LookupError):
    """No rule set has this id; ``known`` lists those that exist."""

    def __init__(self, rule_set: str, known: tuple[str, ...]) -> None:
        self.rule_set = rule_set
        self.known = known
        super().__init__(f"unknown rule set {rule_set!r}; known: {', '.join(known)}")


class OptionError(ValueError):
    """An option of a rule set is wrong; ``option`` names it."""

    def __init__(self, rule_set: str, option: str, text: str) -> None:
        self.rule_set = rule_set
        self.option = option
        super().__init__(text)


class UnknownOption(OptionError):
    """The rule set has no option of this name; ``known`` lists those that it has."""

    def __init__(self, rule_set: str, option: str, known: tuple[str, ...]) -> None:
        self.known = known
        names = ", ".join(known) or "none"
        super().__init__(
            rule_set, option, f"{rule_set} has no option {option!r}; its options: {names}"
        )


class InvalidOption(OptionError):
    """The option does not take this value, or not beside the others.

    ``clause`` and ``reason`` say why, ``allowed`` which values it takes, in words.
    """

    def __init__(
        self, rule_set: str, option: str, clause: str, value: str, reason: str, allowed: str
    ) -> None:
        self.clause = clause
        self.value = value
        self.reason = reason
        self.allowed = allowed
        super().__init__(rule_set, option, f"option {option} of {rule_set} {reason} ({clause})")
