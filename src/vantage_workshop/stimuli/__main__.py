"""Make CVT-Synthetic-Open from one seed, the same bytes each time: `make data`."""

import argparse
import os
import random
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
from tqdm import tqdm

from vantage import files, schemas
from vantage.errors import InputError
from vantage.items import TITLES, content_hash
from vantage_workshop.stimuli.composition import Chosen, compose
from vantage_workshop.stimuli.questions import ambiguity_rows, question_rows

SEED = 20261130
"""Default seed. Every scene, draw and order has a generator of its own, seeded with this and its name."""

ITEMS = "cvt/synthetic"
LICENSE = "CC BY 4.0"

SCHEMAS = {"scenes": schemas.CVT_SCENES, "questions": schemas.CVT_QUESTIONS, "ambiguity": schemas.CVT_AMBIGUITY}


def tables(chosen: list[Chosen], seed: int) -> dict[str, pa.Table]:
    """The scenes, the questions and the admissible alternatives as tables."""
    rows = {name: [] for name in SCHEMAS}
    for number, choice in enumerate(chosen, 1):
        scene, name = choice.scene, f"synthetic-{number:03d}"
        descriptions = [thing.description for thing in scene.tagged]
        wording = random.Random(f"{seed} wording {name}")
        questions = question_rows(wording, name, scene.plane, descriptions, scene.occluded, choice.slots)
        rows["scenes"].append(scene.row(name, number))
        rows["questions"] += questions
        rows["ambiguity"] += ambiguity_rows(scene.plane, questions)
    return {name: schemas.table_of(rows[name], schema) for name, schema in SCHEMAS.items()}


def write(made: dict[str, pa.Table], folder: Path, seed: int) -> None:
    """Write all files of the items, and only then move them into `folder`: a broken run leaves the old items whole."""
    manifest = {
        "items": ITEMS,
        "title": TITLES["synthetic"],
        "version": content_hash(made),
        "made_by": "make data",
        "seed": seed,
        "files": {},
        "license": LICENSE,
    }
    about = {name: str(manifest[name]) for name in ("items", "title", "version", "made_by", "seed", "license")}
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".new-") as new:
        for name, table in made.items():
            path = Path(new) / f"{name}.parquet"
            schemas.write_table(table, SCHEMAS[name], path, about)
            manifest["files"][path.name] = files.sha256(path)
        files.write_json(manifest, Path(new) / "manifest.json")
        for name in (*manifest["files"], "manifest.json"):
            os.replace(Path(new) / name, folder / name)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m vantage_workshop.stimuli", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed of everything that is drawn (default {SEED})")
    parser.add_argument(
        "--to", type=Path, metavar="FOLDER", help=f"where to write (default data/{ITEMS} of the compendium)"
    )
    options = parser.parse_args()
    try:
        folder = options.to or files.root() / "data" / ITEMS
        chosen = compose(options.seed, lambda places: tqdm(places, disable=None, unit="scene"))
        write(tables(chosen, options.seed), folder, options.seed)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
