"""What the pages on input controls, adaptation and circular evaluation show, by hand on made-up runs."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from vantage import panels, triplet_figures
from vantage.predictions import ANSWERED, INVALID, load_triplet_runs
from vantage.published import load_published
from vantage.tables import adaptation, circular_rows, input_controls, reconstructed
from vantage.triplets import load_triplets

MSS, DELETION, ADDITION = range(3)


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


@pytest.fixture(scope="module")
def oracle():
    (run,) = load_triplet_runs(["reference_layout_oracle"])
    return run


@pytest.fixture(scope="module")
def four():
    """Four rotations and a repeat of a responder that says A where it does not know."""
    return load_triplet_runs(["reference_letter_habit"], experiment=None)


def printed_row(run, name, experiment="main", input_mode="all_images", answers=None, **more):
    """A run as a reconstructed set would have it."""
    model, setting = name.split(" / ")
    given = run.answers if answers is None else answers
    status = np.where((given < 0) & (run.status == ANSWERED), INVALID, run.status)
    return replace(
        run, set="reconstructed_made_up", kind="reconstructed", model=model, setting=setting, experiment=experiment,
        input_mode=input_mode, answers=given, status=status, title=f"Made up, {model}, {setting}", **more,
    )  # fmt: skip


@pytest.fixture(scope="module")
def controls(oracle, triplets):
    """With images: all right, but 5 additions wrong and 2 invalid. Without: the gold direction in 10 groups, else insufficient."""
    rows = triplets.rows("FQ2")
    images = oracle.answers.copy()
    images[rows[:5, ADDITION]] = triplets.insufficient[rows[:5, ADDITION]]
    images[rows[5:7, ADDITION]] = -1
    text = oracle.answers.copy()
    text[rows] = triplets.insufficient[rows[:, :1]]
    text[rows[:10]] = triplets.gold[rows[:10, :1]]
    name = "Kimi-VL-A3B / Base"
    return [
        printed_row(oracle, name, answers=images),
        printed_row(oracle, name, "input_control", "text_only", text),
        printed_row(oracle, "GPT-5.6 / 0-shot"),
        printed_row(oracle, "GPT-5.6 / 0-shot", "input_control", "single_image"),
        printed_row(oracle, "GPT-5.6 / 1-shot"),
    ]


def test_controls_by_hand(controls, triplets):
    """Text only: 144 right in FQ1, 2 in each of 10 groups, 1 in each of 38. Only what GPT's first image gives in DIS is printed."""
    table = input_controls.controls_table(controls, triplets).set_index("Configuration")
    assert table.index.to_list() == ["Kimi-VL-A3B / Base", "GPT-5.6 / 0-shot"]  # one-shot has no input control
    kimi = table.loc["Kimi-VL-A3B / Base"]
    assert kimi[["Right, text", "NTS, text", "DIS, text"]].to_list() == [144 + 20 + 38, 0, 10]
    assert kimi[["Right, all", "NTS, all", "DIS, all"]].to_list() == [288 - 7, 48, 41]
    assert (kimi[["Right, first", "NTS, first", "DIS, first"]] == "").all()
    gpt = table.loc["GPT-5.6 / 0-shot"]
    assert gpt[["Right, first", "NTS, first", "DIS, first", "DIS, all"]].to_list() == ["", "", 48, 48]


def test_the_parts_of_a_gain_by_hand(controls, triplets):
    """48 right MSS instead of 10, 7 lost after addition, 2 of these invalid: 31 more DIS."""
    (row,) = input_controls.gains_table(controls, triplets)[input_controls.GAINS].to_numpy().tolist()
    assert row == [10, 48, 38, 7, 2, 31]
    table = input_controls.retention_table(controls, triplets).set_index("Configuration")
    kimi = table.loc["Kimi-VL-A3B / Base"]
    assert kimi[["MSS right", "DIS", "MSS right, text"]].to_list() == [48, 41, 10]
    assert kimi["Retained, %"] == pytest.approx(100 * 41 / 48)
    assert (table["MSS right, %"] * table["Retained, %"] / 100).to_list() == pytest.approx(table["DIS, %"].to_list())
    assert table.loc["GPT-5.6 / 1-shot", "MSS right, text"] == ""


def test_first_images(triplets):
    """Deletion and addition leave the other images in their order, so the first is another where it was removed or put in front."""
    table = input_controls.first_images(triplets).set_index("After")
    assert table.sum(axis=1).to_list() == [48, 48]
    questions = triplets.questions.set_index(["group", "condition"])["views"]
    kept = [
        questions[group, "mss"][0] == questions[group, "deletion"][0]
        for group in triplets.questions["group"].iloc[triplets.rows("FQ2")[:, 0]]
    ]
    assert table.loc["deletion", "Same first image"] == sum(kept)


def test_checkpoints_and_conditions_by_hand(oracle, triplets):
    """The adapter always says insufficient: it loses every MSS and addition, and of FQ1 one frame in 6 groups is made wrong."""
    rows, fq1 = triplets.rows("FQ2"), triplets.rows("FQ1")
    adapted = oracle.answers.copy()
    adapted[rows] = triplets.insufficient[rows[:, :1]]
    adapted[fq1[:6, 0]] = (adapted[fq1[:6, 0]] + 1) % 4
    name = "Qwen2.5-VL-7B"
    runs = [
        printed_row(oracle, f"{name} / LoRA", answers=adapted),
        printed_row(oracle, f"{name} / Base"),
        printed_row(oracle, f"{name} / LoRA", "multi_seed", answers=adapted, seed=20260724),
        printed_row(oracle, f"{name} / LoRA", "multi_seed", seed=20260723),
        printed_row(oracle, f"{name} / Base control", "multi_seed"),
    ]
    table = adaptation.checkpoints_table(runs, triplets).set_index("Checkpoint")
    assert set(table.index) == {"primary Base", "primary LoRA", "Base control", "LoRA 20260723", "LoRA 20260724"}
    for row in ("primary LoRA", "LoRA 20260724"):
        assert table.loc[row, [*adaptation.COUNTS]].to_list() == [288 - 96 - 6, 42, 0, 0]
    assert table.loc["LoRA 20260723", [*adaptation.COUNTS]].to_list() == [288, 48, 48, 48]
    parts = adaptation.conditions_table(runs, triplets)
    assert parts["Checkpoint"].to_list() == ["Base", "LoRA", "change"]
    assert parts[[*adaptation.CONDITIONS]].iloc[2].to_list() == [-48, 0, -48, -6, -102]
    assert len(adaptation.conditions_table(runs[:1], triplets)) == 1  # no change of one run
    triplet_figures.checkpoints_figure(adaptation.checkpoints_table(runs, triplets))


def test_circular_rows_by_hand(four, triplets):
    """Letter habit: half of the questions four times right, and no other one consistent; its mean is .625 (option order)."""
    name = "Qwen2.5-VL-7B / LoRA"
    rotated = [run for run in four if run.experiment == "circular"]
    runs = [
        printed_row(run, name, "circular", rotation=run.rotation, seed=seed)
        for seed in (20260722, 20260723, 20260724)
        for run in rotated
    ]
    (ordinary,) = [run for run in four if run.experiment == "main"]
    runs.append(printed_row(ordinary, name, "multi_seed", seed=20260723))
    table = circular_rows.circular_rows(runs, triplets)
    assert table["Set"].to_list() == [f"{name} {seed}" for seed in (20260722, 20260723, 20260724)]
    assert (table[["Mean rot.", "Circular", "Consistency"]] == [62.5, 50, 50]).all(axis=None)
    (means,) = circular_rows.seed_means(runs, triplets)["Circular"]
    assert means == "50.00 ± 0.00"
    (row,) = circular_rows.ordinary_and_rotation_zero(runs, triplets).to_dict("records")
    right = round(table["Vanilla"].iloc[0] * 2.88)
    assert row == {"Configuration": f"{name} 20260723", "Ordinary run": right, "Rotation zero": right, "Repeat": ""}


def test_pages_have_tables_without_reconstructed_runs(oracle, four, triplets):
    """A rerunner may name only sets of their own: no table breaks, and the printed ones say that there is nothing."""
    own = [oracle, *four]
    assert reconstructed.solved(own) == [] and reconstructed.others(own) == own
    for table in (
        input_controls.controls_table, input_controls.gains_table, adaptation.conditions_table, circular_rows.seed_means,
        circular_rows.ordinary_and_rotation_zero,
    ):  # fmt: skip
        assert table([], triplets).empty
    triplet_figures.retention_figure(input_controls.retention_table([], triplets))
    triplet_figures.checkpoints_figure(adaptation.checkpoints_table([], triplets))
    triplet_figures.circular_figure(circular_rows.circular_rows([], triplets))
    assert circular_rows.own_circular([oracle], triplets).empty and circular_rows.own_circular([], triplets).empty
    assert len(circular_rows.own_circular(four, triplets)) == 1
    assert panels.if_any(pd.DataFrame(), "caption", "none & none").data == "<p>none &amp; none</p>"


def test_one_title_a_reconstructed_set(controls, oracle):
    listed = reconstructed.one_a_set([oracle, *controls])
    assert [run.title for run in listed] == [oracle.title, "Made up"]
    assert [run.title for run in reconstructed.one_a_set(controls[:1])] == ["Made up, Kimi-VL-A3B, Base"]


def test_intervals_beside_printed_ones():
    """Table 13 tells ends apart in its columns, running text in its rows; ends that are not both there have no row."""
    ours = pd.DataFrame(
        [
            ("Repeat accuracy", "Triplets / low", 39.0),
            ("Repeat accuracy", "Triplets / high", 51.0),
            ("Repeat accuracy", "Union components / low", 39.0),
        ],
        columns=["row", "column", "value"],
    )
    (row,) = reconstructed.intervals_beside(ours, "Table 13").to_dict("records")
    assert (row["Quantity"], row["Of"]) == ("Repeat accuracy", "Triplets")
    assert (row["Printed"], row["Ours"]) == ("39.58 to 50.69", "39.00 to 51.00")
    assert (row["Low, difference"], row["High, difference"]) == pytest.approx((-0.58, 0.31))
    name = "DIS gain over text only"
    text = pd.DataFrame(
        {"row": [f"{name}, 95% low", f"{name}, 95% high"], "column": "Qwen2.5-VL-7B / Base", "value": 30}
    )
    (row,) = reconstructed.intervals_beside(text, "Section 6.3").to_dict("records")
    assert (row["Quantity"], row["Of"], row["Printed"]) == (name, "Qwen2.5-VL-7B / Base", "29.2 to 59.5")
    assert reconstructed.intervals_beside(text.iloc[:0], "Section 6.3").empty


def test_distances_of_ends_by_hand():
    """Ends 0.58 and 0.31 off by triplets; one of two by components prints alike."""
    ours = pd.DataFrame(
        [
            ("Repeat accuracy", "Triplets / low", 39.0),
            ("Repeat accuracy", "Triplets / high", 51.0),
            ("Repeat accuracy", "Union components / low", 39.09),
            ("Repeat accuracy", "Union components / high", 52.56),
            ("Same-order pair consistency", "Triplets / low", 47.22),
            ("Same-order pair consistency", "Triplets / high", 59.72),
        ],
        columns=["row", "column", "value"],
    )
    beside = reconstructed.intervals_beside(ours, "Table 13")
    assert beside["Of"].to_list() == [
        "Triplets",
        "Union components",
        "Triplets",
    ]  # a quantity's intervals stay together
    triplets, unions = reconstructed.interval_distances(beside).to_dict("records")
    assert (triplets["Ends"], triplets["Print alike"], unions["Ends"], unions["Print alike"]) == (4, 2, 2, 1)
    assert triplets["Largest distance"] == pytest.approx(0.58)
    assert triplets["Median distance"] == pytest.approx((0.31 + 0) / 2)
    assert unions["Largest distance"] == pytest.approx(2.0)
    assert reconstructed.interval_distances(beside.iloc[:0]).empty


def test_the_basis_of_a_place_adds_up():
    """Every number that rests on answers is a point that is fitted or not, an end, or not recomputed."""
    places = ["Table 11", "Table 13", "Section 6.3"]
    table = reconstructed.basis_table(places).set_index("Place")
    numbers = load_published("frame_evidence").query("kind in ('prediction', 'interval')").groupby("place").size()
    for place, row in table.iterrows():
        assert row["Points"] == row["Fitted"] + row["Unfitted"] and row["Equal"] <= row["Points"]
        assert row["Points"] + row["Interval ends"] + row["Not recomputed"] == numbers[place]
    assert table.loc["Table 11", "Points"] == 84 and table.loc["Table 11", "Fitted"] == 84
