"""The rule sets as data, their options, and the rule book."""
