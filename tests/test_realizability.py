"""Realizability on scenes small enough to decide by hand, on the gold answers, and against SciPy on random systems."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import plain
from benchmarks.agreement import compare_maxima, compare_verdicts
from vantage.errors import InputError
from vantage.items import load_cvt
from vantage.realizability import (
    asserted_constraints,
    constraints_by_scene,
    elimination,
    explain,
    feasibility,
    flip_labels,
    largest_satisfiable,
    permute_pairs,
    realizable,
    realizable_scenes,
    realize,
    satisfiable_fractions,
    satisfied,
    three_answers,
)
from vantage.realizability.closure import consequences, contradictory, relation_tables
from vantage.realizability.constraints import DIRECTIONS, direction_places
from vantage.relations import ABOVE, BEHIND, BELOW, FRONT, LEFT, RIGHT, opposite


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


def weighted_sum(conflict):
    """The sum of a conflict's constraints over objects and axes, in whole numbers, by other means than the package's."""
    rows = conflict.constraints
    total = np.zeros((rows[:, 1:3].max() + 1, rows.shape[1] - 3), dtype=object)
    for multiplier, (_, target, anchor, *parts) in zip(conflict.multipliers, rows.tolist(), strict=True):
        total[target] += multiplier * np.array(parts)
        total[anchor] -= multiplier * np.array(parts)
    return total


def test_three_answers_worked_by_hand():
    """x_2 - x_1 >= 1; in front at 90 degrees is right of the source view, so x_3 - x_2 >= 1; and x_1 - x_3 >= 1. The sum: 0 >= 3."""
    answers, asked = three_answers()
    constraints = asserted_constraints(answers, asked)
    assert constraints.tolist() == [[0, 2, 1, 1, 0], [1, 3, 2, 1, 0], [2, 3, 1, -1, 0]]
    conflict = realize(constraints).conflict
    assert (conflict.rows, conflict.multipliers, conflict.questions) == ((0, 1, 2), (1, 1, 1), (0, 1, 2))
    for left_out in range(3):
        assert realize(np.delete(constraints, left_out, axis=0)).realizable
    most = largest_satisfiable(constraints)
    assert (most.satisfied, most.asserted) == (2, 3)


def test_a_contradiction_between_axes_needs_multipliers():
    """B right of, but at 45 degrees left of A, and at 315 left of A: (1, 0) twice, (-1, -1) and (-1, 1) once each."""
    asked = questions((1, 0, "0"), (1, 0, "45"), (1, 0, "315"))
    conflict = realize(asserted_constraints(np.array([RIGHT, LEFT, LEFT], dtype=np.uint8), asked)).conflict
    assert dict(zip(conflict.rows, conflict.multipliers, strict=True)) == {0: 2, 1: 1, 2: 1}
    assert explain(conflict, asked)[-1].total == "0 ≥ 4"


def test_a_contradiction_that_no_cycle_shows():
    """One label about each of the six pairs of four objects, and no direction of theirs runs around a cycle.

    Weighted, object by object: 0 gets (-1, -1) + (-1, 1) + 2 (1, 0) = 0, 1 gets (1, 1) + (1, -1) - 2 (1, 0) = 0,
    2 gets 2 (0, -1) - (1, -1) - (-1, -1) = 0, 3 gets -(1, 1) - 2 (0, -1) - (-1, 1) = 0.
    """
    pairs = [(1, 3, 1, 1), (2, 3, 0, -1), (1, 2, 1, -1), (0, 2, -1, -1), (0, 3, -1, 1), (0, 1, 1, 0)]
    constraints = np.array([[row, *pair] for row, pair in enumerate(pairs)])
    table = relation_tables(np.zeros(6, dtype=int), constraints[:, 1:3], 1 << direction_places(constraints), 1)
    assert not contradictory(consequences(table))[0]
    assert realize(constraints).conflict.multipliers == (1, 2, 1, 1, 1, 2)


def test_above_and_below_are_an_order_of_their_own():
    ring = questions((1, 0, "0"), (2, 1, "90"), (2, 0, "Top"))
    answers = np.array([ABOVE | RIGHT, ABOVE, BELOW], dtype=np.uint8)
    constraints = asserted_constraints(answers, ring, dimensions=3)
    assert realize(constraints).conflict.constraints[:, 3:].tolist() == [[0, 0, 1], [0, 0, 1], [0, 0, -1]]
    assert realizable(asserted_constraints(answers, ring))
    assert realizable_scenes(answers, ring) == {"s": False}
    assert realize(constraints[:-1]).layout[2][2] > realize(constraints[:-1]).layout[0][2]
    assert [step.claim for step in explain(realize(constraints).conflict, ring)][0] == (
        "At viewpoint 0, object 1 is above object 0."
    )


def test_where_nothing_is_asserted_everything_is_satisfied():
    for columns in (5, 6):
        nothing = np.zeros((0, columns), dtype=np.int64)
        assert realize(nothing).layout == {} and realize(nothing).holds(nothing)
        assert largest_satisfiable(nothing).fraction == 1.0
    assert satisfiable_fractions(np.zeros(1, dtype=np.uint8), questions((1, 0, "0"))) == {"s": 1.0}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([0, 1, 0, 2, 0], r"ten directions of a label, found \[2, 0\] in row 1"),
        ([0, 1, 0, 0, 0], r"found \[0, 0\] in row 1"),
        ([0, 1, 1, 1, 0], "two different objects, found tag 1 twice in row 1"),
    ],
)
def test_what_is_no_constraint_is_named(row, message):
    for function in (realize, largest_satisfiable):
        with pytest.raises(InputError, match=message):
            function(np.array([[0, 1, 0, 1, 0], row]))
    with pytest.raises(InputError, match=r"shape \(2, 4\)"):
        realize(np.zeros((2, 4), dtype=int))


def test_an_explanation_needs_the_questions_that_were_answered():
    answers, asked = three_answers()
    conflict = realize(asserted_constraints(answers, asked)).conflict
    with pytest.raises(InputError, match="viewpoint 45 of question 1"):
        explain(conflict, asked.assign(viewpoint=["0", "45", "0"]))


@st.composite
def systems(draw):
    """Up to sixteen constraints of up to eight answers about two to six objects, in two or three dimensions."""
    dimensions = draw(st.integers(2, 3))
    objects = draw(st.integers(2, 6))
    rows = []
    for _ in range(draw(st.integers(1, 16))):
        target = draw(st.integers(0, objects - 1))
        anchor = (target + draw(st.integers(1, objects - 1))) % objects
        place = draw(st.integers(0, 9 if dimensions == 3 else 7))
        rows.append([draw(st.integers(0, 7)), target, anchor, *DIRECTIONS[place, :dimensions]])
    return np.array(rows, dtype=np.int64)


@given(systems())
@settings(max_examples=150, deadline=None)
def test_every_verdict_carries_its_proof(constraints):
    found = realize(constraints)
    assert found.holds(constraints)
    if found.realizable:
        assert all(type(part) is int for place in found.layout.values() for part in place)
        apart = np.array([np.subtract(found.layout[i], found.layout[j]) for _, i, j, *_ in constraints.tolist()])
        assert ((apart * constraints[:, 3:]).sum(axis=1) >= 1).all()
    else:
        assert all(type(multiplier) is int and multiplier > 0 for multiplier in found.conflict.multipliers)
        assert not weighted_sum(found.conflict).any()


@given(systems())
@settings(max_examples=100, deadline=None)
def test_a_contradiction_is_irreducible_in_labels_and_in_answers(constraints):
    conflict = realize(constraints).conflict
    if conflict is None:
        return
    for left_out in range(len(conflict.rows)):
        assert realizable(np.delete(conflict.constraints, left_out, axis=0))
    answers = constraints[np.isin(constraints[:, 0], conflict.questions)]
    for question in conflict.questions:
        assert realizable(answers[answers[:, 0] != question])


@given(systems())
@settings(max_examples=60, deadline=None)
def test_laws_of_the_largest_satisfiable_part(constraints):
    most = largest_satisfiable(constraints)
    assert satisfied(most.layout, constraints).sum() == most.satisfied
    assert (most.satisfied == most.asserted) == realizable(constraints)
    # Of a layout in general position and its reflection, each label holds in one: the better of them satisfies half.
    assert 2 * most.satisfied >= most.asserted
    # One label more can be satisfied or not.
    assert largest_satisfiable(constraints[:-1]).satisfied in (most.satisfied, most.satisfied - 1)
    # Every label said twice counts twice.
    assert largest_satisfiable(np.repeat(constraints, 2, axis=0)).satisfied == 2 * most.satisfied


@given(systems())
@settings(max_examples=60, deadline=None)
def test_what_changes_no_verdict(constraints):
    """The target and anchor exchanged with the direction turned; every label turned, which reflects the scene; other tags."""
    verdict = realizable(constraints)
    turned = constraints.copy()
    turned[:, 3:] *= -1
    assert realizable(turned) == verdict
    turned[:, 1:3] = turned[:, 2:0:-1]
    assert realizable(turned) == verdict
    assert largest_satisfiable(turned).satisfied == largest_satisfiable(constraints).satisfied
    turned[:, 1:3] = 1000 - 37 * turned[:, 1:3]
    assert realizable(turned) == verdict


@given(systems(), st.sampled_from([0, 99]), st.sampled_from([0, 27]))
@settings(max_examples=60, deadline=None)
def test_elimination_alone_decides_in_each_of_its_ways(constraints, patience, columns):
    """By Bland's rule from the first step on, and on Python's own integers."""
    planar = constraints[(constraints[:, 3:5] != 0).any(axis=1), :5]
    if not len(planar):
        return
    system = plain.matrix(planar).astype(np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elimination, "_PATIENCE", patience)
        patch.setattr(elimination, "_INT64_COLUMNS", columns)
        z, multipliers = elimination.solve(system)
    assert (system @ z > 0).all() == (not multipliers.any()) == realizable(planar)
    assert (multipliers >= 0).all() and not (multipliers @ system).any()


def test_without_a_lucky_guess_elimination_finds_the_layout(items, monkeypatch):
    asked = items.questions[items.questions.scene == items.scenes[-1]["scene"]]
    constraints = asserted_constraints(items.gold[asked.index], asked)
    monkeypatch.setattr(feasibility, "_ROUNDS", 0)
    found = realize(constraints)
    assert found.realizable and found.holds(constraints)


def test_many_objects():
    """Thirty objects in a row are a layout; with the last left of the first too, all thirty labels make the one contradiction."""
    row = np.array([[place, place + 1, place, 1, 0] for place in range(29)])
    assert realize(row).holds(row)
    ring = np.vstack([row, [29, 0, 29, 1, 0]])
    assert realize(ring).conflict.multipliers == (1,) * 30
    assert largest_satisfiable(ring).satisfied == 29


def test_no_disagreement_with_linprog():
    """600 random systems of all sizes; `python -m benchmarks.agreement` compares 5,000."""
    results = list(compare_verdicts(600, seed=1))
    assert [kind for kind, _, agrees in results if not agrees] == []
    assert len({kind for kind, _, _ in results}) == 16
    assert 100 < sum(realizable for _, realizable, _ in results) < 500


def test_no_disagreement_with_milp():
    assert [kind for kind, _, agrees in compare_maxima(40, seed=1) if not agrees] == []


@pytest.mark.parametrize("chance", [0.01, 0.05, 0.5])
def test_many_scenes_at_once_agree_with_one_at_a_time(items, chance):
    """And with `linprog`; the fraction is 1 exactly where a scene is realizable (Supp. 4.3)."""
    asked = items.questions[items.questions.scene.isin([scene["scene"] for scene in items.scenes[::4]])]
    answers = flip_labels(items.gold[asked.index], chance, np.random.default_rng(3))
    asked = asked.reset_index(drop=True)
    scenes = constraints_by_scene(answers, asked)
    found = {name: realize(constraints) for name, constraints in scenes.items()}
    verdicts = realizable_scenes(answers, asked)
    assert all(found[name].holds(constraints) for name, constraints in scenes.items())
    assert verdicts == {name: each.realizable for name, each in found.items()}
    assert verdicts == {name: plain.realizable(constraints) for name, constraints in scenes.items()}
    fractions = satisfiable_fractions(answers, asked)
    assert verdicts == {name: fraction == 1 for name, fraction in fractions.items()}
    for name, each in found.items():
        if each.conflict:
            steps = explain(each.conflict, asked)
            assert [bool(step.running) for step in steps] == [True] * (len(steps) - 1) + [False]
            assert steps[-1].bound == sum(each.conflict.multipliers)
            assert set(asked.scene.iloc[[step.question for step in steps]]) == {name}
