"""Coherence beyond error rate: shares, correlation and exact matching, by hand, by plain loops, and of known mechanisms."""

import dataclasses
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pointbiserialr

from vantage import figures
from vantage.bootstrap import ratio
from vantage.coherence import correlation, matched_drop, matched_sums, matching_sums, output_shares
from vantage.errors import InputError
from vantage.items import load_cvt
from vantage.predictions import load, load_runs
from vantage.realizability import Step, directed_steps
from vantage.tables.coherence import (
    coherence_table,
    conflict_sizes,
    conflict_steps,
    expected_outcomes,
    matched_by_set,
    matched_table,
    maxsat_table,
    satisfiable,
    scene_outputs,
    steps_table,
    validation_table,
    worked_steps,
)


def test_shares_by_hand():
    """Four outputs: correct; wrong but realizable; two wrong and unrealizable. One of three wrong ones is realizable."""
    shares = output_shares(np.array([0, 3, 1, 9]), np.array([True, True, False, False]))
    assert shares == {
        "Fully correct": 0.25,
        "Wrong but realizable": 0.25,
        "Wrong and unrealizable": 0.5,
        "Realizable": 0.5,
        "Realizable where wrong": pytest.approx(1 / 3),
    }


def test_nothing_wrong_is_not_a_number():
    assert np.isnan(output_shares(np.zeros(3, dtype=int), np.ones(3, dtype=bool))["Realizable where wrong"])
    assert np.isnan(list(output_shares(np.array([], dtype=int), np.array([], dtype=bool)).values())).all()


def test_correlation_is_scipys_point_biserial():
    rng = np.random.default_rng(1)
    counts, flags = rng.integers(40, 120, 50), rng.random(50) < 0.3
    assert correlation(counts, flags) == pytest.approx(pointbiserialr(flags, counts).statistic)


@pytest.mark.parametrize(
    ("counts", "flags"), [([5, 5, 5], [True, False, True]), ([1, 2, 3], [False] * 3), ([1], [True]), ([], [])]
)
def test_constant_input_has_no_correlation(counts, flags):
    assert np.isnan(correlation(np.array(counts), np.array(flags, dtype=bool)))


def hand():
    """Stratum 0 has two isolated outputs, one realizable, and one competing, not realizable; stratum 1 one of each, both
    realizable; stratum 2 has no competing output. Two clusters."""
    strata = np.array([0, 0, 0, 1, 1, 2])
    competing = np.array([False, False, True, False, True, False])
    realizable = np.array([True, False, False, True, True, True])
    return strata, competing, realizable, np.array([0, 1, 0, 1, 1, 0])


def test_matching_by_hand():
    """Stratum 0: one pair, realizability 1/2 - 0. Stratum 1: one pair, 1 - 1. So .5 over two pairs: a drop of .25."""
    sums = matching_sums(*hand())
    assert matched_sums(sums.sum(axis=0)).tolist() == [0.5, 2]
    gap, pairs = matched_drop([sums, sums], seed=1, draws=100)
    assert (gap.value, pairs) == (0.25, 4)
    assert gap.low <= 0.25 <= gap.high


def test_expectation_over_one_to_one_pairings():
    """Stratum of three isolated and two competing outputs: the mean over every way to pair both competing ones."""
    isolated, competing = [True, True, False], [True, False]
    pairings = [p for p in product(range(3), repeat=2) if len(set(p)) == 2]
    drops = [
        np.mean([isolated[first] - competing[second] for second, first in enumerate(pairing)]) for pairing in pairings
    ]
    sums = matching_sums(
        np.zeros(5, dtype=int),
        np.array([False] * 3 + [True] * 2),
        np.array(isolated + competing),
        np.zeros(5, dtype=int),
    )
    assert ratio(matched_sums(sums.sum(axis=0))) == pytest.approx(np.mean(drops))


def test_matching_resampled_as_a_plain_loop_does():
    rng = np.random.default_rng(3)
    strata, clusters = rng.integers(0, 6, 80), np.arange(80) % 4
    competing, realizable = rng.random(80) < 0.5, rng.random(80) < 0.4
    gap, _ = matched_drop([matching_sums(strata, competing, realizable, clusters)], seed=9, draws=200)
    times = np.random.default_rng([9, 0]).multinomial(4, [0.25] * 4, size=200)
    for value, row in zip(gap.draws, times, strict=True):
        rows = np.concatenate([np.flatnonzero(clusters == cluster) for cluster in np.repeat(np.arange(4), row)])
        total = pairs = 0
        for stratum in range(6):
            first, second = (rows[(strata[rows] == stratum) & (competing[rows] == regime)] for regime in (False, True))
            matches = min(len(first), len(second))
            if matches:
                total += matches * (realizable[first].mean() - realizable[second].mean())
                pairs += matches
        assert value == pytest.approx(total / pairs)


def test_no_match_is_not_a_number():
    sums = matching_sums(np.array([0, 1]), np.array([False, True]), np.array([True, True]), np.array([0, 1]))
    gap, pairs = matched_drop([sums], seed=1, draws=10)
    assert pairs == 0 and np.isnan([gap.value, gap.low, gap.high]).all()
    gap, pairs = matched_drop([], seed=1, draws=10)
    assert pairs == 0 and np.isnan([gap.value, gap.low, gap.high]).all()


# ------------------------------------------------------------------------------------------ items and responders


@pytest.fixture(scope="module")
def items():
    return load_cvt("synthetic")


def test_coherence_of_mechanisms(items):
    """The oracle is right. The inverter's point reflection and the omitter's true labels are wrong but realizable, in every scene
    (each has a two-label question). An egocentric reply puts each fixed pair both ways round, at 0 and at 180."""
    names = ("oracle", "egocentric", "label_omitter", "complete_inverter")
    runs = [load(f"reference_{name}").runs[0] for name in names]
    outputs = scene_outputs(runs, items, satisfiable=[np.full(100, 0.5)] * 4, strict=True)
    table = coherence_table(outputs).set_index("Set")
    shares = table[["Fully correct", "Wrong but realizable", "Wrong and unrealizable"]]
    assert shares.loc["Oracle"].tolist() == [100, 0, 0]
    assert shares.loc["Egocentric"].tolist() == [0, 0, 100]
    assert shares.loc["Label omitter"].tolist() == [0, 100, 0]
    assert shares.loc["Complete inverter"].tolist() == [0, 100, 0]
    assert (table.MaxSAT == 50).all()
    assert table["Constraints with realizable"].isna().all()
    assert outputs[outputs.title == "Oracle"].constraints.sum() == 10_968  # Table S1: labels total
    inverter = outputs[outputs.title == "Complete inverter"]
    assert inverter.errors.tolist() == items.questions.groupby("scene").size().tolist()


def outputs_frame(**columns):
    head = {"title": "t", "set": "s", "kind": "measured", "model": "m", "representation": "image", "maxsat": np.nan}
    return pd.DataFrame(head | columns)


def test_matched_table_by_hand():
    """Scenes a and b. Errors match within scene b only (2 and 2), and there a realizable output becomes unrealizable; the
    constraint counts differ, so the stricter matching has no pair."""
    outputs = outputs_frame(
        title=["i", "i", "c", "c"],
        regime=["isolated", "isolated", "competing", "competing"],
        scene=["a", "b", "a", "b"],
        block=[-1, -1, 0, 1],
        errors=[1, 2, 3, 2],
        constraints=[10, 11, 12, 13],
        realizable=[True, True, False, False],
    )
    table = matched_table(outputs, seed=1, draws=50).set_index("Matched by")
    assert table.loc["errors", ["Pairs", "Drop"]].tolist() == [1, 100]
    assert table.loc["errors and constraints", "Pairs"] == 0
    assert np.isnan(table.loc["errors and constraints", "Drop"])
    with pytest.raises(InputError, match="block"):
        matched_table(outputs.assign(block=-1), seed=1)


def test_one_row_a_set_with_both_regimes():
    """The two regimes of a set that heeds no prompt and holds one set of answers: every output matches its own, and nothing drops."""
    one = {"scene": ["a", "b"], "block": [0, 1], "errors": [1, 2], "constraints": [5, 6], "realizable": [True, False]}
    both = [outputs_frame(regime=regime, **one) for regime in ("isolated", "competing")]
    other = outputs_frame(regime="isolated", **one).assign(set="alone")
    table = matched_by_set(pd.concat([*both, other], ignore_index=True), seed=1, draws=20)
    assert table["Matched by"].tolist() == ["errors", "errors and constraints"]
    assert (table[["Unmatched drop", "Drop"]] == 0).all(axis=None) and (table.Pairs == 2).all()
    assert matched_by_set(other, seed=1).empty


def test_maxsat_is_never_below_the_labels_that_are_true(items):
    """And is 1 where and only where a scene is realizable, as Supp. 4.3 says."""
    runs = load_runs(["reference_noisy_source", "reference_complete_inverter", "reference_egocentric"], items)
    table = maxsat_table(scene_outputs(runs, items, satisfiable(runs, items)), runs, items).set_index("Set")
    assert (table.MaxSAT >= table["Labels true"]).all()
    assert (table["Scenes with MaxSAT 1"] == table["Scenes realizable"]).all()
    assert table.loc["Complete inverter", ["Labels true", "MaxSAT"]].tolist() == [0, 100]
    # The words of a fixed pair: three times one direction of eight, once each other; four neighbours hold at most.
    assert table.loc["Egocentric", "Lowest scene"] == pytest.approx(60)


def test_gold_and_its_changes(items):
    table = validation_table(items).set_index("Answers")
    assert table.Cases.tolist() == [100] * 4 + [10_968]
    assert table.Realizable.tolist()[:4] == [100, 100, 100, 0]
    assert 0 < table.Percent.iloc[-1] < 50


def test_what_mechanisms_must_show(items):
    runs = load_runs(
        ["reference_oracle", "reference_egocentric", "reference_noisy_source", "reference_half_turn"], items
    )
    table = expected_outcomes(runs, items, flip=0.15, slip=0.3)
    certain = table["Standard error"] == 0
    assert certain.sum() == 9 and (table.Expected == table.Run)[certain].all()
    chance = table[~certain].iloc[0]
    assert abs(chance.Run - chance.Expected) < 4 * chance["Standard error"]


def test_pairwise_beliefs_need_a_loop_to_contradict_each_other(items):
    runs = load_runs(["reference_noisy_source", "reference_egocentric", "reference_oracle"], items)
    table = conflict_sizes(runs, items).set_index("Set")
    assert table.loc["Noisy source", "Two objects"] == 0 and table.loc["Noisy source", "Three"] > 0
    assert table.loc["Egocentric", ["No layout", "Two objects"]].tolist() == [100, 100]
    assert table.loc["Oracle", "Answers needed"] == "none"


def test_steps_of_the_worked_examples(items):
    """On the running scene: object 2 at (2.2033, -0.2292), object 3 at (1.9745, 1.6831)."""
    scene = items.scene("synthetic-023")
    table = steps_table(worked_steps(), items, scene["scene"])
    assert table.Step.tolist() == ["a", "b", "c"]
    assert table["On the map"][1].replace("\xa0", " ") == "3 is farther to the right than 2"
    assert table["In the scene"][1] == "−0.23, fails"
    assert table["Sum so far"].iloc[-1] == "0\xa0≥\xa03"
    assert directed_steps(worked_steps()) == [(1, 2), (2, 3), (3, 1)]
    assert directed_steps(worked_steps(diagonal=True)) is None
    for steps in (worked_steps(), worked_steps(diagonal=True)):
        assert len(figures.conflict_figure(scene, steps).axes) == 2
    with pytest.raises(InputError, match="found \\[\\]"):
        figures.conflict_figure(scene, [])
    with pytest.raises(InputError, match="99"):
        figures.conflict_figure(scene, [dataclasses.replace(step, target=99) for step in worked_steps()])


def test_a_conflict_that_is_no_cycle_is_drawn_at_each_object(items):
    """Four objects, six labels in several directions: the contradiction of test_realizability that no cycle shows."""
    rows = [(1, 3, 1, 1, 1), (2, 3, 0, -1, 2), (1, 2, 1, -1, 1), (0, 2, -1, -1, 1), (0, 3, -1, 1, 1), (0, 1, 1, 0, 2)]
    steps = [Step(0, "0", i, "left", j, (x, y), times, {}, times) for i, j, x, y, times in rows]
    figure = figures.conflict_figure(items.scene("synthetic-023"), steps)
    assert sum(text.get_text().startswith("at object") for text in figure.axes[1].texts) == 4


def test_conflicts_of_a_run(items):
    steps = conflict_steps(load("reference_noisy_source").runs[0], items, "synthetic-024")
    assert len({tag for step in steps for tag in (step.target, step.anchor)}) >= 3
    assert steps[-1].running == {} and steps[-1].bound > 0
    oracle = load("reference_oracle").runs[0]
    with pytest.raises(InputError, match="found realizable ones"):
        conflict_steps(oracle, items, "synthetic-023")
    with pytest.raises(InputError, match="reconstructed"):
        conflict_steps(dataclasses.replace(oracle, kind="reconstructed"), items, "synthetic-023")


def test_bars_divide_every_scene(items):
    table = coherence_table(scene_outputs(load_runs(["reference_noisy_source", "reference_oracle"], items), items))
    figure = figures.outcome_bars(table)
    widths = [patch.get_width() for patch in figure.axes[0].patches]
    assert sum(widths) == pytest.approx(200)
