"""Scores against hand computations, and laws that hold whatever the answers are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vantage.bootstrap import ratio
from vantage.cycles import both_correct, cycle_consistency
from vantage.relations import BEHIND, FRONT, LEFT, RIGHT, VIEWPOINTS
from vantage.scoring import exact, exact_match, f1_sums, label_counts, micro_f1, strict
from vantage.viewpoints import counterfactual_gap

sets = st.integers(0, 15)


def masks(*values):
    return np.array(values, dtype=np.uint8)


@st.composite
def scored(draw):
    """Answers, and gold sets with one alternative each."""
    size = draw(st.integers(1, 30))
    answers = draw(st.lists(sets, min_size=size, max_size=size))
    admissible = draw(st.lists(st.tuples(st.integers(1, 15), st.integers(1, 15)), min_size=size, max_size=size))
    return masks(*answers), np.array(admissible, dtype=np.uint8)


def test_micro_f1_by_hand():
    """Right + front against right + behind: TP 1, asserted 2, relevant 2. Left against left: 1, 1, 1. Nothing against
    front: 0, 0, 1. F1 = 2 x 2 / (3 + 4) = 4/7."""
    answers = masks(RIGHT | FRONT, LEFT, 0)
    gold = masks(RIGHT | BEHIND, LEFT, FRONT)[:, None]
    assert micro_f1(answers, gold) == pytest.approx(4 / 7)
    assert exact_match(answers, gold) == pytest.approx(1 / 3)


def test_one_alternative_is_credited():
    """Gold right + front, also admissible front. The answer front: credited set front, so nothing is missed. The answer
    right: gold has the most true positives (1), so front counts as missed. The answer left: neither has any, and the
    smaller set misses less."""
    admissible = np.repeat([[RIGHT | FRONT, FRONT]], 3, axis=0).astype(np.uint8)
    counts = label_counts(masks(FRONT, RIGHT, LEFT), admissible)
    assert counts.true_positive.tolist() == [1, 1, 0]
    assert counts.asserted.tolist() == [1, 1, 1]
    assert counts.relevant.tolist() == [1, 2, 1]
    assert exact(masks(FRONT, RIGHT, LEFT), admissible).tolist() == [True, False, False]


def test_nothing_to_score_is_not_a_number():
    none = np.zeros((0, 1), dtype=np.uint8)
    assert np.isnan(micro_f1(masks(), none))
    assert np.isnan(exact_match(masks(), none))
    assert np.isnan(cycle_consistency(masks(1), np.zeros((0, 2), dtype=int)))
    assert np.isnan(both_correct(masks(1), masks(1)[:, None], np.zeros((0, 2), dtype=int)))


@given(scored())
def test_admitting_alternatives_never_lowers_a_score(case):
    answers, admissible = case
    assert micro_f1(answers, admissible) >= micro_f1(answers, strict(admissible)) - 1e-12
    assert exact_match(answers, admissible) >= exact_match(answers, strict(admissible))


@given(scored())
def test_an_exact_answer_has_no_false_label(case):
    answers, admissible = case
    counts = label_counts(answers, admissible)
    right = exact(answers, admissible)
    assert (counts.true_positive[right] == counts.asserted[right]).all()
    assert (counts.true_positive[right] == counts.relevant[right]).all()


@given(scored())
def test_f1_lies_between_none_and_all(case):
    assert 0 <= micro_f1(*case) <= 1


@given(scored(), st.integers(1, 5))
def test_sums_within_groups_give_the_same_f1(case, groups):
    answers, admissible = case
    group = np.arange(len(answers)) % groups
    sums = f1_sums(answers, admissible, group)
    for place, found in enumerate(ratio(sums)):
        assert found == pytest.approx(micro_f1(answers[group == place], admissible[group == place]))
    assert ratio(sums.sum(axis=0)) == pytest.approx(micro_f1(answers, admissible))


def test_counterfactual_gap_by_hand():
    """Supp. 2.4: F1(0) minus the mean of the nine others. 1 - (8 x 0.5 + 0.95) / 9 = 0.45."""
    curve = dict.fromkeys(VIEWPOINTS, 0.5) | {"0": 1.0, "Top": 0.95}
    assert counterfactual_gap(curve) == pytest.approx(1 - (8 * 0.5 + 0.95) / 9)


def test_cycles_by_hand():
    """Pairs: same and right; same and wrong; different; two replies that could not be read, which do not agree."""
    answers = masks(RIGHT, RIGHT, LEFT, LEFT, RIGHT, LEFT, 0, 0)
    pairs = np.array([[0, 1], [2, 3], [4, 5], [6, 7]])
    gold = np.full((8, 1), RIGHT, dtype=np.uint8)
    assert cycle_consistency(answers, pairs) == 0.5
    assert both_correct(answers, gold, pairs) == 0.25
