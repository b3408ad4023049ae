"""Strict homogeneous systems A z > 0 of whole numbers, decided in exact arithmetic.

The method is the dual simplex with nothing to minimise. Every row of A is written as a combination of as many basis rows as
z has components, over one common denominator. At first the basis is the components of z themselves; a step takes a row that
falls short of 1 into the basis, where it equals 1. It ends in one of two ways: z with A z >= 1, or a row that is a
combination of basis rows with no positive coefficient, and so a sum of rows with positive multipliers that is zero.

All numbers in the table are minors of [A, 1] (Cramer's rule), so every division leaves no rest (Edmonds, Bareiss).
"""

import numpy as np
from numpy.typing import NDArray

_PATIENCE = 99
"""Steps after which Bland's rule, which is slower and cannot cycle, chooses."""

_INT64_COLUMNS = 27
"""Rows have length at most 2, so minors of k columns are at most 2^k (Hadamard), (k + 1) 2^k with the column of ones, and a
product before division at most (k + 1) 2^(2k + 1): below 2^63 up to this k. Beyond, Python's own integers are used."""


def solve(system: NDArray[np.int64]) -> tuple[NDArray, NDArray]:
    """Decide a system (rows, columns) whose rows have length at most 2, such as constraints in the plane.

    Returns whole numbers: z (columns,) with A z > 0, all zero if there is none; and multipliers (rows,), not negative, of a
    sum of rows that is zero, all zero if z exists. The rows with a positive multiplier are irreducible: all but one of them are
    independent, so any proper subset has a solution.

    >>> z, multipliers = solve(np.array([[1, 0], [0, 1]]))
    >>> z.tolist(), multipliers.tolist()
    ([1, 1], [0, 0])
    >>> z, multipliers = solve(np.array([[1, 0], [0, 1], [-1, -1]]))
    >>> z.tolist(), multipliers.tolist()
    ([0, 0], [1, 1, 1])
    """
    rows, columns = system.shape
    number = np.int64 if columns <= _INT64_COLUMNS else object
    # Below the rows of A stand those of the identity, which give z at the end. The last column says by how much a row exceeds
    # 1 (a component of z: exceeds 0) at the z that makes every row in the basis equal to 1.
    table = np.zeros((rows + columns, columns + 1), dtype=number)
    table[:rows, :columns] = system
    table[:rows, columns] = -1
    table[rows:, :columns] = np.eye(columns, dtype=int)
    denominator = 1
    basis = np.full(columns, -1)  # which row is in each place; -1 where a component of z is left
    step = 0
    while (short := table[:rows, columns] < 0).any():
        step += 1
        entering = table[:rows, columns].argmin() if step < _PATIENCE else short.argmax()
        row = table[entering].copy()
        # A component of z leaves first, and with either sign; a row leaves only with a positive coefficient.
        may_leave = np.flatnonzero(np.where(basis < 0, row[:columns] != 0, row[:columns] > 0))
        if not len(may_leave):
            multipliers = np.zeros(rows, dtype=number)
            in_use = row[:columns] < 0
            multipliers[basis[in_use]] = -row[:columns][in_use]
            multipliers[entering] = denominator
            return np.zeros(columns, dtype=number), multipliers
        leaving = may_leave[basis[may_leave].argmin()]
        pivot = row[leaving]
        column = table[:, leaving].copy()
        table = (table * pivot - np.multiply.outer(column, row)) // denominator
        table[:, leaving] = column
        if pivot < 0:
            table = -table
        denominator = abs(pivot)
        basis[leaving] = entering
    return table[rows:, columns], np.zeros(rows, dtype=number)
