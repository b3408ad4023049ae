"""Sets over FrameEvidence-Open: what is loaded, decoded, counted and refused; tables of runs against hand computations."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vantage import files, pipeline, predictions
from vantage.errors import InputError
from vantage.predictions import ANSWERED, INVALID, MISSING, NOT_ASKED, freeze, load, load_triplet_runs, triplet_table
from vantage.tables import triplets as tables
from vantage.triplets import load_triplets

ORACLE = "frozen_predictions/reference_layout_oracle/predictions.parquet"


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


def head(**more):
    return {"set": "mine", "kind": "measured", "run": "one", "model": "M"} | more


def frozen(folder, *parts):
    return freeze(pa.concat_tables(parts), folder / "mine", title="Mine", about="-", made_by="-")


# ------------------------------------------------------------------------------------------------------------ loading


def test_answers_are_decoded_and_the_letters_given_are_kept(triplets, tmp_path):
    """Under rotation 1 position A shows the option that was B. So all A as given are all B in the original order."""
    as_b = np.ones(960, dtype=np.int8)
    found = frozen(tmp_path, triplet_table(triplets, as_b, **head(experiment="circular", rotation=1)))
    assert set(pq.read_table(found.path)["answer"].to_pylist()) == {"A"}
    (run,) = found.runs
    assert set(run.answers.tolist()) == {1}
    assert set(run.letters.tolist()) == {0}
    assert run.title == "Mine"


def test_invalid_missing_and_not_asked_are_three_things(triplets, tmp_path):
    """Test questions of FQ2 only, two of them invalid and one without a row: the other splits and FQ1 were not asked."""
    asked = triplets.rows("FQ2").ravel()
    status = np.full(960, NOT_ASKED, dtype=np.uint8)
    status[asked] = ANSWERED
    status[asked[:2]], status[asked[2]] = INVALID, MISSING
    found = frozen(tmp_path, triplet_table(triplets, triplets.gold, status, **head()))
    assert found.manifest["runs"] == [{"run": "one", "answered": 141, "invalid": 2, "missing": 1}]
    assert found.runs[0].status.tolist() == status.tolist()
    assert (found.runs[0].answers[asked[:3]] == -1).all()
    scores = tables.scores_table(found.runs, triplets).iloc[0]
    assert scores[["Questions", "Invalid", "Missing"]].tolist() == [144, 2, 1]
    assert scores["Acc."] == pytest.approx(100 * 141 / 144)
    assert np.isnan(scores["FQ1-GEM"])
    # All three answers of the first group are gone: one of 48 groups.
    assert scores["NTS"] == scores["DIS"] == pytest.approx(100 * 47 / 48)


def test_a_title_says_what_tells_executions_apart(triplets, tmp_path):
    parts = [
        triplet_table(triplets, triplets.gold, **head(run=str(at), **more))
        for at, more in enumerate(
            [
                {},
                {"input_mode": "text_only"},
                {"experiment": "circular", "rotation": 2},
                {"experiment": "repeat", "repeat": 1},
            ]
        )
    ]
    found = frozen(tmp_path, *parts)
    assert [run.title for run in found.runs] == [
        "Mine", "Mine, text only", "Mine, circular, rotation 2", "Mine, repeat 1",
    ]  # fmt: skip
    folder = found.path.parent
    assert [run.run for run in load_triplet_runs([folder])] == ["0"]
    assert [run.run for run in load_triplet_runs([folder], "circular")] == ["2"]
    assert [run.run for run in load_triplet_runs([folder], None, None)] == ["0", "1", "2", "3"]
    with pytest.raises(InputError, match=r"with a run \(multi_seed all_images\) on FrameEvidence-Open, found none"):
        load_triplet_runs([folder], "multi_seed")


def test_a_page_of_the_other_paper_leaves_a_set_out(triplets):
    assert [run.set for run in load_triplet_runs(["reference_oracle", "reference_layout_oracle"])] == [
        "reference_layout_oracle"
    ]
    with pytest.raises(InputError, match="found none in \\['reference_oracle'\\]"):
        load_triplet_runs(["reference_oracle"])


def rewrite(path, change):
    rows = pq.read_table(path).to_pylist()
    change(rows)
    schema = pa.schema([field.with_nullable(True) for field in pq.read_schema(path)], pq.read_schema(path).metadata)
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    manifest = json.loads(path.with_name("manifest.json").read_text())
    manifest["sha256"] = files.sha256(path)
    path.with_name("manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("row", "values", "fragments"),
    [
        (6, {"item": "fq3-001-camera"}, ["row 7", "expected an item of frame_evidence", "'fq3-001-camera'"]),
        (6, {"answer": "E"}, ["row 7", "'answer'", "A, B, C, D", "'E'"]),
        (6, {"rotation": 4}, ["row 7", "rotation 0 to 3, found 4"]),
        (6, {"kind": "measured"}, ["row 7", "kind 'reference' as the manifest says"]),
        (6, {"model": "Other"}, ["row 7", "one model, setting, experiment", "a run of its own"]),
        (6, {"answer": None}, ["'main'", "invalid", "freeze the set again"]),
    ],
)
def test_answers_that_do_not_fit_are_refused_in_one_line(compendium, row, values, fragments):
    rewrite(compendium / ORACLE, lambda rows: rows[row].update(values))
    with pytest.raises(InputError) as error:
        load("reference_layout_oracle")
    message = str(error.value)
    assert "\n" not in message and "predictions.parquet" in message
    for fragment in fragments:
        assert fragment in message, message


def test_answers_to_other_items_are_refused(compendium):
    manifest = compendium / ORACLE.replace("predictions.parquet", "manifest.json")
    content = json.loads(manifest.read_text())
    content["items"]["frame_evidence"] = "0" * 64
    manifest.write_text(json.dumps(content))
    with pytest.raises(InputError, match="found answers to 000000000000; answer the present items"):
        load("reference_layout_oracle")


def test_sets_go_to_the_notebooks_of_their_paper():
    both = {"predictions": ["reference_egocentric", "reference_camera_only"]}
    chosen = {one.name: one.parameters.get("predictions") for one in pipeline.choose([], both)}
    assert chosen["cvt/viewpoints"] == ["reference_egocentric"]
    assert {value[0] for name, value in chosen.items() if name.startswith("frame_evidence/")} <= {
        "reference_camera_only"
    }
    only = pipeline.choose([], {"predictions": ["reference_camera_only"]})
    assert {one.name: one.parameters for one in only}["cvt/viewpoints"] == {}
    with pytest.raises(
        InputError, match="cvt/viewpoints: expected at least one prediction set that answers the CVT-Bench items in data/cvt/synthetic"
    ):
        pipeline.choose(["cvt/viewpoints"], {"predictions": ["reference_camera_only"]})


# ------------------------------------------------------------------------------------------------------------- tables


@pytest.fixture(scope="module")
def pair(triplets, tmp_path_factory):
    """Two runs by hand. The first is right but for the deletion of every third FQ2 test group, which repeats the MSS answer;
    the second is right but for the scene frame of every second FQ1 test group and the MSS of the first FQ2 group."""
    fq1, fq2 = triplets.rows("FQ1"), triplets.rows("FQ2")
    first, second = triplets.gold.copy(), triplets.gold.copy()
    first[fq2[::3, 1]] = triplets.gold[fq2[::3, 0]]
    second[fq1[::2, 2]] = triplets.gold[fq1[::2, 0]]
    second[fq2[0, 0]] = triplets.insufficient[fq2[0, 0]]
    folder = tmp_path_factory.mktemp("runs")
    return frozen(
        folder,
        *(triplet_table(triplets, answers, **head(run=name)) for name, answers in (("one", first), ("two", second))),
    ).runs


def test_scores_of_the_two_runs(pair, triplets):
    """First: 16 of 288 answers wrong, 16 of 48 groups without NTS. Second: 24 + 1 wrong; GEM in 24 of 48 groups."""
    one, two = tables.scores_table(pair, triplets).to_dict("records")
    assert one["Acc."] == pytest.approx(100 * 272 / 288)
    assert (one["FQ1-GEM"], one["NTS"], one["DIS"]) == pytest.approx((100, 100 * 32 / 48, 100))
    assert two["Acc."] == pytest.approx(100 * 263 / 288)
    assert (two["FQ1-GEM"], two["NTS"], two["DIS"]) == pytest.approx((50, 100 * 47 / 48, 100 * 47 / 48))
    one, two = tables.condition_table(pair, triplets).to_dict("records")
    assert (one["Deletion"], two["Scene"], two["MSS"]) == pytest.approx((100 * 32 / 48, 50, 100 * 47 / 48))


def test_profiles_of_the_two_runs(pair, triplets):
    """First: m = 48, of which 32 go to insufficiency and 16 repeat the MSS answer. Second: m = 47; the group whose MSS is called
    insufficient gives one insufficiency answer on MSS, 48 on deletion: recall 100, precision 48 of 49."""
    one, two = tables.failure_table(pair, triplets).to_dict("records")
    assert (one["m"], two["m"]) == (48, 47)
    assert (one["To insufficient"], one["Original"], one["Other"]) == pytest.approx((100 * 32 / 48, 100 * 16 / 48, 0))
    assert (two["To insufficient"], two["Robust"], two["Drift"]) == pytest.approx((100, 100 * 47 / 48, 0))
    _, two = tables.insufficiency_table(pair, triplets).to_dict("records")
    assert (two["MSS"], two["Deletion"], two["Addition"]) == (1, 48, 0)
    assert (two["Recall"], two["Precision"]) == pytest.approx((100, 100 * 48 / 49))


def test_frame_pairs_of_the_two_runs(pair, triplets):
    """Second: in 24 groups the scene answer repeats the camera's, so of 144 pairs 24 are the same; both right are the 72 pairs of
    the other groups and the 24 camera-object pairs of these."""
    _, two = tables.frame_pair_table(pair, triplets).to_dict("records")
    assert (two["Same"], two["Change"], two["Both right"], two["Whole groups"]) == (24, 120, 96, 24)


def test_reference_of_the_first_run(pair, triplets):
    """NTS: 48 and 32 correct of 48: reference 1 x 2/3, which is also the only count that they allow."""
    row = tables.reference_table(pair[:1], triplets).query("Score == 'NTS'").iloc[0]
    assert (row["Observed"], row["Reference"], row["Lowest"], row["Highest"]) == pytest.approx((200 / 3,) * 4)
    assert row["Gap"] == 0


def test_the_change_from_the_first_to_the_second_run(pair, triplets):
    """NTS: the 16 groups that the first misses are gained, but for the first group, which both miss; 32 + 0 kept. So 15 gains, no
    loss. DIS loses the first group, GEM 24 groups; of 288 answers 16 are gained and 25 lost."""
    table = tables.contrast_table(*pair, triplets, seed=1, draws=500).set_index("Score")
    assert table["Gains"].to_dict() == {"Acc.": 16, "FQ1-GEM": 0, "NTS": 15, "DIS": 0}
    assert table["Losses"].to_dict() == {"Acc.": 25, "FQ1-GEM": 24, "NTS": 0, "DIS": 1}
    assert table["Change"].to_dict() == pytest.approx(
        {"Acc.": -900 / 288, "FQ1-GEM": -50, "NTS": 1500 / 48, "DIS": -100 / 48}
    )
    assert (table["Low"] <= table["Change"]).all() and (table["Change"] <= table["High"]).all()
    assert table.loc["NTS", "p"] == pytest.approx(2 * 0.5**15)
    assert table.loc["DIS", "p"] == 1
    assert (table["p, Holm"] >= table["p"]).all()
    parts = tables.common_groups_table(*pair, triplets).set_index("Score")
    assert parts.loc["NTS"].tolist() == [47, 32, 47, 15, 0, 0, 15]
    assert parts.loc["DIS"].tolist() == [47, 47, 47, 0, 0, 1, -1]


def test_strata_sum_to_the_whole(pair, triplets):
    for column, values in (
        ("base_size", (2, 3, 4)),
        ("ontology", ("axial", "quadrant")),
        ("source", ("captured", "rendered")),
    ):
        found = (
            tables.strata_table(pair, triplets, column, values).groupby(["Set", "Score"])[["Successes", "Groups"]].sum()
        )
        assert (found["Groups"] == 48).all()
        assert found.loc[(pair[0].title, "NTS"), "Successes"] == 32
    wide = tables.ordinal_table(pair, triplets)
    assert wide.iloc[0].tolist() == ["Groups", 36, 6, 2, 4]
    assert wide.iloc[1, 1:].sum() == 32


def test_executions_are_paired_by_configuration(triplets, tmp_path):
    """Always the original A: wrong or right together in all executions. Always the letter A as shown: rotation r means option r."""
    always, shown = np.zeros(960, dtype=np.int8), [np.full(960, turn, dtype=np.int8) for turn in range(4)]
    parts = [
        triplet_table(
            triplets, answers, **head(run=f"{model} {turn}", model=model, experiment="circular", rotation=turn)
        )
        for turn in range(4)
        for model, answers in (("same meaning", always), ("same letter", shown[turn]))
    ]
    parts.append(
        triplet_table(triplets, always, **head(run="again", model="same meaning", experiment="repeat", repeat=1))
    )
    runs = frozen(tmp_path, *parts).runs
    test = (triplets.questions["split"] == "test").to_numpy()
    share = 100 * (triplets.gold[test] == 0).mean()
    meaning, letter = tables.circular_table(runs, triplets).to_dict("records")
    assert meaning["Set"] == "Mine, same meaning" and letter["Set"] == "Mine, same letter"
    assert (meaning["Vanilla"], meaning["Circular"], meaning["Consistency"], meaning["Drop"]) == pytest.approx(
        (share, share, 100, 0)
    )
    assert (letter["Vanilla"], letter["Mean rotation"]) == pytest.approx((share, 25))
    assert (letter["Circular"], letter["Consistency"]) == (0, 0)
    pairs = tables.pair_table(runs, triplets)
    assert pairs["Rotation 0 with"].tolist() == [
        "rotation 1",
        "rotation 2",
        "rotation 3",
        "its repeat",
        "rotation 1",
        "rotation 2",
        "rotation 3",
    ]
    assert pairs["Consistent"].tolist() == [100] * 4 + [0] * 3
    with pytest.raises(InputError, match="four rotations, found none"):
        tables.circular_table([run for run in runs if run.rotation < 3], triplets)


def test_single_answers_of_a_witness_are_not_shown(pair, triplets):
    shown = tables.group_answers(pair, triplets, triplets.groups.index[0])
    assert shown["Condition"].tolist() == ["Camera frame", "Object frame", "Scene frame"]
    witness = predictions.TripletRun(**{**vars(pair[0]), "kind": "reconstructed"})
    with pytest.raises(InputError, match="of kind reconstructed"):
        tables.group_answers([witness], triplets, triplets.groups.index[0])


def test_readings_of_deletion_questions_account_for_all_groups(triplets):
    table = tables.as_presented_table(triplets)
    assert table.set_index("Image number").sum(axis=1).to_dict() == {
        "removed": 36,
        "shifted": 6,
        "stable": 2,
        "none": 4,
    }
    groups = tables.deletion_groups(triplets)
    assert len(groups) == 48
    assert pd.Series(groups["As presented now"]).isin(["out of range"]).sum() == 4
