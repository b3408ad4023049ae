"""Realizability on scenes small enough to decide by hand, and on the gold answers."""

import numpy as np
import pandas as pd
import pytest

from vantage.items import load_cvt
from vantage.realizability import asserted_constraints, flip_labels, permute_pairs, realizable, realizable_scenes
from vantage.relations import BEHIND, FRONT, LEFT, RIGHT, opposite


def questions(*rows):
    return pd.DataFrame(rows, columns=["target", "anchor", "viewpoint"]).assign(scene="s")


def realized(answers, asked):
    return realizable(asserted_constraints(np.array(answers, dtype=np.uint8), asked))


def test_three_objects_cannot_stand_right_of_each_other_in_a_ring():
    """B right of A, C right of B, A right of C: x_A < x_B < x_C < x_A."""
    ring = questions((1, 0, "0"), (2, 1, "0"), (0, 2, "0"))
    assert not realized([RIGHT, RIGHT, RIGHT], ring)
    assert realized([RIGHT, RIGHT, LEFT], ring)
    assert realized([RIGHT, RIGHT], ring.iloc[:2])


def test_a_diagonal_between_two_axes_is_a_contradiction_that_no_pair_of_answers_shows():
    """B is right of and behind A, so at 45 degrees B cannot be to the left: (x + y) / sqrt 2 > 0. Any two of the three labels fit."""
    asked = questions((1, 0, "0"), (1, 0, "45"))
    assert not realized([RIGHT | BEHIND, LEFT], asked)
    assert realized([RIGHT, LEFT], asked)
    assert realized([BEHIND, LEFT], asked)


def test_equivalent_views_assert_the_same():
    """0, 360 and Top are one frame; 90 swaps the axes: right at 90 is behind at 0."""
    assert not realized([RIGHT, LEFT], questions((1, 0, "0"), (1, 0, "360")))
    assert not realized([BEHIND, FRONT], questions((1, 0, "0"), (1, 0, "Top")))
    assert not realized([BEHIND, LEFT], questions((1, 0, "0"), (1, 0, "90")))
    assert realized([BEHIND, RIGHT], questions((1, 0, "0"), (1, 0, "90")))


def test_swapping_target_and_anchor_turns_the_constraint():
    assert not realized([RIGHT, RIGHT], questions((1, 0, "0"), (0, 1, "0")))
    assert realized([RIGHT, LEFT], questions((1, 0, "0"), (0, 1, "0")))


def test_saying_nothing_is_realizable():
    assert realized([0, 0], questions((1, 0, "0"), (0, 1, "90")))


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


def test_gold_is_realizable_and_so_is_its_inversion(items):
    """Table S2: correct map 100 %, opposite map 0 %. Turning every label round mirrors the scene, so it stays possible."""
    assert all(realizable_scenes(items.gold, items.questions).values())
    assert all(realizable_scenes(opposite(items.gold), items.questions).values())
    assert not any(realizable_scenes(items.gold, items.questions, opposite_map=True).values())


def test_the_layout_of_each_scene_satisfies_its_gold_constraints(items):
    """A witness of realizability is at hand, the positions themselves: along each direction they differ by more than the margin."""
    for scene in items.scenes[:20]:
        asked = items.questions[items.questions.scene == scene["scene"]]
        constraints = asserted_constraints(items.gold[asked.index], asked)
        plane = {thing["tag"]: np.array(thing["plane"]) for thing in scene["objects"]}
        along = [(plane[target] - plane[anchor]) @ (dx, dy) for _, target, anchor, dx, dy in constraints]
        assert min(along) > 0.2


def test_flips_come_as_often_as_asked(items):
    rng = np.random.default_rng(1)
    assert (flip_labels(items.gold, 0.0, rng) == items.gold).all()
    assert (flip_labels(items.gold, 1.0, rng) == opposite(items.gold)).all()
    labels = np.bitwise_count(items.gold).sum()
    flipped = np.bitwise_count(items.gold & ~flip_labels(items.gold, 0.1, rng)).sum()
    # Binomial with 10,968 labels: five standard deviations are 0.014.
    assert flipped / labels == pytest.approx(0.1, abs=0.015)


def test_permutation_keeps_each_scenes_pairs(items):
    permuted = permute_pairs(items.questions, 0.5, np.random.default_rng(1))
    columns = ["scene", "target", "anchor"]
    assert (permuted[columns] != items.questions[columns]).any(axis=None)
    pd.testing.assert_frame_equal(
        permuted[columns].sort_values(columns, ignore_index=True),
        items.questions[columns].sort_values(columns, ignore_index=True),
    )
    pd.testing.assert_frame_equal(permuted.drop(columns=columns[1:]), items.questions.drop(columns=columns[1:]))
