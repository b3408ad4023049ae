"""Resampling against drawing answers and computing anew in each draw; and all metrics of 60 cells.

The plain way is that of an analysis script in NumPy: it draws clusters, gathers the answers of those drawn, and calls the
statistic on them. It is timed on `PLAIN_DRAWS` draws and scaled to all, as its draws cost the same each.
"""

from dataclasses import replace
from time import perf_counter

import numpy as np

from benchmarks import plain
from benchmarks.measure import Measurement
from vantage import predictions, survival
from vantage.bootstrap import DRAWS, interval, ratio, resample
from vantage.items import load_cvt, trajectories, viewpoint_numbers
from vantage.realizability import constraints_by_scene
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


def bootstrap_f1() -> Measurement:
    """The interval of global F1 of one run, from answers."""
    items, answers = load_cvt(), predictions.load(SETS[3]).runs[0].answers
    prompts = _prompts(items)

    def ours():
        interval(resample(f1_sums(answers, items.admissible, prompts), ratio, SEED))

    def plainly():
        members = [np.flatnonzero(prompts == cluster) for cluster in range(CLUSTERS)]
        interval(np.array(_plain(members, lambda rows: micro_f1(answers[rows], items.admissible[rows]))))

    return Measurement(_seconds(ours, 5), _seconds(plainly) * DRAWS / PLAIN_DRAWS, DRAWS)


def bootstrap_nsc() -> Measurement:
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

    def plainly():
        members = [np.flatnonzero(prompts == cluster) for cluster in range(CLUSTERS)]
        interval(np.array(_plain(members, once)))

    return Measurement(_seconds(ours, 5), _seconds(plainly) * DRAWS / PLAIN_DRAWS, DRAWS)


def score_all_cells() -> Measurement:
    """Every table of 60 full-size cells with its intervals: 30 isolated runs and their competing partners.

    The cells are copies of reference sets; a competing copy has every fifth answer from another set. Of the plain way only
    the three costliest parts are counted, each timed on a sample and scaled: realizability and MaxSAT of every scene by
    SciPy, and the intervals of F1 and NSC by drawing anew. So the ratio is a lower bound.
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
        outputs = coherence.scene_outputs(cells, items, coherence.satisfiable(cells, items))
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

    def plainly() -> float:
        scenes = [
            list(constraints_by_scene(cell.answers, items.questions).values())[::20] for cell in cells[:: CELLS // 6]
        ]
        sample = [constraints for some in scenes for constraints in some]
        took = _seconds(lambda: [(plain.realizable(one), plain.largest_satisfiable(one)) for one in sample])
        return took * CELLS * len(items.scenes) / len(sample) + CELLS * (
            bootstrap_f1().plain_s + bootstrap_nsc().plain_s
        )

    return Measurement(_seconds(ours), plainly(), CELLS)


BENCHMARKS = {"bootstrap_f1": bootstrap_f1, "bootstrap_nsc": bootstrap_nsc, "score_all_cells": score_all_cells}
"""What each benchmark is called in _build/bench.json, and how it is measured."""
