"""The runs of the reconstructed set and their rows in the file."""

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from vantage.items import AttributeQuestions, CVTItems
from vantage.predictions import attribute_table, cvt_table
from vantage.predictions.runs import NO_BLOCK
from vantage.prompts import batches
from vantage_workshop.witness.cvt.printed import MODELS, REPRESENTATIONS, SMALLER_LOAD

SET = "reconstructed_cvt"
TITLE = "CVT-Bench, reconstructed"
KIND = "reconstructed"
ABOUT = (
    "Answers that a search chose so that they agree with the numbers printed in CVT-Bench. A witness that these can hold together: a run "
    "is a printed row and no model, there are no replies, and a single answer says nothing about anyone."
)

SCENES_A_PROMPT = {SMALLER_LOAD: 10}
"""Scenes in a competing prompt, where they are not twenty."""


def head(domain: str, regime: str, model: str, representation: str, target_position: int | None = None) -> dict:
    """The columns of the file that tell a run from others; model and representation as ids name them.

    >>> head("synthetic", "isolated", "gpt-5.2", "text-bbox")["run"]
    'synthetic-isolated-text_bbox-gpt-5.2'
    """
    parts = [domain, regime, REPRESENTATIONS[representation], model]
    filled = {} if target_position is None else {"target_position": target_position}
    return {
        "set": SET,
        "kind": KIND,
        "run": "-".join(map(str, [*parts, *filled.values()])),
        "model": MODELS[model],
        "regime": regime,
        "representation": REPRESENTATIONS[representation],
        **filled,
    }


def prompt_blocks(items: CVTItems, scenes: pd.Series, regime: str, model: str) -> NDArray[np.int16]:
    """The prompt that each question stands in, along the column `scenes` of questions; none in the isolated regime."""
    if regime == "isolated":
        return np.full(len(scenes), NO_BLOCK, dtype=np.int16)
    prompts = batches(items, SCENES_A_PROMPT.get(model, 20))
    of_scene = {scene: number for number, together in enumerate(prompts) for scene in together}
    return scenes.map(of_scene).to_numpy(dtype=np.int16)


def spatial_table(
    items: CVTItems,
    regime: str,
    model: str,
    representation: str,
    answers: NDArray[np.integer],
    target_position: int | None = None,
) -> pa.Table:
    """The rows of one run with spatial answers, (q,)."""
    return cvt_table(
        items,
        answers.astype(np.uint8),
        block=prompt_blocks(items, items.questions["scene"], regime, model),
        **head(items.domain, regime, model, representation, target_position),
    )


def retrieval_table(
    items: CVTItems,
    attributes: AttributeQuestions,
    model: str,
    representation: str,
    answers: list[frozenset[str]],
    target_position: int,
) -> pa.Table:
    """The rows of one run with answers to the attribute questions."""
    columns = head(items.domain, "attribute_filler", model, representation, target_position)
    columns.pop("regime")
    columns.pop("target_position")
    return attribute_table(
        attributes,
        answers,
        target_position,
        block=prompt_blocks(items, attributes.questions["scene"], "attribute_filler", model),
        **columns,
    )
