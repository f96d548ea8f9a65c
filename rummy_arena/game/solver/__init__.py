"""What a hand can do: contracts and points it holds, how far it is, lay-downs, the best building.

Ask ``contains``, ``distance`` and ``plan`` about the ``masks`` of a hand; ``find_opening`` and
``find_melds`` choose real cards; ``best_building`` puts an opened hand on the table.
"""

from .best_building import best_building
from .contracts import (
    EVERY_NATURAL,
    Masks,
    Plan,
    contains,
    distance,
    helps,
    masks,
    plan,
    useful,
    with_card,
    within,
    without_card,
)
from .laydowns import find_melds, find_opening

__all__ = [
    "EVERY_NATURAL",
    "Masks",
    "Plan",
    "best_building",
    "contains",
    "distance",
    "find_melds",
    "find_opening",
    "helps",
    "masks",
    "plan",
    "useful",
    "with_card",
    "within",
    "without_card",
]
