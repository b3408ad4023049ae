"""Tables that set a control regime beside CVT-Competing, for a reader's runs (CVT-Bench, Supp. 2.4, 4.2, 4.4 and 5)."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vantage import interference, scoring
from vantage.bootstrap import DRAWS, Gap, Statistic, interval, mean_gap, mean_sums, paired_gap, ratio, resample
from vantage.errors import InputError
from vantage.items import CVTItems, trajectories, viewpoint_numbers
from vantage.predictions import NOT_ASKED, CVTRun, pool_targets
from vantage.prompts import batches
from vantage.survival import nsc_of_sums, survival_sums
from vantage.tables.runs import admissible_sets, require_blocks
from vantage.viewpoints import Score, viewpoint_curve

Pair = tuple[CVTRun, CVTRun]


def regime_pairs(runs: Sequence[CVTRun], control: str = "isolated") -> list[Pair]:
    """Each run in the control regime with the competing run of the same set, model, domain and representation.

    Runs of a filler regime with a target position each are one control, over all their targets. Runs without a partner are left
    out. Raises `InputError` where a partner is not unique.
    """
    runs = pool_targets(runs)

    def partners(regime: str) -> dict[tuple, CVTRun]:
        found = {}
        for run in runs:
            if run.regime == regime:
                key = (run.set, run.model, run.domain, run.representation)
                if key in found:
                    raise InputError(
                        f"expected one {regime} run of {run.model}, {run.domain}, {run.representation} in {run.set}, "
                        f"found {found[key].run} and {run.run}; name only one of them"
                    )
                found[key] = run
        return found

    competing = partners("competing")
    return [(run, competing[key]) for key, run in partners(control).items() if key in competing]


def gap_table(
    runs: Sequence[CVTRun],
    items: CVTItems,
    seed: int,
    control: str = "isolated",
    outputs: pd.DataFrame | None = None,
    draws: int = DRAWS,
    strict: bool = False,
) -> pd.DataFrame:
    """Table S10, and the paired intervals of Supp. 5: a control regime minus competing, with 95 % intervals; fractions.

    One row a pair of runs and metric, then one a metric for the mean of all pairs. Metrics: F1, NSC and, where
    `outputs` has the frame of `vantage.tables.coherence.scene_outputs` for these runs, realizability, and MaxSAT if it
    is in there. Isolated scenes are resampled with the competing prompt that they share; after a filler regime, each
    target scene is its own prompt, and competing answers count only on targets. `Above 0` says how many of the row's
    `Cells` have an interval above 0.
    """
    rows, gaps = [], {}
    for place, pair in enumerate(regime_pairs(runs, control)):
        for metric, (statistic, *sums) in _sums_by_cluster(pair, items, outputs, strict).items():
            gap = paired_gap(*sums, statistic, [seed, place], draws)
            gaps.setdefault(metric, []).append(gap)
            values = [float(statistic(part.sum(axis=0))) for part in sums]
            head = {"Set": pair[0].set, "Model": pair[0].model, "Representation": pair[0].representation}
            rows.append(head | {"Clusters": len(sums[0])} | _gap_row(metric, *values, gap, [gap]))
    for metric, cells in gaps.items():
        values = [np.mean([row[side] for row in rows if row["Metric"] == metric]) for side in ("Control", "Competing")]
        rows.append(
            {"Set": "All", "Model": "All", "Representation": "All"} | _gap_row(metric, *values, mean_gap(cells), cells)
        )
    return pd.DataFrame(rows, columns=_GAP_COLUMNS)


_GAP_COLUMNS = [
    *("Set", "Model", "Representation", "Clusters", "Metric"),
    *("Control", "Competing", "Gap", "Low", "High", "Cells", "Above 0"),
]


def _gap_row(metric: str, control: float, competing: float, gap: Gap, cells: Sequence[Gap]) -> dict:
    return {
        "Metric": metric,
        "Control": control,
        "Competing": competing,
        "Gap": gap.value,
        "Low": gap.low,
        "High": gap.high,
        "Cells": len(cells),
        "Above 0": sum(cell.low > 0 for cell in cells),
    }


def drop_table(runs: Sequence[CVTRun], items: CVTItems, seed: int, outputs: pd.DataFrame | None = None) -> pd.DataFrame:
    """`gap_table` from isolated to competing without the means over cells: responders of known mechanism have no common mean."""
    cells = gap_table(runs, items, seed, outputs=outputs).query("Set != 'All'")
    return cells[["Model", "Metric", "Control", "Competing", "Gap", "Low", "High"]].rename(
        columns={"Model": "Set", "Control": "Isolated", "Gap": "Drop"}
    )


UNITS = ("question", "scene", "prompt")
"""What is resampled as a whole, from the smallest unit."""


def drop_by_unit(runs: Sequence[CVTRun], items: CVTItems, seed: int, draws: int = 2000) -> pd.DataFrame:
    """The drop in F1 from isolated to competing with its 95 % interval by each unit of `UNITS`, tidy; points.

    Columns: Set, unit, clusters, value, low, high. All pairs of runs are on the same draws.
    """
    pairs = regime_pairs(runs)
    if not pairs:
        return pd.DataFrame(columns=["Set", "unit", "clusters", "value", "low", "high"])
    for _, competing in pairs:
        require_blocks(competing.block, competing.title)
    blocks = pairs[0][1].block
    if any((competing.block != blocks).any() for _, competing in pairs):
        raise InputError("expected competing runs with the same prompts, found two ways to share scenes; name one")
    labels = {"question": np.arange(len(blocks)), "scene": items.questions.scene, "prompt": blocks}
    rows = []
    for unit in UNITS:
        clusters, _ = pd.factorize(labels[unit])
        sums = np.stack(
            [[scoring.f1_sums(run.answers, items.admissible, clusters) for run in pair] for pair in pairs], axis=0
        )  # (pairs, two regimes, clusters, columns)
        drawn = resample(np.moveaxis(sums, 2, 0), ratio, seed, draws)
        value = ratio(sums.sum(axis=2))
        low, high = interval(drawn[..., 0] - drawn[..., 1])
        for place, (run, _) in enumerate(pairs):
            ends = 100 * np.array([value[place, 0] - value[place, 1], low[place], high[place]])
            rows.append((run.title, unit, int(clusters.max()) + 1, *ends.tolist()))
    frame = pd.DataFrame(rows, columns=["Set", "unit", "clusters", "value", "low", "high"])
    return frame.sort_values("Set", key=lambda sets: sets.map({pair[0].title: n for n, pair in enumerate(pairs)}))


def interval_widths(drops: pd.DataFrame) -> pd.DataFrame:
    """The drop, the width of its interval by each unit, and how much wider prompts make it than questions; points, ratio.

    `drops` is as `drop_by_unit` gives it. The ratio is not a number where no question varies.
    """
    widths = drops.assign(width=drops.high - drops.low).pivot(index="Set", columns="unit", values="width")
    widths = (
        widths.reindex(index=drops.Set.unique(), columns=list(UNITS))
        .astype(float)
        .rename(columns=lambda unit: f"Width by {unit}")
    )
    value = drops.groupby("Set").value.first().reindex(widths.index)
    wider = ratio(widths[["Width by prompt", "Width by question"]].to_numpy())
    widths.insert(0, "Drop", value)
    return widths.assign(**{"Prompt / question": wider}).reset_index().rename_axis(columns=None)


def expected_positions(items: CVTItems, rate: float, slip: float, size: int = 20) -> pd.DataFrame:
    """Strict exact match by position in prompts of `size` scenes, derived from the items alone; tidy as `position_table`.

    `rate` is the chance of an error at the end of a prompt, growing linearly from 0: over scenes for interference, whose
    curve is a floor, because the neighbour's answer can be right too; over questions for drifting. `slip` is the
    independent noise's chance, the same everywhere.
    """
    asked = items.questions.groupby("scene").size()
    right = {"Independent noise": [], "Drifting": [], "Interference": []}
    for scenes in batches(items, size):
        counts = asked.loc[scenes].to_numpy()
        middle = np.cumsum(counts) - (counts + 1) / 2  # the mean number, from 0, of each scene's questions
        chances = (np.arange(len(scenes)) / (len(scenes) - 1), middle / (counts.sum() - 1))
        for name, chance in zip(("Interference", "Drifting"), chances, strict=True):
            right[name].append(np.array([counts, counts * (1 - rate * chance)]))
        right["Independent noise"].append(np.array([counts, counts * (1 - slip)]))
    rows = []
    for name, parts in right.items():
        counts, exact = np.sum(parts, axis=0)
        rows += [
            (f"{name}, competing", place, len(parts), value) for place, value in enumerate((exact / counts).tolist())
        ]
    return pd.DataFrame(rows, columns=["Set", "position", "scenes", "value"])


def partition_table(runs: Sequence[CVTRun], items: CVTItems, strict: bool = False) -> pd.DataFrame:
    """Supp. 4.4: in how many prompts F1 drops from isolated to competing, and the range when each is left out; fractions."""
    rows = []
    for pair in regime_pairs(runs):
        statistic, *sums = _sums_by_cluster(pair, items, None, strict)["F1"]
        blocks, left_out = (
            gaps(*sums, statistic) for gaps in (interference.block_gaps, interference.leave_one_out_gaps)
        )
        rows.append(
            {
                "Set": pair[0].set,
                "Model": pair[0].model,
                "Representation": pair[0].representation,
                "Prompts": len(blocks),
                "With a drop": int((blocks > 0).sum()),
                "Lowest without one": left_out.min(),
                "Highest without one": left_out.max(),
            }
        )
    return pd.DataFrame(rows, columns=_PARTITION_COLUMNS)


_PARTITION_COLUMNS = [
    *("Set", "Model", "Representation"),
    *("Prompts", "With a drop", "Lowest without one", "Highest without one"),
]


def prompts_table(runs: Sequence[CVTRun], items: CVTItems) -> pd.DataFrame:
    """`partition_table` for a page: a row a set, by its title."""
    return partition_table(runs, items).drop(columns=["Set", "Representation"]).rename(columns={"Model": "Set"})


def position_table(
    runs: Sequence[CVTRun], items: CVTItems, score: Score = scoring.micro_f1, strict: bool = False
) -> pd.DataFrame:
    """Figure S3: a score by the scene's position in a competing prompt; tidy: Set, position (from 0), scenes, value; fractions.

    Runs of other regimes are left out. Raises `InputError` for a competing run without blocks.
    """
    rows = []
    order = items.questions.scene.map({scene["scene"]: scene["number"] for scene in items.scenes}).to_numpy()
    _, first, scene = np.unique(items.questions.scene, return_index=True, return_inverse=True)
    for run in runs:
        if run.regime != "competing":
            continue
        require_blocks(run.block, run.title)
        position = interference.positions_in_prompt(run.block[first], order[first])
        questions = {place: np.flatnonzero(position[scene] == place) for place in range(position.max() + 1)}
        curve = viewpoint_curve(run.answers, admissible_sets(items, strict), questions, score)
        rows += zip([run.title] * len(curve), curve, np.bincount(position), curve.values(), strict=True)
    return pd.DataFrame(rows, columns=["Set", "position", "scenes", "value"])


def _sums_by_cluster(
    pair: Pair, items: CVTItems, outputs: pd.DataFrame | None, strict: bool
) -> dict[str, tuple[Statistic, NDArray[np.float64], NDArray[np.float64]]]:
    """For each metric its statistic, and the sums of the control and of the competing run in the same clusters."""
    control, competing = pair
    scene, names = pd.factorize(items.questions.scene)
    if control.regime == "isolated":
        kept = np.ones(len(scene), dtype=bool)
        require_blocks(competing.block, competing.title)
        label = competing.block
    else:
        kept = np.isin(scene, scene[control.status != NOT_ASKED])
        label = scene
    clusters = np.full(len(scene), -1, dtype=np.intp)
    clusters[kept], _ = pd.factorize(label[kept])

    admissible = admissible_sets(items, strict)
    rows = trajectories(items.questions)
    rows = rows[kept[rows[:, 0]]]
    views = viewpoint_numbers(items.questions)[rows]
    found = {
        "F1": (ratio, *(scoring.f1_sums(run.answers[kept], admissible[kept], clusters[kept]) for run in pair)),
        "NSC": (
            nsc_of_sums,
            *(survival_sums(scoring.exact(run.answers, admissible)[rows], views, clusters[rows[:, 0]]) for run in pair),
        ),
    }
    if outputs is not None:
        cluster_of_scene = pd.Series(clusters[kept], index=names[scene[kept]]).groupby(level=0).first()
        by_scene = outputs.set_index(["title", "scene"])
        for metric, column in {"Realizable": "realizable", "MaxSAT": "maxsat"}.items():
            values = [by_scene.loc[run.title, column].loc[cluster_of_scene.index].astype(float) for run in pair]
            if not any(part.isna().any() for part in values):
                found[metric] = (ratio, *(mean_sums(part, cluster_of_scene) for part in values))
    return found
