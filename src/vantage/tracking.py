"""Horizontal and vertical tracking apart: does what turns with the viewpoint persist as what does not? (CVT-Bench, Supp. 3.3)

A fixed pair is asked about at all ten viewpoints, in the order of its encounters. A *component* of its answers is their
horizontal labels, which turn with the observer, or their vertical ones, which stay. Table S5 scores three: the fixed pairs
without above and below ("2D trackers"), and of the others each component by itself.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vantage.relations import ABOVE, BELOW, HORIZONTAL
from vantage.scoring import exact, micro_f1
from vantage.survival import nsc, survival_curves

VERTICAL_LABELS = ABOVE | BELOW


class Component(NamedTuple):
    """A row of Table S5: which fixed pairs, by whether they offer above and below, and which labels of their answers."""

    vertical_pairs: bool
    labels: int


COMPONENTS = {
    "2D trackers": Component(False, HORIZONTAL),
    "3D horizontal component": Component(True, HORIZONTAL),
    "3D vertical component": Component(True, VERTICAL_LABELS),
}
"""The components by their names in Table S5."""


def component_scores(
    answers: NDArray[np.uint8],
    admissible: NDArray[np.uint8],
    rows: NDArray[np.intp],
    viewpoints: NDArray[np.intp],
    labels: int,
) -> dict[str, float]:
    """Table S5: F1, exact match and NSC of one component over trajectories, fractions (Supp. 3.3).

    `rows` (trajectories, 10) has the questions in the order of encounters and `viewpoints` (questions,) their viewpoints, as
    `vantage.items` numbers them. Survival, p(v) and the maximum are those of the component itself: an answer with a wrong
    left may go on surviving as *above*. Not numbers without trajectories; NSC also where the component is always right, or
    never. No admissible set may lack the component, and in none of ours does it lack: gold always says something horizontal.
    """
    answers, admissible = answers & np.uint8(labels), admissible & np.uint8(labels)
    right, asked = exact(answers, admissible)[rows], rows.ravel()
    curves = survival_curves(right, viewpoints[rows])
    return {
        "F1": micro_f1(answers[asked], admissible[asked]),
        "Exact": float(right.mean()) if right.size else float("nan"),
        "Survive all ten": float(curves.observed[-1]),
        "NSC": float(nsc(curves)),
    }
