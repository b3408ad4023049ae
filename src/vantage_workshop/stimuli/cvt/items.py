"""The tables of CVT-Synthetic-Open from the scenes and question draws that the composition chose."""

import random
from collections.abc import Callable, Iterable

import pyarrow as pa

from vantage import schemas
from vantage_workshop.stimuli.cvt.attributes import attribute_rows
from vantage_workshop.stimuli.cvt.composition import compose
from vantage_workshop.stimuli.cvt.questions import ambiguity_rows, question_rows

SCHEMAS = {
    "scenes": schemas.CVT_SCENES,
    "questions": schemas.CVT_QUESTIONS,
    "ambiguity": schemas.CVT_AMBIGUITY,
    "attribute_questions": schemas.CVT_ATTRIBUTE_QUESTIONS,
}


def tables(seed: int, progress: Callable[[Iterable], Iterable] = iter) -> dict[str, pa.Table]:
    """The scenes, the questions, the admissible alternatives and the attribute questions, deterministic in `seed`."""
    rows = {name: [] for name in SCHEMAS}
    for number, choice in enumerate(compose(seed, progress), 1):
        scene, name = choice.scene, f"synthetic-{number:03d}"
        descriptions = [thing.description for thing in scene.tagged]
        wording = random.Random(f"{seed} wording {name}")
        questions = question_rows(wording, name, scene.plane, descriptions, scene.occluded, choice.slots)
        row = scene.row(name, number)
        rows["scenes"].append(row)
        rows["questions"] += questions
        rows["ambiguity"] += ambiguity_rows(scene.plane, questions)
        rows["attribute_questions"] += attribute_rows(random.Random(f"{seed} attributes {name}"), row, questions)
    return {name: schemas.table_of(rows[name], schema) for name, schema in SCHEMAS.items()}
