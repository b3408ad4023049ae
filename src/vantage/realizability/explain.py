"""A contradiction as steps that a reader can follow: inequalities added one by one until nothing is left on the left."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_lowercase

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage.errors import InputError
from vantage.realizability.constraints import LABELS, asserted_direction
from vantage.realizability.feasibility import Conflict
from vantage.relations import FRONT, LEFT, RIGHT, decode

_PHRASES = {
    "left": "to the left of",
    "right": "to the right of",
    "front": "in front of",
    "north": "north of",
    "south": "south of",
}

TOWARDS = {
    (1, 0): "to the right",
    (1, 1): "to the right and back",
    (0, 1): "to the back",
    (-1, 1): "to the left and back",
    (-1, 0): "to the left",
    (-1, -1): "to the left and front",
    (0, -1): "to the front",
    (1, -1): "to the right and front",
    (0, 0, 1): "up",
    (0, 0, -1): "down",
}
"""Directions of the map in words: farther ... than."""


@dataclass(frozen=True)
class Step:
    """One answer's inequality, and the sum of all up to here.

    `question` is the answer's place in the table of questions, `label` its word at `viewpoint`, `direction` what it asserts in the
    source frame, and `multiplier` how often it is added. `running` gives for each object left in the sum the vector that its
    position is multiplied with; the sum is at least `bound`. At the last step `running` is empty: 0 >= bound, which is impossible.
    """

    question: int
    viewpoint: str
    target: int
    label: str
    anchor: int
    direction: tuple[int, ...]
    multiplier: int
    running: dict[int, tuple[int, ...]]
    bound: int

    @property
    def claim(self) -> str:
        """The answer in words."""
        return (
            f"At viewpoint {self.viewpoint}, object {self.target} is "
            f"{_PHRASES.get(self.label, self.label)} object {self.anchor}."
        )

    @property
    def inequality(self) -> str:
        """What the answer asserts, as it is added."""
        times = f"{self.multiplier} × " if self.multiplier > 1 else ""
        return f"{times}{_vector(self.direction)}·(x{self.target} − x{self.anchor}) ≥ {self.multiplier}"

    @property
    def total(self) -> str:
        """The sum of all inequalities up to here."""
        terms = " + ".join(f"{_vector(vector)}·x{tag}" for tag, vector in self.running.items())
        return f"{terms or 0} ≥ {self.bound}"


def _vector(parts: Iterable[int]) -> str:
    return f"({', '.join(str(part).replace('-', '−') for part in parts)})"


def explain(conflict: Conflict, questions: pd.DataFrame) -> list[Step]:
    """The steps of a contradiction (Supp. 2.3): each answer's inequality, and the running sum, which ends at 0 >= n.

    The order keeps as few objects in the sum as it can, so that a cycle is read around. `questions` has the column viewpoint
    in the rows that the constraints' questions count. Raises `InputError` where a constraint is not what any label says at
    its question's viewpoint: constraints made with the opposite map, or for other questions.

    >>> from vantage.realizability import asserted_constraints, realize
    >>> answers, asked = three_answers()
    >>> for step in explain(realize(asserted_constraints(answers, asked)).conflict, asked):
    ...     print(f"{step.claim} {step.inequality}. So far: {step.total}.")
    At viewpoint 0, object 2 is to the right of object 1. (1, 0)·(x2 − x1) ≥ 1. So far: (1, 0)·x2 + (−1, 0)·x1 ≥ 1.
    At viewpoint 90, object 3 is in front of object 2. (1, 0)·(x3 − x2) ≥ 1. So far: (−1, 0)·x1 + (1, 0)·x3 ≥ 2.
    At viewpoint 0, object 3 is to the left of object 1. (−1, 0)·(x3 − x1) ≥ 1. So far: 0 ≥ 3.
    """
    left = list(zip(conflict.multipliers, conflict.constraints.tolist(), strict=True))
    running: dict[int, tuple[int, ...]] = {}
    bound = 0
    steps = []
    while left:
        multiplier, row = min(left, key=lambda each: len(_added(running, *each)))
        left.remove((multiplier, row))
        running, bound = _added(running, multiplier, row), bound + multiplier
        question, target, anchor, *direction = row
        viewpoint = questions.viewpoint.iloc[question]
        label = _label(tuple(direction), viewpoint, question)
        steps.append(Step(question, viewpoint, target, label, anchor, tuple(direction), multiplier, running, bound))
    return steps


def _added(running: dict[int, tuple[int, ...]], multiplier: int, row: list[int]) -> dict[int, tuple[int, ...]]:
    """The running sum with a constraint added; objects whose vector is zero are left out."""
    _, target, anchor, *direction = row
    total = dict(running)
    for tag, sign in ((target, multiplier), (anchor, -multiplier)):
        before = total.get(tag, (0,) * len(direction))
        total[tag] = tuple(old + sign * part for old, part in zip(before, direction, strict=True))
    return {tag: vector for tag, vector in total.items() if any(vector)}


def _label(direction: tuple[int, ...], viewpoint: str, question: int) -> str:
    for label in LABELS:
        if asserted_direction(label, viewpoint) == (*direction, 0)[:3]:
            return decode(label, viewpoint)[0]
    raise InputError(
        f"expected a direction that a label asserts at viewpoint {viewpoint} of question {question}, found {direction}"
    )


def step_letter(place: int) -> str:
    """What figures and tables call a step: a, b, c, ..., so that no number means both a step and an object."""
    return ascii_lowercase[place] if place < len(ascii_lowercase) else str(place + 1)


class Walk(list):
    """The steps of a cycle as (from, to), each of them along `direction`."""

    def __init__(self, steps: Iterable[tuple[int, int]], direction: tuple[int, ...]):
        super().__init__(steps)
        self.direction = direction


def directed_steps(steps: Sequence[Step]) -> Walk | None:
    """The steps of a contradiction as a walk along one direction that comes back to where it began; None without such a direction.

    A target on the anchor's left is an anchor on the target's right, so each step can be turned. Of the two ways round, this is the one
    in which a step begins where the step before it ends.

    >>> from vantage.realizability import asserted_constraints, realize
    >>> answers, asked = three_answers()
    >>> walk = directed_steps(explain(realize(asserted_constraints(answers, asked)).conflict, asked))
    >>> walk, walk.direction
    ([(1, 2), (2, 3), (3, 1)], (1, 0))
    """
    first = steps[0].direction
    back = tuple(-part for part in first)
    if not all(step.direction in (first, back) for step in steps):
        return None
    along = [(step.anchor, step.target) if step.direction == first else (step.target, step.anchor) for step in steps]
    ways = (Walk(along, first), Walk([(end, start) for start, end in along], back))
    return max(ways, key=lambda way: sum(one[1] == other[0] for one, other in pairwise(way)))


def three_answers() -> tuple[NDArray[np.uint8], pd.DataFrame]:
    """A worked example, answers and questions: three objects, three answers at two viewpoints, each of them plausible.

    At viewpoint 90 the observer stands to the right of the scene and looks to the left, so *in front* is *right* of the source
    view. Then 2 is right of 1, 3 is right of 2, and 3 is left of 1: a cycle. Without any one answer there is a layout.
    """
    questions = pd.DataFrame(
        {"scene": "worked", "target": [2, 3, 3], "anchor": [1, 2, 1], "viewpoint": ["0", "90", "0"]}, index=range(3)
    )
    return np.array([RIGHT, FRONT, LEFT], dtype=np.uint8), questions


def answers_at_diagonals() -> tuple[NDArray[np.uint8], pd.DataFrame]:
    """A worked example that needs a multiplier: the same pair at 0, 45 and 315 degrees, 3 right of 2, then left of it twice.

    At 45 and at 315 degrees *left* has a part to the left of the source view, and parts to its front and back that cancel each other.
    """
    questions = pd.DataFrame(
        {"scene": "worked", "target": 3, "anchor": 2, "viewpoint": ["0", "45", "315"]}, index=range(3)
    )
    return np.array([RIGHT, LEFT, LEFT], dtype=np.uint8), questions
