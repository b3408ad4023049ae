"""Deletion and addition: the paper's own counts, hand computations, and laws that hold whatever the answers are."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vantage.errors import InputError
from vantage.evidence import (
    ADDITION,
    DELETION,
    MSS,
    Detection,
    FailureProfile,
    Retention,
    check_groups,
    common_groups,
    dis,
    failure_profile,
    insufficiency_counts,
    insufficiency_detection,
    insufficiency_switches,
    matched_addition,
    matched_deletion,
    nts,
    retention,
)
from vantage.joint import PairedChange
from vantage.published import as_printed

RIGHT, WRONG, INSUFFICIENT = 0, 1, 3


def fq2(groups):
    """Gold and insufficiency letters of groups whose spatial answer is A and whose insufficiency option is D."""
    return np.tile([RIGHT, INSUFFICIENT, RIGHT], (groups, 1)), np.full(groups, INSUFFICIENT)


@st.composite
def evidence(draw, runs=1):
    """Answers of some runs, gold and insufficiency letters."""
    groups = draw(st.integers(1, 15))
    spatial = draw(arrays(np.int8, groups, elements=st.integers(0, 3)))
    insufficient = (spatial + draw(arrays(np.int8, groups, elements=st.integers(1, 3)))) % 4
    gold = np.column_stack([spatial, insufficient, spatial])
    answers = [draw(arrays(np.int8, (groups, 3), elements=st.integers(-1, 3))) for _ in range(runs)]
    return *answers, gold, insufficient


def test_profile_by_hand():
    """Six groups. MSS right in the first five, of which deletion gets insufficiency, the MSS answer, another, an invalid
    one and insufficiency; addition right, right, wrong, invalid, insufficiency. The sixth starts wrong, is right after
    addition and repeats nothing."""
    gold, insufficient = fq2(6)
    answers = np.array([[0, 3, 0], [0, 0, 0], [0, 1, 1], [0, -1, -1], [0, 3, 3], [2, 3, 0]])
    profile = failure_profile(answers, gold, insufficient)
    assert profile == FailureProfile(
        groups=6, mss_correct=5, to_insufficient=2, original=1, other=2, robust=2, drift=2, invalid=1
    )
    assert profile.shares()["to_insufficient"] == Fraction(2, 5) and profile.shares()["drift"] == Fraction(1, 3)
    assert (nts(answers, gold), dis(answers, gold)) == pytest.approx((2 / 6, 2 / 6))
    assert insufficiency_counts(answers, insufficient).tolist() == [0, 3, 1]
    assert retention(answers, gold) == Retention(retained=2, flipped=3, invalid=1, robust=2, mss_correct=5)
    assert retention(answers, gold).conditional == Fraction(2, 5)
    # Twelve answerable questions: one said insufficient, one invalid.
    assert insufficiency_detection(answers, insufficient) == Detection(
        true=3, missed=3, false=1, answered=10, invalid=1
    )


@pytest.mark.parametrize(
    "table_8, counts, precision, recall",
    [((2, 3, 2), (3, 4), "42.86", "6.25"), ((30, 38, 24), (38, 54), "41.30", "79.17")],
    ids=["Qwen2.5-VL-7B Base", "Qwen2.5-VL-7B LoRA"],
)
def test_insufficiency_detection_of_qwen(table_8, counts, precision, recall):
    """Section 7 and G.4 from the counts of Table 8: 3 of 7 and of 48; 38 of 92 and of 48."""
    _, insufficient = fq2(48)
    answers = np.where(np.arange(48)[:, None] < table_8, INSUFFICIENT, WRONG)
    assert insufficiency_counts(answers, insufficient).tolist() == list(table_8)
    found = insufficiency_detection(answers, insufficient)
    assert (found.true, found.false) == counts
    assert found.answered == 96 - counts[1] and found.missed == 48 - counts[0]
    assert (as_printed(100 * found.precision, 2), as_printed(100 * found.recall, 2)) == (precision, recall)


@pytest.mark.parametrize(
    "base, lora, switches",
    [
        ((2, 3, 2), (30, 38, 24), [(28, 0), (35, 0), (22, 0)]),
        ((13, 16, 12), (22, 30, 21), [(10, 1), (14, 0), (9, 0)]),
    ],
    ids=["Qwen2.5-VL-7B", "InternVL3-8B"],
)
def test_insufficiency_switches_of_d2(base, lora, switches):
    """The switches that D.2 prints lead from Table 8's Base counts to its LoRA counts."""
    _, insufficient = fq2(48)
    first = np.where(np.arange(48)[:, None] < base, INSUFFICIENT, WRONG)
    second = first.copy()
    for column, (gains, losses) in enumerate(switches):
        second[base[column] : base[column] + gains, column] = INSUFFICIENT
        second[:losses, column] = WRONG
    assert insufficiency_counts(second, insufficient).tolist() == list(lora)
    assert insufficiency_switches(first, second, insufficient) == [PairedChange(*pair) for pair in switches]


def test_an_invalid_answer_switches_nothing():
    _, insufficient = fq2(2)
    first, second = np.array([[3, 3, 3], [-1, 0, 0]]), np.array([[-1, 0, 3], [3, 3, -1]])
    assert insufficiency_switches(first, second, insufficient) == [(0, 0), (1, 1), (0, 0)]


# Partition by MSS correctness (D.3: both, Base only, LoRA only, neither), condition, successes of Base and LoRA on common
# groups, LoRA-only and Base-only successes, full change (Table 21), gains and losses over all groups (Table 26).
TABLE_21 = {
    "Qwen2.5-VL-7B NTS": ((4, 18, 4, 22), DELETION, (0, 4), 2, 1, 5, (6, 1)),
    "Qwen2.5-VL-7B DIS": ((4, 18, 4, 22), ADDITION, (4, 3), 3, 17, -15, (3, 18)),
    "InternVL3-8B NTS": ((9, 6, 2, 31), DELETION, (2, 3), 1, 2, 0, (2, 2)),
    "InternVL3-8B DIS": ((9, 6, 2, 31), ADDITION, (7, 4), 0, 3, -6, (0, 6)),
}


@pytest.mark.parametrize("row", TABLE_21)
def test_common_groups_of_table_21(row):
    """Answers with the printed counts, on common groups gaining or losing only, as D.3 says."""
    partition, condition, common, second_only, first_only, change, paired = TABLE_21[row]
    ends = np.cumsum(partition)
    gold, _ = fq2(48)
    base, lora = np.full((48, 3), WRONG), np.full((48, 3), WRONG)
    base[: ends[1], MSS] = RIGHT
    lora[: ends[0], MSS] = lora[ends[1] : ends[2], MSS] = RIGHT
    target = gold[0, condition]
    base[: common[0], condition] = lora[: common[1], condition] = target
    base[ends[0] : ends[0] + first_only, condition] = target
    lora[ends[1] : ends[1] + second_only, condition] = target
    found = common_groups(base, lora, gold, condition)
    assert found[:4] == partition
    assert (found.common_first, found.common_second) == common
    assert (found.second_successes, found.first_successes) == (second_only, first_only)
    assert found.common.net == common[1] - common[0] and 0 in found.common
    assert found.full_change == change
    # Table 26's gains and losses: those on common groups, and the successes of one run only.
    assert (found.common.gains + second_only, found.common.losses + first_only) == paired
    assert as_printed(Fraction(100 * change, 48), 1) == {5: "10.4", -15: "-31.2", 0: "0.0", -6: "-12.5"}[change]


@given(evidence(runs=2))
def test_the_decomposition_accounts_for_the_whole_change(case):
    first, second, gold, _ = case
    for condition, matched in ((DELETION, matched_deletion), (ADDITION, matched_addition)):
        found = common_groups(first, second, gold, condition)
        assert sum(found[:4]) == len(gold)
        assert found.full_change == int(matched(second, gold).sum()) - int(matched(first, gold).sum())
        assert found.common_first + found.first_successes == matched(first, gold).sum()


@given(evidence())
def test_counts_add_up(case):
    answers, gold, insufficient = case
    profile = failure_profile(answers, gold, insufficient)
    assert profile.to_insufficient == matched_deletion(answers, gold).sum()
    assert profile.robust == matched_addition(answers, gold).sum()
    assert profile.to_insufficient + profile.original + profile.other == profile.mss_correct
    assert profile.robust + profile.drift <= profile.mss_correct
    kept = retention(answers, gold)
    assert kept.retained + kept.flipped + kept.invalid == len(gold)
    assert kept.invalid == profile.invalid and kept.robust == profile.robust <= kept.retained
    # What starts right is robust, drifts, or has an invalid addition.
    assert profile.mss_correct - profile.robust - profile.drift <= profile.invalid
    found = insufficiency_detection(answers, insufficient)
    assert found.true + found.missed == len(gold) and found.false + found.answered + found.invalid == 2 * len(gold)
    counts = insufficiency_counts(answers, insufficient)
    assert (found.true, found.false) == (counts[DELETION], counts[MSS] + counts[ADDITION])


@given(evidence(), st.permutations(range(4)))
def test_renaming_the_letters_changes_nothing(case, names):
    names = np.array([*names, -1], dtype=np.int8)  # -1 indexes the last: it stays invalid
    renamed = [names[part] for part in case]
    assert failure_profile(*case) == failure_profile(*renamed)
    assert retention(*case[:2]) == retention(*renamed[:2])
    assert insufficiency_detection(case[0], case[2]) == insufficiency_detection(renamed[0], renamed[2])


@given(evidence())
def test_one_answer_for_all_conditions_never_matches_a_deletion(case):
    """Identical text within a group forces equal answers of a model without pictures: NTS is 0, DIS is MSS accuracy."""
    answers, gold, _ = case
    blind = np.repeat(answers[:, :1], 3, axis=1)
    assert nts(blind, gold) == 0
    assert dis(blind, gold) == (blind[:, MSS] == gold[:, MSS]).mean()


def test_nothing_to_divide_by_is_not_a_number():
    gold, insufficient = fq2(1)
    answers = np.array([[WRONG] * 3])
    assert np.isnan(failure_profile(answers, gold, insufficient).shares()["original"])
    assert np.isnan(retention(answers, gold).conditional)
    assert np.isnan(insufficiency_detection(answers, insufficient).precision)
    assert np.isnan(nts(np.zeros((0, 3), dtype=int), np.zeros((0, 3), dtype=int)))


def test_gold_of_another_design_is_refused():
    with pytest.raises(
        InputError, match=r"one letter on MSS and addition.* found \[0, 3, 1\] in group 1; order the columns"
    ):
        nts([[0, 3, 0]] * 2, [[0, 3, 0], [0, 3, 1]])
    with pytest.raises(InputError, match=r"found \[0, 0, 0\] in group 0"):
        dis([[0, 3, 0]], [[0, 0, 0]])
    with pytest.raises(InputError, match="expected the insufficiency letter 2 on deletion, found 3 in group 0"):
        check_groups([[0, 3, 0]], [2])
    with pytest.raises(InputError, match=r"insufficient: expected shape \(2\), found \(1,\)"):
        insufficiency_counts([[0, 3, 0]] * 2, [3])
    with pytest.raises(InputError, match=r"condition: expected 1 \(deletion\) or 2 \(addition\), found 0"):
        common_groups([[0, 3, 0]], [[0, 3, 0]], [[0, 3, 0]], MSS)
