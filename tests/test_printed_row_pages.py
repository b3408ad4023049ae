"""The pages on strata, failures, overlap and uncertainty: what follows from printed cells, and pages without printed rows."""

import numpy as np
import pandas as pd
import pytest

from vantage import panels, printed_row_figures
from vantage.predictions import load, load_triplet_runs
from vantage.tables import printed_strata, uncertainty
from vantage.tables import triplets as run_tables
from vantage.tables.frame_evidence import primary_configurations
from vantage.tables.frame_evidence_results import contrasts, scores
from vantage.triplets import load_triplets

FOLLOWING = (
    printed_strata.ontology_gaps,
    printed_strata.deletion_outcomes,
    printed_strata.detection,
    printed_strata.frame_counts,
    uncertainty.adjacent_shots,
    uncertainty.shot_change,
    uncertainty.shot_verdicts,
    uncertainty.signs_without_a_cluster,
)


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


@pytest.fixture(scope="module")
def rows():
    return load("reconstructed_frame_evidence").runs


@pytest.fixture(scope="module")
def own():
    """A set over everything, and one that leaves FQ1 out."""
    return load_triplet_runs(["reference_wavering", "measured_metadata_rules"])


def test_ontology_gaps_of_printed_cells(rows, triplets):
    """Table 17: 66.7 and 12.5 % of 24 are 16 and 3. Fisher's test by hand for Mistral's 2 and 2: no split is less uneven."""
    found = printed_strata.ontology_gaps(rows, triplets).set_index("Row")
    assert found.loc["Kimi-VL-A3B / Base", ["Axial groups", "Quadrant groups"]].to_list() == [16, 3]
    assert found.loc["Kimi-VL-A3B / Base", "Gap"] == pytest.approx(100 * 13 / 24)
    assert found.loc["Mistral Small 3.2 24B / Base", "Chance"] == pytest.approx(1)
    # The prose counts these.
    assert (found["Chance"] < 0.05).sum() == 3
    assert (np.sign(found["Gap"]).value_counts().to_dict()) == {1.0: 17, 0.0: 3}


def test_what_stands_in_removed_by_chance(rows, triplets):
    """InternVL: four of four; by hand C(36, 4) / C(48, 4) = 58,905 / 194,580. The rows come in the order asked for."""
    asked = ["InternVL3-8B / Base", "Qwen2.5-VL-7B / Base"]
    found = printed_strata.removed_chances(rows, triplets, asked)
    assert found["Row"].to_list() == asked
    assert found["At least so many"].to_list() == pytest.approx([58905 / 194580, 0.75])
    assert found["Expected"].to_list() == pytest.approx([3, 0.75])


def test_deletion_outcomes_sum_to_m_and_give_nts(rows, triplets):
    found = printed_strata.deletion_outcomes(rows, triplets).set_index("Row")
    assert (found[["To insufficient", "Original", "Other"]].sum(axis=1) == found["m"]).all()
    # Table 20: 40.7, 29.6 and 29.6 % of 27.
    assert found.loc["GPT-5.6 / 2-shot"].to_list() == [11, 8, 8, 27]
    assert (found["Original"] > found["To insufficient"]).sum() == 16


def test_detection_from_table_8(rows, triplets):
    """Table 8: Mistral 29, 24, 21, so 24 hits and 50 false alarms; Qwen's adapter 30, 38, 24."""
    found = printed_strata.detection(rows, triplets).set_index("Row")
    assert found.loc["Mistral Small 3.2 24B / Base", ["Hits", "False alarms"]].to_list() == [24, 50]
    assert found.loc["Qwen2.5-VL-7B / LoRA", "Precision"] == pytest.approx(100 * 38 / 92)
    above = found["Recall"] > found["False-alarm rate"]
    assert (above == (found["Precision"] > 100 / 3 + 1e-9)).all()


def test_frame_counts_from_pairs(rows, triplets):
    """Tables 20 and 31 for GPT two-shot: 18.8 % of 48 is 9, 50 - 27 = 23 have two equal answers; 26 - 15 = 11 have two right."""
    found = printed_strata.frame_counts(rows, triplets).set_index("Row")
    assert found.loc["GPT-5.6 / 2-shot"].to_list() == [9, 23, 16, 5, 11]


def test_adjacent_shots_follow_from_table_4(rows, triplets):
    """From two to three shots: 5 right answers more, 5 to 3 whole groups, NTS 11 to 10, DIS 21 to 23."""
    found = uncertainty.adjacent_shots(rows, triplets).set_index(["Row", "Shots"])
    assert found.loc[("GPT-5.6", "2 to 3")].to_list() == [5, -2, -1, 2]
    assert len(found) == 6


def test_half_width_of_independent_questions(rows, triplets):
    """By hand: sqrt(91 - 25/288) / 288 = 0.03311, times 196."""
    found = uncertainty.shot_change(rows, triplets).iloc[0]
    assert found[["Gains", "Losses", "Questions"]].to_list() == [48, 43, 288]
    assert found["Half width if independent"] == pytest.approx(6.489, abs=0.001)


def test_ends_are_compared_as_printed():
    """Ours rounds to the printed precision first. An end is named in the column of a table, and in the row of running text."""
    table = pd.DataFrame(
        [
            ("InternVL3-8B / DIS", "Union / low", -27.26),
            ("InternVL3-8B / DIS", "Union / high", -2.0),
        ],
        columns=["row", "column", "value"],
    )
    found = uncertainty.interval_ends(table, "Table 26")
    assert found[["Row", "Interval"]].to_numpy().tolist() == [["InternVL3-8B / DIS", "Union"]]
    # Printed: [-27.3, -2.4].
    assert found[["differs low", "differs high"]].iloc[0].to_list() == pytest.approx([0, 0.4])
    name = "Accuracy gain from two to three shots, 95%"
    text = pd.DataFrame(
        [(f"{name} low", "GPT-5.6", -4.9), (f"{name} high", "GPT-5.6", 6.0)], columns=["row", "column", "value"]
    )
    found = uncertainty.interval_ends(text, "Section 6.2").iloc[0]
    assert (found["Row"], found["Interval"]) == ("Accuracy gain from two to three shots", "GPT-5.6")
    assert found["differs high"] == pytest.approx(0.65)
    by_place = uncertainty.ends_by_place(pd.DataFrame([found]).assign(Place="Section 6.2")).iloc[0]
    assert by_place["Equal"] == 1
    assert by_place["Width, of the printed"] == pytest.approx(100 * 10.9 / 10.25)
    assert by_place["Same verdict on zero"] == "1 of 1"


def test_every_interval_of_the_runs_is_compared(rows, triplets):
    """Where a place has an interval, both of its ends are there; Table 26 has twelve."""
    ends = uncertainty.all_ends(rows, triplets, seed=1)
    assert not ends.isna().any().any()
    assert (ends["low"] <= ends["high"]).all()
    assert (ends["Place"] == "Table 26").sum() == 12
    assert len(ends[ends["Place"] == "Section 6.2"]) == len(scores.shot_intervals(rows, triplets)) / 2


def test_few_clusters_make_widths_uncertain(triplets):
    """13 union components: 1 / sqrt(24) = 20.4 %; two widths sqrt(2) times that."""
    found = uncertainty.width_luck(triplets).set_index("Clusters")
    assert found["How many"].to_list() == [29, 14, 13, 12, 6]
    assert found.loc["Union components", ["One width", "Two widths"]].to_list() == pytest.approx(
        [20.41, 28.87], abs=0.01
    )


@pytest.mark.parametrize("table", FOLLOWING, ids=lambda table: table.__name__)
def test_a_page_without_printed_rows_shows_empty_tables(own, triplets, table):
    found = table(own, triplets)
    assert found.empty and len(found.columns)
    assert "<table" in panels.table(found, "Nothing").data


def test_figures_without_printed_rows_say_so(own, triplets):
    ends = uncertainty.all_ends(own, triplets, seed=1)
    figures = [
        printed_row_figures.paired_marks(
            printed_strata.detection(own, triplets), "Recall", "False-alarm rate", "percent"
        ),
        printed_row_figures.deletion_figure(printed_strata.deletion_outcomes(own, triplets)),
        printed_row_figures.intervals_figure(ends),
        printed_row_figures.ends_figure(ends),
    ]
    assert all("No run" in figure.texts[0].get_text() for figure in figures)
    assert uncertainty.ends_by_place(ends).empty
    assert uncertainty.redrawn(own, triplets, [1, 2]).empty


def test_figures_have_a_line_for_each_row(rows, triplets):
    figure = printed_row_figures.deletion_figure(printed_strata.deletion_outcomes(rows, triplets))
    labels = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert len(set(labels)) == len(primary_configurations())
    ends = uncertainty.interval_ends(contrasts.table_26_intervals(rows, triplets), "Table 26")
    assert len(printed_row_figures.intervals_figure(ends).axes[0].get_yticklabels()) == 12


def test_own_sets_are_shown_and_families_left_out_are_empty(own, triplets):
    """The metadata rules leave FQ1 out: no groups there, and undefined in their tables."""
    strata = printed_strata.own_strata(own, triplets)
    source = strata[(strata["By"] == "Source") & (strata["Set"] == own[1].title)]
    assert source["FQ1-GEM"].to_list() == ["", ""]
    assert [cell.split("/")[1] for cell in source["DIS"]] == ["21", "27"]
    overlap = printed_strata.by_overlap(own, triplets)
    assert [cell.split("/")[1] for cell in overlap["DIS, not shared"]] == ["8"] * len(own)
    wavering = run_tables.scores_table(own[:1], triplets)["Acc."].iloc[0]
    mean = (243 * overlap["Acc., shared"].iloc[0] + 45 * overlap["Acc., not shared"].iloc[0]) / 288
    assert mean == pytest.approx(wavering)
    failures = printed_strata.own_failures(own, triplets)
    assert failures["Set"].to_list() == [run.title for run in own]
    assert failures["Same"].isna().to_list() == [False] + [True] * (len(own) - 1)
    intervals = uncertainty.own_intervals(own[:2], triplets, seed=1)
    assert intervals["Score"].to_list() == ["Acc.", "FQ1-GEM", "NTS", "DIS", "Acc.", "NTS", "DIS"]
    assert ((intervals["Low"] <= intervals["Value"]) & (intervals["Value"] <= intervals["High"])).all()


def test_running_text_is_a_line_a_number():
    recomputed = pd.DataFrame(
        [("Configurations whose DIS is higher on rendered inputs", "all", 15.0)], columns=["row", "column", "value"]
    )
    html = panels.reconstructed_list(recomputed, "Appendix G.1", "signs.").data
    assert ">15<" in html and ">16<" in html
