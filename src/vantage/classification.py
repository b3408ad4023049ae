"""Item scores: accuracy, macro precision, recall and F1 over A-D, and what uniform guessing expects (FrameEvidence, 6.1).

Answers and gold are letters 0-3, (items,), an invalid or missing answer -1 (`vantage.letters`). An invalid answer is a
false negative of its gold letter and nobody's prediction, so it lowers recall and accuracy and no letter's precision
(Appendix A, "Decoding and invalid answers"). All results are fractions.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vantage.errors import InputError
from vantage.letters import LETTERS, checked, correct, share


class LetterCounts(NamedTuple):
    """Items by letter, each (4,): answered with it rightly, answered with it, and of which it is gold."""

    true_positive: NDArray[np.int64]
    predicted: NDArray[np.int64]
    support: NDArray[np.int64]


class Scores(NamedTuple):
    """Macro precision, recall and F1, and accuracy."""

    precision: float | Fraction
    recall: float | Fraction
    f1: float | Fraction
    accuracy: float | Fraction


def accuracy(answers: ArrayLike, gold: ArrayLike) -> float:
    """Share of items answered rightly, a fraction; not a number without items.

    >>> accuracy(np.array([0, 1, -1, 3]), np.array([0, 1, 2, 2]))
    0.5
    """
    return share(correct(answers, gold))


def letter_counts(answers: ArrayLike, gold: ArrayLike) -> LetterCounts:
    """What precision, recall and F1 of each letter are made of. Raises `InputError` for codes that are no letters.

    >>> letter_counts(np.array([0, 0, -1, 3]), np.array([0, 1, 1, 3])).predicted.tolist()
    [2, 0, 0, 1]
    """
    gold = checked(gold, "gold", (None,))
    answers = checked(answers, "answers", gold.shape, invalid=True)
    return LetterCounts(
        *(np.bincount(letters, minlength=LETTERS) for letters in (gold[answers == gold], answers[answers >= 0], gold))
    )


def macro_scores(answers: ArrayLike, gold: ArrayLike) -> Scores:
    """The classification columns of Table 4 (Section 6.1).

    Each letter has P = TP / predicted, R = TP / support, F1 = 2 TP / (predicted + support), and zero where the divisor
    is; the mean over the four letters is macro. F1 is the mean of the letters' F1, not that of macro P and R. Not
    numbers without items.

    >>> macro_scores(np.array([0, 0, -1, 3]), np.array([0, 1, 1, 3]))
    Scores(precision=0.375, recall=0.5, f1=0.41666666666666663, accuracy=0.5)
    """
    counts = letter_counts(answers, gold)
    if not counts.support.sum():
        return Scores(*[float("nan")] * 4)
    right = counts.true_positive
    parts = (
        (right, counts.predicted),
        (right, counts.support),
        (2 * right, counts.predicted + counts.support),
    )
    # A divisor of zero goes with a dividend of zero.
    macro = [float((part / np.maximum(whole, 1)).mean()) for part, whole in parts]
    return Scores(*macro, accuracy(answers, gold))


def random_scores(supports: Sequence[int]) -> Scores:
    """Exact expectations of the scores when each answer is one of A-D at random, independently (Table 4, Appendix A).

    `supports` has how many items have each letter as gold. Let n of N items have a letter as gold. Of M answers with
    it, M binomial over N with chance 1/4, n M / N are right on average, so that E[2 TP / (M + n)] is the mean of
    2 n M / (N (M + n)) over M, a sum of N + 1 terms; E[TP / M] is n / N unless M is 0, and precision then is 0. Raises
    `InputError` where there are no items.

    >>> [round(100 * float(score), 2) for score in random_scores([75, 70, 69, 74])]
    [25.0, 25.0, 24.93, 25.0]
    """
    supports = checked(np.asarray(supports), "supports", (LETTERS,), codes=None).tolist()
    items = sum(supports)
    if not items:
        raise InputError("supports: expected at least one item, found none; give the gold counts of A-D")
    ways = [comb(items, times) * (LETTERS - 1) ** (items - times) for times in range(items + 1)]
    all_ways = LETTERS**items
    f1 = sum(
        Fraction(2 * support * times * ways[times], items * (support + times) * all_ways)
        for support in supports
        for times in range(1, items + 1)
    )
    # The shares n / N sum to one over the letters.
    precision = 1 - Fraction(ways[0], all_ways)
    recall = Fraction(sum(support > 0 for support in supports), LETTERS)
    return Scores(precision / LETTERS, recall / LETTERS, f1 / LETTERS, Fraction(1, LETTERS))


def random_joint(variants: int) -> Fraction:
    """The chance that uniform independent answers to all variants of a group are right: 1/64 for GEM, 1/16 for NTS and DIS.

    >>> random_joint(3), random_joint(2)
    (Fraction(1, 64), Fraction(1, 16))
    """
    return Fraction(1, LETTERS**variants)
