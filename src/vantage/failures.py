"""Four ways in which an answer fails (CVT-Bench, Supp. 6, F.2, and Figure S6).

Scoring is ambiguity-aware: an admissible answer is no failure of any kind. The kinds overlap: an answer that reverses one component
can be right for another pair of its scene. They are descriptions of an answer, not of what went on inside.

Answers are relation sets (questions,); `admissible` (questions, sets) has gold first, as `vantage.items.CVTItems` gives it. An
invalid or missing answer is the empty set. It is wrong, and of no kind.
"""

import numpy as np
from numpy.typing import NDArray

from vantage.items import CVTItems, matched_cycle_pairs
from vantage.relations import opposite
from vantage.scoring import exact

INVERSION, SWAPPED, OTHER_PAIR, DRIFT = "Single-axis inversion", "Swapped pair", "Another pair", "Cycle drift"
KINDS = (INVERSION, SWAPPED, OTHER_PAIR, DRIFT)
"""The kinds of failure of one set. Relation association, as the paper calls it, has two: the answer is right for the same two
objects the other way round, or for another pair."""


def single_axis_inversion(answers: NDArray[np.uint8], admissible: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether an answer is gold with exactly one component reversed and at least one kept, (questions,).

    >>> gold_right_behind = np.array([[10]] * 3, dtype=np.uint8)
    >>> left_behind, left_front, behind = 9, 5, 8
    >>> single_axis_inversion(np.array([left_behind, left_front, behind], dtype=np.uint8), gold_right_behind).tolist()
    [True, False, False]
    """
    gold = admissible[:, 0]
    kept = answers & gold
    turned = answers & ~gold
    return (np.bitwise_count(turned) == 1) & (kept > 0) & ((kept | opposite(turned)) == gold)


def swapped_pair(answers: NDArray[np.uint8], admissible: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether a wrong answer is right for anchor and target exchanged, which reverses every label, (questions,)."""
    return exact(answers, opposite(admissible)) & ~exact(answers, admissible)


def other_pair(answers: NDArray[np.uint8], items: CVTItems) -> NDArray[np.bool_]:
    """Whether a wrong answer is right for two other objects that the scene is asked about at the same viewpoint, (questions,).

    One of the two may be the same; target and anchor exchanged are no other pair. With eight answers to choose from, this comes
    about by chance more often than not: see `fitting_elsewhere`.
    """
    rows = np.arange(len(answers))
    return fitting_elsewhere(items)[rows, answers] & ~exact(answers, items.admissible)


def fitting_elsewhere(items: CVTItems) -> NDArray[np.bool_]:
    """Which of the 64 relation sets are right for another pair that is asked about at the question's viewpoint, (questions, 64)."""
    asked = items.questions
    ends = np.sort(asked[["target", "anchor"]].to_numpy(), axis=1)
    views = asked.groupby(["scene", "viewpoint"]).ngroup().to_numpy()
    pairs = (
        asked.assign(view=views, low=ends[:, 0], high=ends[:, 1]).groupby(["view", "low", "high"]).ngroup().to_numpy()
    )
    right = np.zeros((pairs.max() + 1, 64), dtype=bool)
    right[pairs[:, None], items.admissible] = True
    count = np.zeros((views.max() + 1, 64), dtype=int)
    first = np.unique(pairs, return_index=True)[1]
    np.add.at(count, views[first], right)
    return count[views] > right[pairs]


def drifting_pairs(answers: NDArray[np.uint8], items: CVTItems) -> NDArray[np.intp]:
    """The matched questions at 0 and 360 degrees (drifts, 2) with two answers that differ and are not both right.

    Cycle consistency (Supp. 2.4) also counts two admissible answers that differ, and pairs with an empty answer.
    """
    pairs = matched_cycle_pairs(items.questions)
    said = answers[pairs]
    differ = (said[:, 0] != said[:, 1]) & said.all(axis=1)
    return pairs[differ & ~exact(answers, items.admissible)[pairs].all(axis=1)]


def kinds_of(answers: NDArray[np.uint8], items: CVTItems) -> dict[str, NDArray[np.bool_]]:
    """For each of `KINDS`, the questions whose wrong answers are of that kind, (questions,)."""
    wrong = ~exact(answers, items.admissible)
    drifts = np.zeros(len(answers), dtype=bool)
    drifts[drifting_pairs(answers, items)] = True
    return {
        INVERSION: single_axis_inversion(answers, items.admissible),
        SWAPPED: swapped_pair(answers, items.admissible),
        OTHER_PAIR: other_pair(answers, items),
        DRIFT: drifts & wrong,
    }
