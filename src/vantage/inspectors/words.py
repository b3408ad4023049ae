"""How the inspector says things; its page and its Python twin share these words."""

from collections.abc import Sequence

from vantage.items import CVTItems
from vantage.predictions import ANSWERED, INVALID, CVTRun
from vantage.realizability import TOWARDS

RELATION_PHRASES = {
    "left": "to the left of",
    "right": "to the right of",
    "front": "in front of",
    "behind": "behind",
    "south": "to the south of",
    "north": "to the north of",
    "above": "above",
    "below": "below",
}
"""How a reading says each label."""

OFFSET_PHRASES = {
    "left": "to the left",
    "right": "to the right",
    "front": "in front",
    "behind": "behind",
    "south": "to the south",
    "north": "to the north",
}
"""How a reading says the direction of each component."""

VERDICTS = {
    "correct": "Correct",
    "alternative": "Correct by an admissible alternative",
    "wrong": "Wrong",
    "invalid": "Invalid: the reply could not be read",
    "missing": "Missing: there is no reply",
}
"""What became of an answer, in words."""

DIRECTION_PHRASES = tuple(TOWARDS.values())
"""How a step says each direction: of the map, counter-clockwise from the right, an eighth of a turn apart; then up and down."""

PART_PHRASES = {
    "plan": "This is about the plan alone; heights play no part in it.",
    "heights": "This is about heights alone, which are the same for every observer; the plan plays no part in it.",
}
"""What a contradiction in each part of a scene is about."""


FLAW_PHRASES = {
    "overlap": "they have too much height in common",
    "separation": "their centres are too close in height",
    "pixels": "their centres are too close in the picture",
    "order": "layout and picture order them differently",
}
"""Why neither of two objects is clearly above the other: the names of `vantage.heights.HeightComparison.flaws`."""


def verdict(items: CVTItems, run: CVTRun, row: int) -> str:
    """What became of a run's answer to the question in `row`: a key of `VERDICTS`."""
    if run.status[row] != ANSWERED:
        return "invalid" if run.status[row] == INVALID else "missing"
    if run.answers[row] == items.gold[row]:
        return "correct"
    return "alternative" if run.answers[row] in items.admissible[row] else "wrong"


def listed(words: Sequence[str]) -> str:
    """One, two and three.

    >>> listed(["one", "two", "three"])
    'one, two and three'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
