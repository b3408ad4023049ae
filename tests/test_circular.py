"""Rotations and repeated executions: the paper's counts, hand computations, and laws that hold whatever the answers are."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vantage.circular import ROTATIONS, circular_scores, decode, encode, pair_flags, pair_scores, rotation_flags
from vantage.errors import InputError
from vantage.published import agrees, as_printed

ITEMS = 288


@st.composite
def rotated(draw):
    items = draw(st.integers(1, 20))
    answers = draw(arrays(np.int8, (items, 4), elements=st.integers(-1, 3)))
    return answers, draw(arrays(np.int8, items, elements=st.integers(0, 3)))


def test_a_rotation_shows_the_options_shifted():
    """Options w x y z. Rotation 1 shows x y z w, so A means x, the original B; rotation 3 shows z w x y, so D means y."""
    original = "wxyz"
    for rotation, shown in enumerate(("wxyz", "xyzw", "yzwx", "zwxy")):
        letters = np.arange(4)
        assert [original[letter] for letter in decode(letters, rotation)] == list(shown)
        assert encode(decode(letters, rotation), rotation).tolist() == letters.tolist()


def test_rotations_by_hand():
    """Gold B throughout, under rotations 0-3 shown as B A D C. Always right; right but for the last, invalid; the letter
    B always, which is right once; C throughout, wrong but consistent; four invalid answers, which are no agreement."""
    answers = np.array([[1, 0, 3, 2], [1, 0, 3, -1], [1, 1, 1, 1], [2, 1, 0, 3], [-1] * 4])
    gold = np.full(5, 1)
    flags = rotation_flags(answers, gold)
    assert flags.right.sum(axis=1).tolist() == [4, 3, 1, 0, 0]
    assert flags.circular.tolist() == [True, False, False, False, False]
    assert flags.consistent.tolist() == [True, False, False, True, False]
    assert circular_scores(answers, gold) == pytest.approx((3 / 5, 8 / 20, 1 / 5, 2 / 5, 40))


# Counts of 288 (of 1,152 for the mean) that Table 12 determines: Vanilla, mean rotation, Circular, Consistency.
TABLE_12 = {
    "InternVL3-8B Base": ((87, 323, 22, 68), ("30.21", "28.04", "7.64", "23.61", "22.57")),
    "InternVL3-8B 20260722": ((96, 362, 21, 55), ("33.33", "31.42", "7.29", "19.10", "26.04")),
    "InternVL3-8B 20260723": ((97, 358, 16, 51), ("33.68", "31.08", "5.56", "17.71", "28.12")),
    "InternVL3-8B 20260724": ((90, 349, 15, 46), ("31.25", "30.30", "5.21", "15.97", "26.04")),
    "Qwen2.5-VL-7B Base": ((43, 216, 6, 17), ("14.93", "18.75", "2.08", "5.90", "12.85")),
    "Qwen2.5-VL-7B 20260722": ((99, 412, 48, 97), ("34.38", "35.76", "16.67", "33.68", "17.71")),
    "Qwen2.5-VL-7B 20260723": ((100, 408, 45, 95), ("34.72", "35.42", "15.62", "32.99", "19.10")),
    "Qwen2.5-VL-7B 20260724": ((105, 424, 47, 90), ("36.46", "36.81", "16.32", "31.25", "20.14")),
    "GPT-5.6 0-shot": ((131, 493, 54, 78), ("45.49", "42.80", "18.75", "27.08", "26.74")),
}


@pytest.mark.parametrize("row", TABLE_12)
def test_table_12_from_counts(row):
    """Items with those counts: Circular ones right always; further ones right under rotation 0; those consistently wrong
    answer the option after gold; the rest of the right answers under other rotations go to items that are wrong
    under rotation 0 or, after those, to items that are right there."""
    (vanilla, right, circular, consistent), printed = TABLE_12[row]
    gold = np.arange(ITEMS) % 4
    wrong = (np.array([[1, 2, 1, 2]]) + gold[:, None]) % 4  # two different wrong options: consistent with nothing
    meant = wrong.copy()
    meant[:circular] = gold[:circular, None]
    meant[:vanilla, 0] = gold[:vanilla]
    last = ITEMS - (consistent - circular)
    meant[last:] = (gold[last:, None] + 1) % 4
    # Two more right answers at most an item: a third wrong one keeps it from being Circular.
    free = [(item, place) for place in (1, 2) for item in [*range(vanilla, last), *range(circular, vanilla)]]
    for item, place in free[: right - vanilla - 3 * circular]:
        meant[item, place] = gold[item]
    scores = circular_scores(encode(meant.astype(np.int8), ROTATIONS), gold)
    percent = [*(100 * score for score in scores[:4]), scores.drop]
    assert [as_printed(value, 2) for value in percent] == list(printed)


@given(rotated())
def test_laws_of_rotations(case):
    answers, gold = case
    flags, scores = rotation_flags(*case), circular_scores(*case)
    assert (flags.circular <= flags.consistent).all()
    assert scores.circular <= min(scores.vanilla, scores.mean_rotation, scores.consistency)
    assert scores.drop >= 0
    assert (encode(decode(answers, ROTATIONS), ROTATIONS) == answers).all()


@given(rotated(), st.integers(0, 3))
def test_another_original_order_changes_nothing_but_the_letters(case, shift):
    """Moving all options on by some places in the original order moves gold and every decoded answer alike."""
    answers, gold = case
    moved = np.where(answers < 0, -1, (answers + shift) % 4)
    for before, after in zip(rotation_flags(*case), rotation_flags(moved, (gold + shift) % 4), strict=True):
        assert (before == after).all()


def executions(both, first_only, second_only, same):
    """Two executions of 288 items with these counts; `same` valid equal answers, of which `both` are right."""
    gold = np.arange(ITEMS) % 4
    first, second = (gold + 1) % 4, (gold + 2) % 4
    ends = np.cumsum([both, first_only, second_only, same - both])
    first[: ends[1]] = gold[: ends[1]]
    second[:both] = gold[:both]
    second[ends[1] : ends[2]] = gold[ends[1] : ends[2]]
    second[ends[2] : ends[3]] = first[ends[2] : ends[3]]
    return first, second, gold


# Right in both, right under rotation 0 only, right in the other only, equal answers; then Table 7: at least one, both,
# consistency, consistently wrong. The counts of the repeat, and both and equal of the rotations, are in "Same-order
# control"; right in the other only follows from "at least one" (161, 165 and 170 of 288).
TABLE_7 = {
    "Repeat": ((82, 49, 48, 154), ("62.15", "28.47", "53.47", "25.00")),
    "R1": ((90, 41, 30, 171), ("55.90", "31.25", "59.38", "28.12")),
    "R2": ((88, 43, 34, 158), ("57.29", "30.56", "54.86", "24.31")),
    "R3": ((81, 50, 39, 148), ("59.03", "28.12", "51.39", "23.26")),
}


@pytest.mark.parametrize("column", TABLE_7)
def test_table_7_from_counts(column):
    counts, printed = TABLE_7[column]
    scores = pair_scores(*executions(*counts))
    assert [as_printed(100 * score, 2) for score in scores[:4]] == list(printed)


def test_rotations_of_table_7_have_the_mean_accuracy_of_table_12():
    """131 right under rotation 0 and 120, 122 and 120 under the others: 493 of 1,152, printed 42.80."""
    right = [131, *(both + other for both, _, other, _ in (TABLE_7[f"R{place}"][0] for place in (1, 2, 3)))]
    assert right == [131, 120, 122, 120]
    assert as_printed(Fraction(100 * sum(right), 4 * ITEMS), 2) == "42.80"


@pytest.mark.parametrize(
    "counts, changed, disagreement, difference",
    [
        ((79, 38, 52, ITEMS - 136), 136, "47.22", "4.86"),  # cross-run stability: ordinary and rotation 0
        ((77, 40, 53, ITEMS - 128), 128, "44.44", "4.51"),  # same-order control: primary and repeat
        ((82, 49, 48, ITEMS - 134), 134, "46.53", "-0.35"),  # same-order control: rotation 0 and repeat
    ],
)
def test_printed_pairs_of_executions(counts, changed, disagreement, difference):
    first, second, gold = executions(*counts)
    flags = pair_flags(first, second, gold)
    assert [int(flag.sum()) for flag in flags[:3]] == list(counts[:3])
    assert flags.neither.sum() == ITEMS - sum(counts[:3])
    assert flags.changed.sum() == changed
    assert as_printed(100 * pair_scores(first, second, gold).disagreement, 2) == disagreement
    gain = int(flags.second_only.sum()) - int(flags.first_only.sum())
    assert as_printed(Fraction(100 * gain, ITEMS), 2) == difference


def test_contrasts_of_table_13():
    """The same-order pair minus a rotation pair: both correct, and consistency, in points."""
    both, same = ({name: counts[place] for name, (counts, _) in TABLE_7.items()} for place in (0, 3))
    for name, printed in {"R1": (-2.78, -5.90), "R2": (-2.08, -1.39), "R3": (0.35, 2.08)}.items():
        for counts, value in zip((both, same), printed, strict=True):
            assert agrees(Fraction(100 * (counts["Repeat"] - counts[name]), ITEMS), value, 2)


@given(st.data(), st.integers(1, 30))
def test_laws_of_pairs(data, items):
    answers = arrays(np.int8, items, elements=st.integers(-1, 3))
    first, second = data.draw(answers), data.draw(answers)
    gold = data.draw(arrays(np.int8, items, elements=st.integers(0, 3)))
    flags, scores = pair_flags(first, second, gold), pair_scores(first, second, gold)
    assert (np.sum(flags[:4], axis=0) == 1).all() and (np.sum(flags[4:], axis=0) == 1).all()
    assert (flags.both <= flags.same).all()
    assert scores.consistency == pytest.approx(scores.both_correct + scores.consistently_wrong)
    assert scores.consistency + scores.disagreement == pytest.approx(1 - flags.invalid.mean())
    swapped = pair_flags(second, first, gold)
    assert (swapped.first_only == flags.second_only).all() and (swapped.same == flags.same).all()


def test_two_answers_that_could_not_be_read_are_no_agreement():
    flags = pair_flags([-1, -1], [-1, 0], [0, 0])
    assert not flags.same.any() and not flags.changed.any() and flags.invalid.all()
    assert flags.second_only.tolist() == [False, True]


def test_other_shapes_are_refused():
    with pytest.raises(InputError, match=r"answers: expected shape \(2, 4\), found \(2, 3\)"):
        circular_scores(np.zeros((2, 3), dtype=int), [0, 0])
    with pytest.raises(InputError, match=r"expected one, or one for each of the last axis of \(3,\), found \(4,\)"):
        decode([0, 1, 2], ROTATIONS)
    with pytest.raises(InputError, match=r"answers: expected shape \(2\), found \(1,\)"):
        pair_scores([0], [0], [0, 0])
    assert np.isnan(circular_scores(np.zeros((0, 4), dtype=int), np.zeros(0, dtype=int))).all()
