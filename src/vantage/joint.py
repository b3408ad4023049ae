"""Joint success of matched variants: by stratum, from run to run, and against what its marginals allow (FrameEvidence, D.4).

Success flags are (groups,), as `vantage.frames.matched_frames`, `vantage.evidence.matched_deletion` and
`matched_addition` give them. Counts and the reference are exact; the reference is a `Fraction`.
"""

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vantage.errors import InputError


class FixedMarginal(NamedTuple):
    """Joint success beside what the same counts of correct answers give when they are dealt to groups at random (D.4).

    `counts`: groups with each variant correct. `observed` and `reference`: rates of joint success, fractions.
    `lowest` and `highest`: the joint counts between which any dealing lies.
    """

    counts: tuple[int, ...]
    groups: int
    observed: Fraction
    reference: Fraction
    lowest: int
    highest: int

    @property
    def gap(self) -> Fraction:
        """Observed minus reference, a fraction: above zero where successes meet in the same groups."""
        return self.observed - self.reference


class Stratum(NamedTuple):
    """Joint successes of a stratum, and its groups: the denominator."""

    successes: int
    groups: int


class PairedChange(NamedTuple):
    """Groups (or items) that only the second run gets right, and those that only the first one does (Table 26)."""

    gains: int
    losses: int

    @property
    def net(self) -> int:
        """Gains minus losses: the change of the count."""
        return self.gains - self.losses


def reference_rate(counts: Sequence[int], groups: int) -> Fraction:
    """R, the expected joint rate when each variant's correct answers are dealt to the groups independently (D.4).

    R = product of c_j / n over the variants. Raises `InputError` for a count outside 0 to n, and without groups.

    >>> round(100 * float(reference_rate((11, 12), 48)), 2)  # majority letter, NTS (Table 24)
    5.73
    """
    _check_counts(counts, groups)
    return prod((Fraction(int(count), groups) for count in counts), start=Fraction(1))


def feasible_joint(counts: Sequence[int], groups: int) -> tuple[int, int]:
    """The lowest and the highest joint count that the variants' counts allow (D.4).

    max(0, sum of c_j - (k - 1) n) and min c_j; both can occur. Raises `InputError` as `reference_rate` does.

    >>> feasible_joint((42, 11), 48)
    (5, 11)
    """
    _check_counts(counts, groups)
    return max(0, int(sum(counts)) - (len(counts) - 1) * groups), int(min(counts))


def fixed_marginal(correct: NDArray[np.bool_]) -> FixedMarginal:
    """The diagnostic of Tables 22 and 24 from flags (groups, variants): three frames, or two conditions of FQ2.

    Invalid answers are not correct; all groups count. Raises `InputError` without groups.

    >>> found = fixed_marginal(np.array([[True, True], [True, False], [False, False], [False, False]]))
    >>> found.observed, found.reference, found.gap, (found.lowest, found.highest)
    (Fraction(1, 4), Fraction(1, 8), Fraction(1, 8), (0, 1))
    """
    correct = np.asarray(correct)
    if correct.ndim != 2 or not correct.size or correct.dtype != bool:
        raise InputError(
            f"correct: expected flags (groups, variants), found shape {correct.shape} of {correct.dtype}; "
            "give one row of flags for each group"
        )
    groups = len(correct)
    counts = tuple(correct.sum(axis=0).tolist())
    observed = Fraction(int(correct.all(axis=1).sum()), groups)
    return FixedMarginal(counts, groups, observed, reference_rate(counts, groups), *feasible_joint(counts, groups))


def by_stratum(
    success: NDArray[np.bool_], labels: ArrayLike, strata: Iterable[Hashable] | None = None
) -> dict[Hashable, Stratum]:
    """Joint successes and group counts of each stratum (Tables 3, 16-19, 27, 29, 34).

    `labels` (groups,) names the stratum of each group. `strata` lists the strata in the order of a table, and one
    without groups is kept, with 0 of 0; without it they come sorted. The strata part the groups, so that their counts
    sum to those of all. Raises `InputError` for a label that is not listed, and for lengths that differ.

    >>> by_stratum(np.array([True, False, True]), ["removed", "shifted", "removed"], ["removed", "shifted", "none"])
    {'removed': Stratum(successes=2, groups=2), 'shifted': Stratum(successes=0, groups=1), 'none': Stratum(successes=0, groups=0)}
    """
    success, labels = np.asarray(success), np.asarray(labels)
    if success.shape != labels.shape or success.ndim != 1:
        raise InputError(
            f"labels: expected one for each of the groups {success.shape}, found {labels.shape}; label every group once"
        )
    found = sorted(set(labels.tolist()))
    strata = found if strata is None else list(strata)
    if unknown := [label for label in found if label not in strata]:
        raise InputError(
            f"labels: expected one of {', '.join(map(str, strata))}, found {unknown[0]!r}; list or correct it"
        )
    return {label: Stratum(int(success[labels == label].sum()), int((labels == label).sum())) for label in strata}


def paired_change(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> PairedChange:
    """Gains and losses from the first run to the second, of groups or of items (Tables 26 and 36, Section 6.2).

    Raises `InputError` for runs over different groups.

    >>> paired_change(np.array([True, True, False, False]), np.array([True, False, True, True]))
    PairedChange(gains=2, losses=1)
    """
    first, second = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    if first.shape != second.shape:
        raise InputError(
            f"paired runs: expected flags of the same groups, found {first.shape} and {second.shape}; align the runs first"
        )
    return PairedChange(int((second & ~first).sum()), int((first & ~second).sum()))


def _check_counts(counts: Sequence[int], groups: int) -> None:
    if groups < 1 or not len(counts):
        raise InputError(
            f"counts: expected a count for each variant and at least one group, found {len(counts)} counts and "
            f"{groups} groups; give both"
        )
    if wrong := [count for count in counts if not 0 <= count <= groups]:
        raise InputError(f"counts: expected 0 to {groups} groups with a variant correct, found {wrong[0]}; correct it")
