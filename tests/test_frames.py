"""Three frames of one relation: hand computations, and laws that hold whatever the answers are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vantage.errors import InputError
from vantage.frames import FRAME_PAIRS, frame_pairs, gem, invariant_frames, matched_frames, pair_cells


@st.composite
def triplets(draw, lowest=-1):
    groups = draw(st.integers(1, 15))
    answers = draw(arrays(np.int8, (groups, 3), elements=st.integers(lowest, 3)))
    return answers, draw(arrays(np.int8, (groups, 3), elements=st.integers(0, 3)))


def test_by_hand():
    """Five groups with gold A B C. Matched; camera for all; a switch that is wrong in the third frame; one invalid; and
    all three invalid, which is no invariant answer."""
    answers = np.array([[0, 1, 2], [0, 0, 0], [0, 1, 1], [0, -1, 2], [-1, -1, -1]])
    gold = np.array([[0, 1, 2]] * 5)
    assert matched_frames(answers, gold).tolist() == [True, False, False, False, False]
    assert gem(answers, gold) == 0.2
    assert invariant_frames(answers).tolist() == [False, True, False, False, False]
    pairs = frame_pairs(answers, gold)
    assert pairs.same.sum(axis=1).tolist() == [0, 3, 1, 0, 0]
    assert pairs.change.sum(axis=1).tolist() == [3, 0, 2, 1, 0]
    assert pairs.invalid.sum(axis=1).tolist() == [0, 0, 0, 2, 3]
    assert pairs.both.sum(axis=1).tolist() == [3, 0, 1, 1, 0]
    cells = pair_cells(pairs)
    assert cells.pairs.tolist() == [[0, 0, 0], [4, 6, 5]]
    assert cells.both.tolist() == [[0, 0, 0], [0, 5, 0]]


def test_pairs_come_in_the_order_camera_object_then_camera_scene_then_object_scene():
    pairs = frame_pairs(np.array([[0, 1, 0]]), np.array([[0, 1, 1]]))
    assert FRAME_PAIRS == ((0, 1), (0, 2), (1, 2))
    assert pairs.same.tolist() == [[False, True, False]]
    assert pairs.gold_change.tolist() == [[True, True, False]]
    assert pairs.both.tolist() == [[True, False, False]]


def test_unchanged_gold_has_its_own_cells():
    """Two groups whose gold never changes: one changed answer in the first, which is wrong twice, none in the second."""
    gold = np.array([[2, 2, 2], [1, 1, 1]])
    cells = pair_cells(frame_pairs(np.array([[2, 2, 0], [1, 1, 1]]), gold))
    assert cells.pairs.tolist() == [[4, 2, 0], [0, 0, 0]]
    assert cells.both.tolist() == [[4, 0, 0], [0, 0, 0]]
    assert cells.pairs[0, 1] / cells.pairs[0].sum() == pytest.approx(1 / 3)


@given(triplets())
def test_cells_part_all_pairs(case):
    pairs = frame_pairs(*case)
    assert (pairs.same.astype(int) + pairs.change + pairs.invalid == 1).all()
    cells = pair_cells(pairs)
    assert cells.pairs.sum() == 3 * len(case[0])
    assert cells.both.sum() == pairs.both.sum()
    assert (cells.both <= cells.pairs).all()
    # Two right answers are equal exactly where gold is, and never invalid.
    assert cells.both[0, 1] == cells.both[1, 0] == cells.both[:, 2].sum() == 0


@given(triplets(lowest=0))
def test_same_and_both_count_triplets(case):
    """Table 31: Same = 3 x invariant + triplets with exactly two equal answers; Both = 3 x GEM + those with two right."""
    answers, gold = case
    different = np.array([len(set(row)) for row in answers.tolist()])
    pairs = frame_pairs(answers, gold)
    assert pairs.same.sum() == 3 * invariant_frames(answers).sum() + (different == 2).sum()
    right = (answers == gold).sum(axis=1)
    assert pairs.both.sum() == 3 * matched_frames(answers, gold).sum() + (right == 2).sum()


@given(triplets(), st.permutations(range(4)))
def test_meanings_in_place_of_letters_change_nothing(case, names):
    codes = np.array([*(7 + name for name in names), -1])
    for before, after in zip(frame_pairs(*case), frame_pairs(*(codes[part] for part in case)), strict=True):
        assert (before == after).all()
    assert (invariant_frames(codes[case[0]]) == invariant_frames(case[0])).all()


@given(triplets())
def test_a_repeated_answer_solves_no_group_whose_gold_changes(case):
    answers, gold = case
    changing = (gold != gold[:, :1]).any(axis=1)
    assert not (invariant_frames(answers) & matched_frames(answers, gold) & changing).any()


def test_other_shapes_are_refused():
    with pytest.raises(InputError, match=r"gold: expected shape \(any, 3\), found \(1, 2\)"):
        gem([[0, 1]], [[0, 1]])
    with pytest.raises(InputError, match=r"answers: expected shape \(2, 3\), found \(1, 3\)"):
        gem([[0, 1, 2]], [[0, 1, 2]] * 2)
    assert np.isnan(gem(np.zeros((0, 3), dtype=int), np.zeros((0, 3), dtype=int)))
