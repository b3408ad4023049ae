"""Make the items from one seed, the same bytes each time: `make data`."""

import argparse
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from tqdm import tqdm

from vantage import files, schemas
from vantage.errors import InputError
from vantage.items import TITLES
from vantage.triplets import TITLE
from vantage_workshop.stimuli.cvt import items as cvt
from vantage_workshop.stimuli.cvt.indoor import items as indoor
from vantage_workshop.stimuli.frame_evidence import items as frame_evidence
from vantage_workshop.stimuli.writing import About, write_items

SEED = 20261130
"""Default seed. Every scene, draw and order has a generator of its own, seeded with this and its name."""

LICENSE = "CC BY 4.0"


@dataclass(frozen=True)
class Made:
    """Items that are made: their title, how, and the schemas of their tables.

    Tables `beside` the items are frozen with them and have a version of their own: answers to the items do not depend on them.
    """

    title: str
    tables: Callable[[int, Callable[[Iterable], Iterable]], dict[str, pa.Table]]
    schemas: dict[str, schemas.Schema]
    beside: tuple[str, ...] = ()


ITEMS = {
    "cvt/synthetic": Made(TITLES["synthetic"], cvt.tables, cvt.SCHEMAS, beside=("attribute_questions",)),
    "cvt/indoor": Made(TITLES["indoor"], indoor.tables, indoor.SCHEMAS),
    "frame_evidence": Made(TITLE, frame_evidence.tables, frame_evidence.SCHEMAS),
}
"""What is made into which folder of `data/`."""


def write(items: str, made: dict[str, pa.Table], folder: Path, seed: int) -> None:
    """Write all files of the items into `folder`, whole or not at all."""
    kind = ITEMS[items]
    write_items(folder, About(items, kind.title, "make data", seed, LICENSE), made, kind.schemas, kind.beside)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m vantage_workshop.stimuli", description=__doc__)
    parser.add_argument(
        "items", nargs="*", choices=[[], *ITEMS], metavar="ITEMS", help=f"which: {', '.join(ITEMS)} (default all)"
    )
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed of everything that is drawn (default {SEED})")
    parser.add_argument(
        "--to", type=Path, metavar="FOLDER", help="write below this folder (default data/ of the compendium)"
    )
    options = parser.parse_args()
    try:
        folder = options.to or files.root() / "data"
        for items in options.items or ITEMS:
            made = ITEMS[items].tables(options.seed, lambda scenes: tqdm(scenes, disable=None, unit="scene"))
            write(items, made, folder / items, options.seed)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
