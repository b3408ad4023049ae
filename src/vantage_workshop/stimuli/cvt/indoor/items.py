"""The tables of CVT-Indoor from the scenes and question draws that the composition chose."""

import random
from collections.abc import Callable, Iterable

import pyarrow as pa

from vantage import schemas
from vantage_workshop.stimuli.cvt.indoor.composition import compose
from vantage_workshop.stimuli.cvt.indoor.protocol import rows

SCHEMAS = {"scenes": schemas.CVT_SCENES, "questions": schemas.CVT_QUESTIONS, "ambiguity": schemas.CVT_AMBIGUITY}


def tables(seed: int, progress: Callable[[Iterable], Iterable] = iter) -> dict[str, pa.Table]:
    """The scenes, the questions and the admissible alternatives, deterministic in `seed`."""
    made = {name: [] for name in SCHEMAS}
    for number, choice in enumerate(compose(seed, progress), 1):
        name = f"indoor-{number:03d}"
        wording = random.Random(f"{seed} wording {name}")
        for table, new in rows(wording, name, number, choice.scene, choice.slots).items():
            made[table] += new
    return {name: schemas.table_of(made[name], schema) for name, schema in SCHEMAS.items()}
