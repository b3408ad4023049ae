"""The algebra of viewpoints and the codec of words, against hand computations and laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vantage.errors import InputError
from vantage.relations import (
    ABOVE,
    BEHIND,
    FRONT,
    LEFT,
    MARGIN,
    RIGHT,
    VIEWPOINTS,
    YAWS,
    alternatives,
    asserted,
    decode,
    direction,
    encode,
    observed,
    opposite,
    relation_set,
    transport,
    vocabulary,
    yaw_of,
)

components = st.floats(-6, 6, allow_nan=False)
displacements = st.tuples(components, components)
masks = st.integers(0, 63)


def test_worked_scene():
    """A ball stands 2 units to the right of a cube and 1 nearer the observer. Walk a quarter turn to the right: what was
    right is now near (front), and what was near is now at the left. Supp. 3.6: R90(x, y) = (y, -x), R270 = (-y, x)."""
    ball_from_cube = np.array([2.0, -1.0])
    expected = {
        "0": ["right", "front"],
        "90": ["left", "front"],
        "180": ["left", "behind"],
        "270": ["right", "behind"],
        "360": ["right", "front"],
        "Top": ["right", "south"],
        # (2 - 1) / sqrt 2 = 0.71 to the right, (-2 - 1) / sqrt 2 = -2.12 behind.
        "45": ["right", "front"],
    }
    for viewpoint, words in expected.items():
        mask = int(relation_set(observed(ball_from_cube, yaw_of(viewpoint))))
        assert list(decode(mask, viewpoint)) == words, viewpoint
        # Asking about the cube with respect to the ball turns every word round.
        swapped = int(relation_set(observed(-ball_from_cube, yaw_of(viewpoint))))
        assert swapped == opposite(mask)


@given(masks, st.sampled_from(VIEWPOINTS))
def test_codec_returns_what_it_was_given(mask, viewpoint):
    assert encode(decode(mask, viewpoint), viewpoint) == mask


@pytest.mark.parametrize(
    ("word", "viewpoint"), [("north", "0"), ("front", "Top"), ("Left", "90"), ("", "45"), ("near", "Top")]
)
def test_codec_refuses_words_that_are_not_offered(word, viewpoint):
    with pytest.raises(InputError, match="expected relations among"):
        encode([word], viewpoint)


def test_codec_refuses_a_word_said_twice():
    with pytest.raises(InputError, match="'left' twice"):
        encode(["left", "left"], "0")


def test_top_has_the_words_of_the_frozen_codec():
    """Supp. 7.4: north is behind, south is front."""
    assert vocabulary("Top") == ("left", "right", "south", "north")
    assert encode(["north"], "Top") == BEHIND
    assert encode(["south"], "Top") == FRONT


@given(displacements, st.sampled_from([0, 90, 180, 270, 360]))
def test_symbols_turn_as_the_plane_does_at_cardinal_yaws(displacement, yaw):
    assert transport(relation_set(displacement), yaw) == relation_set(observed(displacement, yaw))


@given(displacements, st.sampled_from(YAWS), st.sampled_from(YAWS))
def test_turns_add_up(displacement, first, second):
    there = observed(observed(displacement, first), second)
    np.testing.assert_allclose(there, observed(displacement, first + second), atol=1e-12)


@given(displacements, st.sampled_from(YAWS))
def test_a_turn_keeps_distances(displacement, yaw):
    assert np.hypot(*observed(displacement, yaw)) == pytest.approx(np.hypot(*displacement))


def test_cardinal_turns_are_exact():
    assert observed([0.1, 0.7], 90).tolist() == [0.7, -0.1]
    assert observed([0.1, 0.7], 180).tolist() == [-0.1, -0.7]
    assert observed([0.1, 0.7], 270).tolist() == [-0.7, 0.1]


def test_symbols_do_not_determine_a_diagonal():
    with pytest.raises(InputError, match="multiple of 90"):
        transport(RIGHT, 45)


@given(masks)
def test_opposite_twice_is_the_same(mask):
    assert opposite(opposite(mask)) == mask


@given(displacements, st.sampled_from(VIEWPOINTS), st.sampled_from([LEFT, RIGHT, FRONT, BEHIND]))
def test_a_label_holds_where_its_canonical_direction_says_so(displacement, viewpoint, label):
    """Supp. 2.3: d(theta, r) . (target - anchor) is the component that the label is about, up to the diagonal's scale."""
    d = np.array(direction(label, viewpoint))
    along = d @ np.array(displacement) / np.hypot(*d)
    asserted = bool(relation_set(observed(displacement, yaw_of(viewpoint))) & label)
    if abs(along - MARGIN) > 1e-9:
        assert asserted == (along > MARGIN)


@given(displacements, st.sampled_from(VIEWPOINTS))
def test_alternatives_toggle_threshold_labels_only(displacement, viewpoint):
    """Supp. 2.1: never an opposite direction, never an unrelated axis, never nothing."""
    seen = observed(displacement, yaw_of(viewpoint))
    gold = int(asserted(seen))
    pointing = int(relation_set(seen, margin=0.0))
    for mask in alternatives(seen):
        assert mask != gold and mask & gold
        assert mask & ~pointing == 0, "a direction in which the target does not lie"
        for label, component in ((LEFT | RIGHT, seen[0]), (FRONT | BEHIND, seen[1])):
            if (mask ^ gold) & label:
                assert abs(abs(component) - MARGIN) <= 0.07 + 1e-12


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ((0.25, 2.0), [BEHIND]),  # right may be left out
        ((0.15, 2.0), [RIGHT | BEHIND]),  # right may be added
        ((-0.15, -2.0), [LEFT | FRONT]),
        ((0.05, 2.0), []),  # far below the threshold
        ((1.0, 2.0), []),
        ((0.25, 0.0), []),  # leaving the only label out would leave nothing
        ((0.25, -0.25), [RIGHT, FRONT]),  # either, not both
        ((0.25, 0.15), [RIGHT | BEHIND]),  # behind in place of right would be an unrelated axis
    ],
)
def test_alternatives_by_hand(seen, expected):
    assert alternatives(seen) == sorted(expected)


@pytest.mark.parametrize(
    ("seen", "margin", "expected"),
    [
        ((0.5, -0.5), (0.4, 0.6), [RIGHT]),  # each label against its own margin
        ((0.5, -0.5), (0.6, 0.4), [FRONT]),
        ((0.1, -0.15), (0.2, 0.2), [FRONT]),  # neither: the larger
        ((0.1, -0.15), (0.2, 0.4), [RIGHT]),  # neither: .5 of its margin against .375
        ((-0.1, 0.2), (0.2, 0.4), [LEFT, BEHIND]),  # neither, and a tie
        ((0.0, 0.0), (0.2, 0.4), []),  # no direction at all
    ],
)
def test_gold_is_never_empty_where_there_is_a_direction(seen, margin, expected):
    assert int(asserted(seen, margin)) == sum(expected)


def test_margins_go_along_questions():
    seen = [[0.5, -0.5], [0.5, -0.5]]
    assert relation_set(seen, [[0.4, 0.6], [0.6, 0.4]]).tolist() == [RIGHT, FRONT]
    assert asserted(seen, [[0.4, 0.6], [0.6, 0.4]]).tolist() == [RIGHT, FRONT]


def test_alternatives_near_unequal_margins():
    # .45 is near the depth margin of .4 and far from the lateral one; at a quarter turn the other way round.
    assert alternatives([2.0, 0.45], (0.2, 0.4), (0.04, 0.08)) == [RIGHT]
    assert alternatives([0.45, -2.0], (0.2, 0.4), (0.04, 0.08)) == []
    assert alternatives([0.1, 0.35], (0.2, 0.4), (0.04, 0.08)) == []  # behind though within its margin: never empty


def test_above_and_below_stay():
    assert transport(ABOVE | RIGHT, 180) == ABOVE | LEFT
