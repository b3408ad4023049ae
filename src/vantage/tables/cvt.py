"""CVT-Bench's tables, recomputed from items.

Each function returns a tidy frame keyed like the published numbers: `row`, `column` and `value` (not rounded, in the unit
that is printed). The notebook shows the frame, the ledger compares it and the tests check it.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from vantage import composition
from vantage.items import CVTItems, matched_cycle_pairs, tracked_rows
from vantage.realizability import flip_labels, permute_pairs, realizable_scenes
from vantage.relations import (
    COUNTERFACTUAL,
    TOP,
    VIEWPOINTS,
    alternatives,
    decode,
    observed,
    relation_set,
    vocabulary,
    yaw_of,
)
from vantage.transport import CARDINAL_VIEWS, recoverable

FLIP_LEVELS = (0.01, 0.02, 0.05, 0.10)
PERMUTATION_LEVELS = (0.05, 0.10, 0.25, 0.50)
"""The perturbation levels of Table S2, as fractions."""

REPLICATES = 100
"""Perturbed copies of each scene. The paper prints tenths of a percent over 100 scenes, so it used at least ten."""


def _tidy(values: dict[tuple[str, str], float]) -> pd.DataFrame:
    return pd.DataFrame(
        [(row, column, value) for (row, column), value in values.items()], columns=["row", "column", "value"]
    )


def table_s1(items: CVTItems, column: str = "CVT-Synthetic") -> pd.DataFrame:
    """Table S1: the composition of the items; counts, averages per scene, and pixels."""
    questions = items.questions
    scenes = pd.DataFrame(items.scenes)
    objects = scenes.objects.map(lambda things: sum(thing["tag"] is not None for thing in things))
    occluded = scenes.objects.map(
        lambda things: any(thing["partially_occluded"] and thing["tag"] is not None for thing in things)
    )
    per_scene = questions.groupby("scene").size()
    source = questions.viewpoint == "0"
    tracked = questions[questions.tracked_pair.notna()]
    pairs = tracked.groupby(["scene", "tracked_pair"]).size()
    labels = np.bitwise_count(items.gold).astype(int)
    density = scenes.density.value_counts()
    return _tidy(
        {
            (row, column): value
            for row, value in {
                "Scenes": len(scenes),
                "Scenes / sparse": density["sparse"],
                "Scenes / dense": density["dense"],
                "Objects per scene / minimum": objects.min(),
                "Objects per scene / maximum": objects.max(),
                "Objects per scene / average": objects.mean(),
                "Questions": len(questions),
                "Questions per scene / minimum": per_scene.min(),
                "Questions per scene / maximum": per_scene.max(),
                "Questions per scene / average": per_scene.mean(),
                "Source-view questions": source.sum(),
                "Counterfactual questions": (~source).sum(),
                "Counterfactual questions / per target condition": _only(
                    questions[~source].groupby("viewpoint").size()
                ),
                "Fixed tracking pairs": len(pairs),
                "Fixed tracking pairs / horizontal": len(pairs),
                "Fixed question instances": len(tracked),
                "Fixed question instances / appearances per pair": _only(pairs),
                "Scenes with partial occlusion": occluded.sum(),
                "Scenes with partial occlusion / affected questions": questions.partially_occluded.sum(),
                "Multi-label questions": (labels > 1).sum(),
                "Labels total": labels.sum(),
                "Relation vocabulary": len(vocabulary("0")),
                "Input resolution / width": _only(scenes.width),
                "Input resolution / height": _only(scenes.height),
            }.items()
        }
    )


def _only(values: pd.Series) -> float:
    """The one value that all entries share; not a number where they differ."""
    return float(values.iloc[0]) if values.nunique() == 1 else float("nan")


def table_s2(items: CVTItems, seed: int, column: str = "CVT-Synthetic", replicates: int = REPLICATES) -> pd.DataFrame:
    """Table S2: how the realizability test responds to ground truth and to deliberate errors, percent of scenes.

    Relation flip turns each asserted label with the given chance; pair permutation selects each question with the given
    chance and exchanges the pairs of the selected ones. Both are random: `replicates` copies of every scene, drawn with
    `seed` from NumPy's PCG64. A further column `basis` says which numbers the items were built to meet.
    """
    gold, questions = items.gold, items.questions
    graphs = composition.query_graphs(items)

    def percent(realized: dict[str, bool]) -> float:
        return 100 * float(np.mean(list(realized.values())))

    truth = "Ground-truth constraints"
    constructed = {
        (truth, f"{column} / Correct map"): percent(realizable_scenes(gold, questions)),
        (truth, f"{column} / Connected"): 100 * float((graphs.components == 1).mean()),
        (truth, f"{column} / Positive cycle rank"): 100 * float((graphs.cycle_rank > 0).mean()),
    }
    values = {(truth, f"{column} / Opposite map"): percent(realizable_scenes(gold, questions, opposite_map=True))}
    rng = np.random.default_rng(seed)
    for level in FLIP_LEVELS:
        values[f"Relation flip / {level:.0%}", f"{column} / Realizable"] = float(
            np.mean([percent(realizable_scenes(flip_labels(gold, level, rng), questions)) for _ in range(replicates)])
        )
    for level in PERMUTATION_LEVELS:
        values[f"Pair permutation / {level:.0%}", f"{column} / Realizable"] = float(
            np.mean([percent(realizable_scenes(gold, permute_pairs(questions, level, rng))) for _ in range(replicates)])
        )
    return pd.concat(
        [_tidy(constructed).assign(basis="constructed"), _tidy(values).assign(basis="unfitted")], ignore_index=True
    )


def composition_text(items: CVTItems, column: str = "CVT-Synthetic") -> pd.DataFrame:
    """The composition numbers of the running text that the items determine.

    The text says the same thing in several sections: a row here answers for each of them.
    """
    questions, graphs = items.questions, composition.query_graphs(items)
    tracked = questions.tracked_pair.notna()
    slots = questions[questions.kind == "primary"].groupby(["scene", "viewpoint"]).size()
    fixed = questions[tracked & (questions.viewpoint == "0")].groupby("scene").size()
    source = questions[questions.viewpoint == "0"].groupby("scene").size()
    supplements = questions[questions.kind == "supplement"].groupby("scene").size()
    per_view = questions[questions.viewpoint != "0"].groupby(["scene", "viewpoint"]).size()
    returned = pd.Series(1, index=questions.scene.iloc[matched_cycle_pairs(questions)[:, 0]]).groupby(level=0).sum()
    positions = composition.position_by_viewpoint(items)
    everywhere = {
        "Viewpoint conditions": questions.viewpoint.nunique(),
        "Viewpoints at which a fixed pair recurs": _only(
            questions[tracked].groupby(["scene", "tracked_pair"]).viewpoint.nunique()
        ),
        "Non-source viewpoint conditions": questions.viewpoint[questions.viewpoint.isin(COUNTERFACTUAL)].nunique(),
        "Azimuths": questions.viewpoint[questions.viewpoint != TOP].nunique(),
        "Fixed horizontal pairs per scene, at most": fixed.max(),
        "Horizontal questions at the source view, at most": source.max(),
        "Horizontal questions at every other view, at most": per_view.max(),
    }
    here = {
        "Scenes": len(items.scenes),
        "Questions": len(questions),
        "Fixed pairs per scene": fixed.max(),
        "Primary slots at each view": slots.max(),
        "Additional pairs at each view": slots.max() - fixed.max(),
        "Supplemental source-view pairs, at most": supplements.max(),
        "Primary pairs at 360 degrees that match 0 degrees": returned.max(),
        "Fixed pairs kept as algebraically recoverable": closed_pairs(items),
        "Questions by which quarter turns occur earlier than other views": composition.quarter_turn_lead(positions),
        "Variance of prompt position explained by angle": 100 * composition.variance_explained(positions),
        **{
            f"Median {name} per constraint system": float(graphs[field].median())
            for name, field in {
                "objects": "objects",
                "inequalities": "inequalities",
                "directed pairs": "directed",
                "undirected pairs": "undirected",
                "repeated directed pairs": "repeated",
                "cycle rank": "cycle_rank",
            }.items()
        },
    }
    return _tidy(
        {(row, "all"): value for row, value in everywhere.items()}
        | {(row, column): value for row, value in here.items()}
    )


def closed_pairs(items: CVTItems) -> int:
    """Fixed pairs whose gold at each cardinal view equals the symbolic turn of their source relation (Supp. 3.5)."""
    cardinal = tracked_rows(items.questions)[:, CARDINAL_VIEWS]
    return int(recoverable(items.gold[cardinal]).sum())


def worked_pair(items: CVTItems, scene: str, target: int, anchor: int) -> pd.DataFrame:
    """One pair of a scene at each viewpoint: components in world units, gold relations and admissible alternatives."""
    plane = {thing["tag"]: np.array(thing["plane"]) for thing in items.scene(scene)["objects"]}
    displacement = plane[target] - plane[anchor]

    def words(masks: Sequence[int], viewpoint: str) -> str:
        return " or ".join(" + ".join(decode(mask, viewpoint)) for mask in masks)

    rows = []
    for viewpoint in VIEWPOINTS:
        components = observed(displacement, yaw_of(viewpoint))
        rows.append(
            {
                "Viewpoint": viewpoint,
                "To the right": components[0],
                "Behind": components[1],
                "Gold": words([int(relation_set(components))], viewpoint),
                "Also admissible": words(alternatives(components), viewpoint) or "-",
            }
        )
    return pd.DataFrame(rows)
