"""The runs of the reconstructed set and their rows in the file."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from vantage.items import CVTItems
from vantage.predictions import cvt_table
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


def run_name(domain: str, regime: str, model: str, representation: str) -> str:
    """What a run is called; model and representation as ids name them.

    >>> run_name("synthetic", "isolated", "gpt-5.2", "text-bbox")
    'synthetic-isolated-text_bbox-gpt-5.2'
    """
    return f"{domain}-{regime}-{REPRESENTATIONS[representation]}-{model}"


def prompt_blocks(items: CVTItems, regime: str, model: str) -> NDArray[np.int16]:
    """The prompt that each question stands in, (q,): by scenes of the frozen order in the competing regime, none in the isolated one."""
    if regime != "competing":
        return np.full(len(items.questions), NO_BLOCK, dtype=np.int16)
    prompts = batches(items, SCENES_A_PROMPT.get(model, 20))
    of_scene = {scene: number for number, scenes in enumerate(prompts) for scene in scenes}
    return items.questions["scene"].map(of_scene).to_numpy(dtype=np.int16)


def table_of_cell(
    items: CVTItems, regime: str, model: str, representation: str, answers: NDArray[np.integer]
) -> pa.Table:
    """The rows of one cell of Table 1."""
    return cvt_table(
        items,
        answers.astype(np.uint8),
        block=prompt_blocks(items, regime, model),
        set=SET,
        kind=KIND,
        run=run_name(items.domain, regime, model, representation),
        model=MODELS[model],
        regime=regime,
        representation=REPRESENTATIONS[representation],
    )
