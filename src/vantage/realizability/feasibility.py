"""Is there a layout? A witness in whole numbers, or the answers that contradict each other, with the proof."""

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from vantage.realizability.closure import (
    IMPLIED,
    OUTERMOST,
    PLANE,
    consequences,
    contradictory,
    relation_tables,
    shortest_paths,
    walk,
)
from vantage.realizability.constraints import DIRECTIONS, OPPOSITES, asserted_masks, direction_places
from vantage.realizability.elimination import solve

_ROUNDS = 12
"""Rounds of pushing before a scene goes to the exact elimination."""


@dataclass(frozen=True)
class Conflict:
    """Constraints that contradict each other: added up with their multipliers, they say 0 >= 1 or more.

    `rows` are places in the constraints that were given, `constraints` those rows, and `multipliers` positive whole numbers
    along them. No constraint can be left out, nor any of the answers (`questions`): the rest would be realizable.
    """

    rows: tuple[int, ...]
    multipliers: tuple[int, ...]
    constraints: NDArray[np.int64] = field(repr=False)

    @property
    def questions(self) -> tuple[int, ...]:
        """The answers that contradict each other, by their place in the table of questions."""
        return tuple(sorted({int(question) for question in self.constraints[:, 0]}))

    def holds(self) -> bool:
        """Check the proof in whole numbers: every multiplier is positive and the weighted sum of the rows is zero."""
        total: dict[tuple[int, int], int] = {}
        for multiplier, (_, target, anchor, *parts) in zip(self.multipliers, self.constraints.tolist(), strict=True):
            for axis, part in enumerate(parts):
                total[target, axis] = total.get((target, axis), 0) + multiplier * part
                total[anchor, axis] = total.get((anchor, axis), 0) - multiplier * part
        return len(self.rows) > 0 and min(self.multipliers) > 0 and not any(total.values())


@dataclass(frozen=True)
class Realization:
    """Either `layout`, whole-number coordinates by tag, or `conflict`; the other is None."""

    layout: dict[int, tuple[int, ...]] | None = None
    conflict: Conflict | None = None

    @property
    def realizable(self) -> bool:
        return self.layout is not None

    def holds(self, constraints: ArrayLike) -> bool:
        """Check the witness or the proof against the constraints (labels, 5 or 6) in whole numbers."""
        if self.layout is not None:
            return bool(satisfied(self.layout, constraints).all())
        rows = np.asarray(constraints)[list(self.conflict.rows)]
        return bool((rows == self.conflict.constraints).all()) and self.conflict.holds()


def satisfied(layout: dict[int, tuple[int, ...]], constraints: ArrayLike) -> NDArray[np.bool_]:
    """Which constraints (labels, 5 or 6) a layout satisfies: those with d . (x_i - x_j) > 0, (labels,).

    Computed on Python's own integers. Raises `KeyError` for a tag that the layout does not place.
    """
    rows = np.asarray(constraints)
    # As objects, whole numbers of any size stay exact.
    ends = [np.array([layout[tag] for tag in rows[:, column].tolist()], dtype=object) for column in (1, 2)]
    target, anchor = (end.reshape(len(rows), rows.shape[1] - 3) for end in ends)
    return np.asarray((rows[:, 3:] * (target - anchor)).sum(axis=1) > 0, dtype=bool)


def realize(constraints: ArrayLike) -> Realization:
    """A layout that satisfies all constraints (labels, 5 or 6), or an irreducible contradiction among them (Supp. 2.3).

    The contradiction comes from the shortest cycle along one direction where there is a cycle; a step of it is one label, or
    two labels about a pair on both sides of that direction. Raises `InputError` for a row that is no constraint.

    >>> ring = np.array([[0, 1, 0, 1, 0], [1, 2, 1, 1, 0], [2, 0, 2, 1, 0]])  # each of three objects right of another
    >>> realize(ring[:2]).layout
    {0: (-2, 0), 1: (0, 0), 2: (2, 0)}
    >>> realize(ring).conflict
    Conflict(rows=(0, 1, 2), multipliers=(1, 1, 1))
    """
    constraints = np.asarray(constraints)
    places = direction_places(constraints)
    found = _realize(constraints, places, np.arange(len(places)))
    # Leave out one answer after the other; where the others still contradict each other, go on with them. An answer that could
    # not be left out of more answers cannot be left out of fewer.
    for question in found.conflict.questions if found.conflict else ():
        if question not in found.conflict.questions:
            continue
        others = set(found.conflict.questions) - {question}
        without = _realize(constraints, places, np.flatnonzero(np.isin(constraints[:, 0], list(others))))
        found = without if without.conflict else found
    return found


def _realize(constraints: NDArray[np.int64], places: NDArray[np.int64], rows: NDArray[np.int64]) -> Realization:
    """`realize` for some of the rows, irreducible as to constraints but not yet as to answers."""
    tags, ends = np.unique(constraints[rows, 1:3], return_inverse=True)
    ends = ends.reshape(-1, 2)
    tables = relation_tables(np.zeros(len(rows), dtype=int), ends, 1 << places[rows], 1)
    positions = lay_out(tables[0])
    if positions is not None:
        dimensions = constraints.shape[1] - 3
        return Realization(
            {int(tag): tuple(place[:dimensions]) for tag, place in zip(tags, positions.tolist(), strict=True)}
        )
    first = {}
    for row, (target, anchor), place in zip(rows.tolist(), ends.tolist(), places[rows].tolist(), strict=True):
        first.setdefault((target, anchor, place), row)
        first.setdefault((anchor, target, int(OPPOSITES[place])), row)
    multipliers = {first[label]: multiplier for label, multiplier in contradiction(tables[0]).items()}
    chosen = sorted(multipliers)
    return Realization(conflict=Conflict(tuple(chosen), tuple(multipliers[row] for row in chosen), constraints[chosen]))


def lay_out(asserted: NDArray[np.uint16]) -> NDArray | None:
    """Whole-number positions (objects, 3) for one scene's table of relations, which has each both ways; None if there are none."""
    known = consequences(asserted[None])
    if contradictory(known)[0]:
        return None
    planar, found = _guess(known)
    if not found[0]:
        labels = _planar_labels(OUTERMOST[known[0]])
        z, multipliers = solve(_system(labels, len(asserted)))
        if multipliers.any():
            return None
        planar = np.concatenate([[0, 0], z]).reshape(1, -1, 2)
    # Above is an order: an object's height may be the number of objects below it.
    heights = (known[0] >> 8 & 1).sum(axis=1, dtype=np.int64)
    return np.column_stack([planar[0], heights])


def contradiction(asserted: NDArray[np.uint16]) -> dict[tuple[int, int, int], int]:
    """An irreducible contradiction in one scene's table of relations, for which there is no layout.

    Returns positive multipliers by label: (object, other object, place of the direction).
    """
    # Above and below contradict each other in cycles only: without a cycle, it is about the plane.
    labels = _shortest_cycle(asserted) or _planar_labels(asserted)
    _, multipliers = solve(_system(labels, len(asserted)))
    return {label: multiplier for label, multiplier in zip(labels, multipliers.tolist(), strict=True) if multiplier}


def _planar_labels(table: NDArray[np.uint16]) -> list[tuple[int, int, int]]:
    """The labels (object, other object, place of the direction) of a table (objects, objects), each pair one way."""
    return [tuple(label) for label in np.argwhere(np.triu(table & PLANE)[:, :, None] >> np.arange(8) & 1).tolist()]


def _system(labels: list[tuple[int, int, int]], objects: int) -> NDArray[np.int64]:
    """Labels as rows: d at the object, -d at the other. All are horizontal or all vertical; the first object is the origin."""
    axes = slice(0, 2) if labels[0][2] < 8 else slice(2, 3)
    i, j, place = np.array(labels).T
    rows = np.zeros((len(labels), objects, 3), dtype=np.int64)
    rows[np.arange(len(labels)), i] = DIRECTIONS[place]
    rows[np.arange(len(labels)), j] = -DIRECTIONS[place]
    return rows[:, 1:, axes].reshape(len(labels), -1)


def _shortest_cycle(asserted: NDArray[np.uint16]) -> list[tuple[int, int, int]]:
    """The labels of the cycle along one direction that has the fewest; none where there is no cycle.

    A step is a label of that direction, or two labels about the pair on both sides of it.
    """
    bits = np.arange(len(DIRECTIONS))[:, None, None]
    lengths = np.where(asserted >> bits & 1, 1.0, np.where(IMPLIED[asserted] >> bits & 1, 2.0, np.inf))
    distance, following = shortest_paths(lengths)
    loops = np.diagonal(distance, axis1=1, axis2=2)
    place, start = np.unravel_index(loops.argmin(), loops.shape)
    if np.isinf(loops[place, start]):
        return []
    second = int(following[place, start, start])
    labels = []
    for i, j in [(int(start), second), *walk(following[place], second, start)]:
        sides = [(int(place - back) % 8, int(place + on) % 8) for back, on in ((1, 1), (1, 2), (2, 1))]
        choices = [(int(place),)] + (sides if place < 8 else [])
        labels += [(i, j, k) for k in next(ks for ks in choices if all(asserted[i, j] >> k & 1 for k in ks))]
    return labels


def _guess(known: NDArray[np.uint16]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Layouts in the plane by pushing objects, from consequences (scenes, objects, objects) that show no contradiction.

    Returns positions (scenes, objects, 2) in whole numbers, and whether they satisfy every relation, (scenes,). This is the
    perceptron algorithm: every violated relation moves its object by d and the other by -d. It would arrive wherever there
    is a layout; as the consequences are at hand too, it nearly always does in four rounds. What is left is not decided.
    """
    positions = np.zeros((*known.shape[:2], 2), dtype=np.int64)
    undecided = np.arange(len(known))
    # A relation stands in the table both ways, so four of the eight directions show all.
    axes = DIRECTIONS[:4, :2]
    relations = (known[..., None] >> np.arange(4, dtype=np.uint16) & 1).astype(bool)
    for _ in range(_ROUNDS):
        along = positions[undecided] @ axes.T
        violated = relations & (along[:, :, None] <= along[:, None])
        wrong = violated.any(axis=(1, 2, 3))
        undecided, relations, violated = undecided[wrong], relations[wrong], violated[wrong]
        if not len(undecided):
            break
        positions[undecided] += (violated.sum(axis=2) - violated.sum(axis=1)) @ axes
    decided = np.ones(len(known), dtype=bool)
    decided[undecided] = False
    return positions, decided


def realizable(constraints: ArrayLike) -> bool:
    """Whether some layout satisfies all constraints (labels, 5 or 6).

    >>> left_and_right = np.array([[0, 0, 1, 1, 0], [1, 0, 1, -1, 0]])
    >>> realizable(left_and_right[:1]), realizable(left_and_right)
    (True, False)
    """
    return realize(constraints).realizable


def realizable_scenes(
    answers: NDArray[np.uint8], questions: pd.DataFrame, opposite_map: bool = False
) -> dict[Hashable, bool]:
    """Whether each scene's answers are realizable, by scene, in the order in which scenes appear; many at once, exactly.

    `questions` has the columns scene, target, anchor and viewpoint along `answers`. Above and below count as in three
    dimensions: they are independent of the plane. A scene whose answers assert nothing is realizable.
    """
    scene, names = pd.factorize(questions.scene)
    tags, _ = pd.factorize(questions[["target", "anchor"]].to_numpy().ravel(), sort=True)
    masks = asserted_masks(answers, questions, opposite_map)
    asserted = relation_tables(scene, tags.reshape(-1, 2), masks, len(names))
    known = consequences(asserted)
    verdicts = ~contradictory(known)
    left = np.flatnonzero(verdicts)
    for hard in left[~_guess(known[left])[1]]:
        verdicts[hard] = lay_out(asserted[hard]) is not None
    return dict(zip(names.tolist(), verdicts.tolist(), strict=True))
