"""Accuracy by viewpoint, and the counterfactual gap (CVT-Bench, "Evaluation Metrics" and Supp. 2.4)."""

from collections.abc import Callable, Hashable, Mapping

import numpy as np
from numpy.typing import NDArray

from vantage.relations import COUNTERFACTUAL, YAWS
from vantage.scoring import micro_f1

Score = Callable[[NDArray[np.uint8], NDArray[np.uint8]], float]


def viewpoint_curve(
    answers: NDArray[np.uint8],
    admissible: NDArray[np.uint8],
    rows: Mapping[Hashable, NDArray[np.intp]],
    score: Score = micro_f1,
) -> dict[Hashable, float]:
    """A score at each viewpoint, as fractions: micro F1, or `vantage.scoring.exact_match`.

    `rows` has the questions of each viewpoint, as `vantage.items.rows_by_viewpoint` gives them; or of each place along
    another axis, such as the position in the prompt.
    """
    return {viewpoint: score(answers[at], admissible[at]) for viewpoint, at in rows.items()}


def counterfactual_gap(curve: Mapping[str, float]) -> float:
    """The counterfactual gap, a fraction: F1 at 0 degrees minus the mean F1 over the nine non-source conditions.

    Delta_CF = F1(0) - mean of F1(theta) over 45, ..., 360 and Top (Supp. 2.4).

    >>> round(counterfactual_gap({"0": 1.0} | dict.fromkeys(COUNTERFACTUAL, 0.75)), 4)
    0.25
    """
    return curve["0"] - float(np.mean([curve[viewpoint] for viewpoint in COUNTERFACTUAL]))


def largest_difference(curve: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The largest absolute difference between two angular curves at any of the nine azimuths, a fraction (Supp. 3.1).

    Top is no angle, so it does not count.

    >>> level = dict.fromkeys(("0", *COUNTERFACTUAL), 0.5)
    >>> largest_difference(level, level | {"90": 0.25, "Top": 0.0})
    0.25
    """
    return max(abs(curve[str(yaw)] - other[str(yaw)]) for yaw in YAWS)
