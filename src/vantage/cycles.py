"""Agreement at equivalent viewpoints: 0 and 360 degrees show the same scene (CVT-Bench, Supp. 2.4 and 3.1).

`pairs` (pairs, 2) has the rows of matched primary questions at 0 and at 360 degrees, as
`vantage.items.matched_cycle_pairs` gives them. An invalid or missing answer is the empty set.
"""

import numpy as np
from numpy.typing import NDArray

from vantage.scoring import exact


def cycle_consistency(answers: NDArray[np.uint8], pairs: NDArray[np.intp]) -> float:
    """Share of matched pairs with exactly the same answer at 0 and at 360 degrees, a fraction.

    Correctness does not enter. Two answers that are both empty do not agree: nothing was said twice. Not a number
    without pairs.

    >>> cycle_consistency(np.array([6, 6, 0, 0], dtype=np.uint8), np.array([[0, 1], [2, 3]]))
    0.5
    """
    source, returned = answers[pairs].T
    return float(((source == returned) & (source != 0)).mean()) if len(pairs) else float("nan")


def both_correct(answers: NDArray[np.uint8], admissible: NDArray[np.uint8], pairs: NDArray[np.intp]) -> float:
    """Share of matched pairs answered exactly at 0 and at 360 degrees, a fraction (Supp. 3.1). Not a number without pairs."""
    return float(exact(answers, admissible)[pairs].all(axis=1).mean()) if len(pairs) else float("nan")
