"""The fixed-marginal diagnostic against Table 24 and all rearrangements; strata and paired counts."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vantage.errors import InputError
from vantage.joint import Stratum, by_stratum, feasible_joint, fixed_marginal, paired_change, reference_rate
from vantage.published import as_printed

# Correct counts of MSS, deletion and addition of 48, then NTS and DIS: joint counts (Appendix A) and as printed, O and R.
TABLE_24 = {
    "Majority letter": ((11, 12, 11), (0, 11), ("0.00", "5.73"), ("22.92", "5.25")),
    "Image count": ((9, 9, 13), (0, 2), ("0.00", "3.52"), ("4.17", "5.08")),
    "Count + insufficiency letter": ((5, 42, 7), (3, 1), ("6.25", "9.11"), ("2.08", "1.52")),
}


def columns(first, second, joint, groups=48):
    """Flags (groups, 2) with the given counts of correct answers and of joint successes."""
    flags = np.zeros((groups, 2), dtype=bool)
    flags[:first, 0] = True
    flags[first - joint : first - joint + second, 1] = True
    return flags


@pytest.mark.parametrize("row", TABLE_24)
def test_table_24(row):
    (mss, deletion, addition), joints, *printed = TABLE_24[row]
    for other, joint, (observed, reference) in zip((deletion, addition), joints, printed, strict=True):
        found = fixed_marginal(columns(mss, other, joint))
        assert found.counts == (mss, other)
        assert as_printed(100 * found.observed, 2) == observed
        assert as_printed(100 * found.reference, 2) == reference
        assert found.lowest <= joint <= found.highest


def test_answer_preferences_alone_give_both_gaps():
    """D.4: a constant letter has NTS below and DIS above the reference; with DIS it is as high as can be."""
    nts, dis = (fixed_marginal(columns(11, other, joint)) for other, joint in ((12, 0), (11, 11)))
    assert nts.gap < 0 < dis.gap
    assert nts.lowest == 0 and dis.highest == 11


@pytest.mark.parametrize("counts", [(1, 2), (3, 3), (2, 1, 3), (4, 3, 3), (0, 2, 4)])
def test_the_reference_is_the_mean_over_all_rearrangements(counts):
    """Four groups; the first column stays, each order of the others counts once. The bounds are met and not passed."""
    groups = 4
    first, *others = ([1] * count + [0] * (groups - count) for count in counts)
    joints = [
        sum(map(min, zip(first, *arranged, strict=True)))
        for arranged in product(*(permutations(column) for column in others))
    ]
    assert Fraction(sum(joints), len(joints) * groups) == reference_rate(counts, groups)
    assert (min(joints), max(joints)) == feasible_joint(counts, groups)


@given(arrays(bool, st.tuples(st.integers(1, 30), st.integers(1, 4))))
def test_observed_and_reference_lie_within_the_bounds(correct):
    found = fixed_marginal(correct)
    assert found.lowest <= found.observed * found.groups <= found.highest
    assert found.lowest <= found.reference * found.groups <= found.highest
    assert found.gap == found.observed - found.reference


@given(arrays(bool, st.tuples(st.integers(1, 20), st.integers(2, 3))), st.randoms(use_true_random=False))
def test_the_order_of_groups_and_variants_does_not_matter(correct, random):
    rows, variants = list(range(correct.shape[0])), list(range(correct.shape[1]))
    random.shuffle(rows), random.shuffle(variants)
    moved = fixed_marginal(correct[rows][:, variants])
    assert moved[2:] == fixed_marginal(correct)[2:]


def test_counts_that_cannot_be_are_refused():
    with pytest.raises(InputError, match="expected 0 to 48 groups with a variant correct, found 49"):
        reference_rate((3, 49), 48)
    with pytest.raises(InputError, match="found 2 counts and 0 groups; give both"):
        feasible_joint((0, 0), 0)
    with pytest.raises(InputError, match=r"expected flags \(groups, variants\), found shape \(3,\) of int64"):
        fixed_marginal(np.array([1, 0, 1]))


def test_strata_of_table_3():
    """GPT two-shot: 8 of 36 removed, 3 of 6 shifted, none of 2 and of 4."""
    labels = np.repeat(["removed", "shifted", "stable", "none"], [36, 6, 2, 4])
    success = np.concatenate([np.arange(n) < k for n, k in ((36, 8), (6, 3), (2, 0), (4, 0))])
    found = by_stratum(success, labels, ["removed", "shifted", "stable", "none"])
    assert list(found.values()) == [(8, 36), (3, 6), (0, 2), (0, 4)]
    assert as_printed(Fraction(100 * sum(part.successes for part in found.values()), 48), 2) == "22.92"  # NTS, Table 4


def test_a_stratum_without_groups_is_kept_where_it_is_listed():
    """F.1: no test group is in a cluster of dev alone."""
    found = by_stratum(np.array([True]), ["train"], ["train", "dev", "neither"])
    assert found["dev"] == Stratum(successes=0, groups=0)
    assert by_stratum(np.array([True, False, True]), [4, 2, 4]) == {2: (0, 1), 4: (2, 2)}


@given(st.data(), st.integers(1, 30))
def test_strata_part_the_groups(data, groups):
    """Finer strata sum to coarser ones, and all to the whole."""
    success = data.draw(arrays(bool, groups))
    fine = data.draw(arrays(np.int8, groups, elements=st.integers(0, 5)))
    found, coarse = by_stratum(success, fine), by_stratum(success, fine // 2)
    for label, whole in coarse.items():
        parts = [part for name, part in found.items() if name // 2 == label]
        assert tuple(np.sum(parts, axis=0)) == whole
    assert tuple(np.sum(list(found.values()), axis=0)) == (success.sum(), groups)


def test_labels_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match=r"expected one for each of the groups \(2,\), found \(1,\)"):
        by_stratum(np.array([True, False]), ["a"])
    with pytest.raises(InputError, match="labels: expected one of a, b, found 'c'; list or correct it"):
        by_stratum(np.array([True]), ["c"], ["a", "b"])


def test_paired_change_of_gpt_from_two_to_three_shots():
    """Section 6.2: 139 and 144 right, 48 newly correct and 43 newly incorrect, 1.74 points."""
    first = np.arange(288) < 139
    second = (np.arange(288) >= 43) & (np.arange(288) < 139 + 48)
    change = paired_change(first, second)
    assert change == (48, 43) and second.sum() == 144
    assert as_printed(Fraction(100 * change.net, 288), 2) == "1.74"


@given(arrays(bool, st.tuples(st.just(2), st.integers(1, 30))))
def test_gains_of_one_way_are_losses_of_the_other(runs):
    assert paired_change(*runs) == paired_change(*runs[::-1])[::-1]
    assert paired_change(*runs).net == int(runs[1].sum()) - int(runs[0].sum())


def test_runs_over_different_groups_are_refused():
    with pytest.raises(InputError, match=r"flags of the same groups, found \(2,\) and \(3,\); align"):
        paired_change(np.ones(2, dtype=bool), np.ones(3, dtype=bool))
