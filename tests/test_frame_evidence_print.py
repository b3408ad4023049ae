"""What the paper prints of the 20 main configurations, put into answers and measured again.

The answers have the printed counts and are otherwise arbitrary: they test the definitions, and say nothing about any
model.
"""

from fractions import Fraction
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
import pytest

from vantage.evidence import ADDITION, DELETION, MSS, failure_profile, insufficiency_counts, retention
from vantage.frames import frame_pairs, invariant_frames, matched_frames
from vantage.joint import feasible_joint, fixed_marginal, reference_rate
from vantage.published import agrees

GROUPS, ITEMS = 48, 288


class Printed(NamedTuple):
    accuracy: float  # Table 4
    table_8: tuple[int, int, int]  # insufficiency on MSS, deletion, addition
    m: int  # Table 20
    table_20: tuple[float, ...]  # frame invariant, to insufficiency, original, other, robust, drift, invalid
    table_31: tuple[int, int, int, int]  # same, change, both, GEM
    table_22: tuple[float, ...]  # GEM O and R, NTS O and R, DIS O and R


# In the columns of `Printed`.
TABLES = """
Qwen2.5-VL-7B (Base) | 28.82 | 2 3 2 | 22 | 70.8 4.5 81.8 13.6 43.8 2.1 0.0 | 114 30 4 0 | 0.00 1.32 2.08 2.86 43.75 20.05
InternVL3-8B (Base) | 29.51 | 13 16 12 | 15 | 50.0 26.7 60.0 13.3 20.8 10.4 0.0 | 94 50 4 1 | 2.08 1.88 8.33 10.42 20.83 8.46
Qwen3-VL-8B (Base) | 34.03 | 7 23 7 | 21 | 72.9 33.3 52.4 14.3 39.6 4.2 0.0 | 115 29 1 0 | 0.00 0.80 14.58 20.96 39.58 17.32
LLaVA-OneVision-7B (Base) | 29.17 | 0 1 0 | 25 | 70.8 0.0 80.0 20.0 37.5 2.1 20.8 | 116 28 4 0 | 0.00 1.11 0.00 1.09 37.50 19.53
MiniCPM-V 4.5 (Base) | 32.99 | 0 6 0 | 26 | 56.2 7.7 80.8 11.5 47.9 6.2 0.0 | 99 45 3 0 | 0.00 0.98 4.17 6.77 47.92 28.21
Mistral Small 3.2 24B (Base) | 25.69 | 29 24 21 | 4 | 66.7 25.0 50.0 25.0 8.3 0.0 0.0 | 112 32 2 0 | 0.00 1.56 2.08 4.17 8.33 1.74
Qwen2.5-VL-32B (Base) | 33.33 | 9 18 8 | 19 | 58.3 15.8 78.9 5.3 35.4 4.2 0.0 | 103 41 1 0 | 0.00 1.14 6.25 14.84 35.42 17.32
InternVL3.5-14B (Base) | 28.12 | 11 16 9 | 12 | 66.7 25.0 66.7 8.3 25.0 0.0 0.0 | 111 33 1 0 | 0.00 1.51 6.25 8.33 25.00 7.81
Phi-4-Multimodal (Base) | 26.39 | 2 2 2 | 18 | 75.0 0.0 72.2 27.8 35.4 2.1 0.0 | 120 24 1 0 | 0.00 1.37 0.00 1.56 35.42 14.84
Kimi-VL-A3B (Base) | 29.17 | 1 3 2 | 22 | 62.5 0.0 86.4 13.6 39.6 6.2 0.0 | 108 36 4 0 | 0.00 1.91 0.00 2.86 39.58 19.10
Qwen2.5-VL-7B (LoRA) | 35.42 | 30 38 24 | 8 | 60.4 75.0 25.0 0.0 12.5 4.2 0.0 | 103 41 6 0 | 0.00 2.43 12.50 13.19 12.50 3.47
InternVL3-8B (LoRA) | 32.64 | 22 30 21 | 11 | 68.8 36.4 36.4 27.3 8.3 14.6 0.0 | 113 31 6 0 | 0.00 2.79 8.33 14.32 8.33 3.82
GPT-5.6 (0-shot) | 40.62 | 1 15 2 | 26 | 20.8 26.9 42.3 30.8 35.4 18.8 0.0 | 54 90 18 2 | 4.17 4.12 14.58 16.93 35.42 27.08
GPT-5.6 (1-shot) | 44.10 | 1 14 2 | 28 | 18.8 28.6 35.7 35.7 41.7 16.7 0.0 | 54 90 21 3 | 6.25 5.53 16.67 17.01 41.67 35.24
GPT-5.6 (2-shot) | 48.26 | 2 19 1 | 27 | 18.8 40.7 29.6 29.6 43.8 12.5 0.0 | 50 94 26 5 | 10.42 6.68 22.92 22.27 43.75 38.67
GPT-5.6 (3-shot) | 50.00 | 2 18 1 | 30 | 12.5 33.3 23.3 43.3 47.9 14.6 0.0 | 50 94 27 3 | 6.25 8.23 20.83 23.44 47.92 40.36
Claude Fable 5.1 (0-shot) | 39.24 | 1 10 0 | 26 | 47.9 15.4 57.7 26.9 41.7 12.5 0.0 | 92 52 7 0 | 0.00 2.40 8.33 11.28 41.67 31.60
Claude Fable 5.1 (1-shot) | 40.28 | 2 5 2 | 23 | 27.1 4.3 60.9 34.8 37.5 10.4 0.0 | 68 76 23 3 | 6.25 6.79 2.08 4.99 37.50 23.96
Claude Fable 5.1 (2-shot) | 41.32 | 3 15 3 | 27 | 22.9 22.2 48.1 29.6 37.5 18.8 0.0 | 59 85 17 3 | 6.25 3.26 12.50 17.58 37.50 28.12
Claude Fable 5.1 (3-shot) | 41.67 | 2 15 3 | 23 | 25.0 17.4 56.5 26.1 39.6 8.3 0.0 | 65 79 15 1 | 2.08 4.48 8.33 14.97 39.58 24.96
"""


def _printed(line):
    name, accuracy, table_8, m, *tables = line.split("|")
    numbers = [tuple(map(float, table.split())) for table in tables]
    return name.strip(), Printed(
        float(accuracy), tuple(map(int, table_8.split())), int(m), numbers[0], tuple(map(int, numbers[1])), numbers[2]
    )


PRINTED = dict(map(_printed, TABLES.strip().splitlines()))


def count(percent, whole=GROUPS, decimals=2):
    """The one count of `whole` that prints as `percent`."""
    (found,) = [part for part in range(whole + 1) if agrees(Fraction(100 * part, whole), percent, decimals)]
    return found


def correct_counts(printed):
    """Groups with MSS, deletion and addition correct: m, Table 8's deletions, and the one addition that gives DIS's R."""
    (addition,) = [
        part
        for part in range(GROUPS + 1)
        if agrees(100 * reference_rate((printed.m, part), GROUPS), printed.table_22[5], 2)
    ]
    return printed.m, printed.table_8[DELETION], addition


def evidence_answers(printed):
    """Answers (48, 3), gold and insufficiency letters with the printed counts of Tables 8, 20 and 22."""
    right = np.arange(GROUPS) % 4
    insufficient, wrong, other = ((right + step) % 4 for step in (1, 2, 3))
    m, deletions, additions = correct_counts(printed)
    to_insufficient, original = (count(share, m, 1) for share in printed.table_20[1:3])
    robust, drift, invalid = (count(share, GROUPS, 1) for share in printed.table_20[4:])
    start = np.arange(GROUPS) < m

    def column(initial, elsewhere, rest):
        """Answers in order: of groups that start right, then of the others, each given as counts and letters."""
        answers = rest.copy()
        for first, parts in ((0, initial), (m, elsewhere)):
            for size, letters in parts:
                answers[first : first + size] = letters if np.isscalar(letters) else letters[first : first + size]
                first += size
        return answers

    spoilt = m - robust - drift  # the addition answers that are neither right nor drift are invalid
    answers = np.column_stack(
        [
            column([(m, right)], [(printed.table_8[MSS], insufficient)], wrong),
            column(
                [(to_insufficient, insufficient), (original, right)],
                [(deletions - to_insufficient, insufficient)],
                other,
            ),
            column(
                [(robust, right), (drift, wrong), (spoilt, -1)],
                [
                    (additions - robust, right),
                    (printed.table_8[ADDITION], insufficient),
                    (invalid - spoilt, -1),
                ],
                wrong,
            ),
        ]
    )
    assert (answers[~start, MSS] != right[~start]).all()
    return answers, np.column_stack([right, insufficient, right]), insufficient


def frame_answers(printed):
    """Answers (48, 3) and gold A B C in all groups, with the printed counts of Tables 20 and 31."""
    same, _, both, matched = printed.table_31
    invariant = count(printed.table_20[0], GROUPS, 1)
    two_equal, two_right = same - 3 * invariant, both - 3 * matched
    equal_and_right = min(two_equal, two_right)
    kinds = [
        ((3, 3, 3), invariant),
        ((0, 1, 1), equal_and_right),
        ((3, 3, 0), two_equal - equal_and_right),
        ((0, 1, 2), matched),
        ((0, 1, 3), two_right - equal_and_right),
    ]
    rows = [answers for answers, times in kinds for _ in range(times)]
    rows += [(1, 2, 0)] * (GROUPS - len(rows))
    assert len(rows) == GROUPS
    return np.array(rows), np.tile([0, 1, 2], (GROUPS, 1))


@pytest.mark.parametrize("name", PRINTED)
def test_failure_profile_of_table_20(name):
    printed = PRINTED[name]
    answers, gold, insufficient = evidence_answers(printed)
    profile = failure_profile(answers, gold, insufficient)
    assert profile.mss_correct == printed.m
    for share, value in zip(profile.shares().values(), printed.table_20[1:], strict=True):
        assert agrees(100 * share, value, 1)
    assert insufficiency_counts(answers, insufficient).tolist() == list(printed.table_8)


@pytest.mark.parametrize("name", PRINTED)
def test_fixed_marginals_of_table_22(name):
    """With m, Table 8's deletions give the printed NTS reference; one count of additions gives the DIS reference."""
    printed = PRINTED[name]
    answers, gold, _ = evidence_answers(printed)
    right = answers == gold
    for condition, (observed, reference) in ((DELETION, printed.table_22[2:4]), (ADDITION, printed.table_22[4:])):
        found = fixed_marginal(right[:, [MSS, condition]])
        assert agrees(100 * found.observed, observed, 2)
        assert agrees(100 * found.reference, reference, 2)


@pytest.mark.parametrize("name", PRINTED)
def test_frame_counts_exist_for_the_reference_of_table_22(name):
    """The right FQ1 answers are those of Table 4's accuracy that are not FQ2's. Three counts with their sum have the
    printed product, and allow the printed GEM."""
    printed = PRINTED[name]
    rest = count(printed.accuracy, ITEMS) - sum(correct_counts(printed))
    observed, reference = printed.table_22[:2]
    fitting = [
        counts
        for counts in combinations_with_replacement(range(min(rest, GROUPS) + 1), 3)
        if sum(counts) == rest and agrees(100 * reference_rate(counts, GROUPS), reference, 2)
    ]
    assert fitting
    for counts in fitting:
        lowest, highest = feasible_joint(counts, GROUPS)
        assert lowest <= count(observed) <= highest


def test_gaps_that_the_text_names():
    """D.4: NTS below the reference in 19 rows, -8.59 to +0.65 points; DIS above in all, +4.51 to +23.70."""
    nts, dis = [], []
    for printed in PRINTED.values():
        mss, deletion, addition = correct_counts(printed)
        nts.append(100 * (Fraction(count(printed.table_22[2]), GROUPS) - reference_rate((mss, deletion), GROUPS)))
        dis.append(100 * (Fraction(count(printed.table_22[4]), GROUPS) - reference_rate((mss, addition), GROUPS)))
    assert sum(gap < 0 for gap in nts) == 19
    for gaps, low, high in ((nts, -8.59, 0.65), (dis, 4.51, 23.70)):
        assert agrees(min(gaps), low, 2) and agrees(max(gaps), high, 2)
    gem = [printed.table_22[0] - printed.table_22[1] for printed in PRINTED.values()]
    assert (sum(gap > 0 for gap in gem), sum(gap < 0 for gap in gem)) == (5, 15)


@pytest.mark.parametrize("name", PRINTED)
def test_frame_pairs_of_table_31(name):
    printed = PRINTED[name]
    answers, gold = frame_answers(printed)
    pairs = frame_pairs(answers, gold)
    found = [int(flags.sum()) for flags in (pairs.same, pairs.change, pairs.both, matched_frames(answers, gold))]
    assert found == list(printed.table_31)
    assert pairs.gold_change.all() and not pairs.invalid.any()
    assert agrees(Fraction(100 * int(invariant_frames(answers).sum()), GROUPS), printed.table_20[0], 1)


@pytest.mark.parametrize(
    "name, kept",
    [
        ("Qwen2.5-VL-7B (Base)", (21, 22)),
        ("Qwen2.5-VL-7B (LoRA)", (6, 8)),
        ("InternVL3-8B (Base)", (10, 15)),
        ("InternVL3-8B (LoRA)", (4, 11)),
    ],
)
def test_conditional_retention_of_g4(name, kept):
    answers, gold, _ = evidence_answers(PRINTED[name])
    found = retention(answers, gold)
    assert (found.robust, found.mss_correct) == kept
    assert found.conditional == Fraction(*kept)


def test_six_of_llavas_ten_invalid_answers_have_the_mss_right():
    """Design: all ten are additions. 25 MSS right, 18 robust and 1 drift leave six."""
    answers, gold, _ = evidence_answers(PRINTED["LLaVA-OneVision-7B (Base)"])
    assert ((answers == -1).sum(axis=0)).tolist() == [0, 0, 10]
    assert (answers[answers[:, MSS] == gold[:, MSS], ADDITION] == -1).sum() == 6
