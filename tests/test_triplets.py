"""FrameEvidence-Open: its composition against every printed figure, its loader against bad files, its wording."""

import json

import numpy as np
import pyarrow as pa
import pytest

from vantage import files, schemas
from vantage.errors import InputError
from vantage.layouts import INSUFFICIENT
from vantage.published import agrees, load_published
from vantage.tables import frame_evidence
from vantage.triplets import MEANINGS, Triplets, load_triplets
from vantage_workshop.stimuli.frame_evidence.strata import read_strata


@pytest.fixture(scope="module")
def triplets():
    return load_triplets()


@pytest.fixture(scope="module")
def composition(triplets):
    """Every recomputed composition figure by place (none for running text), row and column."""
    text = frame_evidence.composition_text(triplets).assign(place=None)
    tables = [
        frame_evidence.table_2(triplets).assign(place="Table 2"),
        frame_evidence.strata_groups(triplets),
        frame_evidence.captions(triplets),
    ]
    return {(row.place, row.row, row.column): row.value for frame in (text, *tables) for row in frame.itertuples()}


# What the paper says of its own pages and of a check by people or machines has no counterpart in our items.
NO_COUNTERPART = {
    "Triplets in Figure 7",
    "Original items with out-of-range references",
    "Additional items with out-of-range references",
}


def test_every_printed_composition_figure_is_met(composition):
    published = load_published("frame_evidence").query("kind == 'composition' and row not in @NO_COUNTERPART")
    assert len(published) > 250
    for number in published.itertuples():
        place = number.place if number.place.startswith("Table") else None
        value = composition[place, number.row, number.column]
        assert agrees(value, number.value, number.decimals), (number.id, value)


def test_arrays_say_what_the_table_says(triplets):
    for row in (0, 400, 959):
        item = triplets.questions.iloc[row]
        assert schemas.LETTERS[triplets.gold[row]] == item["gold"]
        assert [MEANINGS[code] for code in triplets.meanings[row]] == [option["meaning"] for option in item["options"]]
    fq2 = (triplets.questions["family"] == "FQ2").to_numpy()
    assert ((triplets.insufficient >= 0) == fq2).all()
    deletions = triplets.rows("FQ2", None)[:, 1]
    assert (triplets.insufficient[deletions] == triplets.gold[deletions]).all()
    assert triplets.rows("FQ1", None).shape == (160, 3)
    assert triplets.letters(MEANINGS.index(INSUFFICIENT)).tolist() == triplets.insufficient.tolist()


def test_fq2_asks_the_same_three_times_and_fq1_differs_only_in_the_frame(triplets):
    for rows in np.vstack([triplets.rows("FQ2", None), triplets.rows("FQ1", None)]):
        items = triplets.questions.iloc[rows]
        texts = items["question_zh"].nunique()
        assert texts == (1 if items["family"].iloc[0] == "FQ2" else 3)
        assert len({json.dumps(options, sort_keys=True) for options in items["options"]}) == 1


def test_a_question_names_its_objects_and_its_image_number(triplets):
    numbers = {1: ("第一张图", "first"), 2: ("第二张图", "second"), 3: ("第三张图", "third"), 4: ("第四张图", "fourth")}
    for item in triplets.questions.to_dict("records"):
        names = {thing["object"]: thing for thing in triplets.scenes[item["scene_cluster"]]["objects"]}
        for role in ("target", "relatum"):
            assert names[item[role]]["zh"] in item["question_zh"], item["item"]
            assert names[item[role]]["en"] in item["question_en"], item["item"]
        number = item["frame"]["ordinal"]
        for value, (zh, en) in numbers.items():
            assert (zh in item["question_zh"]) == (value == number), item["item"]
            assert (f"{en} image" in item["question_en"]) == (value == number), item["item"]
        assert item["question_zh"].count("反方向") == item["frame"]["backward"]
        if item["condition"] != "deletion" and number:
            assert item["views"][number - 1] == item["frame"]["anchor"]


def test_a_question_without_an_image_number_names_a_view_by_what_only_it_shows(triplets):
    for rows in triplets.rows("FQ2", None):
        item, added = triplets.questions.iloc[rows[0]], triplets.questions.iloc[rows[2]]
        if item["frame"]["kind"] == "camera" and item["frame"]["ordinal"] is None:
            things = {thing["zh"]: thing["object"] for thing in triplets.scenes[item["scene_cluster"]]["objects"]}
            (named,) = [name for name in things if f"拍到{name}的那张图" in item["question_zh"]]
            shown_in = [view for view in added["views"] if things[named] in triplets.observation(view)]
            assert shown_in == [item["frame"]["anchor"]]


# -------------------------------------------------------------------------------------------------------- bad files


@pytest.fixture
def rewrite(compendium):
    """Rewrites a table of a copy of the items, and renews its checksum so that the next check is what speaks."""
    folder = compendium / "data" / "frame_evidence"

    def change_rows(name, schema, change, renew=True):
        path = folder / f"{name}.parquet"
        rows = schemas.read_table(path, schema).to_pylist()
        change(rows)
        schemas.write_table(pa.Table.from_pylist(rows, schema.arrow), schema, path)
        if renew:
            manifest = json.loads((folder / "manifest.json").read_text())
            manifest["files"][path.name] = files.sha256(path)
            (folder / "manifest.json").write_text(json.dumps(manifest))

    return change_rows


def swap_views(rows):
    rows[0]["views"] = [rows[0]["views"][0]] * 2


def strange_object(rows):
    rows[4]["target"] = "nothing"


def wrong_order(rows):
    rows[0]["condition"], rows[1]["condition"] = rows[1]["condition"], rows[0]["condition"]


def wrong_anchor(rows):
    rows[2]["frame"]["anchor"] = "s01-v99"


def same_meaning(rows):
    rows[3]["options"][0]["meaning"] = rows[3]["options"][1]["meaning"]


def other_words(rows):
    rows[0]["question_en"] += " Please."


@pytest.mark.parametrize(
    ("change", "fragments"),
    [
        (swap_views, ["items.parquet, row 1", "one to five different views"]),
        (strange_object, ["items.parquet, row 5", "two different objects of scene-"]),
        (wrong_order, ["items.parquet, row 1", "condition camera of group"]),
        (wrong_anchor, ["items.parquet, row 3", "an anchor of the frame's kind"]),
        (same_meaning, ["items.parquet, row 4", "options A, B, C, D with different meanings"]),
        (other_words, ["manifest.json", "version of these items", "make data"]),
    ],
)
def test_items_that_do_not_fit_are_refused_in_one_line(rewrite, change, fragments):
    rewrite("items", schemas.FRAME_EVIDENCE_ITEMS, change)
    with pytest.raises(InputError) as error:
        load_triplets()
    for fragment in fragments:
        assert fragment in str(error.value)
    assert "\n" not in str(error.value)


def test_an_altered_file_is_refused_for_its_checksum(rewrite):
    rewrite("views", schemas.FRAME_EVIDENCE_VIEWS, lambda rows: rows.reverse(), renew=False)
    with pytest.raises(InputError, match=r"views\.parquet: expected the checksum in manifest\.json"):
        load_triplets()


@pytest.mark.parametrize(("family", "split"), [("FQ3", "test"), ("FQ1", "exam")])
def test_an_unknown_family_or_split_is_refused(triplets, family, split):
    with pytest.raises(InputError, match="expected a family among FQ1, FQ2 and a split among train, dev, test"):
        triplets.rows(family, split)


def test_an_unknown_group_is_refused(triplets):
    assert isinstance(triplets, Triplets)
    with pytest.raises(InputError, match="such as fq1-001, found 'fq9-001'"):
        triplets.of_group("fq9-001")


@pytest.mark.parametrize(
    ("old", "new", "fragments"),
    [
        ("base_size,golds", "size,golds", ["row 1", "base_size", "size"]),
        ("fq1-001,FQ1,train", "fq1-001,FQ1,exam", ["row 2", "split", "'exam'"]),
        ("fq2-001,FQ2,train", "fq2-1,FQ2,train", ["row 162", "group", "'fq2-1'"]),
    ],
)
def test_strata_that_do_not_fit_are_refused_in_one_line(compendium, old, new, fragments):
    path = compendium / "data" / "frame_evidence" / "strata.csv"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(InputError) as error:
        read_strata(path)
    for fragment in ("strata.csv", *fragments, "restore the file"):
        assert fragment in str(error.value)
    assert "\n" not in str(error.value)
