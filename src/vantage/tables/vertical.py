"""Tables of horizontal and vertical tracking for a reader's runs (CVT-Bench, Supp. 3.3), and what responders must show in them."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import scoring, survival
from vantage.items import CVTItems, trajectories, viewpoint_numbers
from vantage.predictions import CVTRun
from vantage.realizability import realizable_scenes
from vantage.relations import ABOVE, BEHIND, FRONT, TOP, VIEWPOINTS
from vantage.tables.derivations import CHANCE, EXACT, LAYOUTS, beside_runs, derived
from vantage.tables.runs import admissible_sets
from vantage.tracking import COMPONENTS, VERTICAL_LABELS, Component, component_scores

_SHORT = {"2D trackers": "2D", "3D horizontal component": "3D horizontal", "3D vertical component": "3D vertical"}


def component_rows(items: CVTItems, component: Component) -> NDArray[np.intp]:
    """The trajectories (pairs, 10) of a component, in the order of encounters."""
    rows = trajectories(items.questions)
    offers = items.questions.kind.to_numpy() == "vertical"
    return rows[offers[rows[:, 0]] == component.vertical_pairs]


def tracking_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """Table S5: F1, exact match and NSC of each component of the fixed pairs; a row a run and component, fractions."""
    admissible, views = admissible_sets(items, strict), viewpoint_numbers(items.questions)
    rows = {name: component_rows(items, component) for name, component in COMPONENTS.items()}
    return pd.DataFrame(
        [
            {"Set": run.title, "Kind": run.kind, "Component": name, "Pairs": len(rows[name])}
            | component_scores(run.answers, admissible, rows[name], views, component.labels)
            for run in runs
            for name, component in COMPONENTS.items()
        ]
    )


def expected_tracking(
    items: CVTItems,
    seed: int,
    slip: float,
    misjudged: float,
    horizontal_slip: float,
    draws: int = survival.PERMUTATIONS,
) -> pd.DataFrame:
    """What Table S5, strict, must be for responders of known mechanism, as `derivations.derived` has it; no answer is looked at.

    `slip` is the independent noise's chance to replace an answer by one of seven others, or of fifteen where above and below are
    offered. `misjudged` is the steady-heights responder's chance to take a pair's above and below the wrong way round, once for
    all ten questions, `horizontal_slip` its chance to replace the horizontal part of an answer. NSC by chance is the mean over
    fresh draws of the mechanism, with their standard deviation as its error.
    """
    gold, views = items.gold, viewpoint_numbers(items.questions)
    rows = {name: component_rows(items, component) for name, component in COMPONENTS.items()}
    flat2, flat3, height = COMPONENTS
    pairs, questions = len(rows[height]), len(gold)
    labels = int(np.bitwise_count(gold).sum())
    vertical = int(np.bitwise_count(gold & np.uint8(VERTICAL_LABELS)).sum())
    claims = []

    def claim(name: str, basis: str, values: dict[str, float | tuple[float, float]]) -> None:
        for score, value in values.items():
            expected, error = value if isinstance(value, tuple) else (value, 0.0)
            claims.append((name, score, basis, 100 * expected, 100 * error))

    def scores(component: str, f1: float, exact: float, nsc: float) -> dict[str, float]:
        return {f"{score} ({_SHORT[component]})": value for score, value in zip(_SCORES, (f1, exact, nsc), strict=True)}

    always, never = (1.0, 1.0, np.nan), (0.0, 0.0, np.nan)
    every = {"F1 (all questions)": 1.0, "Realizable": 1.0}
    claim("reference_oracle", EXACT, every | {k: v for name in COMPONENTS for k, v in scores(name, *always).items()})
    claim(
        "reference_complete_inverter",
        EXACT,
        every | {"F1 (all questions)": 0.0} | {k: v for name in COMPONENTS for k, v in scores(name, *never).items()},
    )
    claim("reference_egocentric", EXACT, {"Realizable": 0.0} | scores(height, *always))
    claim("reference_noisy_source", EXACT, scores(height, *always))
    claim("reference_label_omitter", EXACT, {"Realizable": 1.0} | scores(height, *never))
    claim("reference_label_omitter", LAYOUTS, {"F1 (all questions)": 2 * questions / (questions + labels)})
    claim("reference_forgets_heights", EXACT, {"Realizable": 1.0} | scores(flat2, *always) | scores(flat3, *always))
    claim("reference_forgets_heights", EXACT, scores(height, *never))
    claim(
        "reference_forgets_heights", LAYOUTS, {"F1 (all questions)": 2 * (labels - vertical) / (2 * labels - vertical)}
    )
    claim("reference_up_is_north", EXACT, scores(flat2, *always) | scores(height, 18 / 19, 0.9, 0.0))
    claim("reference_up_is_north", LAYOUTS, _up_is_north(gold, rows[flat3], views))

    def by_chance(name: str, component: str, right: float, f1: bool = False) -> None:
        asked = rows[component]
        chances = np.full((1, *asked.shape), right)
        drawn = survival.drawn_nsc(chances, np.ones(1), views[asked], seed, draws)
        share = (right, float(np.sqrt(right * (1 - right) / asked.size)))
        short = _SHORT[component]
        claim(name, CHANCE, {f"Exact ({short})": share} | ({f"F1 ({short})": share} if f1 else {}))
        claim(name, CHANCE, {f"NSC ({short})": (float(drawn.mean()), float(drawn.std()))})

    by_chance("reference_independent_noise", flat2, 1 - slip)
    by_chance("reference_independent_noise", flat3, 1 - slip * 14 / 15)
    by_chance("reference_independent_noise", height, 1 - slip * 8 / 15, f1=True)
    by_chance("reference_uniform_random", flat2, 1 / 8)
    by_chance("reference_uniform_random", flat3, 1 / 8)
    by_chance("reference_uniform_random", height, 1 / 2, f1=True)
    by_chance("reference_steady_heights", flat2, 1 - horizontal_slip)
    by_chance("reference_steady_heights", flat3, 1 - horizontal_slip)
    steady = (1 - misjudged, float(np.sqrt(misjudged * (1 - misjudged) / pairs))) if pairs else (np.nan, 0.0)
    short = _SHORT[height]
    claim("reference_steady_heights", CHANCE, {f"F1 ({short})": steady, f"Exact ({short})": steady})
    claim("reference_steady_heights", EXACT, {f"NSC ({short})": 1.0})
    return derived(claims)


_SCORES = ("F1", "Exact", "NSC")


def _up_is_north(gold: NDArray[np.uint8], rows: NDArray[np.intp], views: NDArray[np.intp]) -> dict[str, float]:
    """The horizontal component where, at Top alone, above is said as north (behind) and below as south (front), from gold."""
    top = rows[views[rows] == VIEWPOINTS.index(TOP)]
    depth, height = gold[top] & np.uint8(FRONT | BEHIND), gold[top] & np.uint8(VERTICAL_LABELS)
    said = np.where(height == ABOVE, BEHIND, FRONT)
    labels = int(np.bitwise_count(gold[rows] & np.uint8(~VERTICAL_LABELS & 0xFF)).sum())
    opposite = int(((depth != said) & (depth != 0)).sum())
    added = int((depth == 0).sum())
    return {
        f"F1 ({_SHORT['3D horizontal component']})": 2 * (labels - opposite) / (2 * labels + added),
        f"Exact ({_SHORT['3D horizontal component']})": 1 - (opposite + added) / rows.size if rows.size else np.nan,
    }


def expected_beside_tracking(
    runs: Sequence[CVTRun], items: CVTItems, seed: int, slip: float, misjudged: float, horizontal_slip: float
) -> pd.DataFrame:
    """`expected_tracking` beside what the runs give, as `derivations.beside_runs` shows it."""
    gold, names = scoring.strict(items.admissible), {run.title: run.set for run in runs}
    tracked = tracking_table(runs, items, strict=True).melt(["Set", "Component"], list(_SCORES), "Score", "Run")
    found = [
        pd.DataFrame(
            {
                "Set": tracked["Set"],
                "Score": tracked["Score"] + " (" + tracked["Component"].map(_SHORT) + ")",
                "Run": 100 * tracked["Run"],
            }
        )
    ]
    for run in runs:
        realized = realizable_scenes(run.answers, items.questions)
        overall = {
            "F1 (all questions)": 100 * scoring.micro_f1(run.answers, gold),
            "Realizable": 100 * float(np.mean(list(realized.values()))),
        }
        found.append(pd.DataFrame({"Set": run.title, "Score": list(overall), "Run": list(overall.values())}))
    found = pd.concat(found, ignore_index=True)
    expected = expected_tracking(items, seed, slip, misjudged, horizontal_slip)
    return beside_runs(expected, found.assign(Name=found["Set"].map(names)))
