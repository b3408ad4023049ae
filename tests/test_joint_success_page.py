"""The tables of the page on joint success: derived rows, sets that leave a family out, pairs of runs."""

import numpy as np
import pandas as pd
import pytest

from vantage import panels, triplet_figures
from vantage.errors import InputError
from vantage.predictions import load_triplet_runs
from vantage.tables import joint_success
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence import primary_configurations
from vantage.triplets import load_triplets

BY_RUN = (
    run_tables.scores_table,
    run_tables.condition_table,
    run_tables.frame_pair_table,
    run_tables.failure_table,
    run_tables.insufficiency_table,
    run_tables.ordinal_table,
    joint_success.retention_table,
)


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


@pytest.fixture(scope="module")
def fq2_only():
    return load_triplet_runs(["measured_metadata_rules"])


def test_constant_letters_come_out_as_derived(triplets):
    """Derived from gold letters; beside them the run's scores, references and counts. B's row is the paper's Table 24."""
    derived = joint_success.constant_letters(triplets).set_index("Letter")
    runs = load_triplet_runs(["measured_constant_letter"])
    found = run_tables.reference_table(runs, triplets).set_index(["Set", "Score"])
    for run in runs:
        row = derived.loc[run.setting]
        for score, other in (("NTS", "Deletion right"), ("DIS", "Addition right")):
            assert found.loc[(run.title, score), "Observed"] == pytest.approx(row[score])
            assert found.loc[(run.title, score), "Reference"] == pytest.approx(row[f"{score} reference"])
            assert found.loc[(run.title, score), "Correct counts"] == f"{row['MSS right']:.0f}, {row[other]:.0f}"
        assert found.loc[(run.title, "DIS"), "Observed"] == pytest.approx(found.loc[(run.title, "DIS"), "Highest"])
        assert found.loc[(run.title, "NTS"), "Observed"] == found.loc[(run.title, "NTS"), "Lowest"] == 0
    assert derived.loc["B", ["MSS right", "Deletion right", "Addition right"]].to_list() == [11, 12, 11]


def test_frame_pairs_of_known_mechanisms(triplets):
    """Camera only repeats: 144 the same. The habit knows 24 groups of three pairs, and repeats its letter in the others."""
    runs = load_triplet_runs(["reference_camera_only", "reference_letter_habit"])
    table = run_tables.frame_pair_table(runs, triplets)
    assert table[["Same", "Both right", "Whole groups"]].to_numpy().tolist() == [[144, 0, 0], [72, 72, 24]]


@pytest.mark.parametrize("table", BY_RUN, ids=lambda table: table.__name__)
def test_a_set_without_fq1_shows_undefined_and_not_zero(triplets, fq2_only, table):
    """Alone, and beside a whole set; the columns stay, so that a page's formats fit."""
    whole = load_triplet_runs(["reference_layout_oracle"])
    both = table([*whole, *fq2_only], triplets)
    assert table(fq2_only, triplets).columns.equals(both.columns)
    of_fq1 = [name for name in ("FQ1-GEM", "Camera", "Frame invariant", "Same", "Whole groups") if name in both]
    assert both.iloc[-1][of_fq1].isna().all() and both.iloc[0][of_fq1].notna().all()


def test_pages_tables_show_one_set_of_one_family(triplets, fq2_only):
    """Nothing breaks with a single set that leaves FQ1 out: tables, strata, figure."""
    one = fq2_only[:1]
    strata = joint_success.strata_overview(one, triplets)
    assert (strata["FQ1-GEM"] == "").all() and strata["NTS"].str.contains("/").all()
    assert "undefined" in panels.table(run_tables.frame_pair_table(one, triplets), "Pairs.").data
    triplet_figures.joint_figure(run_tables.reference_table(one, triplets))


def test_a_stratum_counts_all_groups_once(triplets):
    """Over the strata of one kind successes and groups sum to those of all 48."""
    run = load_triplet_runs(["reference_wavering"])
    strata = joint_success.strata_overview(run, triplets)
    scores = run_tables.scores_table(run, triplets).iloc[0]
    for kind, rows in strata.groupby("By"):
        for score in run_tables.JOINT if kind != "Tag" else ("NTS", "DIS"):
            parts = np.array([cell.split("/") for cell in rows[score]], dtype=int).sum(axis=0)
            assert parts[1] == 48 and parts[0] == round(48 * scores[score] / 100)


def test_contrasts_of_a_family_and_of_pairs(triplets, fq2_only):
    whole = load_triplet_runs(["reference_layout_oracle", "reference_anchor_blind", "reference_always_insufficient"])
    table = joint_success.contrasts([whole, fq2_only[:2]], triplets, seed=1)
    assert table["Score"].to_list() == 2 * ["Acc.", "FQ1-GEM", "NTS", "DIS"] + ["Acc.", "NTS", "DIS"]
    blind = table[table["Contrast"] == "Anchor-blind minus Layout oracle"].set_index("Score")
    # Right wherever an answer is supported: only deletions differ.
    assert blind.loc[["FQ1-GEM", "DIS"], ["Change", "Low", "High"]].eq(0).all(axis=None)
    assert blind.loc["NTS", "Change"] == pytest.approx(-100 * blind.loc["NTS", "Losses"] / 48)
    common = joint_success.common_groups([whole], triplets)
    equation = common["Common change"] + common["Second-only successes"] - common["First-only successes"]
    pd.testing.assert_series_equal(equation, common["Full change"], check_names=False)
    with pytest.raises(InputError, match="expected lists of two runs"):
        joint_success.contrasts([whole[:1]], triplets, seed=1)


def test_there_are_twenty_configurations():
    names = primary_configurations()
    assert len(names) == 20 and names[0] == "Qwen2.5-VL-7B / Base" and names[-1] == "Claude Fable 5.1 / 3-shot"
