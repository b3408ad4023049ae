"""Tests of two runs on the same items. **Ours, not the papers'**: neither paper prints a p-value of this kind.

FrameEvidence gives gains, losses and bootstrap intervals (Tables 25, 26, 36). An exact McNemar test asks whether gains
and losses could be a fair coin's, taking items as independent, which the items of one group or scene are not: where a
partition is known, an interval over its clusters (`vantage.bootstrap`) is the better witness. Holm's adjustment is for
the several tests of one table.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vantage.joint import paired_change


class McNemar(NamedTuple):
    """Items that only the second run gets right, those that only the first one does, and the two-sided exact p-value."""

    gains: int
    losses: int
    p_value: float


def mcnemar(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> McNemar:
    """McNemar's exact test of two runs' correctness on the same items (ours, not the papers').

    `first` and `second` (items,) flags. p = min(1, 2 P(X <= min(gains, losses))), X binomial over gains + losses with
    chance 1/2; 1 without any. Raises `InputError` for runs over different items.

    >>> mcnemar(np.array([False] * 6 + [True]), np.array([True] * 6 + [False]))
    McNemar(gains=6, losses=1, p_value=0.125)
    """
    from statsmodels.stats.contingency_tables import (
        mcnemar as exact,
    )  # takes half a second, which most pages need not wait

    change = paired_change(first, second)
    # Pairs that agree do not enter the exact test.
    table = [[0, change.losses], [change.gains, 0]]
    return McNemar(*change, float(exact(table, exact=True).pvalue))


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """P-values of one table adjusted by Holm's step-down method, in their order (ours, not the papers').

    The i-th smallest of m is multiplied by m - i + 1 and is no smaller than those before it; undefined ones stay so
    and do not count.

    >>> holm(np.array([0.01, 0.04, 0.03, np.nan])).tolist()
    [0.03, 0.06, 0.06, nan]
    """
    from statsmodels.stats.multitest import multipletests

    p_values = np.asarray(p_values, dtype=float)
    adjusted, defined = p_values.copy(), ~np.isnan(p_values)
    if defined.any():
        adjusted[defined] = multipletests(p_values[defined], method="holm")[1]
    return adjusted
