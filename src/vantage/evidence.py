"""One question under three sets of pictures (FQ2): what deletion and addition do to the answer (FrameEvidence, 3, D.2, D.3, G.4).

`answers` and `gold` are (groups, 3) letters in the order MSS (the annotated minimal sufficient set), deletion,
addition; an invalid or missing answer is -1. `insufficient` (groups,) has the letter that means insufficient
information in each group: gold of deletion, and of no other condition. Gold of MSS and of addition is one letter, as
the option order stays. Each of these is checked, and another makes an `InputError`.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vantage.errors import InputError
from vantage.joint import PairedChange, paired_change
from vantage.letters import INVALID, checked, share

CONDITIONS = ("MSS", "deletion", "addition")
"""The conditions in the order of the columns."""

MSS, DELETION, ADDITION = range(3)
"""Their columns."""


class FailureProfile(NamedTuple):
    """A row of Table 20 but for frame invariance, as counts of groups.

    `groups`: all. `mss_correct`: m, those with the MSS answer right. Of these, `to_insufficient`: deletion is answered
    with insufficiency, rightly; `original`: with the MSS answer again; `other`: with anything else, invalid included.
    Of all groups, `robust`: MSS and addition right (the DIS numerator); `drift`: MSS right and addition valid and
    wrong; `invalid`: the MSS or the addition answer is invalid.
    """

    groups: int
    mss_correct: int
    to_insufficient: int
    original: int
    other: int
    robust: int
    drift: int
    invalid: int

    def shares(self) -> dict[str, Fraction | float]:
        """The percentages of Table 20 as exact fractions: deletion columns of m, the others of all groups.

        Not a number where there is nothing to divide by.
        """
        of_mss = ("to_insufficient", "original", "other")
        return {
            name: _fraction(getattr(self, name), self.mss_correct if name in of_mss else self.groups)
            for name in (*of_mss, "robust", "drift", "invalid")
        }


class Retention(NamedTuple):
    """What becomes of the MSS answer after addition, as counts of groups (G.4).

    `retained`: both answers valid and the same, right or wrong; `flipped`: both valid and different; `invalid`: one
    invalid at least; they sum to all groups. `robust`: both right; `mss_correct`: the MSS answer right.
    """

    retained: int
    flipped: int
    invalid: int
    robust: int
    mss_correct: int

    @property
    def conditional(self) -> Fraction | float:
        """Correct retention: the DIS numerator over all MSS-correct groups, an invalid addition counted there too.

        Not a number without any.
        """
        return _fraction(self.robust, self.mss_correct)


class Detection(NamedTuple):
    """Insufficiency as a yes-or-no decision over all FQ2 questions, as counts (G.4).

    Deletion questions are positive: `true` of them are answered with insufficiency, `missed` are not, invalid answers
    included. MSS and addition questions are negative: `false` are answered with insufficiency, `answered` with another
    option, rightly or not, and `invalid` are errors, not true negatives.
    """

    true: int
    missed: int
    false: int
    answered: int
    invalid: int

    @property
    def precision(self) -> Fraction | float:
        """True insufficiency responses over all of them; not a number without any."""
        return _fraction(self.true, self.true + self.false)

    @property
    def recall(self) -> Fraction | float:
        """True insufficiency responses over all deletion questions; not a number without any."""
        return _fraction(self.true, self.true + self.missed)


class CommonGroups(NamedTuple):
    """A row of Table 21: two runs' joint successes, parted by which run has the MSS answer right, as counts of groups.

    `both`, `first_only`, `second_only`, `neither`: the partition by MSS correctness. `common_first`, `common_second`:
    joint successes of each run on the groups of `both`; `common` has its gains and losses there. `first_successes`,
    `second_successes`: a run's joint successes where only that run has the MSS answer right.
    """

    both: int
    first_only: int
    second_only: int
    neither: int
    common_first: int
    common_second: int
    common: PairedChange
    first_successes: int
    second_successes: int

    @property
    def full_change(self) -> int:
        """The change of the joint count over all groups: common change + second-only - first-only successes."""
        return self.common.net + self.second_successes - self.first_successes


def matched_deletion(answers: ArrayLike, gold: ArrayLike) -> NDArray[np.bool_]:
    """Which groups have the MSS and the deletion answer right, (groups,): the successes that NTS counts."""
    return _groups_correct(answers, gold)[:, [MSS, DELETION]].all(axis=1)


def matched_addition(answers: ArrayLike, gold: ArrayLike) -> NDArray[np.bool_]:
    """Which groups have the MSS and the addition answer right, (groups,): the successes that DIS counts."""
    return _groups_correct(answers, gold)[:, [MSS, ADDITION]].all(axis=1)


def nts(answers: ArrayLike, gold: ArrayLike) -> float:
    """NTS: the share of groups answered rightly on MSS and on deletion, a fraction (Section 3); not a number without groups.

    >>> gold = np.array([[0, 3, 0], [1, 3, 1]])
    >>> nts(np.array([[0, 3, 2], [1, 1, 1]]), gold), dis(np.array([[0, 3, 2], [1, 1, 1]]), gold)
    (0.5, 0.5)
    """
    return share(matched_deletion(answers, gold))


def dis(answers: ArrayLike, gold: ArrayLike) -> float:
    """DIS: the share of groups answered rightly on MSS and on addition, a fraction (Section 3); not a number without groups."""
    return share(matched_addition(answers, gold))


def insufficiency_counts(answers: ArrayLike, insufficient: ArrayLike) -> NDArray[np.int64]:
    """Insufficiency responses in each condition, (3,), right or wrong (Table 8, D.2).

    >>> insufficiency_counts(np.array([[0, 3, 0], [3, 3, 1]]), np.array([3, 3])).tolist()
    [1, 2, 0]
    """
    return _says_insufficient(answers, insufficient).sum(axis=0)


def insufficiency_switches(first: ArrayLike, second: ArrayLike, insufficient: ArrayLike) -> list[PairedChange]:
    """Switches between spatial and insufficiency responses from one run to another, one entry a condition (D.2).

    `gains`: from another valid option to insufficiency; `losses`: the reverse. Pairs with an invalid answer switch
    nothing.
    """
    says = [_says_insufficient(answers, insufficient) for answers in (first, second)]
    valid = (np.asarray(first) != INVALID) & (np.asarray(second) != INVALID)
    return [paired_change(says[0][kept, place], says[1][kept, place]) for place, kept in enumerate(valid.T)]


def failure_profile(answers: ArrayLike, gold: ArrayLike, insufficient: ArrayLike) -> FailureProfile:
    """Where joint success is lost (Table 20).

    >>> answers, gold = np.array([[0, 3, 1], [1, 1, 1], [2, 0, -1]]), np.array([[0, 3, 0], [1, 3, 1], [2, 3, 2]])
    >>> failure_profile(answers, gold, np.array([3, 3, 3]))
    FailureProfile(groups=3, mss_correct=3, to_insufficient=1, original=1, other=1, robust=1, drift=1, invalid=1)
    """
    check_groups(gold, insufficient)
    right = _groups_correct(answers, gold)
    answers = np.asarray(answers)
    start = right[:, MSS]
    to_insufficient = int((start & right[:, DELETION]).sum())
    original = int((start & (answers[:, DELETION] == answers[:, MSS])).sum())
    return FailureProfile(
        groups=len(answers),
        mss_correct=int(start.sum()),
        to_insufficient=to_insufficient,
        original=original,
        other=int(start.sum()) - to_insufficient - original,
        robust=int((start & right[:, ADDITION]).sum()),
        drift=int((start & ~right[:, ADDITION] & (answers[:, ADDITION] != INVALID)).sum()),
        invalid=int((answers[:, [MSS, ADDITION]] == INVALID).any(axis=1).sum()),
    )


def retention(answers: ArrayLike, gold: ArrayLike) -> Retention:
    """Repeated meanings apart from correct retention after addition (G.4).

    >>> retention(np.array([[0, 3, 0], [2, 3, 2], [2, 3, -1]]), np.array([[0, 3, 0], [1, 3, 1], [2, 3, 2]]))
    Retention(retained=2, flipped=0, invalid=1, robust=1, mss_correct=2)
    """
    right = _groups_correct(answers, gold)
    before, after = np.asarray(answers)[:, [MSS, ADDITION]].T
    valid = (before != INVALID) & (after != INVALID)
    return Retention(
        retained=int((valid & (before == after)).sum()),
        flipped=int((valid & (before != after)).sum()),
        invalid=int((~valid).sum()),
        robust=int(right[:, [MSS, ADDITION]].all(axis=1).sum()),
        mss_correct=int(right[:, MSS].sum()),
    )


def insufficiency_detection(answers: ArrayLike, insufficient: ArrayLike) -> Detection:
    """How well insufficiency responses tell deletion from the two answerable conditions (G.4).

    >>> found = insufficiency_detection(np.array([[0, 3, 3], [1, -1, 1]]), np.array([3, 3]))
    >>> found, found.precision, found.recall
    (Detection(true=1, missed=1, false=1, answered=3, invalid=0), Fraction(1, 2), Fraction(1, 2))
    """
    says = _says_insufficient(answers, insufficient)
    true, false = int(says[:, DELETION].sum()), int(says[:, [MSS, ADDITION]].sum())
    invalid = int((np.asarray(answers)[:, [MSS, ADDITION]] == INVALID).sum())
    return Detection(true, len(says) - true, false, 2 * len(says) - false - invalid, invalid)


def common_groups(first: ArrayLike, second: ArrayLike, gold: ArrayLike, condition: int) -> CommonGroups:
    """Two runs' joint successes on shared and on unshared MSS-correct groups (D.3, Table 21).

    `condition` is `DELETION` for NTS and `ADDITION` for DIS. A joint success needs the MSS answer, so the three parts
    account for the whole change: groups that neither run starts rightly contribute nothing.

    >>> gold = np.array([[0, 3, 0], [1, 3, 1]])
    >>> found = common_groups(np.array([[0, 0, 0], [0, 3, 1]]), np.array([[0, 3, 0], [1, 3, 1]]), gold, DELETION)
    >>> found.common, found.second_successes, found.full_change
    (PairedChange(gains=1, losses=0), 1, 2)
    """
    if condition not in (DELETION, ADDITION):
        raise InputError(
            f"condition: expected {DELETION} (deletion) or {ADDITION} (addition), found {condition}; choose one"
        )
    flags = [_groups_correct(answers, gold) for answers in (first, second)]
    starts = [right[:, MSS] for right in flags]
    joints = [right[:, [MSS, condition]].all(axis=1) for right in flags]
    both = starts[0] & starts[1]
    first_only, second_only = starts[0] & ~both, starts[1] & ~both
    return CommonGroups(
        both=int(both.sum()),
        first_only=int(first_only.sum()),
        second_only=int(second_only.sum()),
        neither=int((~(starts[0] | starts[1])).sum()),
        common_first=int((joints[0] & both).sum()),
        common_second=int((joints[1] & both).sum()),
        common=paired_change(joints[0][both], joints[1][both]),
        first_successes=int((joints[0] & first_only).sum()),
        second_successes=int((joints[1] & second_only).sum()),
    )


def check_groups(gold: ArrayLike, insufficient: ArrayLike) -> None:
    """Refuse FQ2 groups whose gold is not that of an MSS, its deletion and its addition; raises `InputError` (Section 3)."""
    gold = _checked_gold(gold)
    insufficient = checked(insufficient, "insufficient", (len(gold),))
    if (bad := gold[:, DELETION] != insufficient).any():
        row = int(bad.argmax())
        raise InputError(
            f"gold: expected the insufficiency letter {insufficient[row]} on deletion, found {gold[row, DELETION]} in "
            f"group {row}; correct the letter or the gold answer"
        )


def _checked_gold(gold: ArrayLike) -> NDArray[np.integer]:
    gold = checked(gold, "gold", (None, len(CONDITIONS)))
    bad = (gold[:, MSS] != gold[:, ADDITION]) | (gold[:, MSS] == gold[:, DELETION])
    if bad.any():
        row = int(bad.argmax())
        raise InputError(
            "gold: expected one letter on MSS and addition and another on deletion, found "
            f"{gold[row].tolist()} in group {row}; order the columns MSS, deletion, addition"
        )
    return gold


def _groups_correct(answers: ArrayLike, gold: ArrayLike) -> NDArray[np.bool_]:
    gold = _checked_gold(gold)
    return checked(answers, "answers", gold.shape, invalid=True) == gold


def _says_insufficient(answers: ArrayLike, insufficient: ArrayLike) -> NDArray[np.bool_]:
    answers = checked(answers, "answers", (None, len(CONDITIONS)), invalid=True)
    return answers == checked(insufficient, "insufficient", (len(answers),))[:, None]


def _fraction(part: int, whole: int) -> Fraction | float:
    return Fraction(part, whole) if whole else float("nan")
