"""Survival and NSC against hand computations, plain loops and laws; and what known mechanisms must show."""

from dataclasses import replace
from itertools import permutations
from math import prod

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vantage import figures, survival
from vantage.errors import InputError
from vantage.items import load_cvt, tracked_rows, trajectories, viewpoint_numbers
from vantage.predictions import load
from vantage.relations import VIEWPOINTS
from vantage.scoring import exact, strict
from vantage.tables import persistence


@st.composite
def encounters(draw):
    """Right and wrong answers (trajectories, 10), and viewpoints that each trajectory meets once."""
    rows = draw(st.integers(1, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    correct = rng.random((rows, 10)) < draw(st.sampled_from([0, 0.3, 0.6, 0.9, 1]))
    return correct, rng.permuted(np.tile(np.arange(10), (rows, 1)), axis=1)


def plain_nsc(correct, viewpoints):
    """Supp. 2.2, written out question by question."""
    trajectories, steps = range(len(correct)), range(10)
    asked, right = {}, {}
    for n in trajectories:
        for t in steps:
            view = viewpoints[n][t]
            asked[view] = asked.get(view, 0) + 1
            right[view] = right.get(view, 0) + int(correct[n][t])
    above, below = 0.0, 0.0
    for k in (2, 4, 6, 8, 10):
        observed = sum(all(correct[n][t] for t in range(k)) for n in trajectories) / len(correct)
        chances = [prod(right[viewpoints[n][t]] / asked[viewpoints[n][t]] for t in range(k)) for n in trajectories]
        independent = sum(chances) / len(correct)
        maximum = min(sum(bool(correct[n][t]) for n in trajectories) / len(correct) for t in range(k))
        above += observed - independent
        below += maximum - independent
    return above / below if abs(below) > 1e-12 else float("nan")


def nsc_of(correct, viewpoints):
    return float(survival.nsc(survival.survival_curves(correct, viewpoints)))


def test_survival_by_hand():
    """Two trajectories meet the viewpoints in the same order: one always right, one right at the first five only.

    p(v) is 1 at the first five and 1/2 at the others, so S_ind = 1, 1, 1/2, 1/8, 1/32 at K. S_obs = 1, 1, 1/2, 1/2,
    1/2; S_max, the lowest accuracy of a step so far, is the same. Both sums are 0 + 0 + 0 + 3/8 + 15/32, and NSC = 1.
    """
    correct = np.array([[True] * 10, [True] * 5 + [False] * 5])
    curves = survival.survival_curves(correct, np.tile(np.arange(10), (2, 1)))
    assert curves.observed[[1, 3, 5, 7, 9]].tolist() == [1, 1, 0.5, 0.5, 0.5]
    assert curves.independent[[1, 3, 5, 7, 9]].tolist() == [1, 1, 1 / 2, 1 / 8, 1 / 32]
    assert curves.maximum[[1, 3, 5, 7, 9]].tolist() == [1, 1, 0.5, 0.5, 0.5]
    assert survival.step_gaps(curves).tolist() == [0, 0, 0, 3 / 8, 15 / 32]
    assert survival.nsc(curves) == 1


def test_negative_values_are_kept():
    """Of two trajectories one is wrong at the first step only, one at the second only: S_obs(k) = 0, so NSC < 0."""
    correct = np.ones((2, 10), dtype=bool)
    correct[0, 0] = correct[1, 1] = False
    assert nsc_of(correct, np.tile(np.arange(10), (2, 1))) < 0


@pytest.mark.parametrize("answer", [True, False])
def test_always_right_or_never_leaves_nothing_to_persist(answer):
    correct, viewpoints = np.full((3, 10), answer), np.tile(np.arange(10), (3, 1))
    assert np.isnan(nsc_of(correct, viewpoints))
    assert np.isnan(survival.order_free_nsc(correct, viewpoints))
    null = survival.item_difficulty_null(correct, viewpoints, seed=1, draws=5)
    assert np.isnan([null.observed, null.mean, null.p_value]).all() and null.draws.shape == (5,)
    sums = survival.survival_sums(correct, viewpoints, np.zeros(3, dtype=int))
    assert np.isnan(survival.nsc_of_sums(sums)).all()


def test_no_trajectories_are_not_a_number():
    assert np.isnan(nsc_of(np.zeros((0, 10), dtype=bool), np.zeros((0, 10), dtype=int)))


@given(encounters())
def test_nsc_is_what_the_paper_writes(case):
    assert nsc_of(*case) == pytest.approx(plain_nsc(*case), nan_ok=True)


@given(encounters(), st.integers(1, 4))
def test_sums_over_clusters_give_the_same_curves(case, clusters):
    correct, viewpoints = case
    sums = survival.survival_sums(correct, viewpoints, np.arange(len(correct)) % clusters)
    for found, direct in zip(survival.survival_of_sums(sums.sum(axis=0)), survival.survival_curves(*case), strict=True):
        np.testing.assert_allclose(found, direct, atol=1e-12)


@given(encounters())
def test_observed_survival_never_exceeds_the_maximum(case):
    curves = survival.survival_curves(*case)
    assert (curves.observed <= curves.maximum + 1e-12).all()


@given(encounters(), st.randoms())
def test_nsc_does_not_depend_on_the_order_or_number_of_trajectories(case, random):
    correct, viewpoints = case
    order = random.sample(range(len(correct)), len(correct)) * 2
    assert nsc_of(correct[order], viewpoints[order]) == pytest.approx(nsc_of(*case), nan_ok=True)


@given(encounters(), st.permutations(range(10)))
def test_nsc_does_not_depend_on_what_viewpoints_are_called(case, names):
    correct, viewpoints = case
    assert nsc_of(correct, np.array(names)[viewpoints]) == pytest.approx(nsc_of(*case), nan_ok=True)


@given(st.lists(st.integers(0, 10), min_size=2, max_size=8), st.integers(0, 2**32 - 1))
def test_nested_success_persists_as_much_as_it_can(lengths, seed):
    """If each trajectory is right up to some step and wrong from then on, who survives step k is exactly who is right at k:
    S_obs = S_max, and NSC = 1 unless it is 0/0."""
    correct = np.arange(10) < np.array(lengths)[:, None]
    viewpoints = np.random.default_rng(seed).permuted(np.tile(np.arange(10), (len(lengths), 1)), axis=1)
    found = nsc_of(correct, viewpoints)
    assert np.isnan(found) or found == pytest.approx(1)


def test_order_free_nsc_is_the_expectation_over_all_orders():
    """Three steps only, so that all 6 x 6 orders of two trajectories can be listed; the parts, not NSC, are averaged."""
    values = np.array([[0.5, 1.0, 0.25], [1.0, 0.0, 0.5]])
    listed = [[np.cumprod(np.array(row)[list(order)]) for order in permutations(range(3))] for row in values]
    np.testing.assert_allclose(survival._subset_products(values), np.mean(listed, axis=(0, 1)))


@given(encounters())
def test_order_free_nsc_does_not_depend_on_the_order(case):
    correct, viewpoints = case
    order = np.random.default_rng(1).permuted(np.tile(np.arange(10), (len(correct), 1)), axis=1)
    shuffled = [np.take_along_axis(part, order, axis=1) for part in case]
    assert survival.order_free_nsc(*shuffled) == pytest.approx(survival.order_free_nsc(*case), nan_ok=True)


@pytest.mark.parametrize("within", ["steps", "trajectories"])
def test_shuffling_is_what_a_plain_loop_does(within):
    """One draw at a time, with viewpoints carried along: the means of 2,000 draws agree within four standard errors."""
    rng = np.random.default_rng(5)
    correct = rng.random((40, 10)) < np.where(rng.random((40, 1)) < 0.5, 0.9, 0.4)
    viewpoints = rng.permuted(np.tile(np.arange(10), (40, 1)), axis=1)
    chance = survival.viewpoint_accuracy(correct, viewpoints)[viewpoints]
    plain = []
    for _ in range(2000):
        if within == "steps":
            order, axis = np.column_stack([rng.permutation(40) for _ in range(10)]), 0
        else:
            order, axis = np.vstack([rng.permutation(10) for _ in range(40)]), 1
        moved = [np.take_along_axis(part, order, axis=axis) for part in (correct, chance)]
        plain.append(float(survival.nsc(survival.survival(*moved))))
    if within == "steps":
        null = survival.item_difficulty_null(correct, viewpoints, seed=6, draws=2000)
        assert null.p_value == 1 / 2001
        assert null.mean == null.draws.mean()
        found = null.draws
    else:
        found = survival.reordered_nsc(correct, viewpoints, seed=6, draws=2000)
    error = np.hypot(np.std(plain), np.std(found)) / np.sqrt(2000)
    assert found.mean() == pytest.approx(np.mean(plain), abs=4 * error)
    assert np.std(found) == pytest.approx(np.std(plain), rel=0.1)


def test_the_seed_decides():
    correct, viewpoints = np.random.default_rng(1).random((20, 10)) < 0.7, np.tile(np.arange(10), (20, 1))
    first, again, other = (survival.reordered_nsc(correct, viewpoints, seed, draws=20) for seed in (1, 1, 2))
    assert (first == again).all() and (first != other).any()


def test_adjustment_by_hand():
    """Benjamini and Hochberg: .01 x 4/1, .02 x 4/2, .03 x 4/3, .5 x 4/4, each no more than the next."""
    adjusted = survival.benjamini_hochberg(np.array([0.5, 0.01, np.nan, 0.03, 0.02]))
    np.testing.assert_allclose(adjusted, [0.5, 0.04, np.nan, 0.04, 0.04])
    assert np.isnan(survival.benjamini_hochberg(np.array([np.nan]))).all()


# ---------------------------------------------------------------------------------------------- items and responders


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


def nsc_of_set(name, items):
    rows = trajectories(items.questions)
    right = exact(load(name).runs[0].answers, strict(items.admissible))[rows]
    return nsc_of(right, viewpoint_numbers(items.questions)[rows])


def test_trajectories_are_fixed_pairs_in_encounter_order(items):
    rows, questions = trajectories(items.questions), items.questions
    assert rows.shape == (297, 10)
    for at in rows[::50]:
        pair = questions.iloc[at]
        assert pair.number.is_monotonic_increasing
        assert sorted(pair.viewpoint) == sorted(VIEWPOINTS)
        assert pair[["scene", "target", "anchor"]].drop_duplicates().shape[0] == 1
    assert (questions.viewpoint.to_numpy()[tracked_rows(questions)] == VIEWPOINTS).all()


def test_a_pair_with_a_view_missing_is_refused(items):
    rows = trajectories(items.questions)
    with pytest.raises(InputError, match="all ten viewpoints, found it at 9"):
        trajectories(items.questions.drop(index=rows[0, 0]))


def test_signatures_of_mechanisms(items):
    """Derived first, under strict scoring.

    - Oracle and complete inverter: always right, never right: 0/0.
    - Independent noise slips anew each time: 0. With 297 trajectories and 70 % right, permuted copies of the answers
      scatter with a standard deviation of some .02.
    - Noisy source: a pair is believed right or wrong at all cardinal views; where a slip of one axis leaves a diagonal
      right (its label does not depend on that sign), survival is not quite maximal: just below 1.
    - Egocentric answers depend on the viewpoint, not the pair, at all but diagonals: p(v) explains nearly all, so close to 0.
    """
    assert np.isnan(nsc_of_set("reference_oracle", items))
    assert np.isnan(nsc_of_set("reference_complete_inverter", items))
    assert nsc_of_set("reference_independent_noise", items) == pytest.approx(0, abs=0.06)
    assert 0.9 < nsc_of_set("reference_noisy_source", items) < 1
    assert nsc_of_set("reference_egocentric", items) == pytest.approx(0, abs=0.06)


def test_tables_show_one_row_a_run(items):
    runs = [
        load(name).runs[0] for name in ("reference_oracle", "reference_noisy_source", "reference_independent_noise")
    ]
    table = persistence.persistence_table(runs, items).set_index("Set")
    assert table.loc["Oracle", ["Survive all ten", "Maximum", "Denominator"]].tolist() == [1, 1, 0]
    assert np.isnan(table.loc["Oracle", "NSC"])
    null = persistence.null_table(runs, items, seed=1, draws=99).set_index("Set")
    assert null.loc["Noisy source", ["p", "Adjusted p"]].tolist() == [0.01, 0.02]  # two of three runs have a p-value
    assert null.loc["Independent noise", "p"] > 0.05
    order = persistence.order_table(runs, items, seed=1, draws=50).set_index("Set")
    assert order.loc["Noisy source", "Change"] == pytest.approx(0, abs=0.02)
    curves = persistence.survival_table(runs, items)
    assert len(curves) == 30 and curves.prefix.max() == 10


# ------------------------------------------------------------------------------------------------ expected from chances


@given(encounters())
def test_known_answers_have_their_own_curves_as_expected_ones(case):
    """Chances of 0 and 1 leave nothing to chance: expected curves are the run's, and each draw is the run."""
    correct, viewpoints = case
    chances, once = correct[None].astype(float), np.ones(1)
    for expected, run in zip(
        survival.expected_survival(chances, once, viewpoints),
        survival.survival_curves(correct, viewpoints),
        strict=True,
    ):
        assert expected == pytest.approx(run)
    drawn = survival.drawn_nsc(chances, once, viewpoints, seed=1, draws=3)
    assert drawn == pytest.approx([nsc_of(correct, viewpoints)] * 3, nan_ok=True)


def test_two_patterns_by_hand():
    """Half of the pairs are right for good, half wrong for good: S_obs = S_max = 1/2 and S_ind = 1/2^k, so NSC = 1. With the
    same accuracy and each answer on its own, NSC = 0."""
    viewpoints = np.tile(np.arange(10), (4, 1))
    pairwise = np.stack([np.ones((4, 10)), np.zeros((4, 10))])
    curves = survival.expected_survival(pairwise, np.array([0.5, 0.5]), viewpoints)
    assert curves.observed == pytest.approx([0.5] * 10) and curves.independent == pytest.approx(0.5 ** np.arange(1, 11))
    assert float(survival.nsc(curves)) == pytest.approx(1)
    alone = survival.expected_survival(np.full((1, 4, 10), 0.5), np.ones(1), viewpoints)
    assert float(survival.nsc(alone)) == pytest.approx(0)


def test_runs_agree_with_what_their_mechanism_must_give(items):
    """From the items and the mechanism alone; the tolerance is three standard deviations of fresh draws."""
    names = ("oracle", "independent_noise", "noisy_source", "drifting", "mirror_confused", "uniform_random")
    runs = [load(f"reference_{name}").runs[0] for name in names]
    measured = persistence.nsc_table(runs, items, seed=1, draws=200)
    table = persistence.expected_beside_nsc(measured, items, seed=1, flip=0.15, slip=0.3, drift=0.6).set_index("Set")
    assert len(table) == len(names)
    assert np.isnan(table.loc["Oracle"].drop("Derivation").astype(float)).all()
    assert table.loc["Mirror-confused", ["Expected", "Mean", "SD", "Run"]].tolist() == [0, 0, 0, 0]
    chancy = table.drop(["Oracle", "Mirror-confused"])
    assert ((chancy.Run - chancy.Mean).abs() < 3 * chancy.SD).all()
    assert table.loc["Noisy source", "Expected"] < table.loc["Noisy source", "Mean"], "a run's maximum is lower"


def test_tables_of_a_page(items):
    runs = [load(f"reference_{name}").runs[0] for name in ("oracle", "noisy_source", "label_omitter")]
    table = persistence.nsc_table(runs, items, seed=1, draws=100).set_index("Set")
    gaps = table[[f"Gap at {prefix}" for prefix in survival.PREFIXES]]
    assert table.Denominator.to_numpy() == pytest.approx(gaps.sum(axis=1))
    assert table.loc["Oracle", ["NSC", "Low", "High"]].isna().all()
    assert 0.9 < table.loc["Noisy source", "Low"] < table.loc["Noisy source", "High"] < 1

    both = persistence.ambiguity_table(runs, items).set_index("Set")
    assert both.loc["Oracle", "F1 difference"] == 0
    assert (both["F1 difference"] >= 0).all(), "an alternative that is credited can only help"

    steps = persistence.encounter_table(runs, items, "synthetic-023", 3, 2)
    assert steps.Encounter.tolist() == list(range(1, 11)) and set(steps.Viewpoint) == set(VIEWPOINTS)
    assert set(steps.Oracle) == {"right"} and set(steps["Noisy source"]) == {"right"}
    first = steps["Label omitter"].tolist().index("wrong")
    assert set(steps["Label omitter"][:first]) <= {"right"} and "right" not in set(steps["Label omitter"][first:])


def test_single_answers_of_a_witness_are_not_shown(items):
    witness = replace(load("reference_oracle").runs[0], kind="reconstructed")
    with pytest.raises(InputError, match="reference or measured"):
        persistence.encounter_table([witness], items, "synthetic-023", 3, 2)


def test_the_figure_of_survival_has_a_panel_a_set(items):
    runs = [load(f"reference_{name}").runs[0] for name in ("oracle", "noisy_source", "label_omitter")]
    figure = figures.survival_figure(persistence.survival_table(runs, items))
    assert [axes.get_title(loc="left") for axes in figure.axes if axes.get_visible()] == [run.title for run in runs]
    plt.close(figure)
