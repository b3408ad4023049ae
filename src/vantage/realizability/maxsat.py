"""The largest number of asserted labels that one layout can satisfy (MaxSAT; CVT-Bench, Supp. 2.3 and 4.3).

For two objects it is easy: turning the line between them, eight sectors decide which of their labels hold, so there are at most
eight sets to choose from. A master problem chooses one set a pair, of the largest total weight. Contradictions among chosen sets
are added to it as they are found: of the pairs in a contradiction, not all may keep the labels that it needs.

    maximise   sum of weight[o] y[o]
    such that  sum over the options o of a pair of y[o] = 1              for every pair
               sum over options that assert the labels of a core <= pairs in the core - 1   for every core

A linear program (HiGHS) gives y. Short cycles along one direction cut off fractional y too, and then y is nearly always whole;
where it is not, one option is decided both ways. Floating-point numbers only propose: a layout counts in whole numbers, and
bounds are computed in whole numbers from rounded dual values. Any dual values that are not negative give a bound, so rounding
cannot make it wrong, only weaker.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache

import highspy
import numpy as np
import pandas as pd
from highspy.highs import _Highs
from numpy.typing import ArrayLike, NDArray

from vantage.realizability.closure import IMPLIED, OPPOSITE, PLANE, shortest_paths, walk
from vantage.realizability.constraints import DIRECTIONS, OPPOSITES, constraints_by_scene, direction_places
from vantage.realizability.feasibility import contradiction, lay_out, realizable_scenes, satisfied

_BITS = np.arange(len(DIRECTIONS))

_SCALE = 1 << 20
"""Dual values are rounded to multiples of 1 / _SCALE."""

_WHOLE = 1e-6
"""Proposed values this close to 0 or 1 are taken for whole."""


@dataclass(frozen=True)
class LargestSatisfiable:
    """The most asserted labels that one layout satisfies, and such a layout, whole-number coordinates by tag."""

    satisfied: int
    asserted: int
    layout: dict[int, tuple[int, ...]]

    @property
    def fraction(self) -> float:
        """The satisfied share of asserted labels, a fraction; 1.0 where nothing is asserted, as nothing is violated."""
        return self.satisfied / self.asserted if self.asserted else 1.0


def largest_satisfiable(constraints: ArrayLike) -> LargestSatisfiable:
    """The largest set of constraints (labels, 5 or 6) that is realizable; each row counts, so a label said twice counts twice.

    Raises `InputError` for a row that is no constraint.

    >>> ring = np.array([[0, 1, 0, 1, 0], [1, 2, 1, 1, 0], [2, 0, 2, 1, 0]])
    >>> most = largest_satisfiable(ring)
    >>> most.satisfied, most.asserted, round(most.fraction, 3)
    (2, 3, 0.667)
    """
    constraints = np.asarray(constraints)
    places = direction_places(constraints)
    if not len(constraints):
        return LargestSatisfiable(0, 0, {})
    tags, ends = np.unique(constraints[:, 1:3], return_inverse=True)
    weights = np.zeros((len(tags), len(tags), len(DIRECTIONS)), dtype=np.int64)
    i, j = ends.reshape(-1, 2).T
    np.add.at(weights, (np.minimum(i, j), np.maximum(i, j), np.where(i < j, places, OPPOSITES[places])), 1)
    total, positions = _Master(weights).maximum()
    layout = {
        int(tag): tuple(place[: constraints.shape[1] - 3]) for tag, place in zip(tags, positions.tolist(), strict=True)
    }
    found = int(satisfied(layout, constraints).sum())
    if found != total:
        raise AssertionError(
            f"expected a layout that satisfies {total} labels, found {found}: please report the constraints"
        )
    return LargestSatisfiable(found, len(constraints), layout)


def satisfiable_fractions(
    answers: NDArray[np.uint8], questions: pd.DataFrame, opposite_map: bool = False
) -> dict[Hashable, float]:
    """The largest satisfiable fraction of each scene's labels, by scene, in the order in which scenes appear (Supp. 4.3).

    Arguments as for `realizable_scenes`; a scene is realizable exactly where its fraction is 1, as where it asserts nothing.
    """
    verdicts = realizable_scenes(answers, questions, opposite_map)
    scenes = constraints_by_scene(answers, questions, opposite_map, dimensions=3)
    return {name: 1.0 if verdicts[name] else largest_satisfiable(rows).fraction for name, rows in scenes.items()}


@cache
def _options(mask: int) -> NDArray[np.uint16]:
    """The sets of a pair's asserted labels that a displacement can satisfy, for labels in the plane or for above and below."""
    arcs = [sum(1 << (sector + step) % 8 for step in (-1, 0, 1, 2)) for sector in range(8)]
    return np.array(sorted({0} | {mask & arc for arc in (*arcs, 1 << 8, 1 << 9)}), dtype=np.uint16)


class _Master:
    """The master problem of one scene; `weights` (objects, objects, 10) counts its labels, each pair one way only.

    A group is a pair's labels in the plane, or its above and below, which do not touch each other. Option o belongs to the group
    `owner[o]` and keeps the labels in `kept[o]`.
    """

    def __init__(self, weights: NDArray[np.int64]):
        asserted = ((weights > 0) << _BITS).sum(axis=2)
        self.size = len(weights)
        self.ends = np.argwhere(np.stack([asserted & PLANE, asserted & ~PLANE]))
        vertical, i, j = self.ends.T
        masks = np.where(vertical, asserted[i, j] & ~PLANE, asserted[i, j] & PLANE)
        options = [_options(mask) for mask in masks.tolist()]
        self.owner = np.repeat(np.arange(len(options)), [len(each) for each in options])
        self.starts = np.searchsorted(self.owner, np.arange(len(options)))
        self.kept = np.concatenate(options)
        self.implied = IMPLIED[self.kept]
        self.weight = ((self.kept[:, None] >> _BITS & 1) * weights[i[self.owner], j[self.owner]]).sum(axis=1)
        self.group = {tuple(end): number for number, end in enumerate(self.ends.tolist())}
        self.cores: dict[frozenset, NDArray[np.bool_]] = {}
        self.limits: list[int] = []
        self.program: _Highs | None = None

    def maximum(self) -> tuple[int, NDArray[np.int64]]:
        """The largest weight, and positions (objects, 3) that attain it, by branch and bound."""
        best, positions = -1, None
        nodes = [np.ones(len(self.owner), dtype=bool)]
        while nodes:
            allowed = nodes.pop()
            while True:
                y, bound = self._propose(allowed)
                if bound <= best:
                    break
                whole = bool((np.abs(y - np.round(y)) < _WHOLE).all())
                layout = lay_out(self._table(y)) if whole else None
                if layout is not None:
                    best, positions = int(self.weight[y > 0.5].sum()), layout
                    if bound > best:
                        raise AssertionError(
                            f"expected the bound {bound} to prove {best} optimal: please report the constraints"
                        )
                    break
                if self._add(self._cycles(y)) or (whole and self._add([list(contradiction(self._table(y)))])):
                    continue
                # Nothing cuts off a fractional y: decide its largest option that keeps labels, first for, then against.
                option = np.where((self.kept > 0) & (y < 1 - _WHOLE), y, 0).argmax()
                against = allowed.copy()
                against[option] = False
                chosen = allowed & ((self.owner != self.owner[option]) | (np.arange(len(y)) == option))
                nodes += [against, chosen]
                break
        return best, positions

    def _propose(self, allowed: NDArray[np.bool_]) -> tuple[NDArray[np.float64], int]:
        """Values of the options, and a bound on the weight, for the options that are allowed, (options,)."""
        cores = np.array(list(self.cores.values()), dtype=bool).reshape(len(self.cores), len(self.owner))
        limits = np.array(self.limits, dtype=np.int64)
        # A core all of whose pairs are decided for it leaves nothing; otherwise keeping no labels elsewhere is feasible.
        forced = np.logical_and.reduceat(cores | ~allowed, self.starts, axis=1).sum(axis=1)
        if (forced > limits).any():
            return np.zeros(len(allowed)), -1
        y, prices = self._solve(allowed) if len(cores) else (None, np.zeros(0, dtype=np.int64))
        worth = np.where(allowed, self.weight * _SCALE - prices @ cores, np.iinfo(np.int64).min)
        best = np.maximum.reduceat(worth, self.starts)
        if y is None:
            y = np.zeros(len(allowed))
            first = np.flatnonzero(worth == best[self.owner])[::-1]
            y[first[np.unique(self.owner[first], return_index=True)[1]]] = 1
        return y, int((best.sum() + prices @ limits) // _SCALE)

    def _solve(self, allowed: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Values of the options by linear programming, and the dual values of the cores, in 1 / _SCALE."""
        groups, options = len(self.starts), len(self.owner)
        if self.program is None:
            # The public class is this one with callbacks, and prints a banner before it can be told not to.
            self.program = _Highs()
            self.program.setOptionValue("output_flag", False)
            model = highspy.HighsLp()
            model.num_col_, model.num_row_ = options, groups
            model.col_cost_ = -self.weight.astype(float)
            model.col_lower_, model.col_upper_ = np.zeros(options), np.ones(options)
            model.row_lower_ = model.row_upper_ = np.ones(groups)
            model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
            model.a_matrix_.start_ = np.arange(options + 1)
            model.a_matrix_.index_, model.a_matrix_.value_ = self.owner, np.ones(options)
            self.program.passModel(model)
        new = list(self.cores.values())[self.program.getNumRow() - groups :]
        if new:
            row, column = np.nonzero(new)
            starts = np.searchsorted(row, np.arange(len(new)))
            limits = np.array(self.limits[-len(new) :], dtype=float)
            free = np.full(len(new), -highspy.kHighsInf)
            self.program.addRows(len(new), free, limits, len(column), starts, column, np.ones(len(column)))
        self.program.changeColsBounds(options, np.arange(options), np.zeros(options), allowed.astype(float))
        self.program.run()
        if self.program.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            raise AssertionError(
                f"expected an optimum, found {self.program.getModelStatus()}: please report the constraints"
            )
        solution = self.program.getSolution()
        prices = np.round(-np.array(solution.row_dual)[groups:] * _SCALE).astype(np.int64)
        return np.array(solution.col_value), np.maximum(prices, 0)

    def _table(self, y: NDArray[np.float64]) -> NDArray[np.uint16]:
        """The relations (objects, objects) that chosen options keep."""
        table = np.zeros((self.size, self.size), dtype=np.uint16)
        chosen = y > 0.5
        _, i, j = self.ends[self.owner[chosen]].T
        np.bitwise_or.at(table, (i, j), self.kept[chosen])
        return table | OPPOSITE[table.T]

    def _cycles(self, y: NDArray[np.float64]) -> list[list[tuple[int, int, int]]]:
        """Cycles along one direction that y keeps more of than any layout can: labels (object, other object, direction)."""
        share = np.add.reduceat((self.implied[:, None] >> _BITS & 1) * y[:, None], self.starts)
        kept = np.zeros((len(_BITS), self.size, self.size))
        np.add.at(kept, (slice(None), self.ends[:, 1], self.ends[:, 2]), share.T)
        lengths = np.maximum(1 - kept - kept[OPPOSITES].transpose(0, 2, 1), 0)
        distance, following = shortest_paths(lengths)
        short = np.argwhere(lengths + distance.transpose(0, 2, 1) < 1 - _WHOLE).tolist()
        cycles = [(place, [(i, j), *walk(following[place], j, i)]) for place, i, j in short]
        # Along edges of length zero a walk may go round without arriving; what is not closed is no contradiction.
        return [[(*step, place) for step in steps] for place, steps in cycles if steps[0][0] == steps[-1][1]]

    def _add(self, contradictions: list[list[tuple[int, int, int]]]) -> bool:
        """Add contradictions as cores; whether any is new."""
        before = len(self.cores)
        for labels in contradictions:
            needed: dict[int, int] = {}
            for i, j, place in labels:
                i, j, place = (i, j, place) if i < j else (j, i, int(OPPOSITES[place]))
                number = self.group[int(place >= 8), i, j]
                needed[number] = needed.get(number, 0) | 1 << place
            key = frozenset(needed.items())
            if key not in self.cores:
                mask = np.zeros(len(self.starts), dtype=np.uint16)
                mask[list(needed)] = list(needed.values())
                mask = mask[self.owner]
                self.cores[key] = (mask > 0) & (self.implied & mask == mask)
                self.limits.append(len(needed) - 1)
        return len(self.cores) > before
