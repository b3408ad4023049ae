"""What the page on signatures shows: every diagnostic of a run, derivations beside runs, and which signature resembles which."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from vantage import figures
from vantage.errors import InputError
from vantage.layout_proofs import as_presented
from vantage.layouts import INSUFFICIENT, supported
from vantage.predictions import NOT_ASKED, load_triplet_runs
from vantage.tables import derivations, triplet_signatures
from vantage.tables import triplets as run_tables
from vantage.triplets import MEANINGS, load_triplets

SETS = [*triplet_signatures.PROVED, "reference_letter_habit", "reference_wavering", "reference_uniform_letters"]


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


@pytest.fixture(scope="module")
def runs():
    return load_triplet_runs(SETS, experiment=None)


@pytest.fixture(scope="module")
def signature(runs, triplets):
    return triplet_signatures.signature_table(runs, triplets)


def test_columns_agree_with_the_other_pages(runs, signature, triplets):
    """Scores, conditions and circular figures are those of `vantage.tables.triplets`."""
    main = [run for run in runs if run.experiment == "main"]
    scores, conditions = run_tables.scores_table(main, triplets), run_tables.condition_table(main, triplets)
    for column, table, name in (
        ("Acc.", scores, "Acc."), ("GEM", scores, "FQ1-GEM"), ("NTS", scores, "NTS"), ("DIS", scores, "DIS"),
        *((name, conditions, name) for name in (*triplet_signatures.FQ1, *triplet_signatures.FQ2)),
    ):  # fmt: skip
        assert signature[column].to_list() == pytest.approx(table[name].to_list())
    insufficiency = run_tables.insufficiency_table(main, triplets)
    assert signature["Deletion"].to_list() == pytest.approx(insufficiency["Recall"].to_list())
    shown = signature.set_index("Set")["Circular"].dropna()
    assert set(shown.index) == {"Layout oracle", "Letter habit", "Wavering", "Uniform letters"}


def test_derivations_hold_in_the_runs(runs, triplets):
    """Proofs and counts are met exactly, what rests on chance within four and a half standard errors."""
    table = triplet_signatures.expected_table(runs, triplets)
    assert set(table["Set"]) == {run.title for run in runs if run.experiment == "main"}
    off, chance = table["Largest difference"], table["Rests on"] == derivations.CHANCE
    assert (off[~chance] == "none").all()
    assert off[chance].str.removesuffix(" SE").astype(float).max() < 4.5


def test_the_second_route_proves_the_gold_answers(triplets):
    """Read off the world, the views of each test item support the gold answer and after deletion none."""
    test = np.flatnonzero(triplets.questions["split"] == "test")
    said = [triplet_signatures.in_world(triplets, row, triplets.questions["views"].iloc[row]) for row in test]
    gold = [MEANINGS[triplets.meanings[row, triplets.gold[row]]] for row in test]
    assert said == gold
    assert (said[0], INSUFFICIENT in said) == (
        supported(triplets.observed(triplets.questions["views"].iloc[test[0]]), triplets.question(test[0])),
        True,
    )


def test_ordinal_literal_by_the_reading_as_presented(triplets):
    """Its NTS is the share of test groups whose deletion, read as presented, supports no direction."""
    expected = triplet_signatures.expected_signatures(triplets).set_index(["Set", "Score"])["Expected"]
    deletions = triplets.rows("FQ2")[:, 1]
    none = [as_presented(triplets, row) in (None, INSUFFICIENT, "out of range") for row in deletions]
    assert expected["reference_ordinal_literal", "NTS"] == pytest.approx(100 * np.mean(none))


def test_chance_by_hand(triplets):
    """Wavering: .7^3 = .343; 3 (.7)(.1)^2 + .1^3 = .022; .7 / .9; the gap's error is .21 / sqrt(48) = 3.03 points."""
    expected = triplet_signatures.expected_signatures(triplets).set_index(["Set", "Score"])
    wavering = expected.loc["reference_wavering"]
    assert wavering.loc[["GEM", "Invariant", "Precision"], "Expected"].to_list() == pytest.approx(
        [34.3, 2.2, 77.7778], abs=1e-3
    )
    assert wavering.loc["NTS gap", "Error"] == pytest.approx(3.031, abs=1e-3)


def test_chance_by_simulation(triplets):
    """5,000 answer sheets of Wavering: means and standard deviations of gap, precision and To insufficient are the derived ones."""
    rng = np.random.default_rng(3)
    rows = triplets.rows("FQ2")
    gold, insufficient = triplets.gold[rows], triplets.insufficient[rows]
    sure = rng.random((5_000, *gold.shape)) < 0.6
    answers = np.where(sure, gold, rng.integers(4, size=sure.shape))
    right, says = answers == gold, answers == insufficient
    mss, deletion = right[..., 0].mean(axis=1), right[..., 1].mean(axis=1)
    joint = (right[..., 0] & right[..., 1]).mean(axis=1)
    drawn = {
        "NTS gap": joint - mss * deletion,
        "To insufficient": joint / mss,
        "Precision": says[..., 1].sum(axis=1) / says.sum(axis=(1, 2)),
    }
    expected = triplet_signatures.expected_signatures(triplets).set_index(["Set", "Score"]).loc["reference_wavering"]
    for name, values in drawn.items():
        assert expected.loc[name, "Expected"] == pytest.approx(100 * values.mean(), abs=0.5)
        assert expected.loc[name, "Error"] == pytest.approx(100 * values.std(), rel=0.1)


def test_nearest_by_hand():
    """Rows 0 and 1 differ by 10 in one of two columns, row 2 is far; an undefined column is left out."""
    table = pd.DataFrame({"Set": ["a", "b", "c"], "x": [0.0, 10.0, 90.0], "y": [5.0, 5.0, np.nan]})
    found = triplet_signatures.nearest_table(table)
    assert found.iloc[0].to_list() == ["a", "b", 5.0, "x (10)"]
    assert found.iloc[2].to_list() == ["c", "b", 80.0, "x (80)"]


def test_one_set_is_nearest_to_nobody(signature):
    assert triplet_signatures.nearest_table(signature.head(1)).empty


@pytest.mark.parametrize(("family", "columns"), [("FQ1", triplet_signatures.FQ2), ("FQ2", triplet_signatures.FQ1)])
def test_a_set_that_leaves_a_family_out_is_undefined_there(runs, triplets, family, columns):
    kept = (triplets.questions["family"] == family).to_numpy()
    oracle = next(run for run in runs if run.set == "reference_layout_oracle" and run.experiment == "main")
    mine = replace(
        oracle,
        set="mine",
        title="Mine",
        answers=np.where(kept, oracle.answers, -1).astype(np.int8),
        status=np.where(kept, oracle.status, NOT_ASKED).astype(np.uint8),
    )
    table = triplet_signatures.signature_table([mine], triplets)
    assert table[list(columns)].isna().all(axis=None) and table["Acc."].item() == 100
    assert triplet_signatures.expected_table([mine], triplets).empty
    assert figures.signature_matrix(table).axes


def test_no_main_run_is_refused(runs, triplets):
    with pytest.raises(InputError, match="expected sets with a run of experiment main"):
        triplet_signatures.signature_table([run for run in runs if run.experiment != "main"], triplets)
