"""Runs over FrameEvidence-Open: letters along the items, decoded to the unrotated order of options."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from vantage import schemas
from vantage.circular import decode, encode
from vantage.letters import INVALID as NO_ANSWER
from vantage.predictions.runs import (
    ANSWERED,
    INVALID,
    MISSING,
    NOT_ASKED,
    at,
    check_head,
    check_version,
    places_of,
    titles,
)
from vantage.triplets import FOLDER, Triplets, load_triplets

CONFIGURATION = ("model", "setting", "experiment", "input_mode", "rotation", "seed", "repeat", "block", "arm")
_WORDS = {
    "model": {},
    "setting": {},
    # The input mode, or the number of the repeat, says it.
    "experiment": {
        "main": "",
        "repeat": "",
        "input_control": "",
        "multi_seed": "multi-seed",
        "stable_id": "stable IDs",
    },
    "input_mode": {"all_images": "", "text_only": "text only", "single_image": "first image only"},
    "rotation": {0: "", **{turn: f"rotation {turn}" for turn in (1, 2, 3)}},
    "repeat": {0: "", **{again: f"repeat {again}" for again in range(1, 10)}},
    "seed": {},
    "block": {block: f"block {block}" for block in range(3)},
    "arm": {},
}
"""How the parts of a configuration are spoken in a title."""


@dataclass(frozen=True)
class TripletRun:
    """One complete pass over items of FrameEvidence-Open under one configuration.

    `answers` and `status` run along `Triplets.questions`: letters 0 to 3 (`NO_ANSWER` where there is none) in the order of
    options without rotation; and `ANSWERED`, `INVALID`, `MISSING` or `NOT_ASKED`. `title` is what tables and legends call the run,
    `about` how its answers come about.
    """

    set: str
    kind: str
    title: str
    run: str
    model: str
    setting: str
    experiment: str
    input_mode: str
    rotation: int
    seed: int | None
    repeat: int
    block: int | None
    arm: str | None
    about: str
    answers: NDArray[np.int8]
    status: NDArray[np.uint8]

    @property
    def letters(self) -> NDArray[np.int8]:
        """The letters as they were given, under the run's rotation of options."""
        return encode(self.answers, self.rotation).astype(np.int8)


def versions(table: pa.Table) -> dict[str, str]:
    """Which version of which items these answers are for."""
    return {FOLDER: load_triplets().version}


def runs_in(table: pa.Table, manifest: dict, where: str) -> list[TripletRun]:
    """The runs in a table of predictions, each along the items.

    Raises `InputError`, naming the row of the file from 1, for a set or kind other than the manifest's, an unknown item, a
    rotation other than 0 to 3, and a run that mixes configurations; and for items of another version.
    """
    triplets = load_triplets()
    frame = table.drop_columns(["reply"]).to_pandas()
    if (odd := ~frame["rotation"].isin(range(4))).any():
        raise at(where, odd, f"expected a rotation 0 to 3, found {frame['rotation'][odd.idxmax()]}; correct it")
    check_head(frame, manifest, CONFIGURATION, where)
    check_version(manifest, FOLDER, triplets.version, where)
    places = places_of(frame["item"], triplets.questions["item"], FOLDER, where)
    given = frame["answer"].map(schemas.LETTERS.index, na_action="ignore").fillna(NO_ANSWER).to_numpy(dtype=np.int8)
    decoded = decode(given, frame["rotation"].to_numpy()).astype(np.int8)
    heads = frame[["run", *CONFIGURATION]].drop_duplicates().astype({"seed": "Int64", "block": "Int64"})
    named = titles(manifest["title"], heads, _WORDS)
    parts = (triplets.questions["split"] + triplets.questions["family"]).to_numpy()
    runs = []
    for run, rows in frame.groupby("run", sort=False):
        here = places[rows.index].to_numpy()
        answers = np.full(len(parts), NO_ANSWER, dtype=np.int8)
        answers[here] = decoded[rows.index]
        head = {name: None if pd.isna(value) else value for name, value in rows.iloc[0][list(CONFIGURATION)].items()}
        head |= {name: int(head[name]) for name in ("rotation", "repeat", "seed", "block") if head[name] is not None}
        # A run leaves out whole splits or families; the stable-ID diagnostic asks its own few items.
        asked = np.isin(parts, parts[here]) & (head["experiment"] != "stable_id")
        status = np.where(asked, MISSING, NOT_ASKED).astype(np.uint8)
        status[here] = np.where(given[rows.index] < 0, INVALID, ANSWERED)
        runs.append(
            TripletRun(
                manifest["set"],
                manifest["kind"],
                named[run],
                run,
                **head,
                about=manifest["about"],
                answers=answers,
                status=status,
            )
        )
    return runs


def triplet_table(
    triplets: Triplets, answers: NDArray[np.int8], status: NDArray[np.uint8] | None = None, **head: object
) -> pa.Table:
    """Predictions in letters from a decoded array along the items: one row for every item that was asked and is not missing.

    `answers` and `status` are as `TripletRun` has them. `head` has the columns set, kind, run and model, and those of the
    configuration that differ from a main run with all images and without rotation.
    """
    status = np.full(len(answers), ANSWERED) if status is None else status
    plain = {"setting": "", "experiment": "main", "input_mode": "all_images", "rotation": 0, "repeat": 0}
    head = plain | dict.fromkeys(("seed", "block", "arm")) | head
    letters = encode(answers, head["rotation"])
    return schemas.table_of(
        [
            {**head, "item": item, "answer": schemas.LETTERS[letter] if state == ANSWERED else None}
            for item, letter, state in zip(triplets.questions["item"], letters.tolist(), status.tolist(), strict=True)
            if state in (ANSWERED, INVALID)
        ],
        schemas.FRAME_EVIDENCE_PREDICTIONS,
    )
