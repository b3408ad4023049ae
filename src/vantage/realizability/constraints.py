"""What answers assert: one inequality a label, as rows of whole numbers (CVT-Bench, Supp. 2.3).

A label r about target i and anchor j at viewpoint theta asserts d(theta, r) . (x_i - x_j) >= 1. Diagonal directions are
scaled to (+-1, +-1): layouts may be scaled, so only the sign of d . (x_i - x_j) matters to what is realizable.
"""

from collections.abc import Hashable

import numpy as np
import pandas as pd
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from vantage.errors import InputError
from vantage.relations import ABOVE, BEHIND, BELOW, FRONT, LEFT, RIGHT, VIEWPOINTS, direction, opposite

_GROUND_LABELS = (LEFT, RIGHT, FRONT, BEHIND)
LABELS = (*_GROUND_LABELS, ABOVE, BELOW)

DIRECTIONS = np.array(
    [
        (1, 0, 0),
        (1, 1, 0),
        (0, 1, 0),
        (-1, 1, 0),
        (-1, 0, 0),
        (-1, -1, 0),
        (0, -1, 0),
        (1, -1, 0),
        (0, 0, 1),
        (0, 0, -1),
    ]
)
"""The directions that a label can assert: eight in the plane, an eighth of a turn apart, then above and below."""

OPPOSITES = np.array([4, 5, 6, 7, 0, 1, 2, 3, 9, 8])
"""For each of `DIRECTIONS`, the place of the opposite one."""

_PLACES = np.full((3, 3, 3), -1)
_PLACES[tuple(DIRECTIONS.T + 1)] = np.arange(len(DIRECTIONS))


def asserted_direction(label: int, viewpoint: str) -> tuple[int, int, int]:
    """The direction (x, y, z) that a label asserts at a viewpoint; above and below are the same at every one.

    >>> asserted_direction(RIGHT, "90"), asserted_direction(BELOW, "90")
    ((0, 1, 0), (0, 0, -1))
    """
    if label in (ABOVE, BELOW):
        return (0, 0, 1 if label == ABOVE else -1)
    return (*direction(label, viewpoint), 0)


def _mirrored(viewpoint: str) -> str:
    """The viewpoint that the opposite camera convention takes a yaw for."""
    return viewpoint if not viewpoint.isdigit() else str(360 - int(viewpoint))


_MAP = np.array([[asserted_direction(label, viewpoint) for label in LABELS] for viewpoint in VIEWPOINTS])
_OPPOSITE_MAP = np.array(
    [[asserted_direction(label, _mirrored(viewpoint)) for label in LABELS] for viewpoint in VIEWPOINTS]
)


def asserted_constraints(
    answers: NDArray[np.uint8], questions: pd.DataFrame, opposite_map: bool = False, dimensions: int = 2
) -> NDArray[np.int64]:
    """The constraints that answers assert, each label of each answer one row, in the order of questions.

    Columns: question (its place in `questions`), target, anchor, d_x, d_y and, in three dimensions, d_z; in two, above and
    below assert nothing. `questions` has the columns target, anchor and viewpoint along `answers`. With `opposite_map`,
    yaws are read with the wrong camera convention, as Table S2 does to validate the test.

    >>> asked = pd.DataFrame({"target": [7, 7], "anchor": [3, 3], "viewpoint": ["0", "45"]})
    >>> asserted_constraints(np.array([RIGHT | BEHIND, LEFT], dtype=np.uint8), asked).tolist()
    [[0, 7, 3, 1, 0], [0, 7, 3, 0, 1], [1, 7, 3, -1, -1]]
    """
    directions = _OPPOSITE_MAP if opposite_map else _MAP
    labels = LABELS if dimensions == 3 else _GROUND_LABELS
    question, label = np.nonzero(answers[:, None] & np.array(labels, dtype=np.uint8))
    viewpoint = _viewpoint_places(questions)[question]
    pair = questions[["target", "anchor"]].to_numpy()[question]
    return np.column_stack([question, pair, directions[viewpoint, label, :dimensions]]).astype(np.int64)


def constraints_by_scene(
    answers: NDArray[np.uint8], questions: pd.DataFrame, opposite_map: bool = False, dimensions: int = 2
) -> dict[Hashable, NDArray[np.int64]]:
    """`asserted_constraints` of each scene, in the order in which scenes appear.

    `questions` also has the column scene; a scene's rows stand together. Constraints name questions by their place in the
    whole table.
    """
    scene, names = pd.factorize(questions.scene)
    constraints = asserted_constraints(answers, questions, opposite_map, dimensions)
    starts = np.searchsorted(scene[constraints[:, 0]], np.arange(1, len(names)))
    return dict(zip(names.tolist(), np.split(constraints, starts), strict=True))


def _viewpoint_places(questions: pd.DataFrame) -> NDArray[np.int64]:
    """Where each question's viewpoint stands in `VIEWPOINTS`, (questions,)."""
    code, names = pd.factorize(questions.viewpoint)
    return np.array([VIEWPOINTS.index(name) for name in names], dtype=int)[code]


def asserted_masks(
    answers: NDArray[np.uint8], questions: pd.DataFrame, opposite_map: bool = False
) -> NDArray[np.uint16]:
    """What each answer asserts in three dimensions, (questions,): bit k for `DIRECTIONS[k]`. See `asserted_constraints`."""
    places = _PLACES[tuple(np.moveaxis(_OPPOSITE_MAP if opposite_map else _MAP, -1, 0) + 1)]
    labels = np.arange(64)[:, None] >> np.arange(len(LABELS)) & 1
    masks = (labels @ (1 << places.T)).astype(np.uint16)
    return masks[answers, _viewpoint_places(questions)]


def direction_places(constraints: ArrayLike) -> NDArray[np.int64]:
    """Which of `DIRECTIONS` each constraint (labels, 5 or 6) asserts, (labels,).

    Raises `InputError` for a direction that no label asserts, and for an object compared with itself.
    """
    rows = np.asarray(constraints)
    if rows.ndim != 2 or rows.shape[1] not in (5, 6):
        raise InputError(
            f"expected rows (question, target, anchor, d_x, d_y[, d_z]), found an array of shape {rows.shape}"
        )
    parts = np.zeros((len(rows), 3), dtype=np.int64)
    parts[:, : rows.shape[1] - 3] = rows[:, 3:]
    known = (np.abs(parts) <= 1).all(axis=1)
    places = np.where(known, _PLACES[tuple(np.clip(parts, -1, 1).T + 1)], -1)
    for wrong in np.flatnonzero(places < 0)[:1]:
        raise InputError(
            f"expected one of the ten directions of a label, found {rows[wrong, 3:].tolist()} in row {wrong}"
        )
    for wrong in np.flatnonzero(rows[:, 1] == rows[:, 2])[:1]:
        raise InputError(f"expected two different objects, found tag {rows[wrong, 1]} twice in row {wrong}")
    return places


def flip_labels(answers: NDArray[np.uint8], chance: float, rng: Generator) -> NDArray[np.uint8]:
    """Answers with each asserted label turned into its opposite with the given chance (Table S2).

    The axes flip independently: left/right, front/behind and, where an answer says so, above/below.
    """
    flipped = answers.copy()
    for axis in (LEFT | RIGHT, FRONT | BEHIND, ABOVE | BELOW):
        part = answers & np.uint8(axis)
        if part.any():  # no draw for an axis that nobody speaks of
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
