"""Made-up runs of CVT-Bench's 60 printed cells, and a domain with heights to put the questions of a third of its pairs to."""

from dataclasses import replace

import numpy as np

from vantage import relations
from vantage.predictions import ANSWERED, CVTRun
from vantage.prompts import batches
from vantage.relations import ABOVE, BEHIND, BELOW, FRONT, LEFT, RIGHT
from vantage.tables.cvt_results import chosen


def lifted(synthetic):
    """CVT-Synthetic-Open with a height for every object, equal to its tag, as the domain indoor.

    The last fixed pair of each scene is vertical-enriched, at all ten views.
    """
    questions = synthetic.questions.copy()
    vertical = (questions["tracked_pair"] == 2).to_numpy()
    questions.loc[vertical, "kind"] = "vertical"
    above = np.where(questions["target"] > questions["anchor"], ABOVE, BELOW).astype(np.uint8)
    added = np.where(vertical, above, 0).astype(np.uint8)
    return replace(
        synthetic,
        domain="indoor",
        questions=questions,
        gold=synthetic.gold | added,
        admissible=synthetic.admissible | added[:, None],
    )


def run_of(items, cell, answers, **more):
    """A run of a cell, in prompts of twenty scenes (GPT-5.2: ten) where scenes compete."""
    block = np.full(len(answers), -1, dtype=np.int16)
    if cell.regime == "competing":
        size = 10 if cell.model == "GPT-5.2" else 20
        place = {scene: number for number, scenes in enumerate(batches(items, size)) for scene in scenes}
        block = items.questions["scene"].map(place).to_numpy(dtype=np.int16)
    configuration = {
        "set": "made_up", "kind": "reconstructed", "title": ", ".join(("Made up", *cell)), "run": "-".join(cell),
        **cell._asdict(), "about": "Drawn.", "answers": answers.astype(np.uint8),
        "status": np.full(len(answers), ANSWERED, np.uint8), "block": block,
    }  # fmt: skip
    return CVTRun(**(configuration | more))


def drawn(items, rng, wrong):
    """Gold, or with chance `wrong` a scrambled answer: each label kept, turned into its opposite or left out."""
    answers = np.zeros(len(items.gold), dtype=np.uint8)
    scrambled = rng.random(len(answers)) < wrong
    for axis in (LEFT | RIGHT, FRONT | BEHIND, ABOVE | BELOW):
        part = items.gold & np.uint8(axis)
        what = rng.integers(3, size=len(answers))
        answers |= np.where(~scrambled | (what == 0), part, np.where(what == 1, relations.opposite(part), 0)).astype(
            np.uint8
        )
    return answers


def answers_of(synthetic, changed, cells=None):
    """`chosen.Answers` of all cells, or of some, each with the answers that `changed(cell, items)` gives."""
    items = {"synthetic": synthetic, "indoor": lifted(synthetic)}
    runs = [
        run_of(items[cell.domain], cell, np.asarray(changed(cell, items[cell.domain])))
        for cell in cells or chosen.printed_cells()
    ]
    return chosen.Answers(runs, items)
