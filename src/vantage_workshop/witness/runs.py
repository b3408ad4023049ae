"""The runs of the reconstructed set: what each is called, under which configuration it stands, and its rows in the file.

The solver's letters are those of the option order without rotation, as in the items. The file holds letters as given, so a
rotated run's are turned when it is written.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from vantage.errors import InputError
from vantage.predictions import ANSWERED, INVALID, NOT_ASKED, triplet_table
from vantage.schemas import LETTERS
from vantage.triplets import Triplets
from vantage_workshop.witness.scored import CONDITIONS, Answers

SET = "reconstructed_frame_evidence"
TITLE = "FrameEvidence, reconstructed"
KIND = "reconstructed"


@dataclass(frozen=True)
class Request:
    """One run. `name` is the row that has its scores in print, model and setting with a slash between, and for an adapter
    of the multi-seed experiment its seed."""

    name: str
    experiment: str = "main"
    input_mode: str = "all_images"
    rotation: int = 0
    repeat: int = 0
    block: int | None = None
    arm: str | None = None

    @property
    def head(self) -> dict:
        """The columns of the file that tell the run from others.

        >>> Request("InternVL3-8B / LoRA 20260722", "circular", rotation=2).head["run"]
        'circular internvl3-8b lora 20260722 rotation 2'
        """
        model, setting = self.name.split(" / ")
        named, _, seed = setting.partition("LoRA ")
        parts = [
            self.experiment if self.experiment != "input_control" else self.input_mode,
            model,
            setting,
            *([f"rotation {self.rotation}"] if self.experiment == "circular" else []),
            *([str(self.repeat)] if self.repeat else []),
            *([] if self.block is None else [f"block {self.block}", self.arm]),
        ]
        return {
            "run": " ".join(parts).lower().replace("_", "-"),
            "model": model,
            "setting": "LoRA" if seed else setting,
            "experiment": self.experiment,
            "input_mode": self.input_mode,
            "rotation": self.rotation,
            "seed": int(seed) if seed else None,
            "repeat": self.repeat,
            "block": self.block,
            "arm": self.arm,
        }


def check_items(triplets: Triplets, strata: list[dict[str, str]]) -> None:
    """Raise `InputError` unless the test items have the groups, gold letters and insufficiency letters of the strata."""
    insufficient = triplets.insufficient
    for row in strata:
        places = triplets.of_group(row["group"])
        golds = "".join(LETTERS[letter] for letter in triplets.gold[places])
        shown = LETTERS[insufficient[places[0]]] if row["family"] == "FQ2" else ""
        if (golds, shown) != (row["golds"], row["insufficient"]):
            raise InputError(
                f"{row['group']}: expected gold letters {row['golds']} and insufficiency {row['insufficient'] or 'nowhere'} as in "
                f"the strata, found {golds} and {shown or 'nowhere'} in the items; run make data"
            )


def table(triplets: Triplets, answers: Mapping[Request, Answers]) -> pa.Table:
    """The rows of the file, run by run. A run asks the items it has answers to; one that is no letter is invalid."""
    questions = list(zip(triplets.questions["group"], triplets.questions["condition"], strict=True))
    lower = {(f, c.lower()): c for f, conditions in CONDITIONS.items() for c in conditions}
    keys = [(group, lower[group[:3].upper(), condition]) for group, condition in questions]
    tables = []
    for request, given in answers.items():
        letters = np.array(
            [LETTERS.index(given[key]) if given.get(key) in LETTERS else -1 for key in keys], dtype=np.int8
        )
        asked = np.array([key in given for key in keys])
        status = np.select([~asked, letters < 0], [NOT_ASKED, INVALID], ANSWERED)
        tables.append(triplet_table(triplets, letters, status, set=SET, kind=KIND, **request.head))
    return pa.concat_tables(tables)
