"""CVT-Bench's printed results from runs: every printed key, small cases by hand, the plain way, and one changed answer.

The runs are made up here: answers drawn at random around gold for all 60 cells of Table 1 and all filler runs. Until they are
compared with the print nothing depends on how they are drawn.
"""

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from benchmarks import plain_cvt, verify as plain_verify
from vantage import ledger, quarter_turns, relations
from vantage.items import load_attribute_questions, load_cvt, tracked_rows
from vantage.predictions import ANSWERED, MISSING, NOT_ASKED, AttributeRun, CVTRun, cvt_table
from vantage.prompts import FILLERS, TARGET_POSITIONS, asked_in, batches
from vantage.published import load_published
from vantage.relations import ABOVE, BEHIND, BELOW, FRONT, HORIZONTAL, LEFT, RIGHT, VIEWPOINTS
from vantage.tables.cvt_results import chosen, controls, robustness, scores, turns
from vantage.tables.cvt_results.verifier import RESULTS, verify

SEED = 7


@pytest.fixture(scope="module")
def synthetic():
    return load_cvt("synthetic")


@pytest.fixture(scope="module")
def lifted(synthetic):
    """CVT-Synthetic-Open with a height for every object, equal to its tag: a domain with questions about above and below.

    The last fixed pair of each scene is vertical-enriched; so is a fixed pair that is asked about at all ten views.
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


@pytest.fixture(scope="module")
def made_up(synthetic, lifted):
    """All 60 cells, and the filler runs of the two models that have them, with their attribute answers."""
    rng = np.random.default_rng(SEED)
    items, attributes = {"synthetic": synthetic, "indoor": lifted}, load_attribute_questions("synthetic")
    runs, attribute_runs = [], []
    for cell in chosen.printed_cells():
        runs.append(run_of(items[cell.domain], cell, drawn(items[cell.domain], rng, rng.uniform(0.02, 0.5))))
    for model in controls.SHORT:
        for regime in FILLERS:
            for representation in ("image", "text_bbox"):
                for position in TARGET_POSITIONS:
                    cell = chosen.Cell("synthetic", regime, model, representation)
                    asked = asked_in(synthetic, synthetic.questions["scene"], regime, position)
                    status = np.where(asked, ANSWERED, NOT_ASKED).astype(np.uint8)
                    answers = np.where(asked, drawn(synthetic, rng, 0.2), 0)
                    run = run_of(synthetic, cell, answers, status=status, target_position=position)
                    runs.append(replace(run, run=f"{run.run}-{position}", title=f"{run.title}, {position}"))
                    if regime == "attribute_filler":
                        attribute_runs.append(answered_attributes(attributes, runs[-1], rng, synthetic))
    return chosen.Answers(runs, items, attribute_runs)


def answered_attributes(attributes, run, rng, items):
    asked = ~asked_in(items, attributes.questions["scene"], run.regime, run.target_position)
    right = asked & (rng.random(len(asked)) < 0.9)
    return AttributeRun(
        **{
            name: getattr(run, name)
            for name in ("set", "kind", "title", "run", "model", "domain", "regime", "representation", "about")
        },
        target_position=run.target_position,
        answers=tuple(gold if known else frozenset() for gold, known in zip(attributes.gold, right, strict=True)),
        status=np.where(right, ANSWERED, np.where(asked, MISSING, NOT_ASKED)).astype(np.uint8),
        block=np.full(len(asked), -1, np.int16),
    )


def cells(table):
    return {(row, column): value for row, column, value in table.itertuples(index=False)}


# --------------------------------------------------------------------------------------------------------- every printed key


def test_everything_that_rests_on_answers_is_recomputed(made_up):
    """All printed results and intervals but the models' F1 on the three scenes of the human study, which the paper does not name."""
    printed = load_published("cvt").query("kind in ('prediction', 'interval')")
    human = printed[printed["row"] == "Model F1 on the scenes of the human study"]
    assert len(human) == 4
    found = [*verify(made_up)["id"], *verify(made_up, drawn=True)["id"]]
    assert not [number for number, times in Counter(found).items() if times > 1]
    assert sorted(found) == sorted(set(printed["id"]) - set(human["id"]))
