"""Tables of the filler regimes: how they match CVT-Competing, target scenes in all regimes, retrieval by position (CVT-Bench, Supp. 5)."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from vantage import scoring
from vantage.attributes import exact
from vantage.items import AttributeQuestions, CVTItems, load_attribute_questions, trajectories, viewpoint_numbers
from vantage.predictions import NOT_ASKED, AttributeRun, CVTRun, pool_targets
from vantage.prompts import FILLERS, assemble, batches, prompt_text
from vantage.survival import nsc, survival_curves
from vantage.tables.runs import admissible_sets

TITLES = {
    "isolated": "Isolated",
    "competing": "Competing",
    "irrelevant_filler": "Irrelevant filler",
    "attribute_filler": "Attribute filler",
}
"""The columns of Table S11."""

ALL = "All"
"""The column of Table S13 with the unweighted mean over positions."""


def matching_table(items: CVTItems, representation: str) -> pd.DataFrame:
    """How the filler prompts match the competing prompt of the same batch, one row a target prompt.

    Columns: Batch (from 1), Target position, Target; characters of the three prompts, pictures not counted, and the two
    filler prompts' in percent of the competing one's (Supp. 5: "remains within 5%"); then, over the other 19 scenes, the spatial
    Questions of the competing prompt and those With two labels, the Attribute questions and those With two answers.
    """
    prompts = {
        regime: assemble(items, regime, representation).to_pandas().groupby("prompt", sort=False)
        for regime in ("competing", *FILLERS)
    }
    characters = {regime: parts.apply(prompt_text).str.len() for regime, parts in prompts.items()}
    competing = characters["competing"].to_numpy()
    rows = []
    spatial = pd.DataFrame({"scene": items.questions.scene, "answers": np.bitwise_count(items.gold)})
    attribute = load_attribute_questions(items.domain).questions.rename(columns={"cardinality": "answers"})
    by_prompt = list(prompts["attribute_filler"])
    for place, (_, slots) in enumerate(by_prompt):
        block = int(slots.block.iloc[0])
        others = slots.scene[slots.role == "attribute"]
        counted = [part[part.scene.isin(others)].answers for part in (spatial, attribute)]
        lengths = [int(competing[block]), *(int(characters[regime].iloc[place]) for regime in FILLERS)]
        rows.append(
            {
                "Batch": block + 1,
                "Target position": int(slots.target_position.iloc[0]),
                "Target": slots.scene[slots.role == "spatial"].item(),
                **dict(zip((TITLES[regime] for regime in ("competing", *FILLERS)), lengths, strict=True)),
                **{
                    f"{TITLES[regime]}, %": 100 * length / lengths[0]
                    for regime, length in zip(FILLERS, lengths[1:], strict=True)
                },
                "Questions": len(counted[0]),
                "With two labels": int((counted[0] == 2).sum()),
                "Attribute questions": len(counted[1]),
                "With two answers": int((counted[1] == 2).sum()),
            }
        )
    return pd.DataFrame(rows)


def target_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """Table S11: F1 and NSC of the target scenes in every regime, one row a set, model, representation and metric; fractions.

    Runs of one filler regime are pooled over their target positions; every regime is counted on the targets that all of the
    row's filler runs ask. A regime without a run is not a number; a model without a filler run is left out.
    """
    admissible = admissible_sets(items, strict)
    views = viewpoint_numbers(items.questions)
    tracked = trajectories(items.questions)
    found: dict[tuple[str, str, str], dict[str, CVTRun]] = {}
    for run in pool_targets(runs):
        if run.domain == items.domain:
            found.setdefault((run.set, run.model, run.representation), {})[run.regime] = run
    rows = []
    for (set_, model, representation), by_regime in found.items():
        asked = [by_regime[regime].status != NOT_ASKED for regime in FILLERS if regime in by_regime]
        if not asked:
            continue
        kept = np.all(asked, axis=0)
        steps = tracked[kept[tracked[:, 0]]]
        head = {
            "Set": set_,
            "Model": model,
            "Representation": representation,
            "Targets": int(items.questions.scene[kept].nunique()),
        }
        f1, persistence = {}, {}
        for regime, run in by_regime.items():
            right = scoring.exact(run.answers, admissible)
            f1[TITLES[regime]] = scoring.micro_f1(run.answers[kept], admissible[kept])
            persistence[TITLES[regime]] = float(nsc(survival_curves(right[steps], views[steps])))
        rows += [head | {"Metric": "F1"} | f1, head | {"Metric": "NSC"} | persistence]
    return pd.DataFrame(rows, columns=["Set", "Model", "Representation", "Targets", "Metric", *TITLES.values()])


def retrieval_by_position(runs: Sequence[AttributeRun], questions: AttributeQuestions, items: CVTItems) -> pd.DataFrame:
    """Attribute retrieval by the scene's position in its prompt (Tables S12, S13), tidy.

    Columns: Set, Model, Representation, position (from 0), questions, right, value; percent of the questions asked there that are
    answered exactly. Runs that differ only in their target position are pooled: a position is asked about in three of them, 0, 9
    and 19 in two. Invalid and missing answers are wrong.
    """
    scenes = questions.questions.scene
    place = {scene: slot for batch in batches(items, 20) for slot, scene in enumerate(batch)}
    position = scenes.map(place).to_numpy()
    parts = []
    for run in runs:
        asked = run.status != NOT_ASKED
        right = exact(run.answers, questions.gold)
        head = {"Set": run.set, "Model": run.model, "Representation": run.representation}
        parts.append(pd.DataFrame(head | {"position": position[asked], "right": right[asked]}))
    answered = pd.concat(parts) if parts else pd.DataFrame(columns=[*_CELL, "position", "right"])
    counts = [
        part.groupby("position")
        .right.agg(questions="size", right="sum")
        .reset_index()
        .assign(**dict(zip(_CELL, cell, strict=True)))
        for cell, part in answered.groupby(_CELL, sort=False)
    ]
    counted = pd.concat(counts, ignore_index=True) if counts else answered.assign(questions=[])
    return counted.assign(value=100 * counted.right / counted.questions)[
        [*_CELL, "position", "questions", "right", "value"]
    ]


_CELL = ["Set", "Model", "Representation"]


def retrieval_table(runs: Sequence[AttributeRun], questions: AttributeQuestions, items: CVTItems) -> pd.DataFrame:
    """Tables S12 and S13: attribute retrieval in percent, one row a set, model and representation, a column a position.

    The last column is the unweighted mean over positions.
    """
    by_position = retrieval_by_position(runs, questions, items)
    wide = by_position.pivot(index=_CELL, columns="position", values="value")
    wide = wide.reindex(pd.MultiIndex.from_frame(by_position[_CELL].drop_duplicates()))
    named = wide.rename(columns=lambda position: f"Position {position}")
    return named.assign(**{ALL: wide.mean(axis=1)}).rename_axis(columns=None).reset_index()
