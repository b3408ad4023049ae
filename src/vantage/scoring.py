"""Right or wrong: exact match and micro F1, strict and ambiguity-aware (CVT-Bench, Supp. 2.1).

Answers are relation sets (questions,); `admissible` (questions, sets) has gold first and then the admissible
alternatives, as `vantage.items.CVTItems` gives it. Strict scoring takes `admissible[:, :1]`. An invalid or missing answer
is the empty set: it asserts nothing, so it is wrong and all its gold labels are missed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Counts(NamedTuple):
    """Label counts of each question, each (questions,): true positives, labels asserted, labels of the credited set."""

    true_positive: NDArray[np.int64]
    asserted: NDArray[np.int64]
    relevant: NDArray[np.int64]


def strict(admissible: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The admissible sets of strict scoring: gold alone."""
    return admissible[:, :1]


def exact(answers: NDArray[np.uint8], admissible: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether each answer equals one of its admissible sets, (questions,). The empty set never does.

    >>> exact(np.array([6, 2, 0]), np.array([[6, 4], [6, 4], [6, 6]])).tolist()
    [True, False, False]
    """
    return (answers[:, None] == admissible).any(axis=1)


def label_counts(answers: NDArray[np.uint8], admissible: NDArray[np.uint8]) -> Counts:
    """The label counts of each answer against the admissible set that is credited.

    Credited is the set with the most true positives, and of those the one with the fewest false labels (asserted but
    not in the set, or in the set but not asserted). The paper says only that one alternative is credited; this reading
    gives a reply the most it can get from one alternative.

    >>> gold_front_right_or_front = np.array([[6, 4]], dtype=np.uint8)
    >>> label_counts(np.array([4], dtype=np.uint8), gold_front_right_or_front)
    Counts(true_positive=array([1]), asserted=array([1]), relevant=array([1]))
    """
    true_positive = np.bitwise_count(answers[:, None] & admissible).astype(np.int64)
    relevant = np.bitwise_count(admissible).astype(np.int64)
    # At equal true positives the asserted labels are the same, so fewest false labels means the smallest set; a set has
    # at most six labels.
    credited = (true_positive * 8 - relevant).argmax(axis=1)
    rows = np.arange(len(answers))
    return Counts(true_positive[rows, credited], np.bitwise_count(answers).astype(np.int64), relevant[rows, credited])


def f1(counts: Counts) -> float:
    """Micro F1 over the questions counted, a fraction; not a number where nothing is asserted and nothing relevant.

    F1 = 2 TP / (labels asserted + labels relevant).

    >>> f1(Counts(np.array([1, 1]), np.array([1, 2]), np.array([2, 2])))
    0.5714285714285714
    """
    total = int(counts.asserted.sum() + counts.relevant.sum())
    return 2 * int(counts.true_positive.sum()) / total if total else float("nan")


def micro_f1(answers: NDArray[np.uint8], admissible: NDArray[np.uint8]) -> float:
    """Global multi-label F1 over all questions given, a fraction (Supp. 2.1)."""
    return f1(label_counts(answers, admissible))


def f1_sums(answers: NDArray[np.uint8], admissible: NDArray[np.uint8], groups: NDArray[np.intp]) -> NDArray[np.float64]:
    """What micro F1 is the ratio of, summed within groups, (groups, 2): 2 TP, and labels asserted + relevant.

    `groups` numbers the group of each question from 0. `vantage.bootstrap` resamples such sums; its `ratio` is F1.
    """
    counts = label_counts(answers, admissible)
    parts = (2 * counts.true_positive, counts.asserted + counts.relevant)
    return np.column_stack([np.bincount(groups, weights=part) for part in parts])


def exact_match(answers: NDArray[np.uint8], admissible: NDArray[np.uint8]) -> float:
    """Share of questions answered exactly, a fraction; not a number without questions."""
    return float(exact(answers, admissible).mean()) if len(answers) else float("nan")
