"""How fast resampling is, against drawing items and computing anew in each draw; and how long all metrics of 60 cells take.

Each function returns `{name: (ours_s, plain_s, n)}`: seconds, and over how many draws or cells. The plain way is that
of an analysis script in NumPy: it draws clusters, gathers the answers of those drawn, and calls the statistic on them.
It is timed on `PLAIN_DRAWS` draws and scaled to all, as its draws cost the same each.
"""

from dataclasses import replace
from time import perf_counter

import numpy as np

from vantage import predictions, survival
from vantage.bootstrap import DRAWS, interval, ratio, resample
from vantage.items import load_cvt, trajectories, viewpoint_numbers
from vantage.scoring import exact, f1_sums, micro_f1
from vantage.tables import coherence, interference, persistence, runs, transformation

SEED = 1
CLUSTERS = 5
"""Twenty scenes a prompt (Supp. 4.2)."""

PLAIN_DRAWS = 200
CELLS = 60
SETS = (
    "reference_egocentric",
    "reference_half_turn",
    "reference_noisy_source",
    "reference_independent_noise",
    "reference_label_omitter",
)


def _seconds(work, times: int = 1) -> float:
    """The least wall time of `work` in a few tries: other work on the machine can only add to it."""
    took = []
    for _ in range(times):
        start = perf_counter()
        work()
        took.append(perf_counter() - start)
    return min(took)


def _plain(members: list[np.ndarray], statistic) -> list[float]:
    rng = np.random.default_rng(SEED)
    return [
        statistic(np.concatenate([members[cluster] for cluster in rng.integers(0, CLUSTERS, CLUSTERS)]))
        for _ in range(PLAIN_DRAWS)
    ]


def _prompts(items) -> np.ndarray:
    """The prompt of each question when the scenes are cut into prompts in their frozen order."""
    number = {scene["scene"]: scene["number"] - 1 for scene in items.scenes}
    return (items.questions.scene.map(number) * CLUSTERS // len(number)).to_numpy(dtype=np.int16)


def bootstrap_f1() -> dict[str, tuple[float, float, int]]:
    """The interval of global F1 of one run, from answers."""
    items, answers = load_cvt(), predictions.load(SETS[3]).runs[0].answers
    prompts = _prompts(items)

    def ours():
        interval(resample(f1_sums(answers, items.admissible, prompts), ratio, SEED))

    def plain():
        members = [np.flatnonzero(prompts == cluster) for cluster in range(CLUSTERS)]
        interval(np.array(_plain(members, lambda rows: micro_f1(answers[rows], items.admissible[rows]))))

    return {"bootstrap_f1": (_seconds(ours, 5), _seconds(plain) * DRAWS / PLAIN_DRAWS, DRAWS)}


def bootstrap_nsc() -> dict[str, tuple[float, float, int]]:
    """The interval of NSC of one run, from answers."""
    items, answers = load_cvt(), predictions.load(SETS[3]).runs[0].answers
    rows = trajectories(items.questions)
    views = viewpoint_numbers(items.questions)[rows]
    prompts = _prompts(items)[rows[:, 0]]

    def ours():
        right = exact(answers, items.admissible)[rows]
        interval(resample(survival.survival_sums(right, views, prompts), survival.nsc_of_sums, SEED))

    def once(drawn):
        at = rows[drawn].ravel()
        right = exact(answers[at], items.admissible[at]).reshape(-1, views.shape[1])
        return survival.nsc(survival.survival_curves(right, views[drawn]))

    def plain():
        members = [np.flatnonzero(prompts == cluster) for cluster in range(CLUSTERS)]
        interval(np.array(_plain(members, once)))

    return {"bootstrap_nsc": (_seconds(ours, 5), _seconds(plain) * DRAWS / PLAIN_DRAWS, DRAWS)}


def score_all_cells() -> dict[str, tuple[float, None, int]]:
    """Every table of 60 full-size cells with its intervals: 30 isolated runs and their competing partners.

    The cells are copies of reference sets; a competing copy has every fifth answer from another set. There is no plain
    way beside it: the aim is a minute.
    """
    items = load_cvt()
    prompts = _prompts(items)
    rng = np.random.default_rng(SEED)
    answers = [predictions.load(name).runs[0] for name in SETS]
    cells = []
    for number in range(CELLS // 2):
        run, other = answers[number % len(SETS)], answers[(number + 3) % len(SETS)]
        mixed = np.where(rng.random(len(prompts)) < 0.2, other.answers, run.answers)
        cell = replace(run, model=f"{run.model} {number}", title=f"{run.title} {number}")
        cells += [
            cell,
            replace(cell, title=f"{cell.title}, competing", regime="competing", answers=mixed, block=prompts),
        ]

    def ours():
        outputs = coherence.scene_outputs(cells, items)
        coherence.coherence_table(outputs)
        coherence.matched_table(outputs, SEED)
        interference.gap_table(cells, items, SEED, outputs=outputs)
        interference.partition_table(cells, items)
        interference.position_table(cells, items)
        for table in (persistence.null_table, persistence.order_table, runs.viewpoint_intervals):
            table(cells, items, SEED)
        for table in (
            persistence.persistence_table,
            runs.scores_table,
            runs.viewpoint_table,
            runs.cycle_table,
            transformation.transport_table,
            transformation.recoverable_table,
            transformation.quarter_turn_table,
            transformation.aligned_error_table,
            transformation.rebinding_table,
        ):
            table(cells, items)

    return {"score_all_cells": (_seconds(ours), None, CELLS)}
