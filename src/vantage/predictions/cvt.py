"""Runs over CVT items: relation sets along the questions."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from vantage import schemas
from vantage.items import CVTItems, encode_answers, load_cvt
from vantage.predictions.runs import (
    ANSWERED,
    INVALID,
    MISSING,
    NO_BLOCK,
    at,
    check_head,
    check_version,
    places_of,
    titles,
)
from vantage.relations import decode

_CONFIGURATION = ("model", "domain", "regime", "representation")


@dataclass(frozen=True)
class CVTRun:
    """One complete pass over the questions of one CVT domain under one configuration.

    `answers`, `status` and `block` run along the rows of `CVTItems.questions`: relation sets (0 where there is none);
    `ANSWERED`, `INVALID` or `MISSING`; and the batch of scenes that shared a prompt, -1 where none is recorded. `title` is
    what tables and legends call the run, `about` how its answers come about.
    """

    set: str
    kind: str
    title: str
    run: str
    model: str
    domain: str
    regime: str
    representation: str
    about: str
    answers: NDArray[np.uint8]
    status: NDArray[np.uint8]
    block: NDArray[np.int16]


def versions(table: pa.Table) -> dict[str, str]:
    """Which version of which items these answers are for."""
    return {f"cvt/{domain}": load_cvt(domain).version for domain in table["domain"].unique().to_pylist()}


def runs_in(table: pa.Table, manifest: dict, where: str) -> list[CVTRun]:
    """The runs in a table of predictions, each along the questions it answers.

    Raises `InputError`, naming the row of the file from 1, for a set or kind other than the manifest's, for an unknown
    item or word, and for a run that mixes configurations; and for items of another version.
    """
    frame = table.drop_columns(["answer", "reply"]).to_pandas()
    check_head(frame, manifest, _CONFIGURATION, where)
    # The isolated regime, where pages begin, goes without saying.
    words = {column: {"isolated": ""} if column == "regime" else {} for column in _CONFIGURATION}
    named = {}
    # A page shows runs of one domain, so another domain's need no other title.
    for _, rows in frame.groupby("domain", sort=False):
        named |= titles(manifest["title"], rows[["run", *_CONFIGURATION]].drop_duplicates(), words)
    if (below := frame["block"] < 0).any():
        raise at(where, below, "expected a block counted from 0, or none, found one below 0; correct the block")
    blocks = frame["block"].fillna(NO_BLOCK)
    runs = []
    for domain, rows in frame.groupby("domain", sort=False):
        items = load_cvt(domain)
        check_version(manifest, f"cvt/{domain}", items.version, where)
        places = places_of(rows["item"], items.questions["item"], f"cvt/{domain}", where)
        of_scene = [rows["run"], items.questions["scene"].to_numpy()[places]]
        if (split := blocks[rows.index] != blocks[rows.index].groupby(of_scene).transform("first")).any():
            raise at(where, split, "expected one block a scene and run, found a second; give it a run of its own")
        words = table["answer"].take(pa.array(rows.index))
        masks = encode_answers(words, items.questions["viewpoint"].iloc[places], where, rows.index)
        valid = words.is_valid().to_numpy()
        for run, rows_of_run in rows.groupby("run", sort=False):
            here = rows.index.get_indexer(rows_of_run.index)
            answers = np.zeros(len(items.questions), dtype=np.uint8)
            status = np.full(len(items.questions), MISSING, dtype=np.uint8)
            answers[places.iloc[here]] = masks[here]
            status[places.iloc[here]] = np.where(valid[here], ANSWERED, INVALID)
            block = np.full(len(items.questions), NO_BLOCK, dtype=np.int16)
            block[places.iloc[here]] = blocks[rows_of_run.index]
            runs.append(
                CVTRun(
                    manifest["set"],
                    manifest["kind"],
                    named[run],
                    run,
                    **frame.loc[rows_of_run.index[0], list(_CONFIGURATION)],
                    about=manifest["about"],
                    answers=answers,
                    status=status,
                    block=block,
                )
            )
    return runs


def cvt_table(
    items: CVTItems,
    answers: NDArray[np.uint8],
    status: NDArray[np.uint8] | None = None,
    block: NDArray[np.int16] | None = None,
    **head: str,
) -> pa.Table:
    """Predictions in words from relation sets along `items.questions`: one row for every question that is not missing.

    `status` and `block` are as `CVTRun` has them. `head` has the columns set, kind, run, model, regime and representation.
    """
    status = np.full(len(answers), ANSWERED) if status is None else status
    block = np.full(len(answers), NO_BLOCK) if block is None else block
    return schemas.table_of(
        [
            {
                **head,
                "domain": items.domain,
                "item": item,
                "answer": list(decode(answer, viewpoint)) if state == ANSWERED else None,
                "block": batch if batch != NO_BLOCK else None,
            }
            for item, viewpoint, answer, state, batch in zip(
                items.questions["item"],
                items.questions["viewpoint"],
                answers.tolist(),
                status.tolist(),
                block.tolist(),
                strict=True,
            )
            if state != MISSING
        ],
        schemas.CVT_PREDICTIONS,
    )
