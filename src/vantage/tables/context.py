"""Tables of the page on context: scores of the target scenes by regime, and what stands before a target (CVT-Bench, Supp. 5).

Runs of a filler regime come with one target position each; what looks at all fifteen targets pools them
(`vantage.predictions.pool_targets`).
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import scoring
from vantage.items import CVTItems, trajectories, viewpoint_numbers
from vantage.predictions import CVTRun, pool_targets
from vantage.prompts import FILLERS, TARGET_POSITIONS, assemble, prompt_text, target_scenes
from vantage.survival import nsc, survival_curves
from vantage.tables.interference import gap_table, regime_pairs

REGIMES = {
    "isolated": "Isolated",
    "irrelevant_filler": "Irrelevant filler",
    "attribute_filler": "Attribute filler",
    "competing": "Competing",
}
"""The regimes as tables call them, in the order of the intervention ladder."""

_LINE = re.compile(r"^q_\d+: ", re.MULTILINE)


def positions_of_targets(items: CVTItems) -> dict[str, int]:
    """The slot of each target scene in its batch of twenty."""
    return {scene: position for position in TARGET_POSITIONS for scene in target_scenes(items, position)}


def _by_model(runs: Sequence[CVTRun]) -> dict[tuple, dict[str, CVTRun]]:
    """Pooled runs by set, model and representation, then by regime; of those that have a filler run."""
    found: dict[tuple, dict[str, CVTRun]] = {}
    for run in pool_targets(runs):
        found.setdefault((run.set, run.model, run.representation), {})[run.regime] = run
    return {key: by_regime for key, by_regime in found.items() if set(by_regime) & set(FILLERS)}


def regime_table(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """Table S11: F1 and NSC on the fifteen target scenes, a row a model and metric and a column a regime; fractions.

    A regime that a model has no run of is empty.
    """
    target = items.questions.scene.isin(positions_of_targets(items)).to_numpy()
    rows = trajectories(items.questions)
    rows = rows[target[rows[:, 0]]]
    views = viewpoint_numbers(items.questions)[rows]
    scores = {
        "F1": lambda run: scoring.micro_f1(run.answers[target], items.admissible[target]),
        "NSC": lambda run: float(nsc(survival_curves(scoring.exact(run.answers, items.admissible)[rows], views))),
    }
    return pd.DataFrame(
        [
            {"Set": model, "Metric": metric}
            | {words: score(by_regime[regime]) for regime, words in REGIMES.items() if regime in by_regime}
            for (_, model, _), by_regime in _by_model(runs).items()
            for metric, score in scores.items()
        ],
        columns=["Set", "Metric", *REGIMES.values()],
    )


def filler_gaps(runs: Sequence[CVTRun], items: CVTItems, seed: int) -> pd.DataFrame:
    """Each filler minus competing on the target scenes with a 95 % interval that resamples the target prompts; fractions."""
    pooled, parts = pool_targets(runs), []
    for control in FILLERS:
        if regime_pairs(pooled, control):
            gaps = gap_table(pooled, items, seed, control=control).query("Set != 'All'")
            parts.append(gaps.assign(Filler=REGIMES[control]))
    columns = ["Model", "Metric", "Filler", "Control", "Competing", "Gap", "Low", "High"]
    frame = pd.concat(parts)[columns] if parts else pd.DataFrame(columns=columns)
    order = {model: place for place, model in enumerate(dict.fromkeys(run.model for run in runs))}
    return (
        frame.sort_values(["Model", "Metric"], key=lambda part: part.map(order).fillna(part), kind="stable")
        .rename(columns={"Model": "Set", "Control": "With filler"})
        .reset_index(drop=True)
    )


def position_scores(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """Strict exact match of the target scenes by slot and regime, tidy: Set, regime, position (from 0), value; fractions."""
    position = items.questions.scene.map(positions_of_targets(items)).to_numpy()
    gold = scoring.strict(items.admissible)
    return pd.DataFrame(
        [
            (model, words, place, scoring.exact_match(by_regime[regime].answers[here], gold[here]))
            for (_, model, _), by_regime in _by_model(runs).items()
            for regime, words in REGIMES.items()
            if regime in by_regime
            for place in TARGET_POSITIONS
            for here in (position == place,)
        ],
        columns=["Set", "regime", "position", "value"],
    )


def before_questions(items: CVTItems, regime: str, target_position: int | None = None) -> pd.DataFrame:
    """What stands before each question in the Text/BBox prompts of a regime, a row a question in the order of the prompts.

    Columns: scene, block, position (the slot), role (spatial or attribute); `characters` and `questions` before it; `along`,
    the questions before it as a share of all others in the prompt; `scenes` before its own that are shown, and `related`, those
    of them asked about their relations.
    """
    positions = () if target_position is None else (target_position,)
    rows = []
    for _, prompt in assemble(items, regime, "text_bbox", target_positions=positions).to_pandas().groupby("prompt"):
        whole, at, asked, shown, related = prompt_text(prompt), 0, 0, 0, 0
        found = []
        for slot in prompt.sort_values("position").itertuples():
            at = whole.index(slot.text, at)
            for line in _LINE.finditer(slot.text):
                found.append(
                    (slot.scene, slot.block, slot.position, slot.role, at + line.start(), asked, shown, related)
                )
                asked += 1
            at += len(slot.text)
            shown += slot.role != "irrelevant"
            related += slot.role == "spatial"
        columns = ["scene", "block", "position", "role", "characters", "questions", "scenes", "related"]
        frame = pd.DataFrame(found, columns=columns)
        rows.append(frame.assign(along=frame.questions / (len(frame) - 1)))
    return pd.concat(rows, ignore_index=True)


def target_loads(items: CVTItems) -> pd.DataFrame:
    """What stands before a question of the target, on average, by regime and slot of the target; as `before_questions`."""
    targets, parts = positions_of_targets(items), []
    for regime, words in REGIMES.items():
        for position in TARGET_POSITIONS if regime in FILLERS else (None,):
            before = before_questions(items, regime, position)
            before = before[(before.role == "spatial") & before.scene.isin(targets)]
            parts.append(before.assign(regime=words, position=before.scene.map(targets)))
    loads = ["characters", "questions", "along", "scenes", "related"]
    return pd.concat(parts).groupby(["regime", "position"], sort=False)[loads].mean().reset_index()


MECHANISMS = {
    "Interference": ("related", 19, True),
    "Scene mix-up": ("scenes", 19, True),
    "Drifting": ("along", 1, False),
    "Tiring": ("questions", 1000, False),
    "Length-sensitive": ("characters", 100_000, False),
}
"""What each responder's chance of an error is proportional to, in what units, and whether it is only at most that: a
mix-up does no harm where the other scene says the same."""


def expected_positions(items: CVTItems, rates: Mapping[str, float]) -> pd.DataFrame:
    """Strict exact match of the targets that the mechanisms imply, tidy as `position_scores`; for mix-ups a floor.

    `rates` has each responder's chance of an error at one unit of what it heeds, as `MECHANISMS` has them; the others are always
    right.
    """
    loads = target_loads(items)
    return pd.concat(
        [
            loads[["regime", "position"]].assign(Set=name, value=1 - _chance(loads, name, rates))
            for name in (*MECHANISMS, "Oracle", "Recency-biased")
        ],
        ignore_index=True,
    )


def _chance(loads: pd.DataFrame, name: str, rates: Mapping[str, float]) -> NDArray[np.float64]:
    if name not in MECHANISMS:
        return np.zeros(len(loads))
    heeded, unit, _ = MECHANISMS[name]
    return rates[name] * loads[heeded].to_numpy(dtype=float) / unit


def loads_table(items: CVTItems) -> pd.DataFrame:
    """`target_loads` for a page, a row a regime, all targets together."""
    loads = target_loads(items).groupby("regime", sort=False).mean().drop(columns=["position", "along"])
    return (
        loads.rename(
            columns={
                "characters": "Characters",
                "questions": "Questions",
                "scenes": "Other scenes",
                "related": "Scenes asked about relations",
            }
        )
        .rename_axis(index="Regime")
        .reset_index()
    )
