"""The paper's plain way, as Supp. 2.3 describes it: what a user would write with SciPy."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

REACH = 100.0
"""How far from the first object a layout may reach in the mixed-integer program, in units of the margin."""


def matrix(constraints: NDArray[np.int64]) -> NDArray[np.float64]:
    """All constraints as rows over the coordinates of all objects but the first, which is pinned to the origin."""
    tags, ends = np.unique(constraints[:, 1:3], return_inverse=True)
    target, anchor = ends.reshape(-1, 2).T
    rows = np.zeros((len(constraints), len(tags), constraints.shape[1] - 3))
    rows[np.arange(len(rows)), target] = constraints[:, 3:]
    rows[np.arange(len(rows)), anchor] = -constraints[:, 3:]
    return rows[:, 1:].reshape(len(rows), -1)


def realizable(constraints: NDArray[np.int64]) -> bool:
    """Feasibility by `linprog` on all constraints."""
    if not len(constraints):
        return True
    rows = matrix(constraints)
    result = linprog(np.zeros(rows.shape[1]), A_ub=-rows, b_ub=-np.ones(len(rows)), bounds=(None, None))
    return result.status == 0


def largest_satisfiable(constraints: NDArray[np.int64]) -> int:
    """The most constraints that hold together, by `milp` with one binary and one big M a constraint."""
    if not len(constraints):
        return 0
    rows = matrix(constraints)
    labels, columns = rows.shape
    big = 1 + np.abs(rows).sum(axis=1) * REACH
    result = milp(
        np.concatenate([np.zeros(columns), -np.ones(labels)]),
        constraints=LinearConstraint(np.hstack([rows, -np.diag(big)]), 1 - big, np.inf),
        integrality=np.concatenate([np.zeros(columns), np.ones(labels)]),
        bounds=Bounds(
            np.concatenate([np.full(columns, -REACH), np.zeros(labels)]),
            np.concatenate([np.full(columns, REACH), np.ones(labels)]),
        ),
    )
    return round(-result.fun)
