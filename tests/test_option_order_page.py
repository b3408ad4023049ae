"""What the page on option order shows: rotations, derivations beside runs, limits of noise, intervals of pairs."""

import doctest
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

from vantage import circular
from vantage.errors import InputError
from vantage.predictions import INVALID, MISSING, NOT_ASKED, load_triplet_runs
from vantage.tables import derivations, option_order
from vantage.tables import triplets as run_tables
from vantage.triplets import load_triplets

SETS = ["reference_layout_oracle", "reference_wavering", "reference_letter_habit", "reference_uniform_letters"]


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


@pytest.fixture(scope="module")
def runs():
    return load_triplet_runs(SETS, experiment=None)


@pytest.mark.parametrize("module", [derivations, option_order, run_tables, circular], ids=lambda one: one.__name__)
def test_examples_run(module):
    assert not doctest.testmod(module).failed


def test_the_rotation_table_by_hand():
    """Rotation 1 moves every option one place up, so that the first one stands last."""
    table = option_order.rotation_table("C").set_index("Rotation")
    shown = table[[f"{letter} shows" for letter in "ABCD"]].agg("".join, axis=1)
    assert shown.to_list() == ["ABCD", "BCDA", "CDAB", "DABC"]
    assert "".join(table["To say C, answer"]) == "CBAD"


def test_derivations_hold_in_the_runs(runs, triplets):
    """What rests on a proof is met exactly, what rests on chance within four and a half standard errors."""
    table = option_order.expected_table(runs, triplets)
    assert set(table["Rests on"]) == {derivations.EXACT, derivations.CHANCE}
    off = table["Largest difference"]
    assert (off[table["Rests on"] == derivations.EXACT] == "none").all()
    assert off[table["Rests on"] == derivations.CHANCE].str.removesuffix(" SE").astype(float).max() < 4.5
    oracle = table[table["Set"] == "Layout oracle"]
    assert len(oracle) == 1 and oracle["Run"].item() == "100.0"


def test_derived_values_by_hand(triplets):
    """Wavering: .7^4 = .2401, .7^4 + 3 (.1)^4 = .2404, .7^2 = .49, .49 + 3 (.01) = .52. Habit: half, and A's share of the rest."""
    expected = option_order.expected_scores(triplets).set_index(["Set", "Score"])["Expected"]
    wavering, habit = expected["reference_wavering"], expected["reference_letter_habit"]
    assert wavering[["Circular", "Consistency", "Both right (its repeat)", "Consistent (rotation 2)"]].to_list() == (
        pytest.approx([24.01, 24.04, 49, 52])
    )
    assert habit["Vanilla"] == pytest.approx(50 + 100 * 75 / 288 / 2)  # 75 test questions have gold A
    assert habit["Mean rotation"] == 62.5 and habit["Circular"] == 50


def test_the_error_of_a_random_half(triplets):
    """Against 20,000 halves really drawn: mean and standard deviation of the share of questions with gold A outside the half."""
    rng = np.random.default_rng(5)
    total = np.zeros(20_000)
    for family in ("FQ1", "FQ2"):
        of_group = (triplets.gold[triplets.rows(family)] == 0).sum(axis=1)
        order = rng.random((20_000, len(of_group))).argsort(axis=1)
        total += of_group[order[:, : len(of_group) // 2]].sum(axis=1)
    share, error = option_order.gold_a_outside_the_half(triplets)
    drawn = 100 * total / 288
    assert share == pytest.approx(drawn.mean(), abs=0.05) and error == pytest.approx(drawn.std(), rel=0.03)


# ------------------------------------------------------------------------------------------------------ noise alone


@pytest.mark.parametrize(("accuracy", "both"), [(0.45, 0.28), (0.7, 0.6), (0.25, 0.1), (0.9, 0.85)])
def test_limits_of_noise_against_linear_programs(accuracy, both):
    """The least and the greatest E p^4 over distributions on a fine grid with the given E p and E p^2."""
    p = np.linspace(0, 1, 2001)
    equal = {"A_eq": np.stack([np.ones_like(p), p, p**2]), "b_eq": [1, accuracy, both]}
    lowest, highest = linprog(p**4, **equal).fun, -linprog(-(p**4), **equal).fun
    assert circular.noise_alone(accuracy, both) == pytest.approx((lowest, highest), abs=1e-5)


def test_limits_where_nothing_or_one_chance_varies():
    assert circular.noise_alone(0.6, 0.6) == pytest.approx((0.6, 0.6))  # no noise
    assert circular.noise_alone(0.7, 0.49) == pytest.approx((0.2401, 0.2401))  # all p equal
    assert circular.noise_alone(0.3, 0.05) == pytest.approx((0.0081, 0.0081))  # below a^2: sampling
    assert circular.noise_alone(0, 0) == (0, 0) and circular.noise_alone(1, 1) == (1, 1)
    with pytest.raises(InputError, match="both <= accuracy"):
        circular.noise_alone(0.3, 0.4)


def test_the_printed_circular_lies_within_the_limits():
    """GPT: accuracies 45.49 and 45.14, both right 28.47 % (Section 6.4); the page says 11.2 to 21.7 and Circular 18.75."""
    low, high = circular.noise_alone((0.4549 + 0.4514) / 2, 0.2847)
    assert (round(100 * low, 1), round(100 * high, 1)) == (11.2, 21.7)


def test_only_the_habit_falls_below_noise(runs, triplets):
    """Wavering and uniform letters have no order effect; the habit repeats itself, so noise would leave it at Vanilla."""
    table = option_order.noise_table(runs, triplets, seed=1, draws=500).set_index("Set")
    assert table.loc["Letter habit", "Short, low"] > 2 and (table["Short, low"].drop("Letter habit") < 2).all()
    pairs = option_order.pair_table(runs, triplets).query("`Rotation 0 with` == 'its repeat'").set_index("Set")
    assert table["Consistent, same order"].to_list() == pytest.approx(pairs["Consistent"].to_list())
    scores = run_tables.circular_table(runs, triplets).set_index("Set")
    assert table["Circular"].to_list() == pytest.approx(scores["Circular"].to_list())
    habit = table.loc["Letter habit"]
    assert habit[["Short, low", "Short, high"]].between(2, 25).all()
    assert habit["Noise, lowest"] == pytest.approx(habit["Both right, same order"])
    assert habit[["Consistent, same order", "Consistent, other order"]].to_list() == [100, 50]


# -------------------------------------------------------------------------------------------------------- intervals


def test_intervals_of_pairs(runs, triplets):
    """Estimates are those of the pair table; the habit's differences are above 0, the oracle's intervals have no width."""
    table = option_order.interval_table(runs, triplets, seed=1, draws=500)
    pairs = run_tables.pair_table(runs, triplets).set_index(["Set", "Rotation 0 with"])
    for row in table[table["Quantity"].str.contains("minus")].to_dict("records"):
        what, turn = row["Quantity"].split(", minus R")
        same, other = (pairs.loc[(row["Set"], name), what] for name in ("its repeat", f"rotation {turn}"))
        assert row["Estimate"] == pytest.approx(same - other)
    habit = table[(table["Set"] == "Letter habit") & table["Quantity"].str.contains("minus")]
    assert (habit[["Triplets, low", "Unions, low"]] > 0).all(axis=None)
    oracle = table[table["Set"] == "Layout oracle"]
    assert (oracle["Triplets, low"] == oracle["Triplets, high"]).all()
    assert (table["Unions, low"] <= table["Estimate"] + 1e-9).all() and (
        table["Estimate"] <= table["Unions, high"] + 1e-9
    ).all()


# ------------------------------------------------------------------------------------------------ sets of a reader's own


def test_one_imperfect_set_without_a_derivation(runs, triplets):
    """Invalid and missing answers are wrong and inconsistent; a set that nobody derived leaves the derived table empty."""
    rows = triplets.rows("FQ1")[:4]

    def spoiled(run):
        answers, status = run.answers.copy(), run.status.copy()
        answers[rows], status[rows[:2]], status[rows[2:]] = -1, INVALID, MISSING
        return replace(
            run, set="mine", title=run.title.replace("Layout oracle", "Mine"), answers=answers, status=status
        )

    mine = [spoiled(run) for run in runs if run.set == "reference_layout_oracle"]
    assert option_order.expected_table(mine, triplets).empty
    scores = run_tables.circular_table(mine, triplets)
    assert scores[["Circular", "Consistency"]].iloc[0].to_list() == pytest.approx([100 * 276 / 288] * 2)
    quantities = option_order.interval_table(mine, triplets, seed=1, draws=50).set_index("Quantity")
    assert quantities.loc["Changed", "Estimate"] == 0
    assert option_order.noise_table(mine, triplets, seed=1, draws=50)["Set"].to_list() == ["Mine"]


def test_sets_without_a_repeat_or_with_one_family_leave_rows_out_or_fewer_questions(runs, triplets):
    turned = [run for run in runs if run.experiment == "circular"]
    assert option_order.interval_table(turned, triplets, seed=1, draws=50).empty
    assert option_order.noise_table(turned, triplets, seed=1, draws=50).empty
    fq2 = (triplets.questions["family"] == "FQ2").to_numpy()
    one = [
        replace(
            run, answers=np.where(fq2, run.answers, -1).astype(np.int8), status=np.where(fq2, run.status, NOT_ASKED)
        )
        for run in runs
    ]
    assert run_tables.circular_table(one, triplets)["Circular"].iloc[0] == 100
    assert len(option_order.interval_table(one, triplets, seed=1, draws=50)) == 4 * 9
    assert len(option_order.noise_table(one, triplets, seed=1, draws=50)) == 4


def test_titles_of_seeds_stay_apart(runs):
    """Two seeds of one model are two configurations; what tells their executions apart is dropped, the seed is not."""
    turned = [
        replace(run, title=f"Model, circular, rotation {run.rotation}, {seed}", seed=seed)
        for seed in (1, 2)
        for run in runs[1:3]
    ]
    assert [run.title for run in option_order.one_a_configuration(turned)] == ["Model, 1", "Model, 2"]
