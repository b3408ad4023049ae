"""Random constraint systems of every kind: two to ten objects, sparse to dense, few to many errors, two and three dimensions."""

import numpy as np
import pandas as pd
from numpy.random import Generator
from numpy.typing import NDArray

from vantage.realizability import asserted_constraints
from vantage.relations import ABOVE, BELOW, VIEWPOINTS, observed, opposite, relation_set, yaw_of

FLIP_RATES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5)
"""Chances, as fractions, with which a label is turned into its opposite."""


def random_answers(
    rng: Generator, objects: int, asked: int, flips: float, dimensions: int
) -> tuple[NDArray[np.uint8], pd.DataFrame]:
    """Answers to `asked` questions about random pairs of a random layout, each label flipped with a chance."""
    layout = rng.uniform(-2, 2, size=(objects, 3))
    target = rng.integers(objects, size=asked)
    anchor = (target + rng.integers(1, objects, size=asked)) % objects
    viewpoint = rng.choice(VIEWPOINTS, size=asked)
    apart = layout[target] - layout[anchor]
    answers = relation_set(observed(apart[:, :2], [yaw_of(view) for view in viewpoint]))
    if dimensions == 3:
        answers = answers | np.where(np.abs(apart[:, 2]) > 1, np.where(apart[:, 2] > 0, ABOVE, BELOW), 0).astype(
            np.uint8
        )
    kept = np.uint8(0)
    for axis in (3, 12, 48):
        part = answers & np.uint8(axis)
        kept = kept | np.where(rng.random(asked) < flips, opposite(part), part)
    return kept, pd.DataFrame({"target": target, "anchor": anchor, "viewpoint": viewpoint})


def random_system(rng: Generator, most: int = 70) -> tuple[NDArray[np.int64], float, int]:
    """Constraints, the chance of a flip and the number of dimensions of a random system with up to `most` questions.

    The number of questions goes from one fewer than objects to several for each pair, so that some systems are decided by one pair
    and others only by long cycles.
    """
    dimensions = int(rng.integers(2, 4))
    objects = int(rng.integers(2, 11))
    flips = float(rng.choice(FLIP_RATES))
    asked = int(np.clip(round((objects - 1) * np.exp(rng.uniform(0, 2.5))), 1, most))
    answers, questions = random_answers(rng, objects, asked, flips, dimensions)
    return asserted_constraints(answers, questions, dimensions=dimensions), flips, dimensions
