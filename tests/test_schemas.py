"""The file formats of both papers and all regimes: what fits comes back as it was, what does not is refused by name."""

import pyarrow as pa
import pytest

from vantage import schemas
from vantage.errors import InputError

OPTIONS = [
    {"letter": letter, "meaning": meaning, "zh": zh, "en": en}
    for letter, meaning, zh, en in (
        ("A", "front", "前方", "in front"),
        ("B", "left", "左侧", "to the left"),
        ("C", "behind", "后方", "behind"),
        ("D", "insufficient", "信息不足", "not enough information"),
    )
]

EXAMPLES = {
    "CVT_PROMPTS": dict(
        prompt="synthetic-attribute_filler-image-0-9", domain="synthetic", regime="attribute_filler", representation="image",
        block=0, size=20, position=9, scene="synthetic-010", image="synthetic-010", role="spatial", target_position=9,
        text="Questions for Image 'synthetic-010':",
    ),
    "CVT_ATTRIBUTE_QUESTIONS": dict(
        item="synthetic-001-a03", scene="synthetic-001", number=3, attribute="color",
        asks=[dict(attribute="color", tag=0, value=None), dict(attribute="count", tag=None, value="cube")],
        gold=["red", "2"], cardinality=2, text="Which color has the object with Tag 0, and how many cubes are there?",
    ),
    "CVT_PREDICTIONS": dict(
        set="mine", kind="measured", run="one", model="M", domain="indoor", regime="competing", representation="text_bbox",
        block=4, target_position=None, item="indoor-001-q01", answer=["left", "above"], reply='{"q_1": ["left", "above"]}',
    ),
    "CVT_ATTRIBUTE_PREDICTIONS": dict(
        set="mine", kind="measured", run="one", model="M", domain="synthetic", regime="attribute_filler",
        representation="image", block=4, target_position=9, item="synthetic-001-a03", answer=["2", "red"], reply=None,
    ),
    "FRAME_EVIDENCE_ITEMS": dict(
        item="FQ2-test-001-deletion", group="FQ2-test-001", family="FQ2", condition="deletion", split="test", gold="D",
        options=OPTIONS, question_zh="球在箱子的哪个方向？", question_en="In which direction from the box is the ball?",
        views=["v1", "v3"], target="ball", relatum="box", third="lamp", tag="camera", overlap="none",
        frame={"kind": "camera", "anchor": "v2", "backward": False, "ordinal": 2},
        ontology="axial", setting="tabletop", source="rendered", base_size=3, ordinal_change="removed",
        image_cluster="i1", scene_cluster="s1", union_cluster="u1", arm=None,
    ),
    "FRAME_EVIDENCE_PREDICTIONS": dict(
        set="mine", kind="measured", run="one", model="M", setting="3-shot", experiment="circular", input_mode="all_images",
        rotation=3, seed=None, repeat=0, block=None, arm=None, item="FQ2-test-001-deletion", answer=None, reply="I am not sure.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_row_comes_back_as_it_was(name, tmp_path):
    schema, row = getattr(schemas, name), EXAMPLES[name]
    path = tmp_path / "rows.parquet"
    schemas.write_table(schemas.table_of([row], schema), schema, path, {"note": "kept"})
    read = schemas.read_table(path, schema)
    assert read.to_pylist() == [row]
    assert read.schema.metadata[b"note"] == b"kept"
    assert [file.name for file in tmp_path.iterdir()] == ["rows.parquet"]


@pytest.mark.parametrize(
    ("name", "change", "fragments"),
    [
        ("CVT_PROMPTS", {"regime": "crowded"}, ["row 2", "'regime'", "competing", "'crowded'"]),
        ("CVT_PROMPTS", {"role": "filler"}, ["row 2", "'role'", "irrelevant"]),
        ("CVT_PROMPTS", {}, ["row 2", "prompt synthetic-attribute_filler-image-0-9, position 9 again"]),
        ("CVT_ATTRIBUTE_QUESTIONS", {"item": "x", "attribute": "weight"}, ["row 2", "'attribute'", "'weight'"]),
        ("CVT_PREDICTIONS", {"item": "x", "domain": "outdoor"}, ["row 2", "'domain'", "'outdoor'"]),
        ("FRAME_EVIDENCE_ITEMS", {"item": "x", "gold": "E"}, ["row 2", "'gold'", "A, B, C, D", "'E'"]),
        ("FRAME_EVIDENCE_ITEMS", {"item": "x", "condition": "swap"}, ["row 2", "'condition'", "'swap'"]),
        ("FRAME_EVIDENCE_ITEMS", {}, ["row 2", "FQ2-test-001-deletion again"]),
        ("FRAME_EVIDENCE_PREDICTIONS", {"item": "x", "answer": "AB"}, ["row 2", "'answer'", "'AB'"]),
        (
            "FRAME_EVIDENCE_PREDICTIONS",
            {"item": "x", "input_mode": "no_images"},
            ["row 2", "'input_mode'", "text_only"],
        ),
    ],
)
def test_a_row_that_does_not_fit_is_refused_by_name(name, change, fragments, tmp_path):
    schema = getattr(schemas, name)
    table = schemas.table_of([EXAMPLES[name], EXAMPLES[name] | change], schema)
    path = tmp_path / "rows.parquet"
    with pytest.raises(InputError) as error:
        schemas.write_table(table, schema, path)
    for fragment in ("rows.parquet", *fragments):
        assert fragment in str(error.value)
    assert not path.exists(), "nothing is written"


def test_a_number_that_does_not_fit_its_type_is_refused():
    table = schemas.table_of([EXAMPLES["CVT_PROMPTS"]], schemas.CVT_PROMPTS)
    for value, found in ((100_000, "int64"), (1.5, "double"), (True, "bool")):
        changed = table.set_column(table.column_names.index("position"), "position", pa.array([value]))
        with pytest.raises(InputError, match=f"'position'.*{found}"):
            schemas.CVT_PROMPTS.check(changed, "prompts")


def test_a_targets_list_belongs_to_reconstructed_sets_alone():
    manifest = dict(
        set="s", paper="cvt", kind="reconstructed", title="t", about="a", items={"cvt/synthetic": "0" * 64}, sha256="0" * 64,
        runs=[dict(run="r", answered=1, invalid=0, missing=0)], made_by="m", license="l", seed=1, targets=["cvt.table-1.x"],
    )  # fmt: skip
    assert schemas.check_manifest(manifest, schemas.PREDICTIONS_MANIFEST, "m") == manifest
    for broken in (
        {key: value for key, value in manifest.items() if key != "targets"},
        manifest | {"kind": "reference"},
        manifest | {"runs": [dict(run="r", answered=-1, invalid=0, missing=0)]},
    ):
        with pytest.raises(InputError, match="correct the manifest"):
            schemas.check_manifest(broken, schemas.PREDICTIONS_MANIFEST, "m")
