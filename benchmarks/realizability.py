"""Realizability and MaxSAT of whole scenes, from answers to verdicts, against SciPy's `linprog` and `milp` as in Supp. 2.3.

Percentages in names are flip rates. Synthetic scenes are ours; three-dimensional ones are random, with as many questions a scene.
"""

from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks import plain
from benchmarks.measure import Measurement, compare
from benchmarks.systems import random_answers
from vantage.items import load_cvt
from vantage.realizability import constraints_by_scene, flip_labels, largest_satisfiable, realizable_scenes

SEED = 20261130
FLIPS = (1, 2, 5, 10, 50)
MAXSAT_FLIPS = (0, 1, 2, 5, 10, 20, 30, 50)
"""Chances of a flip, percent."""

COPIES = 3
"""Copies of the hundred scenes, each with its own flips."""

MAXSAT_EVERY = 4
"""MaxSAT is measured on every fourth scene: the plain way takes a tenth of a second for one."""


def _synthetic(flips: int, copies: int = COPIES) -> tuple[NDArray[np.uint8], pd.DataFrame]:
    items = load_cvt("synthetic")
    questions = [items.questions.assign(scene=items.questions.scene + f" copy {copy}") for copy in range(copies)]
    answers = flip_labels(np.tile(items.gold, copies), flips / 100, np.random.default_rng(SEED))
    return answers, pd.concat(questions, ignore_index=True)


def _spatial(flips: int, scenes: int = 100 * COPIES) -> tuple[NDArray[np.uint8], pd.DataFrame]:
    rng = np.random.default_rng(SEED)
    parts = [random_answers(rng, int(rng.integers(2, 11)), 60, flips / 100, dimensions=3) for _ in range(scenes)]
    questions = [asked.assign(scene=f"spatial-{number:03}") for number, (_, asked) in enumerate(parts, 1)]
    return np.concatenate([answers for answers, _ in parts]), pd.concat(questions, ignore_index=True)


def _feasibility(answers: NDArray[np.uint8], questions: pd.DataFrame, dimensions: int = 2) -> Measurement:
    def plainly() -> dict[str, bool]:
        scenes = constraints_by_scene(answers, questions, dimensions=dimensions)
        return {name: plain.realizable(constraints) for name, constraints in scenes.items()}

    return compare(partial(realizable_scenes, answers, questions), plainly, questions.scene.nunique())


def _maxsat(flips: int) -> Measurement:
    scenes = list(constraints_by_scene(*_synthetic(flips, copies=1)).values())[::MAXSAT_EVERY]
    return compare(
        lambda: [largest_satisfiable(constraints).satisfied for constraints in scenes],
        lambda: [plain.largest_satisfiable(constraints) for constraints in scenes],
        len(scenes),
    )


BENCHMARKS = {
    "realizability_2d_gold": lambda: _feasibility(*_synthetic(0)),
    **{f"realizability_2d_flips_{flips}": lambda flips=flips: _feasibility(*_synthetic(flips)) for flips in FLIPS},
    "realizability_3d_gold": lambda: _feasibility(*_spatial(0), dimensions=3),
    **{
        f"realizability_3d_flips_{flips}": lambda flips=flips: _feasibility(*_spatial(flips), dimensions=3)
        for flips in FLIPS
    },
    **{f"maxsat_flips_{flips}": lambda flips=flips: _maxsat(flips) for flips in MAXSAT_FLIPS},
}
"""What each benchmark is called in _build/bench.json, and how it is measured."""
