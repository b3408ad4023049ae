"""Can one layout satisfy every asserted relation of a scene? (CVT-Bench, Supp. 2.3)

A label r about target i and anchor j at viewpoint theta asserts d(theta, r) . (x_i - x_j) >= 1 for the canonical direction
d. A constraint is a row of whole numbers (question, target, anchor, d_x, d_y), the question by its place in the table
that was given. Diagonal directions are scaled to (+-1, +-1), which changes no verdict because layouts may be scaled.
"""

import numpy as np
import pandas as pd
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.optimize import linprog

from vantage.relations import BEHIND, FRONT, LEFT, RIGHT, VIEWPOINTS, direction, opposite

_LABELS = (LEFT, RIGHT, FRONT, BEHIND)


def _mirrored(viewpoint: str) -> str:
    """The viewpoint that the opposite camera convention takes a yaw for."""
    return viewpoint if not viewpoint.isdigit() else str(360 - int(viewpoint))


_DIRECTIONS = np.array([[direction(label, viewpoint) for label in _LABELS] for viewpoint in VIEWPOINTS])
_OPPOSITE_MAP = np.array([[direction(label, _mirrored(viewpoint)) for label in _LABELS] for viewpoint in VIEWPOINTS])


def asserted_constraints(
    answers: NDArray[np.uint8], questions: pd.DataFrame, opposite_map: bool = False
) -> NDArray[np.int64]:
    """The constraints that answers assert, (labels, 5), each label of each answer one row, in the order of questions.

    `questions` has the columns target, anchor and viewpoint along `answers`. With `opposite_map`, yaws are read with
    the wrong camera convention, as Table S2 does to validate the test.
    """
    directions = _OPPOSITE_MAP if opposite_map else _DIRECTIONS
    question, label = np.nonzero(answers[:, None] & np.array(_LABELS, dtype=np.uint8))
    viewpoint = questions.viewpoint.map(VIEWPOINTS.index).to_numpy()[question]
    pair = questions[["target", "anchor"]].to_numpy()[question]
    return np.column_stack([question, pair, directions[viewpoint, label]]).astype(np.int64)


def realizable(constraints: NDArray[np.int64]) -> bool:
    """Whether some layout in the plane satisfies all constraints (labels, 5), by linear programming.

    >>> left_and_right = np.array([[0, 0, 1, 1, 0], [1, 0, 1, -1, 0]])
    >>> realizable(left_and_right[:1]), realizable(left_and_right)
    (True, False)
    """
    if not len(constraints):
        return True
    # A pair asked about in the other direction is the same constraint, and a direction beside its opposite is refuted at
    # once: that leaves little to the linear program.
    target, anchor, *direction_of = constraints[:, 1:].T
    turned = np.where(target > anchor, -1, 1)
    oriented = np.column_stack(
        [np.minimum(target, anchor), np.maximum(target, anchor), *(d * turned for d in direction_of)]
    )
    rows = np.unique(oriented, axis=0)
    if len(np.unique(np.vstack([rows, rows * [1, 1, -1, -1]]), axis=0)) < 2 * len(rows):
        return False
    tags, ends = np.unique(rows[:, :2], return_inverse=True)
    first, second = ends.reshape(-1, 2).T
    system = np.zeros((len(rows), len(tags), 2))
    place = np.arange(len(rows))
    system[place, first] += rows[:, 2:]
    system[place, second] -= rows[:, 2:]
    # Translation is free: the first object stays at the origin.
    system = system[:, 1:].reshape(len(rows), -1)
    result = linprog(np.zeros(system.shape[1]), A_ub=-system, b_ub=-np.ones(len(rows)), bounds=(None, None))
    return result.status == 0


def realizable_scenes(
    answers: NDArray[np.uint8], questions: pd.DataFrame, opposite_map: bool = False
) -> dict[str, bool]:
    """Whether each scene's answers are realizable, by scene; `questions` also has the column scene, whose rows stand together."""
    scene, names = pd.factorize(questions.scene)
    constraints = asserted_constraints(answers, questions, opposite_map)
    starts = np.searchsorted(scene[constraints[:, 0]], np.arange(1, len(names)))
    return {name: realizable(part) for name, part in zip(names, np.split(constraints, starts), strict=True)}


def flip_labels(answers: NDArray[np.uint8], chance: float, rng: Generator) -> NDArray[np.uint8]:
    """Answers with each asserted horizontal label turned into its opposite with the given chance (Table S2).

    The two axes flip independently.
    """
    flipped = answers.copy()
    for axis in (LEFT | RIGHT, FRONT | BEHIND):
        part = answers & np.uint8(axis)
        turned = np.where(rng.random(len(answers)) < chance, opposite(part), part)
        flipped = (flipped & np.uint8(~axis & 0xFF)) | turned
    return flipped.astype(np.uint8)


def permute_pairs(questions: pd.DataFrame, chance: float, rng: Generator) -> pd.DataFrame:
    """Questions with the object pairs of some exchanged among themselves, within each scene (Table S2).

    Each question is selected with the given chance; the selected ones' pairs are permuted at random. The questions of a
    scene stand together.
    """
    scene, _ = pd.factorize(questions.scene)
    selected = np.flatnonzero(rng.random(len(questions)) < chance)
    shuffled = selected[np.lexsort((rng.random(len(selected)), scene[selected]))]
    pairs = questions[["target", "anchor"]].to_numpy(copy=True)
    pairs[selected] = pairs[shuffled]
    return questions.assign(target=pairs[:, 0], anchor=pairs[:, 1])
