"""Macro averages as counts: for each letter how many answers are right and how many there are.

A macro average is no linear function of the answers, so the solver cannot take it; the tuples of counts behind a printed
one are enumerated here, and one of them is fixed before anything is solved.
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from vantage.published import as_printed
from vantage_workshop.witness.targets import Targets

Tuple = tuple[tuple[int, ...], tuple[int, ...]]
"""Right answers by gold letter and all answers by letter, A to D."""


def macro(tuple_: Tuple, golds: tuple[int, ...]) -> tuple[Fraction, Fraction, Fraction]:
    """Macro precision, recall and F1 in percent; the precision of a letter never answered is zero.

    >>> macro(((1, 1, 1, 1), (1, 1, 1, 1)), (2, 2, 2, 2))
    (Fraction(100, 1), Fraction(50, 1), Fraction(200, 3))
    """
    right, answered = tuple_
    rows = list(zip(right, answered, golds, strict=True))
    precision = sum((Fraction(r, a) if a else Fraction(0)) for r, a, _ in rows)
    recall = sum(Fraction(r, g) for r, _, g in rows)
    f1 = sum(Fraction(2 * r, a + g) for r, a, g in rows)
    return precision * 25, recall * 25, f1 * 25


def metric_tuples(targets: Targets, golds: tuple[int, ...], invalid: int = 0) -> Iterator[Tuple]:
    """Every tuple that uses all four letters and whose macro averages print as the paper's do, by rising imbalance of its
    right answers."""
    letters_right = [
        (a, b, c, targets.correct - a - b - c)
        for a in range(golds[0] + 1)
        for b in range(golds[1] + 1)
        for c in range(golds[2] + 1)
        if 0 <= targets.correct - a - b - c <= golds[3]
    ]
    right = np.array(letters_right)
    recall = (right / np.array(golds)).sum(axis=1) * 25
    right = right[np.abs(recall - float(targets.metrics[1])) < 0.0051]
    even = targets.correct * np.array(golds) / sum(golds)
    right = right[np.argsort(((right - even) ** 2).sum(axis=1), kind="stable")]
    total = sum(golds) - invalid
    for row in right:
        if as_printed(macro((row.tolist(), golds), golds)[1], 2) == targets.metrics[1]:
            yield from _answered(row, total, targets, golds)


def _answered(right, total, targets, golds):
    """The tuples with these right answers, by rising imbalance of all answers."""
    wanted_p, wanted_f = float(targets.metrics[0]) / 25, float(targets.metrics[2]) / 25
    counts = np.arange(1, total + 1)
    parts_p = [np.where(counts >= r, r / counts, np.nan) for r in right]
    parts_f = [2 * r / (counts + g) for r, g in zip(right, golds, strict=True)]
    found = []
    for first in range(max(2, right[0] + right[1]), total - max(1, right[2] + right[3]) + 1):
        a = np.arange(max(1, right[0]), first - max(1, right[1]) + 1)
        c = np.arange(max(1, right[2]), total - first - max(1, right[3]) + 1)
        if not len(a) or not len(c):
            continue
        p_ab = parts_p[0][a - 1] + parts_p[1][first - a - 1]
        f_ab = parts_f[0][a - 1] + parts_f[1][first - a - 1]
        p_cd = parts_p[2][c - 1] + parts_p[3][total - first - c - 1]
        f_cd = parts_f[2][c - 1] + parts_f[3][total - first - c - 1]
        near = (np.abs(p_ab[:, None] + p_cd[None, :] - wanted_p) < 0.000205) & (
            np.abs(f_ab[:, None] + f_cd[None, :] - wanted_f) < 0.000205
        )
        for i, j in zip(*np.nonzero(near), strict=True):
            found.append((int(a[i]), int(first - a[i]), int(c[j]), int(total - first - c[j])))
    for answered in sorted(found, key=lambda counts: sum(n * n for n in counts)):
        tuple_ = tuple(int(r) for r in right), answered
        if tuple(as_printed(value, 2) for value in macro(tuple_, golds)) == targets.metrics:
            yield tuple_
