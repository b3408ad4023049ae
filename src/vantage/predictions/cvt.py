"""Runs over CVT items: relation sets along the questions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from vantage import schemas
from vantage.errors import InputError
from vantage.items import CVTItems, encode_answers, load_cvt
from vantage.predictions.runs import (
    ANSWERED,
    INVALID,
    MISSING,
    NO_BLOCK,
    NOT_ASKED,
    at,
    check_head,
    check_version,
    places_of,
    titles,
)
from vantage.prompts import FILLERS, TARGET_POSITIONS, asked_in
from vantage.relations import decode

CONFIGURATION = ("model", "domain", "regime", "representation", "target_position")

_WORDS = {
    "model": {},
    "domain": {},
    # The isolated regime, where pages begin, goes without saying.
    "regime": {"isolated": ""} | {regime: regime.replace("_", " ") for regime in FILLERS},
    "representation": {},
    "target_position": {place: f"target at {place}" for place in TARGET_POSITIONS},
}
"""How the parts of a configuration are spoken in a title."""


@dataclass(frozen=True)
class CVTRun:
    """One complete pass over the questions of one CVT domain under one configuration.

    `answers`, `status` and `block` run along the rows of `CVTItems.questions`: relation sets (0 where there is none);
    `ANSWERED`, `INVALID`, `MISSING` or, in a filler regime, `NOT_ASKED` of every scene but the targets; and the batch of scenes
    that shared a prompt, -1 where none is recorded. `target_position` is the slot of the targets in a filler regime, None in the
    others and where `pool_targets` pooled them. `title` is what tables and legends call the run, `about` how its answers
    come about.
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
    target_position: int | None = None


def versions(table: pa.Table) -> dict[str, str]:
    """Which version of which items these answers are for."""
    return {f"cvt/{domain}": load_cvt(domain).version for domain in table["domain"].unique().to_pylist()}


def runs_in(table: pa.Table, manifest: dict, where: str) -> list[CVTRun]:
    """The runs in a table of predictions, each along the questions it answers.

    Raises `InputError`, naming the row of the file from 1, for a set or kind other than the manifest's, for an unknown
    item or word, for a run that mixes configurations, and for a target position or a question that does not belong to its
    regime; and for items of another version.
    """
    frame = table.drop_columns(["answer", "reply"]).to_pandas()
    named = run_titles(frame, manifest, where)
    runs = []
    for domain, rows in frame.groupby("domain", sort=False):
        items = load_cvt(domain)
        check_version(manifest, f"cvt/{domain}", items.version, where)
        places = places_of(rows["item"], items.questions["item"], f"cvt/{domain}", where)
        scenes = items.questions["scene"]
        blocks = blocks_of(rows, scenes.to_numpy()[places], where)
        words = table["answer"].take(pa.array(rows.index))
        masks = encode_answers(words, items.questions["viewpoint"].iloc[places], where, rows.index)
        valid = words.is_valid().to_numpy()
        for run, rows_of_run in rows.groupby("run", sort=False):
            head = configuration_of(rows_of_run)
            asked = asked_in(items, scenes, head["regime"], head["target_position"])
            check_asked(rows_of_run, asked[places[rows_of_run.index]], where)
            here = rows.index.get_indexer(rows_of_run.index)
            answers = np.zeros(len(scenes), dtype=np.uint8)
            status = np.where(asked, MISSING, NOT_ASKED).astype(np.uint8)
            answers[places.iloc[here]] = masks[here]
            status[places.iloc[here]] = np.where(valid[here], ANSWERED, INVALID)
            block = np.full(len(scenes), NO_BLOCK, dtype=np.int16)
            block[places.iloc[here]] = blocks[rows_of_run.index]
            runs.append(
                CVTRun(
                    manifest["set"],
                    manifest["kind"],
                    named[run],
                    run,
                    **head,
                    about=manifest["about"],
                    answers=answers,
                    status=status,
                    block=block,
                )
            )
    return runs


def run_titles(frame: pd.DataFrame, manifest: dict, where: str) -> dict[str, str]:
    """What tables call each run in the rows of a file of CVT answers, whose heads are checked on the way.

    Raises `InputError`, naming the row from 1, for a set or kind other than the manifest's, a run that mixes configurations, a
    target position where the regime has none or none where it has one, and a block below 0.
    """
    check_head(frame, manifest, CONFIGURATION, where)
    fitting = (
        frame["target_position"]
        .isin(TARGET_POSITIONS)
        .where(frame["regime"].isin(FILLERS), frame["target_position"].isna())
    )
    if not fitting.all():
        regime, found = frame.loc[fitting.idxmin(), ["regime", "target_position"]]
        expected = " or ".join(map(str, TARGET_POSITIONS)) if regime in FILLERS else "none"
        raise at(
            where,
            ~fitting,
            f"expected target_position {expected} in regime {regime}, found {'none' if pd.isna(found) else int(found)}; correct it",
        )
    if (below := frame["block"] < 0).any():
        raise at(where, below, "expected a block counted from 0, or none, found one below 0; correct the block")
    heads = frame[["run", *CONFIGURATION]].drop_duplicates().astype({"target_position": "Int64"})
    # A page shows runs of one domain, so another domain's need no other title.
    return {
        run: title
        for _, of_domain in heads.groupby("domain", sort=False)
        for run, title in titles(manifest["title"], of_domain, _WORDS).items()
    }


def blocks_of(rows: pd.DataFrame, scenes: Sequence[str], where: str) -> pd.Series:
    """The block of each row, `NO_BLOCK` where none is recorded; `scenes` has the scene of each row's question.

    Raises `InputError`, naming the row of the file from 1, where a run has a scene in two blocks.
    """
    blocks = rows["block"].fillna(NO_BLOCK).astype(np.int16)
    if (split := blocks != blocks.groupby([rows["run"], scenes]).transform("first")).any():
        raise at(where, split, "expected one block a scene and run, found a second; give it a run of its own")
    return blocks


def configuration_of(rows: pd.DataFrame) -> dict[str, object]:
    """The configuration of a run, as `CVTRun` has it, from its rows in a file."""
    head = rows.iloc[0][list(CONFIGURATION)].to_dict()
    position = head["target_position"]
    return head | {"target_position": None if pd.isna(position) else int(position)}


def check_asked(rows: pd.DataFrame, asked: NDArray[np.bool_], where: str) -> None:
    """Raises `InputError`, naming the row of the file from 1, for an answer to a question that its run does not ask."""
    if not asked.all():
        row = rows.iloc[int(np.argmin(asked))]
        raise at(
            where,
            pd.Series(~asked, index=rows.index),
            f"expected a question that {row['regime']} with the target at {row['target_position']:.0f} asks, found {row['item']!r}; "
            "remove it, or correct target_position",
        )


def pool_targets(runs: Sequence[CVTRun]) -> list[CVTRun]:
    """The runs, with those of a filler regime that differ only in their target position made one run over all their targets.

    The pooled run asks what its parts ask, fifteen target scenes where there are all three positions (Supp. 5, Table S11). It
    stands where the first of them stood. Raises `InputError` where two runs have one target position.
    """
    groups: dict[object, list[CVTRun]] = {}
    for place, run in enumerate(runs):
        alike = (run.set, run.model, run.domain, run.regime, run.representation)
        groups.setdefault(alike if run.regime in FILLERS else place, []).append(run)
    return [_pooled(group) for group in groups.values()]


def _pooled(runs: Sequence[CVTRun]) -> CVTRun:
    first = runs[0]
    if first.regime not in FILLERS:
        return first
    asked = np.array([run.status != NOT_ASKED for run in runs])
    if (asked.sum(axis=0) > 1).any():
        raise InputError(
            f"expected runs of {first.model}, {first.regime}, {first.representation} in {first.set} with a target position each, "
            f"found {', '.join(run.run for run in runs)} with one in common; name only one of them"
        )
    source, along = asked.argmax(axis=0), np.arange(asked.shape[1])
    return replace(
        first,
        title=first.title.removesuffix(f", {_WORDS['target_position'].get(first.target_position)}"),
        run=f"{first.domain}-{first.regime}-{first.representation}",
        target_position=None,
        **{
            name: np.array([getattr(run, name) for run in runs])[source, along]
            for name in ("answers", "status", "block")
        },
    )


def cvt_table(
    items: CVTItems,
    answers: NDArray[np.uint8],
    status: NDArray[np.uint8] | None = None,
    block: NDArray[np.int16] | None = None,
    **head: str | int,
) -> pa.Table:
    """Predictions in words from relation sets along `items.questions`: one row for every question answered or invalid.

    `status` and `block` are as `CVTRun` has them; by default all questions that the regime asks are answered. `head` has the
    columns set, kind, run, model, regime and representation, and target_position in a filler regime.
    """
    asked = asked_in(items, items.questions["scene"], head["regime"], head.get("target_position"))
    status = np.where(asked, ANSWERED, NOT_ASKED) if status is None else status
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
            if state in (ANSWERED, INVALID)
        ],
        schemas.CVT_PREDICTIONS,
    )
