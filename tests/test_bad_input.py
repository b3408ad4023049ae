"""Whatever is wrong with a file: one line that says what was expected, what was found, where, and what to do."""

import json
import re

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vantage import files, predictions, published, schemas
from vantage.errors import InputError
from vantage.items import load_cvt

ORACLE = "frozen_predictions/reference_oracle/predictions.parquet"


def refused(action, *fragments):
    """`action` raises an `InputError` of one line that has all the fragments."""
    with pytest.raises(InputError) as error:
        action()
    message = str(error.value)
    assert "\n" not in message
    for fragment in fragments:
        assert fragment in message, message


def rewrite(path, change, reseal=True):
    """Change a Parquet file's rows, and make the checksums beside it fit again, so that the next check is what speaks."""
    schema = pa.schema([field.with_nullable(True) for field in pq.read_schema(path)], pq.read_schema(path).metadata)
    rows = pq.read_table(path).to_pylist()
    rows = change(rows) or rows
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    if reseal:
        seal(path)


def seal(path):
    manifest_path = path.with_name("manifest.json")
    manifest = json.loads(manifest_path.read_text())
    if "sha256" in manifest:
        manifest["sha256"] = files.sha256(path)
    else:
        manifest["files"][path.name] = files.sha256(path)
    manifest_path.write_text(json.dumps(manifest))


def setting(row, **values):
    return lambda rows: rows[row].update(values)


# ------------------------------------------------------------------------------------------------------ predictions


@pytest.mark.parametrize(
    ("change", "fragments"),
    [
        (setting(6, answer=["leftish"]), ["row 7", "'leftish'", "correct the answer"]),
        (setting(6, answer=["north", "south", "left", "near"]), ["row 7", "correct the answer"]),
        (setting(6, answer=[]), ["row 7", "empty list", "null"]),
        (setting(6, item="synthetic-999-q01"), ["row 7", "'synthetic-999-q01'", "correct the item"]),
        (lambda rows: [*rows[:9], rows[3], *rows[9:]], ["row 10", "synthetic-001-q04", "again", "remove one"]),
        (lambda rows: rows[1:], ["5703 answered", "5702 answered", "1 missing"]),
        (setting(6, answer=None), ["5702 answered, 1 invalid", "restore the file"]),
        (setting(6, set="other"), ["row 7", "'other'", "freeze the set again"]),
        (setting(6, kind="reconstructed"), ["row 7", "'reconstructed'"]),
        (setting(6, kind="invented"), ["row 7", "'kind'", "measured, reference, reconstructed"]),
        (setting(6, regime="competing"), ["row 7", "a second", "run of its own"]),
        (setting(6, regime="crowded"), ["row 7", "'regime'", "'crowded'"]),
        (setting(6, model=None), ["row 7", "'model'", "fill it in"]),
    ],
    ids=lambda value: None if callable(value) else value[1],
)
def test_a_changed_prediction_is_refused(compendium, change, fragments):
    rewrite(compendium / ORACLE, change)
    refused(lambda: predictions.load("reference_oracle"), "predictions.parquet", *fragments)


def test_a_stale_checksum_is_refused(compendium):
    rewrite(compendium / ORACLE, setting(0, reply="edited"), reseal=False)
    refused(lambda: predictions.load("reference_oracle"), ORACLE, "checksum", "restore it")


def test_a_truncated_file_is_refused(compendium):
    path = compendium / ORACLE
    path.write_bytes(path.read_bytes()[:4000])
    refused(lambda: predictions.load("reference_oracle"), ORACLE, "checksum")
    seal(path)
    refused(lambda: predictions.load("reference_oracle"), ORACLE, "whole Parquet file", "restore")
    refused(lambda: predictions.load(path), ORACLE, "whole Parquet file")


def test_wrong_types_and_columns_are_refused(compendium):
    path = compendium / ORACLE
    table = pq.read_table(path)
    for changed, fragments in (
        (table.drop_columns("answer"), ["'answer'", "add it"]),
        (table.append_column("score", pa.array([1.0] * len(table))), ["'score'", "remove it"]),
        (
            table.set_column(table.column_names.index("answer"), "answer", pa.array(["left"] * len(table))),
            ["'answer'", "string", "convert"],
        ),
        (
            table.set_column(table.column_names.index("item"), "item", pa.array(range(len(table)))),
            ["'item'", "int64", "convert"],
        ),
        (
            table.set_column(table.column_names.index("block"), "block", pa.array(["a"] * len(table))),
            ["'block'", "string", "convert"],
        ),
    ):
        pq.write_table(changed, path)
        seal(path)
        refused(lambda: predictions.load("reference_oracle"), "predictions.parquet", *fragments)


def test_answers_to_other_items_are_refused(compendium):
    manifest_path = compendium / "frozen_predictions/reference_oracle/manifest.json"
    manifest = json.loads(manifest_path.read_text())
    manifest["items"]["cvt/synthetic"] = "0" * 64
    manifest_path.write_text(json.dumps(manifest))
    refused(lambda: predictions.load("reference_oracle"), "version", "000000000000", "answer the present items")


def test_a_set_that_does_not_exist_is_refused(compendium):
    refused(
        lambda: predictions.load("reference_orakel"), "reference_oracle", "'reference_orakel'", "check the spelling"
    )
    refused(lambda: predictions.load("some/path.parquet"), "'some/path.parquet'")
    refused(lambda: predictions.load_runs([], load_cvt()), "at least one prediction set")


def test_a_plain_table_is_not_a_set(compendium, tmp_path):
    plain = tmp_path / "plain.parquet"
    pq.write_table(pa.table({"item": ["synthetic-001-q01"], "answer": [["left"]]}), plain)
    refused(lambda: predictions.load(plain), "plain.parquet", "plain table", "freeze")


@pytest.mark.parametrize(
    ("key", "value", "fragments"),
    [
        ("kind", "guessed", ["kind", "'guessed'"]),
        ("targets", ["cvt.table-1"], ["manifest.json"]),
        ("sha256", "abc", ["sha256"]),
        ("runs", [], ["runs"]),
        ("color", "red", ["'color'"]),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(compendium, key, value, fragments):
    path = compendium / "frozen_predictions/reference_oracle/manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {key: value}))
    refused(lambda: predictions.load("reference_oracle"), "manifest.json", "correct the manifest", *fragments)


def test_a_manifest_that_is_no_json_is_refused(compendium):
    path = compendium / "frozen_predictions/reference_oracle/manifest.json"
    path.write_text(path.read_text()[:-20])
    refused(lambda: predictions.load("reference_oracle"), "manifest.json, line", "JSON")
    path.unlink()
    refused(lambda: predictions.load("reference_oracle"), "manifest.json", "found none")


def test_a_refused_set_is_not_half_written(compendium):
    table = pq.read_table(compendium / ORACLE)
    broken = table.set_column(table.column_names.index("item"), "item", pa.array(["nonsense"] * len(table)))
    target = compendium / "frozen_predictions" / "mine"
    refused(lambda: predictions.freeze(broken, target, title="Mine", about="-", made_by="-"), "again")
    assert not target.exists()


def test_an_imperfect_set_keeps_both_counts(compendium):
    """Invalid and missing answers are allowed where the manifest says so, and they are two different things."""
    items = load_cvt("synthetic")
    status = (
        [predictions.INVALID] * 5 + [predictions.MISSING] * 7 + [predictions.ANSWERED] * (len(items.questions) - 12)
    )
    table = predictions.cvt_table(
        items, items.gold, pd.Series(status).to_numpy(),
        set="mine", kind="measured", run="one", model="Mine", regime="isolated", representation="image",
    )  # fmt: skip
    folder = compendium / "frozen_predictions" / "mine"
    found = predictions.freeze(table, folder, title="Mine", about="-", made_by="-")
    assert found.manifest["runs"] == [{"run": "one", "answered": 5691, "invalid": 5, "missing": 7}]
    assert found.runs[0].status.tolist() == status
    assert predictions.load(folder / "predictions.parquet").runs[0].status.tolist() == status


# ------------------------------------------------------------------------------------------------------------ items


@pytest.mark.parametrize(
    ("file", "change", "fragments"),
    [
        ("questions", setting(2, gold=["up"]), ["row 3", "'up'"]),
        ("questions", setting(2, viewpoint="30"), ["row 3", "'viewpoint'", "'30'"]),
        ("questions", setting(2, target=99), ["row 3", "tagged objects", "99"]),
        ("questions", setting(2, scene="synthetic-500"), ["row 3", "'synthetic-500'"]),
        ("questions", lambda rows: [*rows, rows[0]], ["row 5704", "again"]),
        ("ambiguity", setting(1, item="nothing"), ["row 2", "nothing"]),
        ("ambiguity", setting(1, alternative=["over"]), ["row 2", "'over'"]),
        ("scenes", setting(0, density="crowded"), ["row 1", "'crowded'"]),
    ],
)
def test_a_changed_item_is_refused(compendium, file, change, fragments):
    rewrite(compendium / f"data/cvt/synthetic/{file}.parquet", change)
    refused(lambda: load_cvt("synthetic"), f"{file}.parquet", *fragments)


def test_items_that_changed_since_they_were_frozen_are_refused(compendium):
    rewrite(compendium / "data/cvt/synthetic/questions.parquet", setting(0, text="?"), reseal=False)
    refused(lambda: load_cvt("synthetic"), "questions.parquet", "checksum", "make data")


def test_items_of_another_version_than_their_manifest_are_refused(compendium):
    rewrite(compendium / "data/cvt/synthetic/questions.parquet", setting(0, text="?"))
    refused(lambda: load_cvt("synthetic"), "manifest.json", "version")


def test_an_unknown_domain_is_refused():
    refused(lambda: load_cvt("underwater"), "synthetic", "'underwater'")


# -------------------------------------------------------------------------------------------------- published numbers


@pytest.mark.parametrize(
    ("old", "new", "fragments"),
    [
        (",94.2,1,percent,", ",ninety,1,percent,", ["cvt.csv"]),
        (",94.2,1,percent,", ",94.2,1,per cent,", ["'unit'", "'per cent'"]),
        ("id,paper,", "id,journal,", ["'paper'", "add it"]),
        (
            "cvt.table-1.gemini-3.1-pro.synthetic.image.f1.competing,",
            "cvt.table-1.gemini-3.1-pro.synthetic.image.f1.isolated,",
            ["again"],
        ),
    ],
)
def test_a_changed_published_number_is_refused(compendium, old, new, fragments):
    path = compendium / "data/published/cvt.csv"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    refused(lambda: published.load_published("cvt"), "cvt.csv", *fragments)


def test_every_schema_is_declared_in_full():
    """A key is made of columns there are, and every column says what it is."""
    for schema in (value for value in vars(schemas).values() if isinstance(value, schemas.Schema)):
        names = [column.name for column in schema.columns]
        assert len(set(names)) == len(names)
        assert set(schema.key) <= set(names)
        assert all(re.search(r"\w", column.about) for column in schema.columns)
        assert schema.check(schema.arrow.empty_table(), schema.name).num_rows == 0
