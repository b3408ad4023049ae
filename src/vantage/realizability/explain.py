"""A contradiction as steps that a reader can follow: inequalities added one by one until nothing is left on the left."""

from collections.abc import Iterable
from dataclasses import dataclass

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


def three_answers() -> tuple[NDArray[np.uint8], pd.DataFrame]:
    """A worked example, answers and questions: three objects, three answers at two viewpoints, each of them plausible.

    At viewpoint 90 the observer stands to the right of the scene and looks to the left, so *in front* is *right* of the source
    view. Then 2 is right of 1, 3 is right of 2, and 3 is left of 1: a cycle. Without any one answer there is a layout.
    """
    questions = pd.DataFrame(
        {"scene": "worked", "target": [2, 3, 3], "anchor": [1, 2, 1], "viewpoint": ["0", "90", "0"]}, index=range(3)
    )
    return np.array([RIGHT, FRONT, LEFT], dtype=np.uint8), questions
