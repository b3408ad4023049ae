"""Rotated options and repeated executions: is an answer right each time, and is it the same? (FrameEvidence, 6.4 and Appendix A)

Answers of four rotations are (items, 4) letters as they were given, rotation 0 first; `decode` turns them into letters
of the original order, in which `gold` (items,) is. An invalid or missing answer is -1. Results are fractions; the drop
is in points.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vantage.errors import InputError
from vantage.letters import INVALID, LETTERS, checked, share

ROTATIONS = tuple(range(LETTERS))
"""The cyclic rotations of four options, in the order of the columns."""


class RotationFlags(NamedTuple):
    """What holds of each item, each (items,) flags but `right` (items, 4): right under each rotation.

    `circular`: right under all four. `consistent`: four valid answers of one meaning, right or wrong.
    """

    right: NDArray[np.bool_]
    circular: NDArray[np.bool_]
    consistent: NDArray[np.bool_]


class CircularScores(NamedTuple):
    """A row of Table 12: fractions, but `drop`, in points."""

    vanilla: float
    mean_rotation: float
    circular: float
    consistency: float
    drop: float


class PairFlags(NamedTuple):
    """What holds of each item under two executions, each (items,) flags.

    `both`, `first_only`, `second_only`, `neither`: which are right; one of the four is set. `same`: both answers are
    valid and equal; `changed`: both valid and different; `invalid`: one invalid at least; one of the three is set.
    """

    both: NDArray[np.bool_]
    first_only: NDArray[np.bool_]
    second_only: NDArray[np.bool_]
    neither: NDArray[np.bool_]
    same: NDArray[np.bool_]
    changed: NDArray[np.bool_]
    invalid: NDArray[np.bool_]


class PairScores(NamedTuple):
    """A column of Table 7 and the disagreement of Table 13, fractions.

    Consistent pairs are two valid equal answers; consistently wrong ones are so without being right.
    """

    at_least_one: float
    both_correct: float
    consistency: float
    consistently_wrong: float
    disagreement: float


def decode(answers: ArrayLike, rotations: ArrayLike) -> NDArray[np.integer]:
    """Letters of the original option order from letters under a rotation, shaped like `answers`; -1 stays -1 (6.4).

    Rotation r shows at position p the option that is at (p + r) mod 4 in the original order, so letter p means
    (p + r) mod 4. `rotations` is one r for all answers, or one for each along the last axis: `ROTATIONS` for (items, 4).
    Raises `InputError` for another number of rotations.

    >>> decode(np.array([[0, 0, 0, 0], [2, 1, 0, -1]]), ROTATIONS).tolist()
    [[0, 1, 2, 3], [2, 2, 2, -1]]
    >>> decode(np.array([0, 3]), 1).tolist()
    [1, 0]
    """
    answers = checked(answers, "answers", (None,) * np.ndim(answers), invalid=True)
    if np.shape(rotations) not in ((), answers.shape[-1:]):
        raise InputError(
            f"rotations: expected one, or one for each of the last axis of {answers.shape}, found "
            f"{np.shape(rotations)}; give the answers as (items, rotations)"
        )
    return np.where(answers == INVALID, INVALID, (answers + np.asarray(rotations)) % LETTERS).astype(answers.dtype)


def encode(letters: ArrayLike, rotations: ArrayLike) -> NDArray[np.integer]:
    """The letter under a rotation that stands for each original letter: the inverse of `decode`.

    >>> encode(np.array([[2, 2, 2, 2]]), ROTATIONS).tolist()
    [[2, 1, 0, 3]]
    """
    return decode(letters, -np.asarray(rotations))


def rotation_flags(answers: ArrayLike, gold: ArrayLike) -> RotationFlags:
    """Circular and Consistency of each item: C_i and S_i of Appendix A, "Circular metrics".

    `answers` (items, 4) are as given under rotations 0 to 3, `gold` (items,) original letters. Raises `InputError` for
    other shapes.

    >>> flags = rotation_flags(np.array([[2, 1, 0, 3], [1, 0, 3, 2]]), np.array([2, 2]))
    >>> flags.circular.tolist(), flags.consistent.tolist()
    ([True, False], [True, True])
    """
    gold = checked(gold, "gold", (None,))
    meant = decode(checked(answers, "answers", (len(gold), len(ROTATIONS)), invalid=True), ROTATIONS)
    right = meant == gold[:, None]
    same = (meant == meant[:, :1]).all(axis=1) & (meant[:, 0] != INVALID)
    return RotationFlags(right, right.all(axis=1), same)


def circular_scores(answers: ArrayLike, gold: ArrayLike) -> CircularScores:
    """Vanilla, mean over rotations, Circular, Consistency and drop (6.4, Table 12); not numbers without items.

    Vanilla = accuracy under rotation 0; mean rotation = mean accuracy of the four; Circular = share of items right under
    all four; Consistency = share with four valid answers of one meaning; drop = 100 (Vanilla - Circular).

    >>> circular_scores(np.array([[2, 1, 0, 3], [2, 2, 2, 2]]), np.array([2, 2]))
    CircularScores(vanilla=1.0, mean_rotation=0.625, circular=0.5, consistency=0.5, drop=50.0)
    """
    flags = rotation_flags(answers, gold)
    vanilla = flags.right[:, 0]
    # From counts, as a difference of rounded shares may miss a printed half. Circular items are right under rotation 0.
    drop = 100 * int((vanilla & ~flags.circular).sum()) / len(vanilla) if len(vanilla) else float("nan")
    return CircularScores(share(vanilla), share(flags.right), share(flags.circular), share(flags.consistent), drop)


def pair_flags(first: ArrayLike, second: ArrayLike, gold: ArrayLike) -> PairFlags:
    """How two executions of the same items fare, item by item (Appendix A, cross-run stability and same-order control).

    All three are (items,) letters of the original option order; `decode` a rotated execution first.

    >>> flags = pair_flags(np.array([0, 1, -1]), np.array([0, 2, -1]), np.array([0, 2, 1]))
    >>> [int(flag.sum()) for flag in flags]  # both, first only, second only, neither, same, changed, invalid
    [1, 0, 1, 1, 1, 1, 1]
    """
    gold = checked(gold, "gold", (None,))
    first, second = (checked(answers, "answers", gold.shape, invalid=True) for answers in (first, second))
    one, two = first == gold, second == gold
    valid = (first != INVALID) & (second != INVALID)
    return PairFlags(
        one & two, one & ~two, two & ~one, ~(one | two), valid & (first == second), valid & (first != second), ~valid
    )


def pair_scores(first: ArrayLike, second: ArrayLike, gold: ArrayLike) -> PairScores:
    """The rates of Table 7 from the two executions that `pair_flags` takes; not numbers without items.

    >>> pair_scores(np.array([0, 1, 1, 3]), np.array([0, 1, 2, 0]), np.array([0, 2, 2, 2]))
    PairScores(at_least_one=0.5, both_correct=0.25, consistency=0.5, consistently_wrong=0.25, disagreement=0.5)
    """
    flags = pair_flags(first, second, gold)
    return PairScores(
        share(~flags.neither),
        share(flags.both),
        share(flags.same),
        share(flags.same & flags.neither),
        share(flags.changed),
    )


def noise_alone(accuracy: float, both: float) -> tuple[float, float]:
    """The lowest and highest Circular that two executions in one order allow if order has no part; ours, not the paper's.

    `accuracy` is the mean accuracy of the two, `both` the share of items that both have right; fractions. Item i being right with
    chance p_i in each execution, whatever the order and the other executions, these are E p and E p^2, and Circular is
    E p^4. With a = E p and b = E p^2 it is least where p is 0 or b / a, and most where p is 1 or (a - b) / (1 - a)
    (Chebyshev and Markov, as p^4 has a positive third derivative). The figures are taken as exact: sampling is left out; b
    below a^2, which only sampling makes, counts as a^2. Raises `InputError` unless 0 <= both <= accuracy <= 1.

    >>> noise_alone(0.5, 0.5), tuple(round(end, 4) for end in noise_alone(0.7, 0.49))
    ((0.5, 0.5), (0.2401, 0.2401))
    """
    if not 0 <= both <= accuracy <= 1:
        raise InputError(
            f"expected 0 <= both <= accuracy <= 1, found {both} and {accuracy}; give fractions of the same items"
        )
    both = max(both, accuracy**2)
    if accuracy in (0, 1):
        return float(accuracy), float(accuracy)
    inner = (accuracy - both) / (1 - accuracy)
    weight = (accuracy - inner) / (1 - inner)
    return both**3 / accuracy**2, weight + (1 - weight) * inner**4
