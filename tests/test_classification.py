"""Item scores against scikit-learn, hand computations and all answer sheets of a tiny test."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, precision_recall_fscore_support

from vantage.classification import accuracy, letter_counts, macro_scores, random_joint, random_scores
from vantage.errors import InputError
from vantage.evidence import nts
from vantage.frames import gem
from vantage.published import as_printed

TEST_SUPPORTS = (75, 70, 69, 74)
"""Gold counts of A-D on the 288 test questions (Section 5)."""


@st.composite
def sheets(draw):
    """Answers, some invalid, and gold."""
    items = draw(st.integers(1, 40))
    answers = draw(st.lists(st.integers(-1, 3), min_size=items, max_size=items))
    gold = draw(st.lists(st.integers(0, 3), min_size=items, max_size=items))
    return np.array(answers, dtype=np.int8), np.array(gold, dtype=np.int8)


def test_macro_scores_by_hand():
    """Gold A A B C. Answers A, B, invalid, A. A: TP 1, predicted 2, support 2: P 1/2, R 1/2, F1 2/4. B: TP 0, predicted
    1, support 1. C: none predicted: P 0. D: neither predicted nor gold: all 0. So macro P = R = F1 = 1/8; accuracy
    1/4."""
    scores = macro_scores(np.array([0, 1, -1, 0]), np.array([0, 0, 1, 2]))
    assert scores == pytest.approx((1 / 8, 1 / 8, 1 / 8, 1 / 4))


def test_macro_f1_is_not_the_harmonic_mean_of_macro_precision_and_recall():
    """Gold A A A B, answers A B B B. A: P 1, R 1/3, F1 1/2. B: P 1/3, R 1, F1 1/2. Macro P = R = 1/3, F1 = 1/4."""
    assert macro_scores(np.array([0, 1, 1, 1]), np.array([0, 0, 0, 1]))[:3] == pytest.approx((1 / 3, 1 / 3, 1 / 4))


@given(sheets())
def test_scores_are_scikit_learns(case):
    """Invalid answers are one more label there, over which is not averaged; undefined precision and recall are 0."""
    answers, gold = case
    *theirs, _ = precision_recall_fscore_support(gold, answers, labels=range(4), average="macro", zero_division=0)
    assert macro_scores(answers, gold) == pytest.approx((*theirs, accuracy_score(gold, answers)))


@given(sheets(), st.permutations(range(4)))
def test_renaming_the_letters_changes_nothing(case, names):
    answers, gold = case
    names = np.array([*names, -1], dtype=np.int8)  # -1 indexes the last: it stays invalid
    assert macro_scores(names[answers], names[gold]) == pytest.approx(macro_scores(answers, gold))


@given(sheets())
def test_an_answer_that_becomes_invalid_raises_no_recall_and_no_accuracy(case):
    answers, gold = case
    spoilt = answers.copy()
    spoilt[0] = -1
    before, after = macro_scores(answers, gold), macro_scores(spoilt, gold)
    assert after.recall <= before.recall and after.accuracy <= before.accuracy


@given(sheets())
def test_counts_add_up(case):
    answers, gold = case
    counts = letter_counts(answers, gold)
    assert counts.support.sum() == len(gold)
    assert counts.predicted.sum() == (answers >= 0).sum()
    assert counts.true_positive.sum() == pytest.approx(accuracy(answers, gold) * len(gold))


@pytest.mark.parametrize("supports", [(2, 1, 1, 1), (3, 0, 1, 0)])
def test_random_scores_are_the_mean_over_all_answer_sheets(supports):
    """ "Small-test enumeration" of Appendix A: every sheet is equally likely."""
    gold = np.repeat(np.arange(4), supports)
    every = [macro_scores(np.array(sheet), gold) for sheet in product(range(4), repeat=len(gold))]
    assert np.mean(every, axis=0) == pytest.approx([float(score) for score in random_scores(supports)])


def test_random_f1_by_two_binomials():
    """The "separate binomial calculations" of Appendix A: true positives over n items, false ones over N - n."""

    def chances(items):
        return [comb(items, times) * 0.25**times * 0.75 ** (items - times) for times in range(items + 1)]

    supports = (3, 5, 2, 4)
    items = sum(supports)
    expected = [
        sum(
            right * wrong * 2 * true / (true + false + support)
            for true, right in enumerate(chances(support))
            for false, wrong in enumerate(chances(items - support))
        )
        for support in supports
    ]
    assert float(random_scores(supports).f1) == pytest.approx(np.mean(expected))


def test_random_row_of_table_4():
    scores = random_scores(TEST_SUPPORTS)
    assert [as_printed(100 * score, 2) for score in scores] == ["25.00", "25.00", "24.93", "25.00"]
    assert (scores.recall, scores.accuracy) == (Fraction(1, 4), Fraction(1, 4))
    assert [as_printed(100 * random_joint(variants), 2) for variants in (3, 2)] == [
        "1.56",
        "6.25",
    ]


def test_random_joint_is_the_mean_over_all_answers_to_a_group():
    gold = np.array([[0, 3, 0]])
    every = [np.array([answers]) for answers in product(range(4), repeat=3)]
    assert np.mean([gem(answers, gold) for answers in every]) == random_joint(3)
    assert np.mean([nts(answers, gold) for answers in every]) == random_joint(2)


def test_nothing_to_score_is_not_a_number():
    nothing = np.zeros(0, dtype=np.int8)
    assert np.isnan(macro_scores(nothing, nothing)).all()
    with pytest.raises(InputError, match="supports: expected at least one item, found none"):
        random_scores((0, 0, 0, 0))


def test_codes_that_are_no_letters_are_refused():
    with pytest.raises(InputError, match="gold: expected codes 0 to 3, found 4 at 1"):
        macro_scores(np.array([0, 0]), np.array([0, 4]))
    with pytest.raises(InputError, match=r"supports: expected shape \(4\), found \(3,\)"):
        random_scores((1, 2, 3))
