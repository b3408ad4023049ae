"""Runs of filler regimes and answers to attribute questions: loaded, refused, pooled and tabulated (CVT-Bench, Supp. 5)."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from vantage import files, schemas, scoring
from vantage.errors import InputError
from vantage.items import load_attribute_questions, load_cvt
from vantage.predictions import (
    ANSWERED,
    INVALID,
    MISSING,
    NOT_ASKED,
    WHOLE,
    attribute_table,
    cvt_table,
    freeze,
    load,
    load_attribute_runs,
    load_runs,
    pool_targets,
)
from vantage.prompts import FILLERS, TARGET_POSITIONS, asked_in, batches
from vantage.relations import opposite
from vantage.tables.fillers import matching_table, retrieval_by_position, retrieval_table, target_table
from vantage.tables.interference import gap_table

HEAD = {"set": "mine", "kind": "measured", "model": "M", "representation": "image"}


@pytest.fixture(scope="module")
def items():
    return load_cvt()


@pytest.fixture(scope="module")
def questions():
    return load_attribute_questions()


@pytest.fixture(scope="module")
def place(items):
    """The slot in its batch of twenty of each spatial question's scene."""
    slots = {scene: slot for batch in batches(items, 20) for slot, scene in enumerate(batch)}
    return items.questions.scene.map(slots).to_numpy()


def filler_rows(items, regime, position, answers=None, **more):
    answers = items.gold if answers is None else answers
    run = f"synthetic-{regime}-image-{position}"
    return cvt_table(items, answers, run=run, regime=regime, target_position=position, **HEAD, **more)


def attribute_rows(questions, position, answers=None, **more):
    answers = questions.gold if answers is None else answers
    return attribute_table(
        questions, answers, position, run=f"synthetic-attribute_filler-image-{position}", **HEAD, **more
    )


def frozen(folder, *tables, attributes=()):
    return freeze(
        pa.concat_tables(tables), folder, title="Mine", about="-", made_by="-",
        attribute_answers=pa.concat_tables(attributes) if attributes else None,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------- spatial answers


def test_a_filler_run_asks_its_five_targets(items, place, tmp_path):
    """Not asked, missing and invalid are three things; only what is asked is counted."""
    status = np.where(place == 9, ANSWERED, NOT_ASKED).astype(np.uint8)
    asked = np.flatnonzero(place == 9)
    status[asked[:3]], status[asked[3]] = MISSING, INVALID
    found = frozen(tmp_path / "mine", filler_rows(items, "irrelevant_filler", 9, status=status))
    (run,) = found.runs
    assert run.target_position == 9 and run.status.tolist() == status.tolist()
    assert (run.answers == np.where(status == ANSWERED, items.gold, 0)).all()
    assert found.manifest["runs"][0] | {"run": ""} == {
        "run": "",
        "answered": len(asked) - 4,
        "invalid": 1,
        "missing": 3,
    }
    assert asked_in(items, items.questions.scene, "irrelevant_filler", 9).tolist() == (place == 9).tolist()


def every(**columns):
    """Each row with these columns changed."""
    return lambda rows: [row | columns for row in rows]


def first(**columns):
    """The first row with these columns changed."""
    return lambda rows: [rows[0] | columns, *rows[1:]]


def refused(action, *fragments):
    with pytest.raises(InputError) as error:
        action()
    assert all(fragment in str(error.value) for fragment in fragments), str(error.value)


@pytest.mark.parametrize(
    ("change", "fragments"),
    [
        (
            first(item="synthetic-002-q01"),
            ["row 1", "irrelevant_filler with the target at 9 asks", "'synthetic-002-q01'"],
        ),
        (first(target_position=19), ["row 2", "a second in run"]),
        (
            every(target_position=None),
            ["row 1", "target_position 0 or 9 or 19 in regime irrelevant_filler, found none"],
        ),
        (every(target_position=3), ["row 1", "target_position 0 or 9 or 19 in regime irrelevant_filler, found 3"]),
        (every(target_position=19), ["row 1", "with the target at 19 asks, found 'synthetic-010-q01'"]),
        (every(regime="competing"), ["row 1", "target_position none in regime competing, found 9"]),
    ],
)
def test_what_does_not_belong_to_the_regime_is_refused(items, tmp_path, change, fragments):
    rows = filler_rows(items, "irrelevant_filler", 9).to_pylist()
    table = schemas.table_of(change(rows), schemas.CVT_PREDICTIONS)
    refused(lambda: frozen(tmp_path / "mine", table), *fragments)
    assert not (tmp_path / "mine").exists()


def whole_rows(items, regime, answers=None):
    blocks = items.questions.scene.map(
        {scene: block for block, batch in enumerate(batches(items, 20)) for scene in batch}
    ).to_numpy()
    return cvt_table(
        items, items.gold if answers is None else answers, run=f"synthetic-{regime}-image", regime=regime,
        block=blocks if regime == "competing" else None, **HEAD,
    )  # fmt: skip


@pytest.fixture(scope="module")
def ladder(items, place, tmp_path_factory):
    """Right alone and after irrelevant text; competing, the targets at 19 are inverted, and with attributes also those at 9."""
    inverted = opposite(items.gold)
    attribute = [filler_rows(items, "attribute_filler", 0)]
    attribute += [filler_rows(items, "attribute_filler", position, inverted) for position in (9, 19)]
    return frozen(
        tmp_path_factory.mktemp("ladder") / "mine",
        whole_rows(items, "isolated"),
        whole_rows(items, "competing", np.where(place == 19, inverted, items.gold).astype(np.uint8)),
        *(filler_rows(items, "irrelevant_filler", position) for position in TARGET_POSITIONS),
        *attribute,
    )


def test_titles_and_choices_of_runs(items, ladder):
    assert [run.title for run in ladder.runs] == [
        "Mine", "Mine, competing",
        *(f"Mine, {regime.replace('_', ' ')}, target at {slot}" for regime in FILLERS for slot in TARGET_POSITIONS),
    ]  # fmt: skip
    path = ladder.path.parent
    assert [run.regime for run in load_runs([path], items, WHOLE)] == ["isolated", "competing"]
    assert len(load_runs([path], items, "attribute_filler")) == 3
    assert len(load_runs([path], items, regime=None)) == 8
    with pytest.raises(InputError, match="in regime attribute_filler, found none"):
        load_runs(["reference_half_turn"], items, "attribute_filler")


def test_pooled_runs_ask_fifteen_targets(items, place, ladder):
    pooled = pool_targets(ladder.runs)
    assert [run.title for run in pooled] == [
        "Mine",
        "Mine, competing",
        "Mine, irrelevant filler",
        "Mine, attribute filler",
    ]
    assert pooled[:2] == ladder.runs[:2]
    attribute = pooled[3]
    assert attribute.target_position is None and attribute.run == "synthetic-attribute_filler-image"
    assert ((attribute.status == ANSWERED) == np.isin(place, TARGET_POSITIONS)).all()
    assert (attribute.status[~np.isin(place, TARGET_POSITIONS)] == NOT_ASKED).all()
    assert (attribute.answers[place == 0] == items.gold[place == 0]).all()
    assert (attribute.answers[place == 9] == opposite(items.gold[place == 9])).all()
    (alone,) = pool_targets(ladder.runs[7:])
    assert (alone.answers == ladder.runs[7].answers).all() and (alone.status == ladder.runs[7].status).all()
    with pytest.raises(InputError, match="with a target position each, found .*-9, .*-9 with one in common"):
        pool_targets([*ladder.runs, ladder.runs[6]])


def test_gaps_pool_the_three_positions(items, place, ladder):
    """On the targets, competing loses the labels at 19; the attribute filler those at 9 besides, so its gap is below 0."""
    labels = np.bitwise_count(items.gold).astype(int)
    of = {slot: labels[place == slot].sum() for slot in TARGET_POSITIONS}
    total = sum(of.values())
    for control, gap in (("irrelevant_filler", of[19] / total), ("attribute_filler", -of[9] / total)):
        row = gap_table(ladder.runs, items, seed=1, control=control, draws=200, strict=True).iloc[0]
        assert (row.Clusters, row.Metric) == (15, "F1")
        assert row.Gap == pytest.approx(gap)
        assert row.Low <= gap <= row.High


def test_target_table(items, place, ladder):
    """Table S11's columns, by hand: the share of labels that stay; an inverted answer shares none. NSC on the same targets."""
    labels = np.bitwise_count(items.gold).astype(int)
    of = {slot: labels[place == slot].sum() for slot in TARGET_POSITIONS}
    table = target_table(ladder.runs, items, strict=True).set_index("Metric")
    assert table.Targets.tolist() == [15, 15]
    columns = ["Isolated", "Competing", "Irrelevant filler", "Attribute filler"]
    total = sum(of.values())
    assert table.loc["F1", columns].tolist() == pytest.approx([1, 1 - of[19] / total, 1, of[0] / total])
    # Always right leaves nothing to explain. A pair that is always wrong beside others that are always right survives as far
    # as accuracy allows: 1.
    assert table.loc["NSC", columns].astype(float).tolist() == pytest.approx([np.nan, 1, np.nan, 1], nan_ok=True)
    assert len(target_table(ladder.runs[:2], items)) == 0


def test_a_missing_answer_of_a_target_is_wrong_in_the_gap(items, place, ladder, tmp_path):
    """One target scene without a single answer is still a target: it is one of 15 clusters, and its labels are lost."""
    status = np.where(place == 0, ANSWERED, NOT_ASKED).astype(np.uint8)
    gone = (items.questions.scene == "synthetic-001").to_numpy()
    status[gone] = MISSING
    holed = frozen(
        tmp_path / "mine",
        whole_rows(items, "competing"),
        filler_rows(items, "irrelevant_filler", 0, status=status),
        *(filler_rows(items, "irrelevant_filler", position) for position in (9, 19)),
    )
    row = gap_table(holed.runs, items, seed=1, control="irrelevant_filler", draws=50, strict=True).iloc[0]
    targets = np.isin(place, TARGET_POSITIONS)
    answered = np.where(gone, 0, items.gold).astype(np.uint8)
    assert row.Clusters == 15
    assert row.Control == pytest.approx(scoring.micro_f1(answered[targets], items.gold[targets, None]))


# ------------------------------------------------------------------------------------------------ attribute answers


def test_attribute_answers_beside_the_spatial_ones(items, questions, tmp_path):
    """In a folder beside the predictions; a single file has the spatial answers alone; freezing without them removes the file."""
    slots = {scene: slot for batch in batches(items, 20) for slot, scene in enumerate(batch)}
    slot = questions.questions.scene.map(slots).to_numpy()
    status = np.where(slot == 9, NOT_ASKED, ANSWERED).astype(np.uint8)
    status[:3], status[3] = MISSING, INVALID
    answers = attribute_rows(questions, 9, status=status)
    spatial = filler_rows(items, "attribute_filler", 9)
    found = frozen(tmp_path / "mine", spatial, attributes=[answers])
    (run,) = found.attribute_runs
    assert (run.run, run.target_position, run.status.tolist()) == (found.runs[0].run, 9, status.tolist())
    assert all(
        given == (gold if state == ANSWERED else frozenset())
        for given, gold, state in zip(run.answers, questions.gold, status, strict=True)
    )
    asked = int((slot != 9).sum())
    assert found.manifest["attributes"]["runs"] == [{"run": run.run, "answered": asked - 4, "invalid": 1, "missing": 3}]
    assert found.manifest["items"]["cvt/synthetic/attribute_questions"] == questions.version
    assert [one.run for one in load_attribute_runs([tmp_path / "mine"], questions)] == [run.run]
    assert load(tmp_path / "mine/predictions.parquet").attribute_runs == []
    frozen(tmp_path / "mine", spatial)
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == ["manifest.json", "predictions.parquet"]
    refused(
        lambda: load_attribute_runs([tmp_path / "mine"], questions), "attribute questions of synthetic", "found none"
    )


@pytest.mark.parametrize(
    ("change", "fragments"),
    [
        (first(answer=["mauve"]), ["row 1", "expected answers among", "'mauve'"]),
        (
            first(answer=["small green metal sphere"] * 2),
            ["row 1", "each answer once", "sphere, small green metal sphere"],
        ),
        (first(answer=[]), ["row 1", "empty list", "null"]),
        (first(item="synthetic-010-a01"), ["row 1", "'synthetic-010-a01'"]),
        (first(item="synthetic-001-q01"), ["row 1", "cvt/synthetic/attribute_questions", "'synthetic-001-q01'"]),
        (every(regime="competing"), ["row 1", "regime attribute_filler, found competing"]),
        (every(model="N"), ["expected model 'M', as the run has it in predictions.parquet, found 'N'"]),
        (first(block=-1), ["row 1", "block counted from 0"]),
    ],
)
def test_attribute_answers_that_cannot_be_are_refused(items, questions, tmp_path, change, fragments):
    rows = change(attribute_rows(questions, 9).to_pylist())
    table = schemas.table_of(rows, schemas.CVT_ATTRIBUTE_PREDICTIONS)
    refused(
        lambda: frozen(tmp_path / "mine", filler_rows(items, "attribute_filler", 9), attributes=[table]), *fragments
    )
    assert not (tmp_path / "mine").exists()


def test_a_changed_file_of_attribute_answers_is_refused(items, questions, tmp_path):
    frozen(tmp_path / "mine", filler_rows(items, "attribute_filler", 9), attributes=[attribute_rows(questions, 9)])
    path = tmp_path / "mine/attribute_predictions.parquet"
    pq.write_table(pq.read_table(path).slice(1), path)
    refused(lambda: load(tmp_path / "mine"), "attribute_predictions.parquet", "checksum")
    manifest = json.loads(path.with_name("manifest.json").read_text())
    manifest["attributes"]["sha256"] = files.sha256(path)
    path.with_name("manifest.json").write_text(json.dumps(manifest))
    refused(lambda: load(tmp_path / "mine"), "attribute_predictions.parquet", "1 missing", "freeze the set again")
    manifest["items"]["cvt/synthetic/attribute_questions"] = "0" * 64
    path.with_name("manifest.json").write_text(json.dumps(manifest))
    refused(lambda: load(tmp_path / "mine"), "version", "attribute_questions")
    path.unlink()
    refused(lambda: load(tmp_path / "mine"), "attribute_predictions.parquet", "expected a file")


# ------------------------------------------------------------------------------------------------- retrieval tables


def test_retrieval_by_position(items, questions, tmp_path):
    """Wrong at slot 4 in the run with the target at 0, and missing at slot 5 in all: two thirds right, and none.

    A slot is asked about in three runs, one of targets in the two others. "All" is the mean of twenty positions, each alike.
    """
    slots = {scene: slot for batch in batches(items, 20) for slot, scene in enumerate(batch)}
    slot = questions.questions.scene.map(slots).to_numpy()
    wrong = [
        frozenset([next(word for word in offered if {word} != gold)]) if at == 4 else gold
        for offered, gold, at in zip(questions.offered, questions.gold, slot, strict=True)
    ]
    parts = []
    for position in TARGET_POSITIONS:
        status = np.select([slot == position, slot == 5], [NOT_ASKED, MISSING], ANSWERED).astype(np.uint8)
        parts.append(attribute_rows(questions, position, wrong if position == 0 else None, status=status))
    found = frozen(
        tmp_path / "mine",
        *(filler_rows(items, "attribute_filler", position) for position in TARGET_POSITIONS),
        attributes=parts,
    )
    table = retrieval_by_position(found.attribute_runs, questions, items).set_index("position")
    counts = pd.Series(slot).value_counts()
    times = pd.Series({at: 2 if at in TARGET_POSITIONS else 3 for at in range(20)})
    assert table.questions.tolist() == [int(counts[at] * times[at]) for at in range(20)]
    assert table.right[4] == 2 * counts[4] and table.right[5] == 0
    assert table.value.tolist() == pytest.approx([{4: 200 / 3, 5: 0}.get(at, 100) for at in range(20)])
    (row,) = retrieval_table(found.attribute_runs, questions, items).to_dict("records")
    assert row["Position 4"] == pytest.approx(200 / 3) and row["Position 5"] == 0
    assert row["All"] == pytest.approx((18 * 100 + 200 / 3) / 20)
    assert retrieval_table([], questions, items).empty and retrieval_by_position([], questions, items).empty


@pytest.mark.parametrize("representation", ["image", "text_bbox"])
def test_the_fillers_match(items, representation):
    """Supp. 5: question count and one/two split exactly, attribute burden within 5 %; irrelevant text by the length removed."""
    table = matching_table(items, representation)
    assert len(table) == 15
    assert (table["Questions"] == table["Attribute questions"]).all()
    assert (table["With two labels"] == table["With two answers"]).all()
    assert table["Attribute filler, %"].between(95, 105).all()
    assert table["Irrelevant filler, %"].between(99.9, 100.1).all()
    asked = items.questions.groupby("scene").size()
    batch = batches(items, 20)[2]
    row = table.query("Batch == 3 and `Target position` == 9").iloc[0]
    assert row.Target == batch[9] and row.Questions == asked[batch].sum() - asked[batch[9]]
