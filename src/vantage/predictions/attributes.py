"""Runs over attribute questions: lists of words along the questions of an attribute filler's other scenes (CVT-Bench, Supp. 5)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from vantage import schemas
from vantage.errors import InputError
from vantage.items import ATTRIBUTE_QUESTIONS, AttributeQuestions, load_attribute_questions, load_cvt
from vantage.predictions.cvt import blocks_of, check_asked, configuration_of, run_titles
from vantage.predictions.runs import ANSWERED, INVALID, MISSING, NO_BLOCK, NOT_ASKED, at, check_version, places_of
from vantage.prompts import asked_in

REGIME = "attribute_filler"
"""The one regime with attribute questions."""


@dataclass(frozen=True)
class AttributeRun:
    """The answers of one run of the attribute filler to the attribute questions of a domain.

    `answers` and `status` run along the rows of `AttributeQuestions.questions`: sets of words (empty where there is none);
    and `ANSWERED`, `INVALID`, `MISSING` or, for the target scenes, `NOT_ASKED`. Run and configuration are those of the run's
    spatial answers, a `CVTRun`; the title tells the set's attribute runs apart.
    """

    set: str
    kind: str
    title: str
    run: str
    model: str
    domain: str
    regime: str
    representation: str
    target_position: int
    about: str
    answers: tuple[frozenset[str], ...]
    status: NDArray[np.uint8]
    block: NDArray[np.int16]


def items_key(domain: str) -> str:
    """How a manifest calls the attribute questions of a domain."""
    return f"cvt/{domain}/{ATTRIBUTE_QUESTIONS}"


def versions(table: pa.Table) -> dict[str, str]:
    """Which version of which attribute questions these answers are for."""
    return {
        items_key(domain): load_attribute_questions(domain).version for domain in table["domain"].unique().to_pylist()
    }


def runs_in(table: pa.Table, manifest: dict, where: str) -> list[AttributeRun]:
    """The runs in a table of attribute predictions, each along the attribute questions.

    Raises `InputError`, naming the row of the file from 1, as `vantage.predictions.cvt.runs_in` does; for another regime than the
    attribute filler; and for an answer that its question does not offer, one that is given twice, and an empty list.
    """
    frame = table.drop_columns(["answer", "reply"]).to_pandas()
    if (odd := frame["regime"] != REGIME).any():
        raise at(where, odd, f"expected regime {REGIME}, found {frame['regime'][odd.idxmax()]}; remove the row")
    named = run_titles(frame, manifest, where)
    given = table["answer"].to_pylist()
    runs = []
    for domain, rows in frame.groupby("domain", sort=False):
        attributes = load_attribute_questions(domain)
        check_version(manifest, items_key(domain), attributes.version, where)
        places = places_of(rows["item"], attributes.questions["item"], items_key(domain), where)
        scenes = attributes.questions["scene"]
        blocks = blocks_of(rows, scenes.to_numpy()[places], where)
        for run, rows_of_run in rows.groupby("run", sort=False):
            head = configuration_of(rows_of_run)
            asked = ~asked_in(load_cvt(domain), scenes, head["regime"], head["target_position"])
            here = places[rows_of_run.index].to_numpy()
            check_asked(rows_of_run, asked[here], where)
            answers = [frozenset()] * len(scenes)
            status = np.where(asked, MISSING, NOT_ASKED).astype(np.uint8)
            for row, place in zip(rows_of_run.index, here, strict=True):
                words = given[row]
                status[place] = INVALID if words is None else ANSWERED
                answers[place] = _checked(words or (), attributes.offered[place], words is None, where, row)
            block = np.full(len(scenes), NO_BLOCK, dtype=np.int16)
            block[here] = blocks[rows_of_run.index]
            runs.append(
                AttributeRun(
                    manifest["set"],
                    manifest["kind"],
                    named[run],
                    run,
                    **head,
                    about=manifest["about"],
                    answers=tuple(answers),
                    status=status,
                    block=block,
                )
            )
    return runs


def _checked(words: Sequence[str], offered: Sequence[str], invalid: bool, where: str, row: int) -> frozenset[str]:
    """The words as a set. Raises `InputError` for what no valid answer can be."""
    if unknown := [word for word in words if word not in offered]:
        raise InputError(
            f"{where}, row {row + 1}: expected answers among {', '.join(offered)}, found {unknown[0]!r}; correct the answer"
        )
    if len(set(words)) < len(words):
        raise InputError(f"{where}, row {row + 1}: expected each answer once, found {', '.join(words)}; remove one")
    if not words and not invalid:
        raise InputError(
            f"{where}, row {row + 1}: expected at least one answer, found an empty list; leave the answer empty (null) where a reply "
            "is invalid"
        )
    return frozenset(words)


def attribute_table(
    attributes: AttributeQuestions,
    answers: Sequence[Sequence[str] | frozenset[str]],
    target_position: int,
    status: NDArray[np.uint8] | None = None,
    block: NDArray[np.int16] | None = None,
    **head: str,
) -> pa.Table:
    """Attribute predictions from words along `attributes.questions`: one row for every question answered or invalid.

    `status` and `block` are as `AttributeRun` has them; by default all questions that the run asks are answered. `head` has the
    columns set, kind, run, model and representation, as the run's spatial answers have them.
    """
    asked = ~asked_in(load_cvt(attributes.domain), attributes.questions["scene"], REGIME, target_position)
    status = np.where(asked, ANSWERED, NOT_ASKED) if status is None else status
    block = np.full(len(answers), NO_BLOCK) if block is None else block
    return schemas.table_of(
        [
            {
                **head,
                "domain": attributes.domain,
                "regime": REGIME,
                "target_position": target_position,
                "item": item,
                "answer": sorted(words, key=offered.index) if state == ANSWERED else None,
                "block": batch if batch != NO_BLOCK else None,
            }
            for item, words, offered, state, batch in zip(
                attributes.questions["item"], answers, attributes.offered, status.tolist(), block.tolist(), strict=True
            )
            if state in (ANSWERED, INVALID)
        ],
        schemas.CVT_ATTRIBUTE_PREDICTIONS,
    )
