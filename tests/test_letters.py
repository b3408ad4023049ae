"""Letters and meanings, and what is refused with a remedy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vantage.errors import InputError
from vantage.letters import INVALID, LETTERS, checked, correct, meanings, share


def test_an_invalid_answer_is_never_right():
    """Not even against itself: gold cannot be -1."""
    assert correct([[0, -1], [2, 3]], [[0, 1], [2, 1]]).tolist() == [[True, False], [True, False]]
    with pytest.raises(InputError, match=r"gold: expected codes 0 or more, found -1 at 0; .*gold is never missing"):
        correct([-1], [-1])


@pytest.mark.parametrize(
    "values, message",
    [
        ([[0, 1]], r"answers: expected shape \(any, 3\), found \(1, 2\); give one value for each item"),
        ([0, 1, 2], r"answers: expected shape \(any, 3\), found \(3,\)"),
        ([["A", "B", "C"]], r"answers: expected whole numbers, found <U1; code A-D as 0-3"),
        ([[0.0, 1.0, np.nan]], r"answers: expected whole numbers, found float64"),
        ([[0, 1, 2], [0, 4, 0]], r"answers: expected codes -1 to 3, found 4 at 1, 1; correct it \(an unreadable"),
        ([[0, 1, -2]], r"answers: expected codes -1 to 3, found -2 at 0, 2"),
    ],
)
def test_what_is_no_letter_is_refused(values, message):
    with pytest.raises(InputError, match=message):
        checked(values, "answers", (None, 3), invalid=True)


def test_no_items_are_fine():
    assert checked(np.zeros((0, 3)), "answers", (None, 3)).shape == (0, 3)
    assert np.isnan(share(np.zeros(0, dtype=bool)))


@given(st.data(), st.integers(1, 12))
def test_letters_and_meanings_tell_the_same(data, items):
    """With four different meanings an item, right by letter and right by meaning are one."""
    answers = data.draw(arrays(np.int8, items, elements=st.integers(INVALID, 3)))
    gold = data.draw(arrays(np.int8, items, elements=st.integers(0, 3)))
    options = np.array(data.draw(st.lists(st.permutations(range(10, 14)), min_size=items, max_size=items)))
    meant = meanings(answers, options)
    assert (correct(meant, meanings(gold, options)) == correct(answers, gold)).all()
    assert ((meant == INVALID) == (answers == INVALID)).all()


def test_meanings_of_groups_keep_their_shape():
    options = np.broadcast_to(np.array([4, 5, 6, 7]), (2, 3, LETTERS))
    assert meanings([[0, 1, 2], [3, -1, 0]], options).tolist() == [[4, 5, 6], [7, -1, 4]]


def test_two_options_of_one_meaning_are_refused():
    with pytest.raises(
        InputError, match=r"expected four different meanings, found \[5, 5, 6, 7\] at 1; correct the item"
    ):
        meanings([0, 0], [[4, 5, 6, 7], [5, 5, 6, 7]])
