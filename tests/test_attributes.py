"""Attribute questions: their answers by hand, how they are drawn, and that they match the spatial ones (CVT-Bench, Supp. 5)."""

import json
import random

import numpy as np
import pandas as pd
import pytest

from vantage import attributes, files, schemas
from vantage.errors import InputError
from vantage.items import load_attribute_questions, load_cvt
from vantage_workshop.stimuli.cvt.attributes import attribute_rows

THINGS = [
    {
        "tag": tag,
        "description": f"{size} {color} {material} {shape}",
        "category": shape,
        "color": color,
        "material": material,
    }
    for tag, size, color, material, shape in (
        (0, "large", "red", "metal", "cube"),
        (1, "small", "red", "rubber", "sphere"),
        (2, "small", "blue", "metal", "cube"),
        (None, "small", "red", "metal", "cylinder"),
    )
]
"""Three tagged things, and one too hidden for the dictionary."""


def ask(attribute, tag=None, value=None):
    return {"attribute": attribute, "tag": tag, "value": value}


@pytest.mark.parametrize(
    ("asks", "answers", "what"),
    [
        ([ask("color", 1)], ("red",), "what is the color of the object with Tag 1?"),
        ([ask("shape", 0)], ("cube",), "what is the shape of the object with Tag 0?"),
        ([ask("material", 2)], ("metal",), "what is the material of the object with Tag 2?"),
        ([ask("object", 2)], ("small blue metal cube",), "what is the description of the object with Tag 2?"),
        ([ask("count", value="red")], ("2",), "what is the number of objects that are red?"),
        ([ask("count", value="cylinder")], ("0",), "what is the number of objects that are cylinders?"),
        (
            [ask("object", value="cube")],
            ("large red metal cube", "small blue metal cube"),
            "what is the description of every object that is a cube?",
        ),
        (
            [ask("color", 2), ask("shape", 1)],
            ("blue", "sphere"),
            "what are the color of the object with Tag 2 and the shape of the object with Tag 1?",
        ),
        (
            [ask("color", 0), ask("color", 1)],
            ("red",),
            "what are the color of the object with Tag 0 and the color of the object with Tag 1?",
        ),
        (
            [ask("count", value="blue"), ask("count", value="metal")],
            ("1", "2"),
            "what are the number of objects that are blue and the number of objects that are metal?",
        ),
    ],
)
def test_answers_and_words_by_hand(asks, answers, what):
    assert attributes.answers(asks, THINGS) == answers
    assert set(answers) <= set(attributes.offered(asks, THINGS))
    text = attributes.question_text(asks)
    assert text.startswith(
        f"According to the descriptions in the Scene Object Dictionary of this scene, {what} Choose from ["
    )
    assert text.endswith("]. Multiple answers possible.")


def test_what_a_question_offers():
    """Every value of the attribute; every description of the dictionary; every number that a count can reach."""
    mixed = [ask("shape", 0), ask("material", 1)]
    assert attributes.offered(mixed, THINGS) == ("cube", "sphere", "cylinder", "rubber", "metal")
    assert "Choose from [cube, sphere, cylinder, rubber, metal]." in attributes.question_text(mixed)
    assert attributes.offered([ask("count", value="red")], THINGS) == ("0", "1", "2", "3")
    assert attributes.offered([ask("object", 0)], THINGS) == tuple(thing["description"] for thing in THINGS[:3])


def test_exact_is_equality_of_sets():
    gold = [frozenset({"red", "cube"})] * 4
    given = [frozenset(words) for words in (("cube", "red"), ("red",), (), ("red", "cube", "metal"))]
    assert attributes.exact(given, gold).tolist() == [True, False, False, False]


# ------------------------------------------------------------------------------------------------- the frozen ones


@pytest.fixture(scope="module")
def items():
    return load_cvt()


@pytest.fixture(scope="module")
def questions():
    return load_attribute_questions()


def test_counts_and_split_are_those_of_the_spatial_questions(items, questions):
    """ "The generator exactly matches each replaced scene's question count and one/two-answer cardinality distribution"."""
    spatial = pd.crosstab(items.questions.scene, np.bitwise_count(items.gold))
    attribute = pd.crosstab(questions.questions.scene, questions.questions.cardinality)
    assert (spatial.to_numpy() == attribute.to_numpy()).all() and spatial.index.equals(attribute.index)
    assert [len(gold) for gold in questions.gold] == questions.questions.cardinality.tolist()


def test_no_question_twice_and_every_attribute(questions):
    rows = questions.questions
    assert not rows.duplicated(["scene", "text"]).any()
    assert (
        rows.groupby("scene").number.agg(list).map(lambda numbers: numbers == list(range(1, len(numbers) + 1)))
    ).all()
    asked = {ask["attribute"] for asks in rows.asks for ask in asks}
    assert asked == {"color", "shape", "material", "object", "count"}
    assert (rows.groupby("scene").attribute.nunique() >= 4).all()


def test_they_are_beside_the_version_of_the_items(items, questions):
    """The manifest has their checksum; the version of the items is that of the other tables, their own that of themselves."""
    manifest = json.loads((files.root() / "data/cvt/synthetic/manifest.json").read_text())
    assert "attribute_questions.parquet" in manifest["files"]
    assert manifest["version"] == items.version != questions.version


@pytest.mark.parametrize(
    ("change", "fragments"),
    [
        ({"gold": ["red", "cube", "metal"]}, ["row 4", "expected gold"]),
        ({"cardinality": 3}, ["row 4", "expected cardinality"]),
        ({"text": "What?"}, ["row 4", "expected text", "'What?'"]),
        ({"scene": "synthetic-999"}, ["row 4", "'synthetic-999'"]),
    ],
)
def test_a_question_that_does_not_follow_is_refused(compendium, change, fragments):
    path = compendium / "data/cvt/synthetic/attribute_questions.parquet"
    schema = schemas.CVT_ATTRIBUTE_QUESTIONS
    rows = schemas.read_table(path, schema).to_pylist()
    rows[3] |= change
    schemas.write_table(schemas.table_of(rows, schema), schema, path)
    with pytest.raises(InputError, match="checksum"):
        load_attribute_questions()
    manifest = json.loads(path.with_name("manifest.json").read_text())
    manifest["files"][path.name] = files.sha256(path)
    path.with_name("manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(InputError) as error:
        load_attribute_questions()
    assert all(fragment in str(error.value) for fragment in ("attribute_questions.parquet", *fragments))


# ---------------------------------------------------------------------------------------------------------- drawing


def test_a_scene_with_too_few_objects_is_refused():
    """A single thing has no two answers for a hundred questions."""
    scene = {"scene": "alone", "objects": THINGS[:1]}
    with pytest.raises(InputError, match="expected 100 attribute questions of 2 answers about alone, found [0-9]+"):
        attribute_rows(random.Random(1), scene, [{"gold": ["left", "front"]}] * 100)


def test_drawing_follows_the_seed():
    scene = {"scene": "three", "objects": THINGS}
    spatial = [{"gold": ["left"]}] * 6 + [{"gold": ["left", "front"]}] * 20
    rows = attribute_rows(random.Random(1), scene, spatial)
    assert rows == attribute_rows(random.Random(1), scene, spatial) != attribute_rows(random.Random(2), scene, spatial)
    assert sorted(row["cardinality"] for row in rows) == [1] * 6 + [2] * 20
