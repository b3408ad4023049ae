"""The tables of the pages on main results, matched success and scoring, by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

from vantage import ledger_pages, panels, triplet_figures
from vantage.predictions import ANSWERED, INVALID, NOT_ASKED, load, load_triplet_runs
from vantage.tables import companion, main_results
from vantage.tables import triplets as run_tables
from vantage.triplets import load_triplets

SET = "reconstructed_frame_evidence"


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


@pytest.fixture(scope="module")
def rows(triplets):
    return main_results.by_accuracy(load_triplet_runs([SET]), triplets)


def table_of(*rows):
    return pd.DataFrame(rows, columns=["No.", "Row", "Sort", "Acc.", "FQ1-GEM", "NTS", "DIS"])


HAND = table_of(
    (1, "a", "GPT-5.6", 50.0, 10.0, 20.0, 40.0),
    (2, "b", "adapted", 40.0, 0.0, 30.0, 40.0),
    (3, "c", "open-weight", 40.0, 0.0, 10.0, 50.0),
)


def test_printed_rows_and_own_sets_part_the_runs():
    runs = load_triplet_runs([SET, "reference_one_view"])
    printed, own = main_results.printed_rows(runs), main_results.own_sets(runs)
    assert {run.kind for run in printed} == {"reconstructed"} and len(printed) == 20
    assert [run.set for run in own] == ["reference_one_view"]


def test_rows_stand_by_accuracy_and_ties_in_printed_order(rows):
    assert rows["No."].tolist() == list(range(1, 21))
    assert rows["Acc."].is_monotonic_decreasing
    names = rows["Row"].tolist()
    assert names[0] == "GPT-5.6 / 3-shot" and names[-1] == "Mistral Small 3.2 24B / Base"
    # Both 29.17 % in Table 4, LLaVA first.
    assert names[14:16] == ["LLaVA-OneVision-7B / Base", "Kimi-VL-A3B / Base"]
    assert rows["Sort"].value_counts().to_dict() == {
        "open-weight": 10, "adapted": 2, "GPT-5.6": 4, "Claude Fable 5.1": 4,
    }  # fmt: skip


def test_a_shared_lead_has_a_row_for_each():
    """By hand: b leads NTS alone, and DIS of 50 is c's."""
    found = main_results.leaders(HAND)
    assert [*zip(found["Score"], found["Row"], strict=True)] == [
        ("Acc.", "a"),
        ("FQ1-GEM", "a"),
        ("NTS", "b"),
        ("DIS", "c"),
    ]
    shared = main_results.leaders(HAND.assign(DIS=40.0)).query("Score == 'DIS'")
    assert shared["Row"].tolist() == ["a", "b", "c"] and shared["Rank by accuracy"].tolist() == [1, 2, 3]


def test_pairs_are_ordered_as_by_hand():
    """Pairs ab, ac, bc; b and c are equal in accuracy."""
    found = main_results.pair_orders(HAND).set_index("Score")
    assert found.loc["FQ1-GEM"].tolist() == [2, 0, 1, 3]
    assert found.loc["NTS"].tolist() == [1, 1, 1, 3]
    assert found.loc["DIS"].tolist() == [0, 1, 2, 3]


def test_references_have_printed_names_and_leave_open_what_the_print_does(triplets):
    runs = load_triplet_runs([SET], experiment=None)
    found = main_results.references(runs, triplets)
    assert (
        len(found) == 60
        and found["Set"].iloc[0] == "Qwen2.5-VL-7B"
        and found["Set"].iloc[-1] == "Claude Fable 5.1, 3-shot"
    )
    frames = found["Score"] == "FQ1-GEM"
    assert found.loc[frames, "Highest"].isna().all() and (found.loc[frames, "Correct counts"] == "").all()
    assert found.loc[~frames, "Highest"].notna().all()
    ordinary = main_results.references(runs, triplets, "multi_seed")
    assert ordinary["Set"].nunique() == 8 and "InternVL3-8B, LoRA 20260722" in set(ordinary["Set"])


def test_signs_ends_and_bounds_by_hand():
    table = pd.DataFrame(
        [("x", "NTS", 0.0, 2.0, -2.0, 0.0, 10.0), ("y", "NTS", 5.0, 5.0, 1e-15, 0.0, 10.0), ("z", "NTS", 10.0, 7.0, 3.0, 0.0, 10.0)],
        columns=["Set", "Score", "Observed", "Reference", "Gap", "Lowest", "Highest"],
    )  # fmt: skip
    assert main_results.gap_signs(table).iloc[0].tolist() == ["NTS", 1, 1, 1]
    assert main_results.gap_ends(table).iloc[0].tolist() == ["NTS", -2.0, "x", 3.0, "z"]
    assert main_results.at_bounds(table).iloc[0].tolist() == ["NTS", 1, 1, 3]
    assert main_results.at_bounds(table.assign(Score="FQ1-GEM")).empty


def test_pages_without_printed_rows_still_work(triplets):
    runs = load_triplet_runs(["reference_one_view"])
    assert not main_results.printed_rows(runs)
    empty = main_results.by_accuracy([], triplets)
    assert main_results.leaders(empty).empty
    triplet_figures.accuracy_figure(empty)
    references = main_results.references([], triplets)
    for table in (main_results.gap_signs, main_results.gap_ends, main_results.at_bounds):
        assert "<table" in panels.table(table(references), "None.").data
    triplet_figures.joint_figure(references)


def test_no_two_labels_of_the_figure_overlap(rows):
    """Each row has its number in each panel, alone or with rows at the same point."""
    figure = triplet_figures.accuracy_figure(rows)
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    for axes in figure.axes:
        numbers = [number for text in axes.texts for number in text.get_text().split(", ")]
        assert sorted(map(int, numbers)) == list(range(1, 21))
        boxes = [Text.get_window_extent(text, renderer).shrunk(0.9, 0.8) for text in axes.texts]
        assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_runs_are_counted_by_what_became_of_their_questions(triplets):
    run = load("reference_one_view").runs[0]
    status = np.full(len(run.status), NOT_ASKED)
    status[:5], status[5:7] = ANSWERED, INVALID
    one, two = replace(run, status=status), replace(run, status=status, experiment="repeat", run="again")
    counts = companion.run_counts([two, one])
    assert counts["Experiment"].tolist() == ["Primary", "Same-order repeat"]
    assert counts[["Questions", "Answered", "Invalid", "Missing"]].to_numpy().tolist() == [[7, 5, 2, 0]] * 2
    sums = companion.experiment_counts([one, one, two])
    assert sums[["Runs", "Questions", "Answered", "Invalid", "Missing"]].to_numpy().tolist() == [
        [2, 14, 10, 4, 0],
        [1, 7, 5, 2, 0],
    ]


def test_companion_counts_take_only_complete_circular_rows(triplets):
    """Four rotations make a row, three do not; GPT's row counts by its answers: 4 x 288, and 288 of the repeat."""
    wavering = load("reference_wavering").runs
    some = [run for run in wavering if run.experiment in ("circular", "repeat")]

    def named(model, setting, runs):
        return [replace(run, model=model, setting=setting) for run in runs]

    rotations = [run for run in some if run.experiment == "circular"]
    runs = named("GPT-5.6", "0-shot", some) + named("x", "LoRA", rotations) + named("y", "LoRA", rotations[:3])
    found = companion.companion_counts(runs, triplets)["In these runs"].tolist()
    asked = len(run_tables.asked_rows(rotations[0], triplets))
    assert found == [0, 0, 1, 4 * asked, asked, 16]


def test_agreement_counts_each_number_once():
    entries = pd.DataFrame(
        {
            "id": ["p", "q", "r"],
            "place": ["Table 4", "Table 22", "Table 4"],
            "status": ["reproduced", "differs", "reproduced"],
            "basis": ["fitted", "unfitted", "constructed"],
        }
    )
    found = ledger_pages.agreement(entries).set_index("Place")
    assert found.columns.tolist() == ["Constructed", "Fitted", "Differs", "All"]
    assert found.loc["Table 4"].tolist() == [1, 1, 0, 2] and found.loc["All"].tolist() == [1, 1, 1, 3]


def test_provenance_counts_the_runs_of_a_large_set(triplets):
    html = panels.provenance(triplets, load_triplet_runs([SET]), papers=("frame_evidence",)).data
    assert "FrameEvidence, reconstructed (20 runs)" in html and "3-shot" not in html
